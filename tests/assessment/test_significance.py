"""What stays significant as losses weigh more."""

from __future__ import annotations

import math

import numpy as np
import pytest

import riskrank as rr
from riskrank.assessment import significance
from riskrank.assessment.significance import COARSE_GRID, GRID, MOST_ON_GRID, Significance, Tally

NONE = math.nan


@pytest.mark.parametrize(
    ("verdicts", "largest"),
    [
        ((1, 1, 1, 1), 5.0),
        ((1, 1, 0, 0), 0.5),
        ((1, 0, 0, -1), 0.0),
        ((1, 1, 0, 1), 0.5),  # what is significant again at a larger one does not count
        ((0, 1, 1, 1), None),
        ((0, 0, 0, 0), None),
        ((-1, -1, -1, -1), None),
        ((NONE, NONE, NONE, NONE), None),
    ],
)
def test_a_gain_is_significant_up_to_the_last_alpha_before_the_first_at_which_it_is_not(verdicts, largest):
    known = Significance((0.0, 0.5, 1.0, 5.0), np.array([verdicts], dtype=float))
    assert known.up_to(0) == largest


def test_the_tally_counts_what_was_tested():
    known = Significance((0.0, 1.0), np.array([[1, 0], [1, -1], [0, 0], [NONE, NONE]]))
    assert known.tally(0.0) == Tally(gains=2, losses=0, inconclusive=1)
    assert known.tally(1.0) == Tally(gains=0, losses=1, inconclusive=2)


def test_alphas_that_were_asked_for_are_tested_beside_those_of_the_grid():
    assert significance.tested_alphas((0.25, 50.0), 3) == tuple(sorted({0.25, 50.0, *GRID}))
    assert significance.tested_alphas((1.0,), MOST_ON_GRID + 1) == COARSE_GRID


def test_verdicts_are_those_of_the_assessment_after_its_correction():
    rng = np.random.default_rng(4)
    old = rng.uniform(0.3, 0.6, 30)
    rows = {"old": old, **{f"s{i}": old + rng.normal(0.05 * i - 0.1, 0.12, 30) for i in range(5)}}
    assessment = rr.assess(rr.Effectiveness.from_rows(rows), "old", alphas=(0, 1, 5))
    known = assessment.significance
    sides = {"significant gain": 1, "significant loss": -1, "inconclusive": 0}
    for i, system in enumerate(assessment):
        for at in system.at:
            verdict = known.verdicts[i, known.alphas.index(at.alpha)]
            assert np.isnan(verdict) if system.is_baseline else verdict == sides[at.verdict]


def test_with_no_loss_a_gain_is_significant_until_unseen_losses_could_outweigh_it():
    old = np.linspace(0.2, 0.6, 40)
    rows = {"old": old, "new": old + np.linspace(0.01, 0.2, 40)}
    assessment = rr.assess(rr.Effectiveness.from_rows(rows), "old")
    # 40 gains and no loss: the two-sided p is 2 (1 − 1 / (2 + α))^40, which is 0.030 at α = 8, 0.044 at 9, 0.062 at 10.
    assert assessment.significance.up_to(1) == 9.0
