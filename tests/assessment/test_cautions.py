from __future__ import annotations

from dataclasses import replace

import numpy as np

import riskrank as rr
from riskrank.assessment.cautions import cautions

RNG = np.random.default_rng(2)
GOOD = rr.Effectiveness.from_rows({name: RNG.uniform(0.1, 0.9, 30) for name in ("old", "new", "other")})


def test_sound_data_need_no_caution():
    assert cautions(GOOD, ["old"]) == []
    assert cautions(replace(GOOD, unjudged={"old": 0.05, "new": 0.08, "other": 0.09}), ["old"]) == []


def test_a_baseline_that_does_not_answer_flatters_the_others():
    (said,) = cautions(replace(GOOD, missing={"old": ("1", "2")}), ["old"])
    assert said.startswith("old (the baseline) answers only 28 of 30 topics")
    assert "flatters" in said


def test_systems_that_do_not_answer_are_named_worst_first():
    missing = {"other": ("1",), "new": ("1", "2", "3")}
    assert cautions(replace(GOOD, missing=missing), ["old"]) == ["missing topics score 0, of 30: new 3, other 1."]


def test_systems_that_score_nothing_at_all_are_named():
    rows = dict(zip(GOOD.systems, GOOD.matrix, strict=True)) | {"empty": np.zeros(30)}
    (said,) = cautions(rr.Effectiveness.from_rows(rows), ["old"])
    assert said == "0 on every topic: empty. Do the document ids match those of the judgments?"


def test_few_topics_are_said_to_be_few():
    def of(n_topics):
        rows = {name: row[:n_topics] for name, row in zip(GOOD.systems, GOOD.matrix, strict=True)}
        return cautions(rr.Effectiveness.from_rows(rows), ["old"])

    assert of(1) == ["one topic cannot show anything to be significant."]
    assert of(5) == ["5 topics cannot show anything to be significant."]
    assert of(6) == ["6 topics are few: only very large effects can be significant."]
    assert of(25) == []


def test_topics_that_say_nothing_are_counted():
    without, dropped = cautions(replace(GOOD, without_relevant=("1",), dropped=("x", "y")), ["old"])[::-1]
    assert without.startswith("1 of 30 topics has no relevant document")
    assert dropped == "2 topics were dropped: not every system answers them."


def test_what_is_counted_is_called_by_its_name():
    of_queries = replace(GOOD, unit="query", dropped=("x",), missing={"new": ("1",), "old": ("2",)})
    assert [said.split(";")[0] for said in cautions(of_queries, ["old"])] == [
        "old (the baseline) answers only 29 of 30 queries",
        "missing queries score 0, of 30: new 1.",
        "1 query was dropped: not every system answers it.",
    ]


def test_unjudged_documents_matter_where_there_are_more_than_of_the_baseline():
    (said,) = cautions(replace(GOOD, unjudged={"old": 0.05, "new": 0.4, "other": 0.12}), ["old"])
    assert said.endswith("new 40%, other 12% (the baseline: 5%).")


def test_unjudged_documents_of_the_baseline_flatter_the_others():
    (said,) = cautions(replace(GOOD, unjudged={"old": 0.49, "new": 0.25}), ["old"])
    assert said == (
        "nobody judged 49% of the baseline's first documents, which count as not relevant, which flatters the others."
    )
    (said,) = cautions(replace(GOOD, unjudged={"old": 0.3, "new": 0.3, "other": 0.28}), ["old"])
    assert said == "nobody judged 30% of the baseline's first documents, which count as not relevant."


def test_topics_that_were_left_out_are_counted():
    scores = replace(GOOD, without_relevant=("1", "3")).with_relevant()
    assert scores.left_out == ("1", "3")
    assert cautions(scores, ["old"]) == ["2 topics without a relevant document left out."]


def test_of_a_baseline_of_several_systems_each_is_looked_at():
    unjudged = {"old": 0.5, "new": 0.4, "other": 0.6}
    (said,) = cautions(replace(GOOD, unjudged=unjudged), ["old", "new"])
    assert said.endswith("other 60% (the baseline: 45%).")
    (said,) = cautions(replace(GOOD, missing={"new": ("1", "2")}), ["old", "new"])
    assert said.startswith("new (part of the baseline) answers only 28 of 30 topics")
    (said,) = cautions(replace(GOOD, unjudged=unjudged), [])
    assert said.endswith("other 60%, old 50%, new 40%.")  # scores of its own: nobody knows its documents
    (said,) = rr.assess(replace(GOOD, unjudged=unjudged), ["old", "new"]).cautions
    assert said.endswith("other 60% (the baseline: 45%).")


def test_names_are_shown_on_one_line_and_only_some_of_many():
    rows = {f"s\n{i}": np.zeros(30) for i in range(9)}
    (said,) = cautions(rr.Effectiveness.from_rows({"old": GOOD["old"], **rows}), ["old"])
    assert said.isprintable()
    assert "s\\n4 and 4 more" in said
