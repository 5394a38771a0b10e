from __future__ import annotations

import numpy as np
import pytest

import riskrank as rr

from ...tradeoff.synthetic_sweeps import judged, synthetic_sweep


@pytest.fixture(scope="module")
def assessment():
    rng = np.random.default_rng(0)
    rows = {name: np.round(rng.random(12), 2) for name in ("old", "new", "bold")}
    return rr.assess(rr.Effectiveness.from_rows(rows), baseline="old")


@pytest.fixture(scope="module")
def sweep():
    """Four queries, three models, a predictor."""
    delta = [[0.4, 0.2, 0.0, -0.2], [0.2, 0.2, 0.0, -0.08], [0.2, 0.0, 0.0, 0.0]]
    distance = [[0.05, 0.15, 0.0, 0.95], [0.05, 0.05, 0.0, 0.15], [0.05, 0.0, 0.0, 0.0]]
    part = judged(delta, distance=distance, predictors={"max feature:1": np.array([0.1, 0.4, 0.6, 0.9])})
    limits = {"max feature:1": [0.0, 0.5, 1.0]}
    return synthetic_sweep(part, valid=part, thresholds=limits, values=[0, 1, 5], learning=(
        (np.array([0.2, 0.38, 0.4]),), (np.array([0.1, 0.2, 0.3]),), (np.array([0.3, 0.3, 0.3]),),
    ), learning_baseline=((0.0,), (0.0,), (0.2,)))  # fmt: skip
