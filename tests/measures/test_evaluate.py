from __future__ import annotations

import numpy as np
import pytest

import riskrank as rr
from riskrank.errors import AlignmentError, ParameterError

QRELS = {"1": {"a": 1}, "2": {"a": 1}, "10": {"a": 0, "b": 2}}
RUN_A = {"1": {"a": 1.0}, "2": {"x": 2.0, "a": 1.0}, "99": {"a": 1.0}}
RUN_B = {"2": {"a": 1.0}, "1": {"z": 1.0}, "10": {"b": 3.0}}


def test_topics_are_aligned_by_id_and_missing_ones_score_zero():
    scores = rr.evaluate(QRELS, {"a": RUN_A, "b": RUN_B}, "RR")
    assert scores.topics == ("1", "2", "10")
    assert scores.matrix.tolist() == [[1.0, 0.5, 0.0], [0.0, 1.0, 1.0]]
    assert scores.missing == {"a": ("10",)}


def test_missing_topics_may_be_dropped_or_refused():
    kept = rr.evaluate(QRELS, {"a": RUN_A, "b": RUN_B}, "RR", missing="intersect")
    assert kept.topics == ("1", "2")
    assert kept.matrix.tolist() == [[1.0, 0.5], [0.0, 1.0]]
    with pytest.raises(
        AlignmentError, match=r"run 'a' must cover all 3 topics of the qrels, got 2; first missing: '10'"
    ):
        rr.evaluate(QRELS, {"a": RUN_A, "b": RUN_B}, "RR", missing="error")
    with pytest.raises(AlignmentError, match="no topic is answered by every run"):
        rr.evaluate(QRELS, {"a": {"1": {"a": 1.0}}, "b": {"2": {"a": 1.0}}}, "RR", missing="intersect")
    with pytest.raises(ParameterError, match="missing must be"):
        rr.evaluate(QRELS, {"a": RUN_A}, "RR", missing="drop")


def test_several_measures_come_by_any_of_their_names():
    scores = rr.evaluate(QRELS, {"a": RUN_A}, ["nDCG@10", "map"])
    assert list(scores) == ["nDCG@10", "AP"]
    assert scores["map"] is scores["AP"] is scores["ap"]
    with pytest.raises(KeyError):
        _ = scores["RR"]


def test_feature_data_is_ranked_by_a_score_for_each_document():
    data = rr.RankingData.from_arrays(np.array([[1.0], [3.0], [2.0]]), [0, 1, 2], qid=["q", "r", "q"])
    scores = rr.evaluate(data, {"f": data.feature(1), "g": -data.feature(1)}, "RR")
    assert scores.topics == ("q", "r")
    assert scores.matrix.tolist() == [[1.0, 1.0], [0.5, 1.0]]
    with pytest.raises(AlignmentError, match="a score for each of the 3 documents"):
        rr.evaluate(data, {"f": [1.0]}, "RR")
    with pytest.raises(AlignmentError, match="must be finite, got nan for document 2"):
        rr.evaluate(data, {"f": [1.0, np.nan, 2.0]}, "RR")


def test_nothing_to_evaluate_is_an_error():
    with pytest.raises(AlignmentError, match="at least one run"):
        rr.evaluate(QRELS, {}, "RR")
    with pytest.raises(ParameterError, match="at least one measure"):
        rr.evaluate(QRELS, {"a": RUN_A}, [])


def test_unsigned_scores_rank_like_others():
    data = rr.RankingData.from_arrays(np.zeros((4, 1)), [1, 0, 0, 1], group=[2, 2])
    for dtype in (np.uint8, np.int64, np.float32):
        assert rr.evaluate(data, {"a": np.array([0, 1, 2, 3], dtype)}, "RR").matrix.tolist() == [[0.5, 1.0]]
    with pytest.raises(AlignmentError, match="must be numbers"):
        rr.evaluate(data, {"a": ["x", "y", "z", "w"]}, "RR")


def test_systems_of_feature_data_may_be_files_features_or_lists(tmp_path):
    (tmp_path / "t.txt").write_text("1 qid:1 1:0.1\n0 qid:1 1:0.9\n")
    (tmp_path / "m.scores").write_text("2\n1\n")
    scores = rr.evaluate(tmp_path / "t.txt", ["feature:1", tmp_path / "m.scores"], "RR")
    assert scores.systems == ("feature:1", "m")
    assert scores.matrix.tolist() == [[0.5], [1.0]]
    data = rr.read_letor(tmp_path / "t.txt")
    assert rr.evaluate(data, [[0.1, 0.9], [0.9, 0.1]], "RR").systems == ("system1", "system2")


def test_what_is_no_run_is_refused(tmp_path):
    (tmp_path / "x").write_text("1 Q0 a 1 1 t\n")
    with open(tmp_path / "x") as file, pytest.raises(ParameterError, match="not as an open file"):
        rr.evaluate(QRELS, file, "RR")
    with pytest.raises(AlignmentError, match="must be a path, a frame or a dict of dicts, got NoneType"):
        rr.evaluate(None, {"a": RUN_A}, "RR")


def test_unjudged_documents_are_counted_down_to_the_cut_off():
    qrels = {"1": {"a": 1, "b": 0}, "2": {"a": 1}}
    run = {"1": {"x": 4.0, "a": 3.0, "b": 2.0, "y": 1.0}, "2": {"a": 2.0, "z": 1.0}}
    assert rr.evaluate(qrels, {"r": run}, "P@2").unjudged == {"r": 0.5}  # x of x, a; z of a, z
    assert rr.evaluate(qrels, {"r": run}, "P@3").unjudged == pytest.approx({"r": 2 / 5})  # x of x, a, b; z of a, z
    assert rr.evaluate(qrels, {"r": run}, "AP").unjudged == pytest.approx({"r": 3 / 6})  # down to rank 10
    assert rr.evaluate(qrels, {"r": {"1": {"a": 1.0}, "2": {"a": 1.0}}}, "P@2").unjudged == {}


def test_labelled_features_are_judged_throughout():
    data = rr.RankingData.from_arrays([[0.1], [0.9]], [1, 0], qid=["a", "a"])
    assert rr.evaluate(data, {"r": data.feature(1)}, "nDCG@10").unjudged == {}


@pytest.mark.parametrize(("n_systems", "is_shown"), [(50, False), (51, True)])
def test_many_systems_have_a_progress_bar_on_a_terminal(monkeypatch, capsys, n_systems, is_shown):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    rr.evaluate({"1": {"a": 1}}, {f"s{i}": {"1": {"a": 1.0}} for i in range(n_systems)}, "RR")
    shown = capsys.readouterr().err
    assert ("scoring systems" in shown, f"{n_systems}/{n_systems}" in shown) == (is_shown, is_shown)
