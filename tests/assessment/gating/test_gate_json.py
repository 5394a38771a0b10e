from __future__ import annotations

import json
from datetime import date

import numpy as np
import pytest

import riskrank as rr
from riskrank.errors import FileError, ParameterError

RNG = np.random.default_rng(5)
OLD = RNG.uniform(0.2, 0.8, 50)
SCORES = rr.Effectiveness.from_rows({"old": OLD, "new": OLD + RNG.normal(0, 0.1, 50)}, measure="AP")


@pytest.fixture
def result():
    return rr.gate(
        SCORES, "new", "old", max_hurt=0.2, max_worse=0.5, max_loss=0.1, min_trisk=-2.0,
        segments={topic: "ab"[int(topic) % 2] for topic in SCORES.topics}, must_not_break=["3", "4"],
        accepted=[rr.AcceptedLoss("7", "known", date(2100, 1, 1))],
    )  # fmt: skip


def test_what_is_written_is_read_back(result, tmp_path):
    result.to_json(tmp_path / "gate.json")
    for again in (rr.GateResult.from_json(tmp_path / "gate.json"), rr.GateResult.from_json(result.to_json())):
        assert again.passed == result.passed
        assert again.broken_topics == result.broken_topics
        assert repr(again.checks) == repr(result.checks)  # NaN and all
        assert again.comparisons[0].segments[0].positions == result.comparisons[0].segments[0].positions
        assert again.comparisons[0].budget == result.comparisons[0].budget
        assert again.to_json() == result.to_json()


def test_lines_of_the_budget_and_the_path_of_judgments_are_kept(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "budget.toml").write_text("[limits]\n\nmax_loss = 0.1\n[measure.map]\nmax_risk = 0.001\n")
    (tmp_path / "scores.csv").write_text("topic,old,new\n1,0.5,0.1\n2,0.5,0.6\n")
    result = rr.gate("scores.csv", "new", "old", budget="budget.toml", measure="AP")
    again = rr.GateResult.from_json(result.to_json())
    assert again.to_json() == result.to_json()
    assert again.budget_lines.first(("limits", "max_loss")) == 3
    assert "::error file=budget.toml,line=5," in again.github_annotations()
    assert again.to_sarif() == result.to_sarif()
    without = rr.gate("scores.csv", "new", "old", max_loss=0.1)
    again = rr.GateResult.from_json(without.to_json())
    assert again.budget_lines is None
    assert "::error file=scores.csv,line=1," in again.github_annotations()


@pytest.mark.parametrize(
    "options", [{}, {"missing": "zero"}, {"missing": "intersect"}, {"without_relevant": "drop"}], ids=str
)
def test_what_is_read_back_says_the_same_in_every_format(options):
    judged = {str(t): {"a": int(t > 2), "b": 0} for t in range(30)}
    old = {topic: {"a": 2.0, "b": 1.0} for topic in judged}
    new = {topic: {"a": 1.0, "b": 1.0, "unjudged": 3.0} for topic in judged if topic not in ("4", "5")}
    result = rr.gate(judged, {"new": new}, {"old": old}, "P@1", max_hurt=0.1, **options)
    again = rr.GateResult.from_json(result.to_json())
    assert "Caution:" in repr(result)
    for form in ("__repr__", "to_markdown", "to_junit", "to_sarif", "to_gitlab", "github_annotations", "to_json"):
        assert getattr(again, form)() == getattr(result, form)(), form


def test_topics_without_a_segment_are_kept():
    result = rr.gate(SCORES, "new", "old", segments={"1": "a", "2": ""})
    (again,) = rr.GateResult.from_json(result.to_json()).comparisons
    assert again.without_segment == result.comparison.without_segment == SCORES.topics[1:]


def test_weights_are_kept():
    weights = {topic: float(topic) for topic in SCORES.topics}
    (compared,) = rr.gate(SCORES, "new", "old", weights=weights).comparisons
    assert compared.n_effective == pytest.approx(sum(range(51)) ** 2 / sum(n * n for n in range(51)))
    (again,) = rr.GateResult.from_json(rr.gate(SCORES, "new", "old", weights=weights).to_json()).comparisons
    assert again.n_effective == compared.n_effective


def test_what_is_new_may_be_missing(result):
    content = json.loads(result.to_json())
    for name in ("budget_file", "judgments_path"):
        del content[name]
    del content["comparisons"][0]["n_effective"]
    again = rr.GateResult.from_json(json.dumps(content))
    assert again.broken_topics == result.broken_topics


def test_programs_find_the_verdict_and_the_topics(result):
    content = json.loads(result.to_json())
    (comparison,) = content["comparisons"]
    assert content["passed"] is comparison["passed"] is False
    assert [each["topic"] for each in comparison["broken_topics"]] == [topic.topic for topic in result.broken_topics]
    hurt = next(each for each in comparison["checks"] if each["name"] == "hurt")
    assert (hurt["limit"], hurt["sureness"], hurt["holds"]) == (0.2, "clearly over", False)
    assert next(each for each in comparison["checks"] if each["name"] == "loss")["interval"] == [None, None]


@pytest.mark.parametrize(
    "change",
    [
        lambda c: c.update(format="x"),
        lambda c: c.update(version=99),
        lambda c: c.update(comparisons=[]),
        lambda c: c.update(comparisons=3),
        lambda c: c["comparisons"][0].pop("topics"),
        lambda c: c["comparisons"][0].update(candidate_scores=["x"] * 50),
        lambda c: c["comparisons"][0].update(candidate_scores=[0.1]),
        lambda c: c["comparisons"][0]["checks"][0].update(topics=["nobody"]),
        lambda c: c["comparisons"][0]["checks"][0].update(nonsense=1),
        lambda c: c["comparisons"][0]["budget"].update(max_hurt=7),
        lambda c: c["comparisons"][0].update(gain_interval=[1]),
        lambda c: c["comparisons"][0].update(n_effective=-1),
        lambda c: c.update(judgments_path="a\0b"),
        lambda c: c.update(budget_file={"path": "a\0b", "lines": []}),
        lambda c: c.update(budget_file={"path": "b.toml", "lines": [{"key": ["limits"], "line": 0}]}),
    ],
)
def test_other_files_are_refused_in_one_line(result, tmp_path, change):
    content = json.loads(result.to_json())
    change(content)
    (tmp_path / "gate.json").write_text(json.dumps(content))
    with pytest.raises(FileError) as caught:
        rr.GateResult.from_json(tmp_path / "gate.json")
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(f"{tmp_path / 'gate.json'}: ")


@pytest.mark.parametrize("text", ["[]", '"x"', "{}", '{"format": 3}', "{"])
def test_other_texts_are_refused(text):
    with pytest.raises(FileError, match=r"^JSON text: is not the JSON of a gate \("):
        rr.GateResult.from_json(text)


@pytest.mark.parametrize("source", [5, {}, [], None])
def test_what_is_no_path_is_refused(source):
    with pytest.raises(ParameterError, match="the JSON of a gate is read from a path or a text, got"):
        rr.GateResult.from_json(source)
