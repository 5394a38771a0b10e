from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest

import riskrank as rr
from riskrank.data.example import example_files
from riskrank.report.page.gate.gate_exports import gate_exports, gate_markdown
from riskrank.report.page.gate.gate_part import gate_verdict

QRELS, RUNS = example_files()


@pytest.fixture(scope="module")
def failed():
    return rr.gate(QRELS, {"neural": RUNS["neural"]}, {"bm25": RUNS["bm25"]}, max_risk=0.01, max_hurt=0.3)


def test_files_are_those_that_the_command_writes(failed):
    exports = gate_exports(failed, gate_verdict(failed))
    assert json.loads(exports["json"])["passes"] is False
    assert ElementTree.fromstring(exports["xml"]).get("failures") == "1"


def test_markdown_has_the_verdict_and_a_row_per_check(failed):
    first, _, header, _, *rows = gate_markdown(gate_verdict(failed)).splitlines()
    assert first.startswith("**FAIL** neural may not replace bm25: 1 of 2 checks fails. Its mean loss is 0.087, ")
    assert header == "| | check | value | limit | |"
    assert [row.split(" | ")[:4] for row in rows] == [
        ["| ✗", "Mean loss", "0.087", "at most 0.01"], ["| ✓", "Topics hurt", "14 (28%)", "at most 30%"],
    ]  # fmt: skip


def test_names_are_no_markup():
    scores = rr.Effectiveness.from_rows({"old": [0.5, 0.4, 0.3], "[x](y) <b>|*a*": [0.6, 0.1, 0.9]})
    text = gate_markdown(gate_verdict(rr.gate(scores, "[x](y) <b>|*a*", "old", max_loss=0.1)))
    assert "\\[x\\](y) \\<b\\>\\|\\*a\\*" in text
    assert all(line.replace("\\|", "").count("|") == 6 for line in text.splitlines()[2:])
