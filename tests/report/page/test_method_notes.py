"""How it was computed: in words, and as the command that does it again."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import riskrank as rr
from riskrank.report.page.method_notes import assessment_definitions, command_line, interval_title, notes_on_data

RNG = np.random.default_rng(0)
ROWS = {name: RNG.random(20) for name in ("old", "older", "new one", "newer")}
SCORES = rr.Effectiveness.from_rows(ROWS, measure="nDCG@10")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"baseline": "old"}, "--baseline old -m nDCG@10 -a 0 -a 1 -a 5 -a 10"),
        ({"baseline": "new one"}, "--baseline 'new one' -m nDCG@10 -a 0 -a 1 -a 5 -a 10"),
        ({"baseline": "median", "alphas": [2]}, "--baseline median -m nDCG@10 -a 2"),
        ({"baseline": ["old", "older"], "alphas": [0]}, "--baseline old --baseline older -m nDCG@10 -a 0"),
        (
            {"baseline": ["old", "older"], "combine": "max", "alphas": [0]},
            "--baseline old --baseline older --combine max -m nDCG@10 -a 0",
        ),
        ({"baseline": "old", "alphas": [0], "level": 0.01}, "--baseline old -m nDCG@10 -a 0 --level 0.01"),
        ({"baseline": "old", "alphas": [0], "correction": "bh"}, "--baseline old -m nDCG@10 -a 0 --correction bh"),
        (
            {"baseline": "old", "alphas": [0], "population": ["old", "new one"]},
            "--baseline old -m nDCG@10 -a 0 --population old --population 'new one'",
        ),
        (
            {"baseline": "old", "alphas": [0], "intervals": True, "confidence": 0.9},
            "--baseline old -m nDCG@10 -a 0 --intervals --confidence 0.9",
        ),
    ],
)
def test_the_command_says_all_that_was_asked(options, said):
    baseline = options.pop("baseline")
    assert (
        command_line(rr.assess(SCORES, baseline, **options))
        == f"riskrank evaluate SCORES.csv {said} --html report.html"
    )


def test_the_command_drops_the_topics_that_were_dropped():
    scores = dataclasses.replace(SCORES, dropped=("7",), left_out=("9",))
    said = command_line(rr.assess(scores, "old", alphas=[0]))
    assert "-a 0 --missing intersect --without-relevant drop --html" in said


def test_a_level_is_written_with_all_its_digits():
    assessment = rr.assess(SCORES, "old", level=0.001, cvar_share=0.125)
    assert interval_title(assessment) == "99.9% interval"
    assert dict(assessment_definitions(assessment))["CVaR"] == "Mean loss of the worst 12.5% of topics."


@pytest.mark.parametrize("n_systems", [2, 12])
def test_ties_of_many_systems_are_one_note(n_systems):
    rows = {f"s{i}": RNG.random(20) for i in range(n_systems)}
    scores = dataclasses.replace(rr.Effectiveness.from_rows(rows), ties_at_cutoff=dict.fromkeys(rows, 3))
    notes = notes_on_data(rr.assess(scores, "s0"))
    if n_systems == 2:
        assert notes == [f"s{i} has tied scores across the cut-off in 3 topics." for i in range(2)]
    else:
        (note,) = notes
        assert note.startswith("12 systems have tied scores across the cut-off. Topics with ties: s0 3, s1 3, ")


@pytest.mark.parametrize(("unit", "files"), [("topic", "QRELS RUN…"), ("query", "DATA.txt SCORES…")])
def test_the_command_names_the_kind_of_files_that_were_read(unit, files):
    computed = dataclasses.replace(SCORES, description="normalised discounted cumulative gain", unit=unit)
    assert command_line(rr.assess(computed, "old")).startswith(f"riskrank evaluate {files} --baseline old ")
