from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from riskrank import RankingData, objectives
from riskrank.data.baseline_scores import baseline_scores
from riskrank.objectives.on_data.bound_objective import BoundObjective


@pytest.fixture(scope="session")
def naive():
    """The slow reference."""
    spec = importlib.util.spec_from_file_location("naive_objectives", Path(__file__).parent / "naive.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Case(NamedTuple):
    data: RankingData
    scores: np.ndarray
    baselines: np.ndarray  # scores, baselines × documents


SIZES = (1, 2, 9, 8, 12, 7, 10, 6, 11, 5)


def make_case(seed: int = 0, *, sizes=SIZES, labels=None, scores=None) -> Case:
    """Ties in labels and in scores; the last three queries: nothing relevant, all labels the same, no scores yet."""
    rng = np.random.default_rng(seed)
    n = sum(sizes)
    starts = np.cumsum((0, *sizes))
    random_labels = np.maximum(rng.integers(-1, 5, n), 0)
    random_scores = rng.normal(size=n).round(1)
    if len(sizes) > 3:
        random_labels[starts[-4] : starts[-3]] = 0
        random_labels[starts[-3] : starts[-2]] = 2
        random_scores[starts[-2] :] = 0.5
    labels = random_labels if labels is None else np.asarray(labels)
    scores = random_scores if scores is None else np.asarray(scores, dtype=float)
    baselines = (random_labels / 3 + rng.normal(size=(3, n))).round(1)
    return Case(RankingData.from_arrays(rng.normal(size=(n, 2)), labels, group=sizes), scores, baselines)


@pytest.fixture(scope="session")
def new_case():
    return make_case


@pytest.fixture(scope="session")
def case() -> Case:
    return make_case()


def of_query(data: RankingData, values: np.ndarray) -> np.ndarray:
    return np.add.reduceat(values, data.query_offsets[:-1])


@pytest.fixture(scope="session")
def kernel():
    """Gradient and hessian as an engine gets them."""

    def gradients(objective, case: Case, *, n_threads: int = 1):
        baselines = baseline_scores(case.baselines, case.data)
        gradient, hessian, _ = BoundObjective(objective, case.data, baselines, n_threads=n_threads).gradients(
            case.scores
        )
        return gradient, hessian

    return gradients


@pytest.fixture(scope="session")
def assert_kernel_is_naive(naive, kernel):
    """The kernel gives what the naive pair loop gives, and the gradients of each query sum to 0."""

    def check(objective: str, measure: str, case: Case, *, truncation=None, **parameters):
        parameters = {"truncation": truncation, "normalise": "none", **parameters}
        gradient, hessian = kernel(getattr(objectives, objective)(measure, **parameters), case)
        expected_gradient, expected_hessian = naive.gradients(
            case.data,
            case.scores,
            case.baselines,
            value=naive.measure(measure, case.data, truncation),
            target=objective,
            **parameters,
        )
        for found, expected in ((gradient, expected_gradient), (hessian, expected_hessian)):
            largest = np.abs(expected).max()
            np.testing.assert_allclose(
                found, expected, rtol=1e-9, atol=1e-11 * max(1, largest), err_msg=str(parameters)
            )
        assert np.abs(expected_gradient).max() > 0
        size = of_query(case.data, np.abs(gradient))
        assert (np.abs(of_query(case.data, gradient)) <= 1e-12 * (1 + size)).all()

    return check
