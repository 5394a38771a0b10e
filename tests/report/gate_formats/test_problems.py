from __future__ import annotations

from dataclasses import replace

import pytest

import riskrank as rr
from riskrank.report.gate_formats.problems import fingerprints, notes, problems

from .hostile import HOSTILE, hostile_gate


def gate(change=-0.5, **options):
    scores = rr.Effectiveness.from_rows({"old": [0.6] * 4, "new": [0.6 + change, 0.6, 0.6, 0.6]}, measure="AP")
    return rr.gate(scores, "new", "old", max_loss=0.2, **options)


def test_checks_come_first_then_their_topics():
    assert [(each.rule, each.text) for each in problems(gate())] == [
        ("loss", "largest loss of a topic 0.5000, at most 0.2"),
        ("topic", "topic 1: AP 0.6000 → 0.1000 (-0.5000)"),
    ]


def test_a_fingerprint_stays_whatever_the_numbers_are():
    assert fingerprints(problems(gate(-0.5))) == fingerprints(problems(gate(-0.4)))


def test_fingerprints_differ_from_one_problem_to_the_next():
    result = gate()
    twice = replace(result, comparisons=result.comparisons * 2)
    marks = fingerprints(problems(twice))
    assert len(set(marks)) == len(marks) == 4


def test_what_may_be_no_loss_is_doubtful():
    result = gate()
    (compared,) = result.comparisons
    unjudged = replace(result, comparisons=(replace(compared, unjudged={"1": 3}),))
    check, topic = problems(unjudged)
    assert (check.is_doubtful, topic.is_doubtful) == (False, True)
    assert topic.text.endswith("; 3 of its first documents are not judged")


def test_a_note_about_some_comparisons_names_them():
    rows = {"old": [0.6] * 30, "new": [0.5] * 30, "same": [0.6] * 30}
    same = "they are equal on every topic: are they the same run?"
    scores = rr.Effectiveness.from_rows(rows, measure="AP")
    assert notes(rr.gate(scores, "same", "old")) == [same]
    assert notes(rr.gate(scores, ["new", "same"], "old")) == [f"same against old, AP: {same}"]
    assert notes(rr.gate(scores, ["new", "same", "old"], "old")) == [f"same against old, AP and 1 more: {same}"]


@pytest.mark.parametrize("name", HOSTILE)
def test_names_stay_on_one_short_line(name):
    for each in problems(hostile_gate(name)):
        assert each.text.isprintable()
        assert each.title.isprintable()
        assert len(each.text) <= 1000


def test_a_single_document_is_not_judged():
    result = gate()
    (compared,) = result.comparisons
    _, topic = problems(replace(result, comparisons=(replace(compared, unjudged={"1": 1}),)))
    assert topic.text.endswith("; 1 of its first documents is not judged")
