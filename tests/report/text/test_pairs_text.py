from __future__ import annotations

import numpy as np

import riskrank as rr
from riskrank.report.text import pairs_text as module

BASE = np.random.default_rng(1).uniform(0.2, 0.6, 30)
WAVE = 0.05 * np.sin(np.arange(30))
SCORES = rr.Effectiveness.from_rows({"old": BASE, "better": BASE + 0.1 + WAVE, "like\nold": BASE + WAVE}, measure="AP")


def test_only_pairs_that_differ_are_listed():
    title, table, note = repr(rr.all_pairs(SCORES)).split("\n\n")
    said = "All pairs: AP, 3 comparisons on 30 topics, losses weigh as much as gains (α = 0)"
    assert title.replace("\n", " ") == said
    header, *rows = (line.split() for line in table.splitlines())
    assert header == ["system", "against", "gain", "p", "p", "Holm", "p", "max-t", "verdict"]
    assert [row[:2] for row in rows] == [["better", "old"], ["better", "like\\nold"]]
    assert note.startswith("1 pair is inconclusive.")


def test_weights_of_losses_are_said():
    text = repr(rr.all_pairs(SCORES, alpha=1))
    assert "6 comparisons on 30 topics, losses weigh 2 times" in text
    assert "URisk" in text


def test_pairs_that_are_equal_are_counted_apart():
    result = rr.all_pairs(rr.Effectiveness.from_rows({"old": BASE, "same": BASE, "better": BASE + 0.1 + WAVE}))
    note = repr(result).split("\n\n")[-1].replace("\n", " ")
    assert note.startswith("1 pair is equal or without a test. p max-t: ")


def test_where_nothing_differs_one_sentence_is_enough():
    alike = rr.Effectiveness.from_rows({"old": BASE, "new": BASE + WAVE})
    assert repr(rr.all_pairs(alike)).endswith("No pair of systems differs significantly (max-t, p ≤ 0.05).")


def test_of_many_pairs_the_first_are_listed(monkeypatch):
    monkeypatch.setattr(module, "MOST_PAIRS", 1)
    assert "… and 1 more. 1 pair" in repr(rr.all_pairs(SCORES))
