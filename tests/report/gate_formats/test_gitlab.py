"""GitLab's code quality report, by the rules of its parser and its documentation."""

from __future__ import annotations

import json

import jsonschema
import pytest

import riskrank as rr

from .hostile import HARMLESS, HOSTILE, hostile_gate

TEXT = {"type": "string", "minLength": 1}
ENTRY = {
    "type": "object",
    "required": ["description", "check_name", "fingerprint", "severity", "location"],
    "additionalProperties": False,
    "properties": {
        "description": TEXT,
        "check_name": {"type": "string", "pattern": "^riskrank-[a-z]+$"},
        "fingerprint": TEXT,
        "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
        "location": {
            "type": "object",
            "required": ["path", "lines"],
            "properties": {
                "path": {"type": "string", "pattern": "^(?!\\./|/)."},
                "lines": {
                    "type": "object",
                    "required": ["begin"],
                    "properties": {"begin": {"type": "integer", "minimum": 1}},
                },
            },
        },
    },
}


def read(result):
    """The entries of a report that keeps to the rules."""
    text = result.to_gitlab()
    assert text.startswith("["), "GitLab refuses a byte order mark"
    entries = json.loads(text)
    jsonschema.validate(entries, {"type": "array", "items": ENTRY})
    marks = [each["fingerprint"] for each in entries]
    assert len(set(marks)) == len(marks), "GitLab shows one of those that share a fingerprint"
    return entries


SCORES = rr.Effectiveness.from_rows({"old": [0.6] * 4, "new": [0.1, 0.6, 0.6, 0.6]}, measure="AP")


def test_an_entry_for_each_broken_check_and_topic():
    entries = read(rr.gate(SCORES, "new", "old", max_loss=0.2, must_not_break=["1"]))
    assert [(each["check_name"], each["severity"]) for each in entries] == [
        ("riskrank-loss", "critical"),
        ("riskrank-protected", "blocker"),
        ("riskrank-topic", "major"),
    ]
    assert entries[2]["description"] == "topic 1: AP 0.6000 → 0.1000 (-0.5000); must not break"


def test_what_passes_is_an_empty_list():
    assert read(rr.gate(SCORES, "new", "old", max_loss=0.9)) == []


def test_an_entry_points_to_the_limit_in_the_budget_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "budget.toml").write_text("[limits]\nmax_loss = 0.2\n")
    entries = read(rr.gate(SCORES, "new", "old", budget="budget.toml"))
    assert entries[0]["location"] == {"path": "budget.toml", "lines": {"begin": 2}}


@pytest.mark.parametrize("name", HOSTILE)
def test_names_change_nothing_but_letters(name):
    entries, expected = read(hostile_gate(name)), read(hostile_gate(HARMLESS))
    assert [each["check_name"] for each in entries] == [each["check_name"] for each in expected]
    assert all(each["description"].isprintable() for each in entries)
