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
