from __future__ import annotations

from typing import get_args

import pytest

import riskrank as rr
from riskrank.report.gate_formats.places import KEYS, Place, in_repository, place_of
from riskrank.risk.budget.check import CheckName

BUDGET = """\
measures = ["AP"]
must_not_break = ["1"]
fewest_in_segment = 2

[limits]
max_hurt = 0.5
max_loss = 0.2

[measure.map]
max_loss = 0.1
max_risk = 0.3

[segment."mob\\nile"]
max_hurt = 0.4
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ci").mkdir()
    (tmp_path / "ci" / "budget.toml").write_text(BUDGET)
    return tmp_path


def test_every_check_but_missing_results_has_a_key():
    assert set(KEYS) == set(get_args(CheckName)) - {"missing"}


def test_a_check_is_where_its_limit_is_set(folder):
    scores = rr.Effectiveness.from_rows({"old": [0.9] * 4, "new": [0.1] * 4}, measure="AP")
    segments = dict.fromkeys(scores.topics, "mob\nile")
    result = rr.gate(scores, "new", "old", budget="ci/budget.toml", segments=segments)
    places = {
        (each.segment, each.check.name): place_of(result, each) for each in result.named_checks() if each.check.topics
    }
    assert places == {
        ("", "loss"): Place("ci/budget.toml", 10),
        ("", "risk"): Place("ci/budget.toml", 11),
        ("", "protected"): Place("ci/budget.toml", 2),
        ("mob\nile", "hurt"): Place("ci/budget.toml", 14),
    }


def test_without_a_budget_file_it_is_the_judgments(folder):
    (folder / "qrels.txt").write_text("1 0 a 1\n")
    result = rr.gate("qrels.txt", {"new": {"1": {"b": 1.0}}}, {"old": {"1": {"a": 1.0}}}, max_loss=0.2)
    assert [place_of(result, each) for each in result.named_checks()] == [Place("qrels.txt", 1)]


def test_without_files_there_is_no_place():
    scores = rr.Effectiveness.from_rows({"old": [0.9] * 4, "new": [0.1] * 4})
    result = rr.gate(scores, "new", "old", max_loss=0.2)
    assert [place_of(result, each) for each in result.named_checks()] == [None]


def test_paths_start_from_the_root_of_the_repository_wherever_it_is_called(folder, monkeypatch):
    (folder / ".git").mkdir()
    monkeypatch.chdir(folder / "ci")
    assert in_repository("budget.toml") == "ci/budget.toml"
    assert in_repository(folder / "ci" / "budget.toml") == "ci/budget.toml"


def test_links_are_followed(folder):
    (folder / "link.toml").symlink_to(folder / "ci" / "budget.toml")
    assert in_repository("link.toml") == "ci/budget.toml"


def test_a_file_outside_has_no_place(folder, monkeypatch):
    monkeypatch.chdir(folder / "ci")
    (folder / "elsewhere.txt").write_text("")
    assert in_repository("../elsewhere.txt") == ""
