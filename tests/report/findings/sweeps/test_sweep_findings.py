"""What is said of a sweep, by hand; ends of intervals by the test that they invert."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from riskrank.report.findings.digits import Digits
from riskrank.report.findings.sweeps.budget_fit import not_shown_to_fit
from riskrank.report.findings.sweeps.model_words import if_losses_weigh_double
from riskrank.report.findings.sweeps.shown_gains import has_gain
from riskrank.report.findings.sweeps.sweep_findings import sweep_findings
from riskrank.report.findings.words import plain
from riskrank.report.page.sweeps.model_significance import model_significance, model_verdicts
from riskrank.risk.inference.mirror_shift import GAIN, MirrorShift

from ....tradeoff.synthetic_sweeps import judged, selective_sweep, synthetic_sweep

N = 400
SIGNS = np.where(np.arange(N) % 4 == 0, -1.0, 1.0)  # a quarter loses
BOLD = 0.2 * SIGNS  # gain 0.1, risk 0.05
FREE = np.where(SIGNS > 0, 0.15, -0.05)  # gain 0.1125 − 0.0125 = 0.1, risk 0.0125
CAREFUL = np.where(SIGNS > 0, 0.05, -0.03)  # gain 0.0375 − 0.0075 = 0.03, risk 0.0075


def mixed(change, seed=1):
    """The same numbers in another order, so that no two models lose the same queries by the same amounts."""
    return np.random.default_rng(seed).permutation(change)


def swept(*deltas, **options):
    test = judged(np.array(deltas))
    return synthetic_sweep(test, valid=judged(np.array(deltas)), **options)


def said(sweep, point=None):
    finding = sweep_findings(sweep, point)
    return plain(finding.headline), plain(finding.beside), finding.step, finding.guarantee


def interval(change):
    low, high = (f"{limit:+.4f}".replace("-", "−") for limit in MirrorShift(change).interval(GAIN, 0.95))
    return f"(95% interval {low} to {high})"


def test_a_guaranteed_point():
    sweep = swept(BOLD, CAREFUL, values=[0, 5])
    point = sweep.guarantee(0.004)
    assert point.probability < 1
    share = point.probability  # of 0.3 of the reference model's gain, which is 0.1, and of 0.15 of its risk
    headline, beside, _, guarantee = said(sweep, point)
    assert headline == (
        f"Use α = 5 on {share:.0%} of queries, drawn at random: it gains +{share * 0.03:.4f} nDCG@10 over feature:1 "
        f"{interval(share * CAREFUL)}, and its mean loss stays within 0.004 with 90% confidence."
    )
    assert beside == (
        f"It keeps {share * 0.3:.0%} of the gain of α = 0 at {share * 0.15:.0%} of its risk, and hurts "
        f"{share * 0.25:.0%} of queries."
    )
    assert guarantee == (
        "Guarantee: mean loss at most 0.004 (betting test on 400 validation queries). On all of them α = 5 loses "
        "0.0075, over it."
    )


def test_a_guarantee_for_the_share_that_is_hurt():
    sweep = swept(BOLD, CAREFUL, values=[0, 5])
    headline, beside, _, guarantee = said(sweep, sweep.guarantee(0.1, hurt_beyond=0.1))
    assert headline.endswith("the share of queries that lose more than 0.1 stays within 0.1 with 90% confidence.")
    assert beside.endswith("and hurts 9% of queries by more than 0.1.")
    assert guarantee == (
        "Guarantee: share that loses more than 0.1 at most 0.1 (binomial test on 400 validation queries). On all of "
        "them α = 0 makes 25.0% lose as much, over it."
    )


def test_a_point_by_a_rule_is_measured_and_not_guaranteed():
    sweep = swept(BOLD, CAREFUL, values=[0, 5])
    headline, beside, _, guarantee = said(sweep, sweep.choose("risk", max_risk=0.01))
    assert headline.startswith("Use α = 5: it gains +0.0300 nDCG@10 over feature:1 (95% interval ")
    assert headline.endswith("), with a mean loss of 0.0075, measured and not guaranteed.")
    assert beside == (
        "It keeps 30% of the gain of α = 0 at 15% of its risk, and hurts 25% of queries. It gains most of those with a "
        "risk up to 0.01 on validation queries."
    )
    assert guarantee == ""


def test_a_mean_loss_above_the_gain_is_told():
    risky = np.where(np.arange(N) % 10 < 6, 0.1, -0.1)  # gain 0.02, risk 0.04
    sweep = swept(risky)
    beside = said(sweep, sweep.guarantee(0.06))[1]
    assert "If losses weighed double, it would not gain on average: −0.0200." in beside
    for other, loses in (
        (0.5 * risky, "no model would gain on average: this one −0.0200."),
        (0.5 * CAREFUL, "it would not gain on average: −0.0200; α = 5 would (+0.0113)."),
    ):
        sweep = swept(risky, other, values=[0, 5])
        beside = said(sweep, sweep.choose("risk", max_risk=1))[1]
        assert f"If losses weighed double, {loses}" in beside
    told = "If losses weighed double, no model would gain on average: this one −0.0100. For a guarantee"
    assert told in said(swept(risky, 0.5 * risky, values=[0, 5]))[1]  # the careful one leads: gain 0.01, risk 0.02


def test_the_reference_model_keeps_all_of_itself():
    sweep = swept(BOLD, CAREFUL, values=[0, 5])
    headline, beside, _, _ = said(sweep, sweep.choose("risk", max_risk=1))
    assert headline.startswith("Use α = 0: it gains +0.1000 ")
    assert beside.startswith("It hurts 25% of queries. It gains most ")


def test_without_a_budget():
    headline, beside, _, guarantee = said(swept(BOLD, CAREFUL, values=[0, 5]))
    assert headline == "α = 5 keeps 30% of the gain of α = 0 at 15% of its risk and hurts 25% of queries."
    assert beside == (
        f"It gains +0.0300 nDCG@10 over feature:1 {interval(CAREFUL)}; α = 0 gains +0.1000 {interval(BOLD)}. "
        "For a guarantee, give a budget (--budget)."
    )
    assert guarantee == ""


def test_one_model():
    headline, beside, step, _ = said(swept(BOLD))
    assert headline == f"α = 0 gains +0.1000 nDCG@10 over feature:1 {interval(BOLD)} and hurts 25% of queries."
    assert (beside, step) == ("For a guarantee, give a budget (--budget).", "")


def test_nothing_within_the_budget():
    sweep = swept(BOLD, CAREFUL, values=[0, 5])
    headline, beside, _, guarantee = said(sweep, sweep.guarantee(0.00001))
    assert headline == "Keep feature:1: no model is shown to stay within 1e-05."
    assert "no point could be shown to be safe" in beside
    assert guarantee == ""


def test_what_is_safe_may_gain_nothing():
    harmless = np.where(np.arange(N) % 100 == 0, -0.01, 0.0)
    sweep = swept(harmless)
    assert said(sweep, sweep.guarantee(0.2))[0] == "Keep feature:1: what is shown to stay within 0.2 gains nothing."


EVEN = np.tile([0.1, -0.1], N // 2)


@pytest.mark.parametrize(("change", "lost"), [(-BOLD, "loses 0.1000"), (EVEN, "gains nothing")])
def test_one_model_that_gains_nothing(change, lost):
    headline, beside, step, _ = said(swept(change))
    end = f"{interval(change)}: there is nothing to trade."
    assert (headline, beside, step) == (f"α = 0 {lost} nDCG@10 against feature:1 {end}", "", "")


def test_no_model_gains():
    headline, beside, _, _ = said(swept(-BOLD, -CAREFUL, values=[0, 5]))
    end = f"{interval(-CAREFUL)}: there is nothing to trade."
    assert (headline, beside) == (f"No model gains nDCG@10 over feature:1; α = 5 loses least, 0.0300 {end}", "")


def test_another_model_than_the_reference_model_gains():
    headline, beside, step, _ = said(swept(-BOLD, CAREFUL, values=[0, 5]))
    gained = f"+0.0300 nDCG@10 over feature:1 {interval(CAREFUL)}"
    assert headline == f"α = 5 gains most: {gained}, and hurts 25% of queries."
    assert beside == f"α = 0 loses 0.1000 {interval(-BOLD)}. For a guarantee, give a budget (--budget)."
    assert step == ""


CHANCE = np.where(np.arange(N) % 40 < 21, 0.1, -0.1)  # a gain of 0.005; its standard error is 0.005


def test_no_share_of_a_gain_that_could_be_chance_is_told():
    headline, beside, step, _ = said(swept(CHANCE, 0.5 * CHANCE, values=[0, 5]))
    assert headline == "No model is shown to gain nDCG@10 over feature:1 on 400 test queries."
    assert beside == f"The largest gain, α = 0's, +0.0050 {interval(CHANCE)}, could be chance; it hurts 48% of queries."
    assert step == ""
    assert all(np.isnan(model.gain_kept) for model in sweep_findings(swept(CHANCE, CAREFUL)).models)
    headline, beside, *_ = said(swept(CHANCE))
    assert headline == "α = 0 is not shown to gain nDCG@10 over feature:1 on 400 test queries."
    assert beside.startswith("Its gain, +0.0050 (95% interval ")


def test_a_model_that_gains_beside_a_reference_model_whose_gain_could_be_chance():
    headline, beside, *_ = said(swept(CHANCE, CAREFUL, values=[0, 5]))
    assert headline.startswith("α = 5 gains most: +0.0300 ")
    assert beside.startswith(f"α = 0's gain, +0.0050 {interval(CHANCE)}, could be chance. For a guarantee")


def test_a_point_whose_gain_could_be_chance_is_not_recommended():
    sweep = swept(CHANCE, values=[0])
    point = sweep.guarantee(0.06)
    assert point.index == 0
    headline, beside, *_ = said(sweep, point)
    assert headline == (
        f"Keep feature:1: α = 0 is not shown to gain. It changes nDCG@10 by +0.0050 {interval(CHANCE)}, and its mean "
        "loss stays within 0.06 with 90% confidence."
    )
    assert beside.startswith("It hurts 48% of queries.")


def test_a_point_that_loses_on_test_queries_is_not_recommended():
    sweep = synthetic_sweep(judged(np.array([-CAREFUL])), valid=judged(np.array([CAREFUL])), values=[5])
    headline = said(sweep, sweep.guarantee(0.02))[0]
    assert headline.startswith("Keep feature:1: α = 5 loses. It changes nDCG@10 by −0.0300 (95% interval −")


def test_more_than_all_of_the_gain():
    headline, *_ = said(swept(CAREFUL, BOLD, values=[0, 5]))  # 0.1 / 0.03 and 0.05 / 0.0075
    assert headline == "α = 5 gains 3.3 times as much as α = 0 at 6.7 times its risk and hurts 25% of queries."
    headline, *_ = said(swept(BOLD, -0.1 * BOLD, values=[0, 5]))  # a gain of −0.01, a risk of 0.015
    assert headline.startswith("α = 5 keeps nothing of the gain of α = 0 at 30% of its risk and hurts 75% ")


def test_a_coin_counts_by_its_expectation():
    """Both rankings of a test query are known: the interval of the mean is p times the model's, whatever the coin."""
    sweep = swept(BOLD, CAREFUL, values=[0, 5])
    point = sweep.guarantee(0.004)
    p = point.probability
    assert 0 < p < 1
    model, mixed_model = sweep_findings(sweep, point).models[1:]
    assert mixed_model.gain == pytest.approx(p * model.gain)
    assert mixed_model.interval == pytest.approx(tuple(p * limit for limit in model.interval), rel=1e-6)
    # a coin that has fallen adds p (1 − p) × the mean square of the changes to the variance of each query
    tossed = p * (CAREFUL**2).mean() - (p * CAREFUL.mean()) ** 2
    assert tossed == pytest.approx(np.var(p * CAREFUL) + p * (1 - p) * (CAREFUL**2).mean())


def test_a_free_step():
    *_, step, _ = said(swept(BOLD, mixed(FREE), CAREFUL, values=[0, 1, 5]))
    assert step == "The first step costs no gain that shows: α = 1 has 25% of the risk of α = 0."
    *_, step, _ = said(swept(BOLD, CAREFUL, mixed(0.5 * CAREFUL + 0.015), values=[0, 1, 5]))
    assert step.startswith("The step to α = 5 costs no gain that shows: α = 5 has ")


def test_the_dearest_step():
    *_, step, _ = said(swept(BOLD, 0.9 * BOLD, 0.3 * BOLD, values=[0, 1, 5]))
    assert step == "α = 5 costs 0.0600 of gain for 0.0300 less risk."  # 0.9 to 0.3 of 0.1 and of 0.05


def test_differences_of_risk_have_the_digits_of_risks():
    # Standard errors of 0.05 and more: gains have three digits, mean losses four.
    wide = np.where(np.arange(N) % 4 == 0, -1.0, 2.0)  # gain 1.25, risk 0.25
    *_, step, _ = said(swept(wide, 0.9 * wide, values=[0, 1]))
    assert step == "α = 1 costs 0.125 of gain for 0.0250 less risk."
    *_, step, _ = said(swept(wide, np.where(wide > 0, 1.5, -1.0), values=[0, 1]))
    assert step == "α = 1 costs 0.375 of gain for no less risk."


def test_a_loss_that_rounds_to_nothing_is_not_told():
    assert if_losses_weigh_double(0.0104, 0.0106, Digits(3), is_every=False) == ()
    told = plain(if_losses_weigh_double(0.01049, 0.01151, Digits(3), is_every=False))
    assert (
        told == "If losses weighed double, it would not gain on average: −0.001."
    )  # 0.010 and 0.012, which differ by 0.00102


def test_several_series_are_named():
    sweep = swept(BOLD, CAREFUL, BOLD, CAREFUL, values=[0, 5, 0, 5], series=["URisk", "URisk", "SARO", "SARO"])
    assert said(sweep)[0].startswith("URisk, α = 5 keeps 30% of the gain of URisk, α = 0 at 15% of its risk")


def test_models_are_within_the_budget_or_over_it_or_it_is_unclear():
    sweep = swept(BOLD, 0.85 * BOLD, FREE, values=[0, 5, 10])  # risks 0.05, 0.0425 and 0.0125
    point = sweep.guarantee(0.045)
    models = sweep_findings(sweep, point).models
    assert [(model.label, model.budget) for model in models] == [("0", "over"), ("5", "unclear"), ("10", "chosen")]
    assert point.safe == (2,)


def test_what_gains_more_within_the_budget_and_is_not_shown_to_fit_it_is_told():
    sweep = swept(BOLD, 0.85 * BOLD, CAREFUL, values=[0, 5, 10])  # gains 0.1, 0.085, 0.03; risks 0.05, 0.0425, 0.0075
    point = sweep.guarantee(0.045)
    assert not_shown_to_fit(sweep, point) == [1]
    assert (point.index, point.probability) == (1, 0.9)
    assert "gains more" not in said(sweep, point)[1]  # it is the same model
    assert sweep_findings(sweep, point).guarantee.endswith(
        " On all of them α = 5 loses 0.0425, but more than 0.045 cannot be ruled out."
    )
    alone = sweep.guarantee(0.045, via="alpha")
    assert said(sweep, alone)[1].endswith(
        "α = 5 gains more on the test queries, but is not shown to fit the budget: its mean loss on the 400 validation "
        "queries is 0.0425, but more than the budget cannot be ruled out."
    )
    assert not_shown_to_fit(sweep, sweep.choose("risk", max_risk=0.045)) == []
    sure = sweep.guarantee(0.2)
    assert not_shown_to_fit(sweep, sure) == []
    assert "not shown" not in said(sweep, sure)[1]


def test_a_model_that_was_not_tested_has_no_loss_that_was():
    # risks 0.05, 0.0425, 0.04, 0.0075: the test of α = 5 ends the tests
    sweep = swept(BOLD, 0.85 * BOLD, 0.8 * BOLD, CAREFUL, values=[0, 1, 5, 10])
    assert said(sweep, sweep.guarantee(0.045))[1].endswith(
        "α = 1 gains more on the test queries, but was not tested: a more careful model was not shown to fit."
    )
    sweep = swept(BOLD, CAREFUL, values=[0, 5])
    point = sweep.guarantee(0.0076)
    assert point.probability < 1
    assert "gains more" not in said(sweep, point)[1]
    assert sweep_findings(sweep, point).guarantee.endswith(
        " On all of them α = 5 loses 0.0075, but more than 0.0076 cannot be ruled out."
    )


def test_a_predictor_tests_no_model():
    sweep = selective_sweep()
    wins = judged(np.full((1, 100), 0.1), predictors=sweep.test.predictors)
    sweep = dataclasses.replace(sweep, test=wins)
    assert said(sweep, sweep.guarantee(0.05, via="x"))[1].endswith(
        "α = 0 gains more on the test queries, but was not tested: only uses of α = 0 by the query's largest feature 1 "
        "were."
    )


def test_a_share_that_is_too_near_the_budget_is_told_as_a_share():
    often = np.where(np.arange(N) % 400 < 17, -0.2, 0.1)  # 17 of 400 lose more than 0.1, 4.25 %
    sweep = swept(often, CAREFUL, values=[0, 5])
    assert said(sweep, sweep.guarantee(0.05, hurt_beyond=0.1, via="alpha"))[1].endswith(
        "α = 0 gains more on the test queries, but is not shown to fit the budget: 4.2% of the 400 validation queries "
        "lose more than 0.1 by it, but more than the budget cannot be ruled out."
    )


def test_queries_that_weights_make_few_show_nothing():
    weights = np.append(np.full(4, 100.0), np.ones(36))  # count as 436² / 40,036 = 4.7
    test = dataclasses.replace(judged(np.array([mixed(BOLD)[:40] + 0.2, CAREFUL[:40]])), weights=weights)
    sweep = synthetic_sweep(test, valid=test, values=[0, 5])
    assert test.mirror(test.changes[0]).reason == "their weights make the scores count as fewer than 6"
    assert not has_gain(sweep)
    assert all(np.isnan(model.interval).all() for model in sweep_findings(sweep).models)
    assert set(model_verdicts(model_significance(sweep))) == {"open"}


def test_queries_of_weight_0_are_not_there_in_tests():
    rng = np.random.default_rng(4)
    changes, weights = rng.normal(0.02, 0.1, (2, 60)), np.append(rng.lognormal(size=40), np.zeros(20))
    both = dataclasses.replace(judged(changes), weights=weights)
    some = dataclasses.replace(judged(changes[:, :40]), weights=weights[:40])
    for i in range(2):
        one, other = both.mirror(both.changes[i]), some.mirror(some.changes[i])
        assert one.p_value(1.0) == pytest.approx(other.p_value(1.0), abs=1e-12)
        assert one.interval(GAIN, 0.95) == pytest.approx(other.interval(GAIN, 0.95), abs=1e-12)
