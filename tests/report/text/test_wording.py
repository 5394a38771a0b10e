"""Sentences and notes below the tables, by hand: ten topics with 0.5 for the old system."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

import riskrank as rr
from riskrank.report.text.wording import data_notes, footnotes, heading, meaning, significance_mark

OLD = [0.5] * 10
# Gains 0.06 to 0.14, one loss of 0.02: 0.088 on average, p = 0.0001 at α = 0, 0.003 at 1, 0.25 at 5.
NEW = [0.56, 0.57, 0.58, 0.59, 0.6, 0.61, 0.62, 0.63, 0.64, 0.48]
# Gain 0.12, risk 0.04, by 0.2 of 0.5 each; p = 0.06 at α = 0: not shown.
BOLD = [0.7] * 8 + [0.3] * 2
# Gains 0.02 to 0.065, no loss: p < 0.04 at α = 0 and 1; at 5, ten topics without a loss may be chance.
CAREFUL = [0.52, 0.525, 0.53, 0.535, 0.54, 0.545, 0.55, 0.555, 0.56, 0.565]
# Loses 0.088: p = 0.0001.
WORSE = [1 - score for score in NEW]


def assessed(unit="topic", **systems):
    scores = rr.Effectiveness.from_rows({"old": OLD, **systems}, measure="AP")
    return rr.assess(replace(scores, unit=unit), "old", alphas=(0, 1, 5))


@pytest.mark.parametrize(
    ("scores", "sentence"),
    [
        (NEW, "gains 0.0880 on average and hurts 1 of 10 topics (worst: 10, −0.0200); "
              "significant gain at α = 0 and 1, inconclusive at α = 5."),
        (BOLD, "gains 0.1200 on average and hurts 2 of 10 topics, 2 of them by more than 20% (worst: 9, −0.2000); "
               "inconclusive at α = 0, 1 and 5."),
        (CAREFUL, "gains 0.0425 on average and hurts no topic; significant gain at α = 0 and 1, inconclusive at "
                  "α = 5."),
        (WORSE, "loses 0.0880 on average and hurts 9 of 10 topics, 4 of them by more than 20% (worst: 9, −0.1400); "
                "significant loss at α = 0, 1 and 5."),
        (OLD, "equals the baseline on every topic."),
        ([math.nan] * 10, "cannot be judged: some scores are not finite numbers."),
    ],
)  # fmt: skip
def test_what_the_numbers_of_a_system_mean(scores, sentence):
    assessment = assessed(new=scores)
    assert meaning(assessment, assessment["new"]) == sentence
    assert meaning(assessment, assessment["old"]) == "is the baseline."


def test_what_is_counted_has_its_name():
    assessment = assessed(unit="query", new=NEW, same=OLD)
    assert "hurts 1 of 10 queries " in meaning(assessment, assessment["new"])
    assert meaning(assessment, assessment["same"]) == "equals the baseline on every query."
    assert heading(assessment) == "AP against old, 10 queries"
    assert "change per query" in footnotes(assessment)[0]


def test_two_marks_stand_for_what_holds_after_correction():
    # 0.002 × 3 systems is below 0.05, 0.02 × 3 is not
    at = assessed(new=NEW)["new"].at[0]
    assessment = assessed(new=NEW)
    marks = [
        significance_mark(replace(at, p_mirror=alone, p_holm=corrected), assessment)
        for alone, corrected in ((0.002, 0.006), (0.02, 0.06), (0.2, 0.6), (math.nan, math.nan))
    ]
    assert marks == ["**", "*", "", ""]


def test_the_population_of_zrisk_is_named():
    scores = rr.Effectiveness.from_rows({"old": OLD, "new": NEW, "bold": BOLD})
    assert "ZRisk and GeoRisk take expectations from all 3 systems." in footnotes(rr.assess(scores, "old"))
    named = rr.assess(scores, "old", population=["old", "bold"])
    assert "ZRisk and GeoRisk take expectations from old, bold." in footnotes(named)


def test_marks_are_explained():
    assessment = assessed(new=NEW)
    assert any("after Holm's correction for 1 system." in note for note in footnotes(assessment))


def test_what_is_odd_about_the_data_is_told():
    scores = replace(rr.Effectiveness.from_rows({"old": OLD}), ties_at_cutoff={"a\n": 1, "b": 2})
    assert data_notes(scores, with_z=False) == [
        "ZRisk and GeoRisk are NaN: they need finite scores from 0 up.",
        r"a\n has tied scores across the cut-off in 1 topic.",
        "b has tied scores across the cut-off in 2 topics.",
    ]
