"""The line search for one feature's weight."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from riskrank.rankers.linear.line_search import best_weight

N_QUERIES, N_DOCUMENTS = 6, 5


class Problem:
    """The scores of some queries without a feature, that feature, and the mean nDCG of what is made of them."""

    def __init__(self, seed):
        rng = np.random.default_rng(seed)
        self.labels = rng.integers(0, 3, (N_QUERIES, N_DOCUMENTS))
        self.labels[:, 0] = 2
        self.rest, self.column = rng.normal(size=(2, N_QUERIES * N_DOCUMENTS)) + 0.5 * self.labels.ravel()

    def value_of(self, scores):
        order = np.argsort(-scores.reshape(N_QUERIES, N_DOCUMENTS), axis=1, kind="stable")
        discounts = 1 / np.log2(np.arange(2, N_DOCUMENTS + 2))
        best = -np.sort(-self.labels, axis=1) @ discounts
        return float((np.take_along_axis(self.labels, order, axis=1) @ discounts / best).mean())

    def worth(self, weight):
        return self.value_of(self.rest + weight * self.column)

    def search(self, weight=0.0):
        return best_weight(self.rest, self.column, self.value_of, now=(weight, self.worth(weight)))


@pytest.mark.parametrize("seed", range(50))
def test_the_worth_is_that_of_the_weight_and_never_less_than_now(seed):
    problem = Problem(seed)
    for before in (0.0, 1.0, -0.3):
        weight, worth = problem.search(before)
        assert worth == problem.worth(weight)
        assert worth >= problem.worth(before)


@pytest.mark.parametrize("seed", range(50))
def test_no_power_of_2_on_the_scale_of_the_rest_is_better(seed):
    problem = Problem(seed)
    _, worth = problem.search()
    for size in problem.rest.std() * 2.0 ** np.arange(-6, 4):
        assert worth >= problem.worth(size)
        assert worth >= problem.worth(-size)


def test_a_dense_grid_finds_little_more():
    missed = []
    for seed in range(20):
        problem = Problem(seed)
        widest = 8 * problem.rest.std()
        missed.append(max(map(problem.worth, np.linspace(-widest, widest, 1601))) - problem.search()[1])
    assert max(missed) < 0.02
    assert np.mean(missed) < 0.003


@given(st.floats(2.0**-6, 8.0), st.sampled_from([1, -1]))
def test_a_single_peak_is_located_to_a_sixteenth(size, sign):
    rest, column = np.array([-1.0, 1.0]), np.array([1.0, 0.0])  # the first score is weight − 1

    def value_of(scores):
        return -abs(scores[0] + 1 - sign * size)

    weight, _ = best_weight(rest, column, value_of, now=(0.0, value_of(rest)))
    assert abs(weight - sign * size) <= size / 16


@pytest.mark.parametrize("scale", [2.0**-20, 2.0**20])
def test_the_weight_follows_the_scale_of_the_rest(scale):
    problem = Problem(0)
    weight, worth = problem.search()
    assert weight != 0
    now = (0.0, problem.worth(0.0))
    assert best_weight(scale * problem.rest, problem.column, problem.value_of, now=now) == (scale * weight, worth)


@pytest.mark.parametrize("rest", [0.0, 2.5])
def test_where_the_rest_says_nothing_only_the_sign_matters(rest):
    problem = Problem(3)
    nothing = np.full(len(problem.rest), rest)
    up, down = problem.value_of(problem.column), problem.value_of(-problem.column)
    assert up > down
    lowest = (0.0, 0.0)
    assert best_weight(nothing, problem.column, problem.value_of, now=lowest) == (1.0, up)
    assert best_weight(nothing, -problem.column, problem.value_of, now=lowest) == (-1.0, up)


@pytest.mark.parametrize("rest", [np.zeros(4), np.arange(4.0)], ids=["no spread", "spread"])
@pytest.mark.parametrize("weight", [0.0, 1.0, -0.37])
def test_what_is_no_better_does_not_replace_the_present_weight(rest, weight):
    assert best_weight(rest, np.arange(4.0) ** 2, lambda scores: 0.5, now=(weight, 0.5)) == (weight, 0.5)
    assert best_weight(rest, np.arange(4.0) ** 2, lambda scores: 0.5, now=(weight, 0.6)) == (weight, 0.6)


def test_the_arrays_are_left_alone():
    problem = Problem(0)
    kept = problem.rest.copy(), problem.column.copy()
    problem.search()
    np.testing.assert_array_equal((problem.rest, problem.column), kept)
