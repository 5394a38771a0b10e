"""What GitHub's runner takes for a command: a line that begins with ``::``, and ``##[`` wherever it stands."""

from __future__ import annotations

import pytest

import riskrank as rr

from .hostile import HARMLESS, HOSTILE, hostile_gate

BUDGET = """\
measures = ["AP"]

[limits]
max_hurt = 0.5
max_loss = 0.2
"""


def commands(text):
    """The lines that are commands, and of each what it is called and its properties."""
    lines = [line for line in text.splitlines() if line.lstrip().startswith("::") or "##[" in line]
    return [tuple(line.removeprefix("::").partition("::")[0].split(" ", 1)) for line in lines]


@pytest.mark.parametrize("name", HOSTILE)
def test_names_of_users_make_no_command_of_their_own(name):
    expected = commands(hostile_gate(HARMLESS).github_annotations())
    found = commands(hostile_gate(name).github_annotations())
    assert [kind for kind, _ in found] == [kind for kind, _ in expected]
    for _, properties in found:
        assert properties.startswith("title=")
        assert "," not in properties
        assert ":" not in properties
    assert commands(repr(hostile_gate(name))) == []


@pytest.mark.parametrize("name", HOSTILE)
def test_control_characters_of_names_are_shown(name):
    result = hostile_gate(name)
    for text in (result.github_annotations(), repr(result)):
        assert text.replace("\n", "").isprintable()


def test_percent_signs_of_names_are_no_escapes():
    scores = rr.Effectiveness.from_rows(
        {"old": [0.6, 0.6], "new": [0.1, 0.6]}, topics=["50%0A", "other"], measure="AP 50%0A"
    )
    (_, topic, _) = rr.gate(scores, "new", "old", max_loss=0.2).github_annotations().splitlines()
    assert topic == "::error title=riskrank%3A topic 50%250A::topic 50%250A: AP 50%250A 0.6000 → 0.1000 (-0.5000)"


def test_only_as_many_as_github_shows_and_the_last_counts_the_rest():
    scores = rr.Effectiveness.from_rows({"old": [0.9] * 30, "new": [0.1] * 30})
    lines = rr.gate(scores, "new", "old", max_loss=0.2).github_annotations().splitlines()
    assert len(lines) == 10
    assert lines[0] == "::error title=riskrank gate::largest loss of a topic 0.8000, at most 0.2"
    assert lines[-1] == "::error title=riskrank gate::… and 22 more, in the output of the gate"


def test_what_passes_is_a_notice():
    scores = rr.Effectiveness.from_rows({"old": [0.5] * 30, "new": [0.6] * 30})
    text = rr.gate(scores, "new", "old", max_loss=0.2).github_annotations()
    assert text == "::notice title=riskrank gate::largest loss of a topic 0.0000, at most 0.2"


def test_an_error_stands_at_the_line_of_its_limit(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "budget.toml").write_text(BUDGET)
    scores = rr.Effectiveness.from_rows({"old": [0.9] * 30, "new": [0.1] * 30}, measure="AP")
    (tmp_path / "protected.toml").write_text(f'must_not_break = ["7"]\n{BUDGET}')
    errors = rr.gate(scores, "new", "old", budget="protected.toml").github_annotations().splitlines()
    at = [line.partition("title=")[0] for line in errors if "topic 7::" in line or "topic 1::" in line]
    assert at == ["::error file=protected.toml,line=1,", "::error file=protected.toml,line=5,"]
    errors = rr.gate(scores, "new", "old", budget="budget.toml").github_annotations().splitlines()
    assert errors[0].startswith("::error file=budget.toml,line=4,title=riskrank gate::30 of 30 topics")
    assert errors[1].startswith("::error file=budget.toml,line=5,title=riskrank gate::largest loss")
    assert errors[2].startswith("::error file=budget.toml,line=4,title=riskrank%3A topic 1::topic 1: AP 0.9000")
