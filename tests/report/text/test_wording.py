"""The verdict, by hand: ten topics with 0.5 for the old system."""

from __future__ import annotations

import math

import riskrank as rr
from riskrank.report.text.wording import verdict

OLD = [0.5] * 10
# t of 9 degrees of freedom: 2.262. Gain 0.08; SE 0.02, t = 4 at α = 0; 0.07 / 0.03 = 2.33 at 1; 0.03 / 0.07 at 5.
NEW = [0.6] * 9 + [0.4]
# Gain 0.12, risk 0.04; SE 0.0533, t = 2.25 at α = 0: not shown.
BOLD = [0.7] * 8 + [0.3] * 2
# Gain 0.025, no loss; SE 0.00833, t = 3 at any α.
CAREFUL = [0.55] * 5 + [0.5] * 5
# Loses 0.08: t = −4.
WORSE = [0.4] * 9 + [0.6]


def said(alphas=(0, 1, 5), **systems):
    return verdict(rr.assess(rr.Effectiveness.from_rows({"old": OLD, **systems}), baseline="old", alphas=alphas))


def test_a_better_system_is_praised_as_far_as_it_is_shown():
    assert said(new=NEW) == (
        "new is significantly better than old even when losses weigh 2 times: it gains 0.0800 and hurts 1 of 10 topics."
    )
    assert (
        said(new=NEW, alphas=(0,)) == "new is significantly better than old: it gains 0.0800 and hurts 1 of 10 topics."
    )
    assert said(new=CAREFUL) == (
        "new is significantly better than old even when losses weigh 6 times: it gains 0.0250 and hurts no topic."
    )


def test_the_one_that_stands_more_risk_comes_first_and_the_bolder_one_with_its_price():
    assert said(bold=BOLD, new=NEW).endswith(
        "it gains 0.0800 and hurts 1 of 10 topics. bold gains more, 0.1200, with 4.0 times the risk."
    )


def test_a_bolder_one_beside_one_without_risk_is_told_in_a_sentence():
    assert "no risk: the risk" not in said(bold=BOLD, careful=CAREFUL)


def test_where_nothing_is_shown_it_says_so():
    assert said(bold=BOLD) == "No system is shown to be better than old on these 10 topics."
    assert said(bold=BOLD, same=OLD) == "No system is shown to be better than old on these 10 topics."
    assert said(bold=BOLD, bad=WORSE) == (
        "No system is shown to be better than old on these 10 topics. Significantly worse: bad."
    )


def test_worse_systems_are_not_told_beside_a_better_one():
    assert "worse" not in said(new=NEW, bad=WORSE)


def test_alone_there_is_nothing_to_compare():
    assert said() == "There is nothing to compare with the baseline."


def test_a_system_that_cannot_be_judged_is_left_out():
    assert said(odd=[math.nan] * 10) == "There is nothing to compare with the baseline."
    assert said(odd=[math.nan] * 10, new=NEW).startswith("new is significantly better")
