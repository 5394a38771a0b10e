"""What a section says and hands to the script."""

from __future__ import annotations

import numpy as np

import riskrank as rr
from riskrank.report.page.section import assessed_section, systems_table

from .page_text import with_charts


@with_charts
def test_the_histogram_of_many_systems_shows_one_at_a_time():
    rng = np.random.default_rng(0)
    scores = rr.Effectiveness.from_rows({f"s{i}": rng.random(20) for i in range(10)})
    data = assessed_section(rr.assess(scores, baseline="s0"), words=[]).data
    assert {row["system"] for row in data["charts"]["helped-hurt"]["data"]["values"]} == {"s1"}
    assert [{row["system"] for row in rows} for rows in data["helped"]] == [set(), *({f"s{i}"} for i in range(1, 10))]


@with_charts
def test_notes_explain_what_is_there(assessment):
    assert not any("** also after Holm" in note for note in assessed_section(assessment, words=[]).notes)


def test_only_the_verdict_is_flush_left_whatever_the_measure_is_called():
    scores = rr.Effectiveness.from_rows({"old": [0.5, 0.4], "new": [0.6, 0.1]}, measure="verdict")
    table = systems_table(rr.assess(scores, baseline="old"))
    assert [table.keys[column] for column in table.words] == ["verdict"]
    assert table.header.count("verdict") == 2
