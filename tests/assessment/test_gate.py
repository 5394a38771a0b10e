"""The gate in Python; tests/cli/commands/test_gate.py has the same rules through the command."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import numpy as np
import pytest

import riskrank as rr
from riskrank.errors import AlignmentError, ParameterError, UnknownMeasureError

SCORES = rr.Effectiveness.from_rows(
    {"old": [0.5, 0.4, 0.3, 0.6], "new": [0.6, 0.1, 0.9, 0.4]}, topics=["t1", "t2", "t3", "t4"], measure="AP"
)
QRELS = {"1": {"a": 1, "b": 0}, "2": {"a": 0, "b": 1}}
OLD = {"1": {"a": 2.0, "b": 1.0}, "2": {"a": 1.0, "b": 2.0}}
NEW = {"1": {"a": 2.0, "b": 1.0}, "2": {"a": 2.0, "b": 1.0}}  # the second topic falls from 1 to 1/2


def test_a_broken_budget_names_the_topics_worst_first():
    result = rr.gate(SCORES, "new", "old", max_loss=0.1)
    assert not result.passes
    assert [(t.topic, round(t.change, 3)) for t in result.broken_topics] == [("t2", -0.3), ("t4", -0.2)]
    assert result.topics_of(result.checks[0]) == result.broken_topics
    assert (result.broken_topics[0].score, result.broken_topics[0].baseline) == (0.1, 0.4)


def test_a_budget_that_holds_names_none():
    result = rr.gate(SCORES, "new", "old", max_loss=0.5, max_hurt=0.5)
    assert result.passes
    assert [check.name for check in result.checks] == ["hurt", "loss"]
    assert result.broken_topics == ()


def test_without_a_budget_a_significant_loss_decides():
    rng = np.random.default_rng(0)
    old = rng.random(30) / 2 + 0.5
    scores = rr.Effectiveness.from_rows({"old": old, "worse": old - 0.1 - 0.1 * rng.random(30)})
    assert not rr.gate(scores, "worse", "old").passes
    assert rr.gate(scores, "old", "worse").passes


def test_runs_are_named_by_mappings_by_themselves_or_by_their_part(tmp_path):
    (tmp_path / "bm25.run").write_text("1 Q0 a 1 2 t\n2 Q0 b 1 2 t\n")
    for candidate, baseline, names in (
        (NEW, OLD, ("candidate", "baseline")),
        ({"neural": NEW}, {"bm25": OLD}, ("neural", "bm25")),
        (rr.read_run(NEW, name="neural"), tmp_path / "bm25.run", ("neural", "bm25")),
    ):
        result = rr.gate(QRELS, candidate, baseline, "RR", max_risk=0.1)
        assert (result.candidate, result.baseline) == names
        assert [t.topic for t in result.broken_topics] == ["2"]
        assert result.scores[result.candidate].tolist() == [1.0, 0.5]


def test_a_run_of_one_topic_is_no_name():
    result = rr.gate({"1": {"a": 1}}, {"1": {"a": 1.0}}, {"1": {"a": 1.0}}, max_risk=0.1)
    assert (result.candidate, result.baseline) == ("candidate", "baseline")


def test_scores_of_feature_data_are_gated_as_runs_are():
    data = rr.RankingData.from_arrays([[1.0], [2.0], [2.0], [1.0]], [1, 0, 1, 0], group=[2, 2])
    result = rr.gate(data, "feature:1", {"best": [1.0, 0.0, 1.0, 0.0]}, "RR", max_loss=0.6)
    assert (result.candidate, result.baseline) == ("feature:1", "best")
    assert result.scores.matrix.tolist() == [[1.0, 1.0], [0.5, 1.0]]
    assert result.passes


def test_given_scores_are_of_the_measure_that_is_asked_for():
    for measure in ("AP", "map", rr.parse_measure("AP")):
        assert rr.gate(SCORES, "new", "old", measure, max_loss=0.5).scores is SCORES
    with pytest.raises(ParameterError, match=r"^the scores are of AP, not of RR: leave measure= out\.$"):
        rr.gate(SCORES, "new", "old", "RR", max_loss=0.5)
    with pytest.raises(UnknownMeasureError, match="nonsense"):
        rr.gate(SCORES, "new", "old", "nonsense", max_loss=0.5)


def test_systems_of_a_file_of_scores_go_by_their_names(tmp_path):
    SCORES.to_polars().write_csv(tmp_path / "m.csv")
    result = rr.gate(tmp_path / "m.csv", "new", "old", "AP", max_loss=0.1)
    assert result.scores.measure == "AP"
    assert [t.topic for t in result.broken_topics] == ["t2", "t4"]
    with pytest.raises(AlignmentError, match="no system 'nwe'. There are: old, new. Did you mean 'new'"):
        rr.gate(tmp_path / "m.csv", "nwe", "old")
    with pytest.raises(ParameterError, match="names of systems"):
        rr.gate(SCORES, NEW, "old")


def test_two_runs_of_one_name_are_refused(tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "bm25.run").write_text("1 Q0 a 1 2 t\n")
    with pytest.raises(AlignmentError, match="both named 'bm25'. Name them"):
        rr.gate(QRELS, tmp_path / "a" / "bm25.run", tmp_path / "b" / "bm25.run")


def test_a_baseline_that_lacks_topics_is_refused_unless_told_otherwise():
    short = {"1": OLD["1"]}
    with pytest.raises(AlignmentError, match="baseline 'baseline' lacks 1 of 2 topics .first: '2'.*missing='zero'"):
        rr.gate(QRELS, NEW, short, "RR", max_risk=0.1)
    assert rr.gate(QRELS, NEW, short, "RR", max_risk=0.1, missing="zero").passes
    assert rr.gate(QRELS, NEW, short, "RR", max_risk=0.1, missing="intersect").scores.topics == ("1",)


def test_nothing_to_compare_is_refused():
    nothing = {"1": {"x": 1.0}, "2": {"x": 1.0}}
    with pytest.raises(AlignmentError, match="both systems score 0 on every topic"):
        rr.gate(QRELS, nothing, dict(nothing), "RR")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tolerance": 0.1}, "tolerance needs max_hurt"),
        ({"max_loss": 0.9, "alpha": 5}, "alpha has no effect on these limits"),
        ({"max_loss": 0.9, "alpha": 0}, "alpha has no effect on these limits"),
        ({"max_hurt": 7}, "max_hurt must be a number from 0 to 1, got 7"),
        ({"max_risk": -1}, "max_risk must be a number from 0, got -1"),
        ({"level": 2}, "level must lie between 0 and 1, got 2"),
    ],
)
def test_senseless_options_are_refused(options, message):
    with pytest.raises(ParameterError, match=message):
        rr.gate(SCORES, "new", "old", **options)


def test_it_shows_itself_as_text_notebook_json_junit_and_annotations(tmp_path):
    result = rr.gate(SCORES, "new", "old", max_loss=0.25)
    assert repr(result).startswith("FAIL  new may not replace old (AP, 4 topics)\n")
    assert "<b>new</b> may not replace old. Its largest loss is" in result._repr_html_()
    content = json.loads(result.to_json())
    assert content["passes"] is False
    assert [t["topic"] for t in content["topics"]] == content["checks"][0]["topics"] == ["t2"]
    assert result.to_junit(tmp_path / "gate.xml") is None
    assert ElementTree.parse(tmp_path / "gate.xml").getroot().attrib["failures"] == "1"
    assert "topic t2: AP 0.4000 → 0.1000 (-0.3000)" in result.github_annotations()


def test_user_text_is_escaped_in_notebooks():
    scores = rr.Effectiveness.from_rows({"<u>": [0.5, 0.4], "old": [0.5, 0.6]})
    assert "<u>" not in rr.gate(scores, "<u>", "old", max_loss=0.1)._repr_html_()
