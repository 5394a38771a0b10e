"""The λ-functions of Burges et al. 2006, §4 and §6.2: do they come from a cost?"""

from __future__ import annotations

import numpy as np
import pytest

import riskrank as rr
from riskrank.errors import ParameterError
from riskrank.objectives import diagnose
from riskrank.objectives.lambda_functions import LAMBDA_FUNCTIONS, LambdaFunction, loop_work

SCORES, LABELS = np.array([0.3, 1.0, -0.5, 0.1, 0.75]), np.array([2, 0, 1, 0, 3])
LOOP = [[0.0, 0.5, 0.2, -0.3, 0.1], [0.9, -0.4, 0.3, 0.1, -0.8], [-0.6, 0.2, -0.9, 0.7, 0.5]]


def test_a_hand_worked_query():
    """Two documents, labels 1 and 0, the worse one ahead by 0.5: a spring of margin 2 pulls by 2 − (−0.5) = 2.5; a step
    by 1; the logistic by 1 / (1 + e^−0.5) = 0.6225. A swap brings nDCG from 1 / log2(3) = 0.6309 to 1.
    """
    scores, labels = [0.5, 1.0], [1, 0]
    assert LambdaFunction("spring", margin=2.0)(scores, labels).tolist() == [2.5, -2.5]
    assert LambdaFunction("step")(scores, labels).tolist() == [1.0, -1.0]
    swap = LambdaFunction("logistic", "swap")(scores, labels)
    np.testing.assert_allclose(swap, [0.6225 * 0.3691, -0.6225 * 0.3691], atol=1e-4)
    np.testing.assert_allclose(LambdaFunction("step", diagonal=0.2)(scores, labels), [0.9, -1.2])


def test_a_margin_lets_go_of_pairs_that_lead_by_more():
    assert LambdaFunction("margin", margin=1.0)([3.0, 0.0], [1, 0]).tolist() == [0.0, 0.0]
    assert LambdaFunction("step", margin=1.0)([3.0, 0.0], [1, 0]).tolist() == [0.0, 0.0]
    assert LambdaFunction("spring", margin=1.0)([3.0, 0.0], [1, 0]).tolist() == [-2.0, 2.0]


def test_neighbours_are_the_documents_next_in_the_ranking():
    """Ranked 1.0 (label 0), 0.5 (label 1), 0.0 (label 2): the pair of the first and the last is left out."""
    lambdas = LambdaFunction("step", neighbours=True)([1.0, 0.5, 0.0], [0, 1, 2])
    assert lambdas.tolist() == [-1.0, 0.0, 1.0]


@pytest.mark.parametrize(
    ("function", "objective"),
    [
        ("RankNet", rr.RankNet(truncation=None, normalise=False)),
        ("LambdaRank", rr.Gain("nDCG", truncation=None, normalise=False)),
    ],
)
def test_the_compiled_loop_has_the_same_lambdas(function, objective):
    data = rr.RankingData.from_arrays(np.zeros((5, 1)), LABELS, group=[5])
    gradient, _ = objective.gradients(SCORES, data)
    np.testing.assert_allclose(LAMBDA_FUNCTIONS[function](SCORES, LABELS), -gradient, atol=1e-9)


@pytest.mark.parametrize("name", list(LAMBDA_FUNCTIONS))
def test_as_long_as_the_ranking_stays_all_have_a_symmetric_jacobian(name):
    found = diagnose(LAMBDA_FUNCTIONS[name].of(LABELS), SCORES)
    assert found.has_cost
    assert found.is_convex
    assert found.is_balanced == (LAMBDA_FUNCTIONS[name].diagonal == 0)


def test_the_diagonal_term_makes_the_cost_strictly_convex():
    plain, drawn = (diagnose(LambdaFunction("spring", diagonal=d).of(LABELS), SCORES) for d in (0.0, 0.5))
    assert plain.least_eigenvalue == pytest.approx(0, abs=1e-6)  # all scores may move together
    assert drawn.least_eigenvalue > 0.01


def test_a_force_that_is_not_returned_has_no_cost():
    """Newton's third law, broken: the worse document is not pushed down."""
    found = diagnose(lambda s: np.array([1 / (1 + np.exp(s[0] - s[1])), 0.0]), [0.2, 0.5])
    assert not found.has_cost
    assert not found.is_balanced


@pytest.mark.parametrize("name", list(LAMBDA_FUNCTIONS))
def test_only_functions_that_do_not_rank_do_no_work_around_a_loop(name):
    """Where the ranking changes, weights jump, and with them the lambdas: no cost has such a gradient."""
    function = LAMBDA_FUNCTIONS[name]
    work = abs(loop_work(function.of(LABELS), LOOP))
    if function.weight == "one":
        assert work < 1e-3
    else:
        assert work > 5e-3


def test_unknown_shapes_are_told():
    with pytest.raises(ParameterError, match="shape must be one of step, spring, margin, logistic, got 'square'"):
        LambdaFunction("square")
    with pytest.raises(ParameterError, match="weight must be one of one, swap"):
        LambdaFunction(weight="two")
