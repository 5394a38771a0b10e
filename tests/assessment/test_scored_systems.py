from __future__ import annotations

import numpy as np
import pytest

import riskrank as rr
from riskrank.assessment.scored_systems import score_systems
from riskrank.errors import AlignmentError, FileError, ParameterError, UnknownMeasureError

QRELS = {"1": {"a": 1}, "2": {"b": 1}}
RUN = {"1": {"a": 2.0, "b": 1.0}, "2": {"a": 2.0, "b": 1.0}}
LETOR = "2 qid:1 1:0.1 2:5\n0 qid:1 1:0.9 2:1\n1 qid:2 1:0.5 2:1\n0 qid:2 1:0.4 2:3\n"


def test_runs_are_scored_by_qrels():
    scored = score_systems(QRELS, {"new": RUN}, ["RR", "P@1"])
    assert list(scored.scores) == ["RR", "P@1"]
    assert scored.scores["RR"] == rr.evaluate(QRELS, {"new": RUN}, "RR")
    assert scored.first is scored.scores["RR"]
    assert isinstance(scored.judgments, rr.Qrels)
    assert scored.systems["new"] is RUN
    assert scored.data is None


def test_the_measure_is_ndcg_at_10_unless_told():
    assert list(score_systems(QRELS, {"new": RUN}).scores) == ["nDCG@10"]


def test_scores_are_ranked_on_feature_data(tmp_path):
    (tmp_path / "test.txt").write_text(LETOR)
    (tmp_path / "model.scores").write_text("0.3\n0.2\n0.9\n0.1\n")
    systems = {"one": "feature:1", "model": tmp_path / "model.scores", "array": [0.0, 1.0, 0.0, 1.0]}
    scored = score_systems(tmp_path / "test.txt", systems, ["RR"])
    assert scored.first.matrix.tolist() == [[0.5, 1.0], [1.0, 1.0], [0.5, 0.5]]
    assert scored.data is scored.judgments
    assert np.asarray(scored.systems["model"]).tolist() == [0.3, 0.2, 0.9, 0.1]


def test_features_may_count_from_0(tmp_path):
    (tmp_path / "test.txt").write_text("1 qid:1 0:1 1:0\n0 qid:1 0:0 1:1\n")
    assert score_systems(tmp_path / "test.txt", {"one": "feature:1"}, ["RR"], zero_based=True).first["one"] == [0.5]


def test_given_scores_are_read_as_they_are(tmp_path):
    (tmp_path / "m.csv").write_text("topic,old,new\n1,0.5,0.6\n2,,0.1\n")
    scored = score_systems(tmp_path / "m.csv", {}, ["AP"], missing="intersect")
    assert scored.first.measure == "AP"
    assert scored.first.topics == ("1",)
    assert (scored.judgments, scored.systems, scored.data) == (None, {}, None)
    assert list(score_systems(tmp_path / "m.csv", {}).scores) == ["m"]
    with pytest.raises(ParameterError, match=r"m.csv .* already holds the scores of all systems: leave x.run out"):
        score_systems(tmp_path / "m.csv", {"x": "x.run"})
    with pytest.raises(ParameterError, match="a score matrix holds one measure"):
        score_systems(tmp_path / "m.csv", {}, ["AP", "RR"])


def test_what_does_not_fit_is_refused(tmp_path):
    with pytest.raises(ParameterError, match=r"^pass at least one run\.$"):
        score_systems(QRELS, {})
    for feature in ("feature:3", rr.Feature(3)):
        with pytest.raises(AlignmentError, match="x needs a LETOR file with features as judgments, qrels have none"):
            score_systems(QRELS, {"x": feature})
    with pytest.raises(FileError, match="nothing: no such file"):
        score_systems(QRELS, {"x": tmp_path / "nothing"})
    with pytest.raises(UnknownMeasureError, match="nonsense"):
        score_systems(QRELS, {"new": RUN}, ["nonsense"])
