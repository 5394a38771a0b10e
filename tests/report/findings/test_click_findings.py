"""What is said of models that learn from clicks, by hand."""

from __future__ import annotations

import dataclasses
import math

import pytest

from riskrank.report.findings.click_findings import click_findings, gain_interval
from riskrank.report.findings.words import plain
from riskrank.tradeoff.clicks.click_table import (
    JUDGED,
    NEAR,
    PARITY,
    STANDARD,
    TRAINING,
    VALIDATION,
    ClickRow,
    Standing,
    Standings,
    method_standings,
)

from ...tradeoff.synthetic_clicks import LOWEST, PREFERENCE, RISK, points, synthetic_click_sweep

FULL = ClickRow(
    method=STANDARD, parameter="α = 0", n=10_001, effectiveness=0.62, gain=0.008, gain_per_reranked=0.01,
    reranked=0.8, risk_share=1.0, gain_share=1.0, kendall_tau=0.9, kendall_tau_reranked=0.8, p_value=0.0001,
    standard_error=0.001,
)  # fmt: skip
SAFE = dataclasses.replace(
    FULL, method=PREFERENCE, gain=0.006, reranked=0.15, risk_share=0.4, gain_share=0.75, standard_error=0.001
)  # fmt: skip
# With 10,000 degrees of freedom, the interval is ± 1.9602 standard errors.
INTERVAL = "(95% interval +0.0040 to +0.0080)"


KNOWN = {PREFERENCE: Standing(1, 0.7351, 0.14, 0.1949)}
CHOSEN_ELSEWHERE = (
    "It leads on validation pages: 74% of the gain there, 55 points more than Standard Gain on as many random pages."
)


def said(rows, known=KNOWN, pages=VALIDATION):
    finding = click_findings(rows, "AP", Standings(known, pages))
    return plain(finding.headline), plain(finding.beside)


def test_the_method_that_keeps_most_for_what_it_moves():
    assert said([FULL, SAFE]) == (
        "Use Weight-Initial-Pref: it keeps 75% of the gain of Standard Gain and re-ranks 15% of the pages instead of "
        "80%.",
        f"It gains +0.0060 MAP over the order shown {INTERVAL} with 40% of the risk of Standard Gain, which learns "
        f"from clicks alone. {CHOSEN_ELSEWHERE}",
    )


def test_a_method_that_gains_more_is_not_said_to_keep_it():
    better = dataclasses.replace(SAFE, gain=0.012, gain_share=1.5)
    assert said([FULL, better])[0].startswith(f"Use {PREFERENCE}: it gains 1.5 times as much as Standard Gain and")


@pytest.mark.parametrize("pages", [TRAINING, JUDGED])
def test_it_says_which_pages_the_method_was_chosen_on(pages):
    assert said([FULL, SAFE], pages=pages)[1].endswith(CHOSEN_ELSEWHERE.replace("validation pages", pages))


def test_standings_come_from_validation_pages_or_say_from_which():
    models, judged = [(RISK, 0), (PREFERENCE, 1)], points((0.1, 0.8), (0.05, 0.1))
    without, fresh = synthetic_click_sweep(models, judged), synthetic_click_sweep(models, judged, valid=judged)
    for sweep, here, elsewhere in ((fresh, VALIDATION, VALIDATION), (without, JUDGED, TRAINING)):
        assert method_standings(sweep).pages == here
        assert method_standings(sweep, is_judged_elsewhere=True).pages == elsewhere


def test_the_next_one_is_told_where_it_keeps_more_than_a_coin():
    told = CHOSEN_ELSEWHERE.removesuffix(".")
    assert said([FULL, SAFE], KNOWN | {RISK: Standing(2, 0.9, 0.5, 0.7)})[1].endswith(
        f"{told}; {RISK} is next with 20."
    )
    same = KNOWN[PREFERENCE]  # one model for two methods
    for other in (same, Standing(2, 0.6, 0.5, 0.7), Standing(2, 0.9, 0.9, math.nan), Standing(2, 0.701, 0.5, 0.7)):
        assert said([FULL, SAFE], KNOWN | {RISK: other})[1].endswith(f"{told}.")


@pytest.mark.parametrize("method", [PARITY, NEAR])
def test_the_next_one_is_a_method_that_the_first_screen_has(method):
    known = KNOWN | {method: Standing(3, 0.9, 0.4, 0.5), RISK: Standing(2, 0.9, 0.5, 0.7)}
    assert said([FULL, SAFE], known)[1].endswith(f"; {RISK} is next with 20.")


def test_what_is_not_known_is_left_out():
    harmless = dataclasses.replace(SAFE, risk_share=math.nan, standard_error=math.nan)
    assert said([FULL, harmless])[1] == f"It gains +0.0060 MAP over the order shown. {CHOSEN_ELSEWHERE}"
    assert all(math.isnan(limit) for limit in gain_interval(harmless))


def test_a_leader_that_loses_on_these_pages_keeps_nothing():
    lost = dataclasses.replace(SAFE, gain=-0.006, gain_share=-0.75)
    assert said([FULL, lost]) == (
        "Weight-Initial-Pref keeps nothing of the gain of Standard Gain and re-ranks 15% of the pages instead of 80%.",
        "It loses 0.0060 MAP against the order shown (95% interval −0.0080 to −0.0040) with 40% of the risk of "
        f"Standard Gain, which learns from clicks alone. {CHOSEN_ELSEWHERE}",
    )


def test_standard_gain_alone():
    assert said([FULL], {}) == (
        "Use Standard Gain: it gains +0.0080 MAP over the order shown (95% interval +0.0060 to +0.0100) and re-ranks "
        "80% of the pages.",
        "There is no other model.",
    )
    assert said([FULL, SAFE], {})[1] == (
        "No other method is seen to keep more of it than Standard Gain on as many pages, drawn at random."
    )


@pytest.mark.parametrize("gain", [0.0, -0.01, math.nan])
def test_nothing_to_keep(gain):
    rows = [dataclasses.replace(FULL, gain=gain), dataclasses.replace(SAFE, gain=0.0)]
    assert said(rows, {}) == ("Standard Gain gains nothing on these pages: there is nothing to keep.", "")


def test_a_gain_that_could_be_chance_is_not_kept_in_shares():
    chance = dataclasses.replace(FULL, gain=0.001)  # ± 0.00196
    headline, beside = said([chance, dataclasses.replace(SAFE, gain=0.0)])
    assert headline == (
        "The gain of Standard Gain could be chance: it gains +0.0010 MAP over the order shown "
        "(95% interval −0.0010 to +0.0030)."
    )
    assert beside == "No other method is shown to gain."


@pytest.mark.parametrize("gain", [0.001, -0.01])
def test_a_method_may_gain_where_standard_gain_does_not(gain):
    headline, beside = said([dataclasses.replace(FULL, gain=gain), SAFE])
    assert "Standard Gain" in beside
    assert headline == (
        f"Use {PREFERENCE}: it gains +0.0060 MAP over the order shown {INTERVAL} and re-ranks 15% of the pages."
    )


def test_a_mean_loss_above_the_gain_is_told():
    risky = dataclasses.replace(SAFE, risk=0.0076)
    told = "If losses weighed double, it would not gain on average: −0.0016."  # its gain is 0.0060
    assert told in said([FULL, risky])[1]
    assert told in said([dataclasses.replace(FULL, gain=0.001), risky])[1]
    every = [dataclasses.replace(FULL, risk=0.02), risky]
    assert told.replace("it would not gain on average:", "no method would gain on average: this one") in said(every)[1]
    assert "double" not in said([FULL, dataclasses.replace(SAFE, risk=0.005)])[1]
    safest = dataclasses.replace(SAFE, method=NEAR, parameter="α = 2", risk=0.001)
    assert told.removesuffix(".") + "; Risk Sensitive with α = 2 would (+0.0050)." in said([FULL, risky, safest])[1]


def test_how_many_pages_are_hurt_is_said_where_it_is_known():
    hurting = dataclasses.replace(SAFE, hurt=0.028)
    assert "alone, and hurts 2.8% of all pages. It leads" in said([FULL, hurting])[1]
    chance = dataclasses.replace(FULL, gain=0.001)
    assert said([chance, hurting])[1].startswith("It hurts 2.8% of all pages. The gain of Standard Gain ")


def test_the_leader_is_highest_above_a_coin():
    # Kept and moved, of Standard Gain's 0.1 and 0.8: 0.5 − 0.125, 0.9 − 0.75, 0.2 − 1.25.
    models = [(RISK, 0), (RISK, 1), (PREFERENCE, 0.5), (LOWEST, 1)]
    sweep = synthetic_click_sweep(models, points((0.1, 0.8), (0.09, 0.6), (0.05, 0.1), (0.02, 1.0)))
    assert method_standings(sweep).leader == PREFERENCE
    worse = synthetic_click_sweep([(RISK, 0), (PREFERENCE, 1)], points((0.1, 0.5), (0.02, 0.4)))
    assert method_standings(worse).leader is None
    more = synthetic_click_sweep([(RISK, 0), (LOWEST, 1)], points((0.1, 0.5), (0.3, 1.0)))
    assert method_standings(more).leader is None  # no coin lets Standard Gain re-rank as many pages
    alone = synthetic_click_sweep([(RISK, 0)], points((0.1, 0.8)))
    assert method_standings(alone).leader is None
    nothing = synthetic_click_sweep([(RISK, 0), (PREFERENCE, 1)], points((-0.1, 0.8), (0.1, 0.1)))
    assert method_standings(nothing).leader is None
