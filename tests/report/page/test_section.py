"""What a section says and hands to the script."""

from __future__ import annotations

import json

import numpy as np

import riskrank as rr
from riskrank.report.page.section import systems_table

from .page_text import content, markup, with_charts


@with_charts
def test_the_histogram_of_many_systems_shows_one_at_a_time():
    rng = np.random.default_rng(0)
    scores = rr.Effectiveness.from_rows({f"s{i}": rng.random(20) for i in range(10)})
    data = json.loads(content(rr.assess(scores, baseline="s0").to_html()))[0]
    assert {row["system"] for row in data["charts"]["helped-hurt"]["data"]["values"]} == {"s1"}
    assert [{row["system"] for row in rows} for rows in data["helped"]] == [set(), *({f"s{i}"} for i in range(1, 10))]


@with_charts
def test_captions_speak_of_what_is_there(texts):
    assert "dotted" not in markup(texts[0])
    assert "for its rankings" not in markup(texts[0])


@with_charts
def test_notes_explain_what_is_there(texts):
    assert "** also after Holm" not in markup(texts[0])


def test_only_the_verdict_is_flush_left_whatever_the_measure_is_called():
    scores = rr.Effectiveness.from_rows({"old": [0.5, 0.4], "new": [0.6, 0.1]}, measure="verdict")
    table = systems_table(rr.assess(scores, baseline="old"))
    assert [table.keys[column] for column in table.words] == ["verdict"]
    assert table.header.count("verdict") == 2
