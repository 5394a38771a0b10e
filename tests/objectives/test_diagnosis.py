"""Does a cost stand behind the lambdas? Springs, whose answers are known, and the objectives."""

from __future__ import annotations

import numpy as np
import pytest

from riskrank import Gain, RankNet, URisk
from riskrank.errors import ParameterError
from riskrank.objectives import diagnose

SCORES = np.array([0.3, 1.0, -0.5, 0.1, 2.0])
LABELS = [2, 0, 1, 0, 1]


def springs(stiffness):
    """Every pair is joined by a spring of length 0; lambdas are linear in the scores."""
    laplacian = np.diag(stiffness.sum(axis=1)) - stiffness
    return lambda scores: -laplacian @ scores


def test_springs_have_a_convex_cost_and_lambdas_in_balance():
    diagnosis = diagnose(springs(np.ones((3, 3)) - np.eye(3)), [0.0, 1.0, 3.0])
    assert diagnosis.has_cost
    assert diagnosis.is_convex
    assert diagnosis.is_balanced
    np.testing.assert_allclose(diagnosis.jacobian, np.ones((3, 3)) - 3 * np.eye(3), atol=1e-8)


def test_springs_that_push_have_a_cost_that_is_not_convex():
    diagnosis = diagnose(springs(np.eye(3) - np.ones((3, 3))), [0.0, 1.0, 3.0])
    assert diagnosis.has_cost
    assert not diagnosis.is_convex
    assert str(diagnosis) == "The lambdas derive from a cost, which is not convex here; they sum to zero."


def test_lambdas_that_do_not_answer_each_other_have_no_cost():
    one_sided = np.array([[0.0, 1.0], [0.0, 0.0]])
    diagnosis = diagnose(lambda scores: one_sided @ scores, [1.0, 2.0])
    assert not diagnosis.has_cost
    assert not diagnosis.is_convex
    assert not diagnosis.is_balanced
    assert str(diagnosis) == "The lambdas derive from no cost (asymmetry 1); they sum to 1 of their size."


def test_constant_lambdas_derive_from_a_linear_cost():
    diagnosis = diagnose(lambda _: np.array([1.0, -1.0]), [0.0, 5.0])
    assert diagnosis.has_cost
    assert diagnosis.is_convex


def test_ranknet_is_convex():
    assert diagnose(RankNet(truncation=None, normalise=False), SCORES, LABELS).is_convex


@pytest.mark.parametrize("objective", [Gain("nDCG"), Gain("AP"), URisk("nDCG", alpha=3)], ids=repr)
def test_lambdas_derive_from_a_convex_cost_while_the_ranking_stays(objective):
    """Each pair's weight is constant there; normalising by the sum of lambdas ties all pairs together."""
    options = {"baseline": [0.2, 0.1, 0.3, 0.0, 0.5]} if objective.needs_baseline else {}
    raw = diagnose(objective, SCORES, LABELS, truncation=None, normalise=False, **options)
    assert raw.is_convex
    assert raw.is_balanced
    normalised = diagnose(objective, SCORES, LABELS, truncation=None, normalise="all", **options)
    assert not normalised.has_cost
    assert normalised.is_balanced


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((Gain(), [1.0, 2.0]), "needs the documents' labels"),
        ((Gain(), [1.0, 1.0], [0, 1]), "must be different"),
        ((Gain(), [1.0], [0]), "at least two"),
        ((lambda _: [1.0], [1.0, 2.0]), "a lambda per document"),
    ],
)
def test_what_cannot_be_examined_is_refused(arguments, message):
    with pytest.raises(ParameterError, match=message):
        diagnose(*arguments)
