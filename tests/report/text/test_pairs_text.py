from __future__ import annotations

import numpy as np

import riskrank as rr
from riskrank.report.text import pairs_text as module

BASE = np.random.default_rng(1).uniform(0.2, 0.6, 30)
WAVE = 0.05 * np.sin(np.arange(30))
SCORES = rr.Effectiveness.from_rows({"old": BASE, "better": BASE + 0.1 + WAVE, "like\nold": BASE + WAVE}, measure="AP")


def test_only_pairs_that_differ_are_listed():
    lines = repr(rr.all_pairs(SCORES)).splitlines()
    assert lines[0] == "All pairs: AP, 3 comparisons on 30 topics, losses weigh as gains (α = 0)"
    assert lines[2].split() == ["system", "against", "gain", "p", "p", "Holm", "p", "max-t", "verdict"]
    assert [line.split()[:2] for line in lines[3:5]] == [["better", "old"], ["better", "like\\nold"]]
    assert lines[-1].startswith("1 pair is inconclusive.")


def test_weights_of_losses_are_said():
    text = repr(rr.all_pairs(SCORES, alpha=1))
    assert "6 comparisons on 30 topics, losses weigh 2 times" in text
    assert "URisk" in text


def test_where_nothing_differs_one_sentence_is_enough():
    alike = rr.Effectiveness.from_rows({"old": BASE, "new": BASE + WAVE})
    assert repr(rr.all_pairs(alike)).endswith("No pair of systems differs significantly (max-t, p ≤ 0.05).")


def test_of_many_pairs_the_first_are_listed(monkeypatch):
    monkeypatch.setattr(module, "MOST_PAIRS", 1)
    assert "… and 1 more. 1 pair" in repr(rr.all_pairs(SCORES))
