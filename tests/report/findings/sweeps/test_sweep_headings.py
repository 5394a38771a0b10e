"""Headings of a sweep's page."""

from __future__ import annotations

import numpy as np
import pytest

from riskrank.report.findings.sweeps.sweep_headings import curve_heading, hurt_heading, large_losses_heading

from ....tradeoff.synthetic_sweeps import judged, synthetic_sweep

SIGNS = np.where(np.arange(400) % 4 == 0, -1.0, 1.0)
BOLD = 0.2 * SIGNS  # gain 0.1, risk 0.05
CAREFUL = np.where(SIGNS > 0, 0.05, -0.03)  # gain 0.03 for a risk of 0.0075: twice what a coin gives

CHANCE = np.where(np.arange(400) % 40 < 21, 0.1, -0.1)  # a gain of 0.005; its standard error is 0.005


def swept(*deltas, **options):
    test = judged(np.array(deltas))
    return synthetic_sweep(test, valid=test, **options)


def test_the_curve_of_a_point():
    sweep = swept(BOLD, CAREFUL, values=[0, 5])
    point = sweep.guarantee(0.004)
    share = f"{point.probability:.0%}"
    assert curve_heading(sweep, point) == f"Of what is shown to fit the budget, α = 5 on {share} of queries gains most"
    assert curve_heading(sweep, sweep.guarantee(0.00001)) == "No model is shown to fit the budget"
    harmless = swept(np.where(np.arange(400) % 100 == 0, -0.01, 0.0))
    assert curve_heading(harmless, harmless.guarantee(0.2)) == "No gain is shown to fit the budget"


def test_a_point_that_fits_the_budget_but_is_not_shown_to_gain():
    sweep = swept(CHANCE)
    assert curve_heading(sweep, sweep.guarantee(0.06)) == "α = 0 is shown to fit the budget, but not to gain"
    loses = synthetic_sweep(judged(np.array([-CAREFUL])), valid=judged(np.array([CAREFUL])))
    assert curve_heading(loses, loses.guarantee(0.02)) == "α = 0 is shown to fit the budget, but not to gain"


@pytest.mark.parametrize(
    ("sweep", "heading"),
    [
        (swept(BOLD, CAREFUL), "At its risk, α = 1 gains more than α = 0 used less often"),
        (swept(BOLD, 0.5 * BOLD), "At its risk, α = 1 is not shown to gain more than α = 0 used less often"),
        (swept(BOLD), "α = 0 against feature:1"),
        (swept(CHANCE, CAREFUL), "The gain of α = 0 could be chance"),
        (swept(-BOLD), "α = 0 has no gain to trade"),
        (swept(-BOLD, -CAREFUL), "No model has a gain to trade"),
        (swept(-BOLD, CAREFUL), "α = 1 gains most, α = 0 nothing"),
        (swept(BOLD, 0.5 * BOLD, 0.4 * BOLD, values=[0, 1, 0], series=["URisk", "URisk", "SARO"]),
         "At its risk, URisk, α = 1 is not shown to gain more than URisk, α = 0 used less often"),
    ],
)  # fmt: skip
def test_the_curve_without_a_point(sweep, heading):
    assert curve_heading(sweep, None) == heading


@pytest.mark.parametrize(
    ("n_large", "n_reference", "heading"),
    [
        (0, 0, "No query loses more than a fifth"),
        (0, 5, "No query loses more than a fifth with α = 5 (5 with α = 0)"),
        (1, 1, "1 query loses more than a fifth with α = 5 (1 with α = 0)"),
        (3, 6, "α = 5 cuts the queries that lose more than a fifth from 6 to 3"),
        (1, None, "1 of 40 queries loses more than a fifth"),
    ],
)
def test_large_losses(n_large, n_reference, heading):
    assert large_losses_heading("α = 5", n_large, 40, "α = 0", n_reference) == heading


@pytest.mark.parametrize(
    ("n_hurt", "n_reference", "is_less", "heading"),
    [
        (0, None, False, "α = 5 hurts no query"),
        (7, None, False, "α = 5 hurts 7 of 40 queries"),
        (7, 9, True, "α = 5 hurts 7 of 40 queries, α = 0 hurts 9"),
        (7, 6, True, "α = 5 hurts 7 of 40 queries, α = 0 hurts 6, but by more in all"),
        (7, 6, False, "α = 5 hurts 7 of 40 queries, α = 0 hurts 6"),
    ],
)
def test_queries_hurt(n_hurt, n_reference, is_less, heading):
    assert hurt_heading("α = 5", n_hurt, 40, "α = 0", n_reference, is_less=is_less) == heading
