"""What Wang et al. 2012 claim, on changes of queries made by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from riskrank.papers.wang.wang_claims import (
    convergence_claims,
    distance_claims,
    helped_and_hurt,
    location_claims,
    summary_claims,
    tradeoff_claims,
    variance_claim,
)
from riskrank.papers.wang.wang_protocol import Study

from ...tradeoff.synthetic_sweeps import judged, synthetic_sweep

PREDICTOR = "max feature:110"
N = 800
HURT = np.arange(N) % 4 == 3  # a quarter
BOLD = np.where(HURT, -0.2, 0.2)  # gain 0.1, risk 0.05
CAREFUL = np.where(HURT, -0.04, 0.16)  # gain 0.11, risk 0.01
NOISE = np.random.default_rng(0).normal(0, 0.02, N)


def study(*deltas, predicted=None, thresholds=(), values=(0, 5, 30), **options):
    test = judged(
        np.array(deltas), predictors={PREDICTOR: np.asarray(np.arange(N) if predicted is None else predicted)}
    )
    n = len(deltas)
    sweep = synthetic_sweep(
        test, values=list(values)[:n], thresholds={PREDICTOR: list(thresholds)}, train_gain=np.full(n, 0.2),
        train_risk=np.full(n, 0.02), **options,
    )  # fmt: skip
    return Study("data", (sweep,), (), PREDICTOR, (), "")


def verdicts(claims):
    return [claim.verdict for claim in claims]


def test_a_clear_tradeoff_holds_its_reverse_does_not_and_noise_is_undecided():
    small = 0.7 * BOLD  # less risk, less gain, as many losses
    risk, gain, losses, share = verdicts(summary_claims(study(BOLD, small), "ΔMRR"))
    assert (risk, gain) == ("holds", "holds")
    assert losses == "undecided"  # none fewer: there is nothing that changed
    assert share == "undecided"  # exactly the same share
    assert verdicts(summary_claims(study(small, BOLD), "ΔMRR"))[:2] == ["does not hold", "does not hold"]
    assert verdicts(summary_claims(study(BOLD, BOLD + NOISE), "ΔMRR"))[1] == "undecided"
    careful = list(summary_claims(study(BOLD, CAREFUL), "ΔMRR"))
    assert verdicts(careful)[1] == "does not hold"  # it gains more
    # 0.11 / 0.1 − 0.01 / 0.05 = 0.9
    assert careful[3].verdict == "holds"
    assert "−10.0% and 80.0%" in careful[3].said
    assert "+90.0 (" in careful[3].evidence


@pytest.mark.parametrize("first", [-BOLD, np.where(np.arange(N) % 2, 0.2, -0.2)], ids=["loses", "gains nothing"])
def test_what_gains_nothing_has_no_share_to_lose(first):
    """Nothing is retained of a gain that is not there, whatever becomes of risk."""
    *_, share = summary_claims(study(first, 0.5 * first), "ΔMRR")
    assert share.verdict != "holds"
    assert share.evidence.startswith("no share and 50.0% ")


def test_large_losses_vanish_only_where_hardly_any_is_left():
    gone, some = np.where(HURT, 0.0, 0.1), np.where(np.arange(N) % 16 == 3, -0.2, 0.1)
    assert verdicts(location_claims(study(BOLD, gone))) == [
        "undecided",
        "holds",
    ]  # of 200, none is left: up to 4 may be
    assert verdicts(location_claims(study(BOLD, some)))[0] == "does not hold"  # a quarter of them is left
    assert verdicts(location_claims(study(BOLD, -BOLD)))[1] == "does not hold"


def test_some_are_helped_at_the_expense_of_others():
    claim = helped_and_hurt(study(BOLD))
    assert claim.verdict == "holds"
    assert claim.evidence == "600 of 800 improved, 200 degraded"
    assert helped_and_hurt(study(np.abs(BOLD))).verdict == "does not hold"


def test_the_variance_is_that_around_the_baseline():
    assert variance_claim(study(BOLD, CAREFUL), "MSLR").verdict == "holds"
    assert variance_claim(study(CAREFUL, BOLD), "MSLR").verdict == "does not hold"


def test_a_careful_model_dominates_a_predictor_that_says_nothing():
    mixed = np.random.default_rng(0).permutation(N)
    found = study(BOLD, CAREFUL, predicted=mixed, thresholds=[0, 200, 400, 600, 800])
    higher, safer, hull, _, proportional = tradeoff_claims(found, "Location")
    assert verdicts((higher, hull)) == ["holds"] * 2
    assert safer.evidence == "no threshold lies between models, to be compared"  # none gains as much as a model
    assert higher.evidence.startswith("at 3 of 3 thresholds; ")
    assert proportional.verdict == "undecided"
    # Under (0, 0), (0.01, 0.11), (0.05, 0.1) the hull goes on at 0.11: (0.01 × 0.055 + 0.04 × 0.11) / 0.005 = 0.99.
    assert "areas under both 0.99 and " in hull.evidence
    assert len(list(tradeoff_claims(found, "MSLR"))) == 4  # of MSLR the paper claims less


def test_a_predictor_that_knows_who_is_hurt_is_not_dominated():
    known = HURT.astype(float) + np.random.default_rng(0).uniform(0, 0.5, N)
    found = study(BOLD, CAREFUL, predicted=known, thresholds=[0.25, 0.75, 1.25, 2])
    higher, hull, even, proportional = tradeoff_claims(found, "MSLR")
    # Used below 0.75 it gains 0.15 without risk.
    assert verdicts((higher, hull)) == ["does not hold"] * 2
    assert verdicts((even, proportional)) == ["holds"] * 2


def test_thresholds_that_choose_the_same_queries_count_once():
    found = study(BOLD, CAREFUL, predicted=np.where(np.arange(N) < 400, 1.0, 2.0), thresholds=[1, 1.5, 1.6, 2, 3])
    assert all(claim.evidence.startswith("at 1 of 1 thresholds; ") for claim in tradeoff_claims(found, "MSLR"))


def test_no_threshold_decides_nothing():
    found = study(BOLD, CAREFUL, thresholds=[0, 5000])
    assert set(verdicts(tradeoff_claims(found, "Location"))) == {"undecided"}


@pytest.mark.parametrize(
    ("bold", "careful", "on_average", "in_all"),
    [
        ((40, 42, 41, 40, 43), (10, 11, 9, 10, 12), "holds", "holds"),
        ((10, 11, 9, 10, 12), (40, 42, 41, 40, 43), "does not hold", "does not hold"),
        ((40, 42, 41, 40, 43), (10, 12, 9, 40, 12), "undecided", "does not hold"),
        ((20, 30, 40, 25, 35), (30, 20, 35, 25, 30), "undecided", "does not hold"),
    ],
)
def test_convergence_is_judged_by_folds(bold, careful, on_average, in_all):
    curves = ((np.array([0.1, 0.5]),), (np.array([0.2, 0.502]),))
    fold = study(BOLD, CAREFUL, learning=curves, learning_baseline=((0.0,), (0.0,))).sweep
    five = replace(study(BOLD, CAREFUL), folds=(fold,) * 5)
    faster, always, near = convergence_claims(five, "MSLR", bold, careful)
    assert verdicts((faster, always)) == [on_average, in_all]
    assert near.verdict == "undecided"  # folds that are all alike tell no spread


def test_the_safe_model_has_less_risk_than_bolder_and_more_careful_ones():
    test = judged(np.array([BOLD, 0.5 * BOLD, 0.25 * BOLD]), distance=np.full((3, N), 0.25))
    found = Study("data", (synthetic_sweep(test, values=[1, 9, 10]),), (), PREDICTOR, (), "")
    risk = list(distance_claims(found, (1, 9, 10), 9))[2]
    assert (risk.text, risk.verdict) == ("At α = 9 risk is the lowest of all models", "does not hold")


def test_bins_are_compared_query_by_query():
    far, near = np.full(N, 0.25), np.where(np.arange(N) < 600, 0.0, 0.25)
    test = judged(np.array([BOLD, CAREFUL]), distance=np.array([far, near]))
    found = Study("data", (synthetic_sweep(test, values=[1, 9]),), (), PREDICTOR, (), "")
    closer, majority, risk, _, bin_2 = distance_claims(found, (1, 9), 9)
    assert verdicts((closer, majority, risk)) == ["holds"] * 3
    assert closer.evidence.startswith("0.0, 75.0 % in bin 0 at α = 1, 9; ")
    # Rewards of 0.15 and 0.12 in bin 2.
    assert bin_2.verdict == "does not hold"
    assert bin_2.evidence == "mean reward 15.00, 12.00 at α = 1, 9"
