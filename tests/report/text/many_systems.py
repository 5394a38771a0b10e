"""As many systems as a test needs, from better than the baseline to worse."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import riskrank as rr


def many(n_systems, n_topics=40, *, name="s{}", seed=5, unit="topic", **options):
    rng = np.random.default_rng(seed)
    old = rng.uniform(0.3, 0.6, n_topics)
    shifts = np.linspace(0.15, -0.1, n_systems)
    rows = {"old": old, **{name.format(i): old + rng.normal(shift, 0.1, n_topics) for i, shift in enumerate(shifts)}}
    scores = replace(rr.Effectiveness.from_rows(rows, measure="AP"), unit=unit)
    return rr.assess(scores, "old", **options)
