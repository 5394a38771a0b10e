from __future__ import annotations

import math
from dataclasses import replace

import pytest

from riskrank.assessment.gating.gate_history import GateHistory
from riskrank.assessment.gating.past_gates import PastCheck
from riskrank.report.gate_formats.gate_history_text import gate_history_text, use_letters
from riskrank.report.text.formatting import display_width
from riskrank.report.text.terminal import WIDTH, plain_letters

from ...assessment.gating.past_gates import creeping, past_comparison, past_gates
from .hostile import HOSTILE

SCREEN = """\
3 releases, 2 passed. Mean loss: 40% of the limit at first, 2.5 times the limit
now. Since the first release, nDCG@10 against bm25 fell by 0.010.

date        release  verdict    gain  tightest limit    its use
2026-01-01  v1       ✓ PASS   +0.050  mean loss             40%
2026-01-02  v2       ✓ PASS   +0.040  mean loss             90%
2026-01-03  v3       ✗ FAIL   −0.020  mean loss       2.5 times

use of limits       first       most        now
mean loss      ▄█✗    40%  2.5 times  2.5 times
A letter is a release: ▁ to █ of the limit, ✗ broken."""


def screen():
    rows = [
        [past_comparison(f"v{i}", "bm25", gain, checks=[PastCheck("risk", "", value, 0.02, value <= 0.02)])]
        for i, (gain, value) in enumerate([(0.05, 0.008), (0.04, 0.018), (-0.02, 0.05)], start=1)
    ]
    return past_gates(*rows)


def test_the_whole_screen():
    assert repr(screen()) == SCREEN


def test_verdicts_are_coloured_on_a_terminal():
    styled = gate_history_text(screen(), styled=True)
    assert "\n2026-01-03  v3       \x1b[33m✗ FAIL\x1b[0m   −0.020" in styled
    assert "\n2026-01-01  v1       \x1b[34m✓ PASS\x1b[0m   +0.050" in styled


def test_without_utf8_letters_are_plain_and_columns_stay():
    text = plain_letters(gate_history_text(screen()))
    assert "\nmean loss      48x    40%  2.5 times  2.5 times\n" in text
    assert text.isascii()


@pytest.mark.parametrize("n_releases", [1, 2, 200])
def test_lines_are_short_however_many_releases(n_releases):
    lines = gate_history_text(creeping(n_releases, step=-0.0001)).splitlines()
    assert max(map(display_width, lines)) <= WIDTH
    assert len(lines) < 50


def test_of_many_releases_the_last_are_listed():
    text = gate_history_text(creeping(200, step=-0.0001))
    assert "\n… 180 before\n2026-06-30  v181 " in text
    assert "A letter is the worst of some releases" in text
    assert "180 before" not in gate_history_text(creeping(200, step=-0.0001), limit=200)


def test_of_many_limits_the_most_used_are_listed():
    checks = [PastCheck("hurt", f"segment {i}", 0.001 * i, 0.1, True) for i in range(40)]
    text = gate_history_text(past_gates([past_comparison("v1", "v0", 0.0, checks=checks)]))
    assert "in segment 39 " in text
    assert "in segment 27 " not in text
    assert "… and 28 more, of which less is used" in text


def test_letters_of_uses():
    broken = [False, False, False, True, False, False, True, False]
    assert use_letters([0.0, 0.124, 0.126, 0.4, 0.51, 1.0, 1.001, math.nan], broken) == "▁▁▂✗▅█✗·"
    assert use_letters([], []) == ""
    assert use_letters([0.1] * 99 + [2.0], [False] * 99 + [True], width=10) == "▁▁▁▁▁▁▁▁▁✗"


def test_a_segment_that_passes_is_not_drawn_as_broken():
    rows = [
        [past_comparison(f"v{i}", "v0", 0.1, checks=[PastCheck("hurt", "mobile", 0.15, 0.1, i == 1)])] for i in (1, 2)
    ]
    first, both = gate_history_text(past_gates(rows[0])), gate_history_text(past_gates(*rows))
    assert "\ntopics hurt in mobile  ?  1.5 times" in first
    assert first.replace("\n", " ").endswith("✗ broken, ? over, but not surely: it passed.")
    assert "\ntopics hurt in mobile  ?✗  1.5 times" in both


def test_names_have_the_room_that_is_there():
    name = "tablets of the second kind, north"
    checks = [PastCheck("risk", name, 0.01, 0.02, True)]
    assert f"mean loss in {name}" in gate_history_text(past_gates([past_comparison("v1", "v0", 0.1, checks=checks)]))
    long = gate_history_text(past_gates([past_comparison("v" * 70, "v0", 0.1, checks=checks)]))
    assert max(map(display_width, long.splitlines())) <= WIDTH


@pytest.mark.parametrize("name", HOSTILE)
def test_names_make_no_lines_and_no_commands(name):
    checks = [PastCheck("risk", name, 0.01, 0.02, True), PastCheck(name, "", 0.01, 0.02, True)]
    rows = [[past_comparison(name, f"old {name}", 0.1, measure=name, checks=checks)] * 2] * 2
    history = past_gates(*rows)
    text = gate_history_text(replace(history, gates=tuple(replace(gate, label=name) for gate in history.gates)))
    assert text.replace("\n", "").isprintable()
    assert not [line for line in text.splitlines() if line.lstrip().startswith("::") or "##[" in line]
    assert len([line for line in text.splitlines() if line.startswith("2026-01-")]) == 2


def test_nothing_yet():
    assert repr(GateHistory(())) == "There are no releases yet."
