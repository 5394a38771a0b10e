"""The verdict, by hand: ten topics with 0.5 for the old system."""

from __future__ import annotations

import math

import riskrank as rr
from riskrank.report.text.assessment_tables import assessment_tables, topics_table
from riskrank.report.text.wording import footnotes, verdict

OLD = [0.5] * 10
# Gains 0.06 to 0.14, one loss of 0.02: 0.088 on average, p = 0.0001 at α = 0, 0.003 at 1, 0.25 at 5.
NEW = [0.56, 0.57, 0.58, 0.59, 0.6, 0.61, 0.62, 0.63, 0.64, 0.48]
# Gain 0.12, risk 0.04; p = 0.06 at α = 0: not shown.
BOLD = [0.7] * 8 + [0.3] * 2
# Gains 0.02 to 0.065, no loss: p < 0.04 at α = 0 and 1; at 5, ten topics without a loss may be chance.
CAREFUL = [0.52, 0.525, 0.53, 0.535, 0.54, 0.545, 0.55, 0.555, 0.56, 0.565]
# Loses 0.088: p = 0.0001.
WORSE = [1 - score for score in NEW]


def said(alphas=(0, 1, 5), **systems):
    return verdict(rr.assess(rr.Effectiveness.from_rows({"old": OLD, **systems}), baseline="old", alphas=alphas))


def test_a_better_system_is_praised_as_far_as_it_is_shown():
    assert said(new=NEW) == (
        "new is significantly better than old even when losses weigh 2 times: it gains 0.0880 and hurts 1 of 10 topics."
    )
    assert (
        said(new=NEW, alphas=(0,)) == "new is significantly better than old: it gains 0.0880 and hurts 1 of 10 topics."
    )
    assert said(new=CAREFUL) == (
        "new is significantly better than old even when losses weigh 2 times: it gains 0.0425 and hurts no topic."
    )


def test_the_one_that_stands_more_risk_comes_first_and_the_bolder_one_with_its_price():
    assert said(bold=BOLD, new=NEW).endswith(
        "it gains 0.0880 and hurts 1 of 10 topics. bold gains more, 0.1200, with 20.0 times the risk."
    )


def test_a_bolder_one_beside_one_without_risk_is_told_in_a_sentence():
    assert said(bold=BOLD, careful=CAREFUL).endswith(
        "it gains 0.0425 and hurts no topic. bold gains more, 0.1200, with a risk of 0.0400."
    )


def test_where_nothing_is_shown_it_says_so():
    assert said(bold=BOLD) == "No system is shown to be better than old on these 10 topics."
    assert said(bold=BOLD, same=OLD) == "No system is shown to be better than old on these 10 topics."
    assert said(bold=BOLD, bad=WORSE) == (
        "No system is shown to be better than old on these 10 topics. Significantly worse: bad."
    )


def test_losses_are_told_at_the_smallest_alpha_that_was_asked_for():
    assert said(bad=WORSE, alphas=(1, 5)).endswith("Significantly worse: bad.")


def test_worse_systems_are_not_told_beside_a_better_one():
    assert "worse" not in said(new=NEW, bad=WORSE)


def test_names_with_control_characters_are_shown_in_the_text_of_an_assessment():
    odd = "\x1b[31m\r\n"
    rows = {f"old{odd}": OLD, f"new{odd}": NEW, f"bad{odd}": WORSE}
    scores = rr.Effectiveness.from_rows(rows, topics=[f"{odd}{i}" for i in range(10)], measure=f"m{odd}")
    assessment = rr.assess(scores, baseline=f"old{odd}", intervals=True)
    text = assessment_tables(assessment)
    assert r"(worst: \x1b[31m\r\n9, −0.0200)" in text
    for each in (text, topics_table(assessment, alpha=1)):
        assert each.replace("\n", "").isprintable()


def test_alone_there_is_nothing_to_compare():
    assert said() == "There is nothing to compare with the baseline."


def test_a_system_that_cannot_be_judged_is_left_out():
    assert said(odd=[math.nan] * 10) == "There is nothing to compare with the baseline."
    assert said(odd=[math.nan] * 10, new=NEW).startswith("new is significantly better")


def test_the_population_of_zrisk_is_named():
    scores = rr.Effectiveness.from_rows({"old": OLD, "new": NEW, "bold": BOLD})
    assert "ZRisk and GeoRisk take expectations from all 3 systems." in footnotes(rr.assess(scores, "old"))
    named = rr.assess(scores, "old", population=["old", "bold"])
    assert "ZRisk and GeoRisk take expectations from old, bold." in footnotes(named)
