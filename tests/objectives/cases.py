"""Small data with ties and odd queries, gradients on them, and numbers to try targets with."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from riskrank import RankingData, objectives
from riskrank.data.baseline_scores import baseline_scores
from riskrank.kernels.state import TrainingState
from riskrank.objectives.on_data.bound_objective import BoundObjective

from . import naive

SIZES = (1, 2, 9, 8, 12, 7, 10, 6, 11, 5)

effectiveness = st.integers(0, 1000).map(lambda i: i / 1000)
alphas = st.floats(0, 20)


def training_of(alpha):
    """The state of a training in which only alpha matters."""
    return TrainingState(alpha, 10.0, 0.0, 0.1)


class Case(NamedTuple):
    data: RankingData
    scores: np.ndarray
    baselines: np.ndarray  # scores, baselines × documents


def make_case(seed: int = 0, *, sizes=SIZES, labels=None, scores=None) -> Case:
    """Ties in labels and in scores; the last three queries: nothing relevant, all labels the same, no scores yet.

    Baselines have no ties: targets then see the model in the order of the data.
    """
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
    baselines = random_labels / 3 + rng.normal(size=(3, n))
    return Case(RankingData.from_arrays(rng.normal(size=(n, 2)), labels, group=sizes), scores, baselines)


def gradients_of(objective, case: Case, *, n_threads: int = 1):
    """Gradient and hessian as an engine gets them."""
    baselines = baseline_scores(case.baselines, case.data)
    bound = BoundObjective(objective, case.data, baselines, n_threads=n_threads)
    gradient, hessian, _ = bound.gradients(case.scores)
    return gradient, hessian


def assert_gradients_are_naive(objective: str, measure: str, case: Case, *, truncation=None, **parameters):
    """The loop over pairs gives what the naive one gives, and the gradients of each query sum to 0."""
    parameters = {"truncation": truncation, "normalise": "none", **parameters}
    gradient, hessian = gradients_of(getattr(objectives, objective)(measure, **parameters), case)
    expected_gradient, expected_hessian = naive.gradients(
        case.data,
        case.scores,
        case.baselines,
        value=naive.measure(measure, case.data, truncation),
        target=objective,
        **parameters,
    )
    for actual, expected in ((gradient, expected_gradient), (hessian, expected_hessian)):
        largest = np.abs(expected).max()
        np.testing.assert_allclose(actual, expected, rtol=1e-9, atol=1e-11 * max(1, largest), err_msg=str(parameters))
    assert np.abs(expected_gradient).max() > 0
    size = of_query(case.data, np.abs(gradient))
    assert (np.abs(of_query(case.data, gradient)) <= 1e-12 * (1 + size)).all()


def of_query(data: RankingData, values: np.ndarray) -> np.ndarray:
    return np.add.reduceat(values, data.query_offsets[:-1])
