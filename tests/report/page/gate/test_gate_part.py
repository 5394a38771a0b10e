"""What the page of a gate says of each check, and which topics it can open."""

from __future__ import annotations

import re

import pytest

import riskrank as rr
from riskrank.data.example import example_files
from riskrank.report.page.gate.gate_part import gate_parts, gate_verdict

QRELS, RUNS = example_files()


def gate_part(result):
    (part,) = gate_parts(result)
    return part


@pytest.fixture(scope="module")
def failed():
    return rr.gate(QRELS, {"neural": RUNS["neural"]}, {"bm25": RUNS["bm25"]}, max_risk=0.01, max_loss=0.3, max_hurt=0.3)


def test_failed_checks_come_first_each_with_its_bullet(failed):
    checks = gate_verdict(failed.comparison).checks
    assert [each.holds for each in checks] == [False, False, True]
    assert [each.name for each in checks] == ["Mean loss", "Largest loss", "Topics hurt"]
    assert checks[1].sentence == "8 topics lose more: 133, 118, 113, 104, 146, 144, 114, 148."
    assert [each.bullet.interval is None for each in checks] == [False, True, False]  # the largest loss has none
    assert [each.limit_text for each in checks] == ["limit 0.01", "limit 0.3", "limit 30%"]
    lines = re.findall(r'<li class="(?:holds|broken)">(.*?)</li>', failed.to_html(), flags=re.DOTALL)
    assert [line.count('class="whisker"') for line in lines] == [3, 0, 3]


def test_very_many_topics_that_lose_too_much_are_counted():
    rows = {"old": [0.5] * 12, "new": [0.1] * 12}
    (check,) = gate_verdict(rr.gate(rr.Effectiveness.from_rows(rows), "new", "old", max_loss=0.3).comparison).checks
    assert check.sentence.endswith(", 8 and 4 more.")


def test_what_a_topic_may_lose_is_drawn_where_it_is_limited(failed):
    assert gate_part(failed).explorer.limit.text == "−0.3"
    assert gate_part(rr.gate(QRELS, RUNS["neural"], RUNS["bm25"], max_risk=0.5)).explorer.limit is None


def test_what_would_pass_is_said_as_an_expectation(failed):
    part = gate_part(failed)
    # 0.01 / 0.0872 = 11.5 %; of a gain of 0.154, 0.017
    assert part.would_pass.sentence == (
        "Used on 11% of topics, drawn at random, neural is expected to lose 0.010 per topic and to gain +0.017. "
        "Single topics could still lose more than 0.3."
    )
    assert "That is an expectation, not a guarantee." in failed.to_html()
    passed = rr.gate(QRELS, RUNS["hybrid"], RUNS["bm25"], max_risk=0.5)
    assert gate_part(passed).would_pass is None
    assert "What would pass" not in passed.to_html()


def test_scores_alone_say_how_to_see_rankings():
    scores = rr.Effectiveness.from_rows({"old": [0.5, 0.4, 0.3], "new": [0.6, 0.1, 0.9], "other": [0.1, 0.1, 0.1]})
    part = gate_part(rr.gate(scores, "new", "old"))
    assert not part.explorer.has_rankings
    assert "give judgments and runs: riskrank gate QRELS CANDIDATE --baseline RUN" in part.explorer.note
    assert [system and system["name"] for system in part.data["systems"]] == [None, "new"]


def test_a_system_that_is_its_own_baseline_has_no_topics_to_open():
    part = gate_part(rr.gate(rr.Effectiveness.from_rows({"new": [0.5, 0.2]}), "new", "new", max_risk=0.2))
    assert part.explorer is None
    assert part.data["topics"] is None


def test_each_comparison_has_a_part_that_is_called_by_what_differs():
    result = rr.gate(
        QRELS, {name: RUNS[name] for name in ("neural", "hybrid")}, {"bm25": RUNS["bm25"]}, ["nDCG@10", "RR"]
    )
    parts = gate_parts(result)
    assert [part.label for part in parts] == ["✗ neural, nDCG@10", "✗ neural, RR", "✓ hybrid, nDCG@10", "✓ hybrid, RR"]
    assert len({part.key for part in parts}) == 4
    page = result.to_html()
    assert "<title>FAIL: 2 of 4 comparisons fail</title>" in page
    assert 'aria-label="Comparisons"' in page


def test_segments_and_remarks_stand_below_the_checks():
    segments = {str(topic): "mobile" if topic % 3 else "desktop" for topic in range(101, 151)}
    page = rr.gate(QRELS, RUNS["neural"], RUNS["bm25"], segments=segments).to_html()
    assert '<ul class="checks segments" aria-label="Segments">' in page
    assert "<b>desktop</b>" in page
    assert "too few to check" in page
    assert "No limit was given: these are the default ones" in page
