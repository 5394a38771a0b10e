from __future__ import annotations

import gzip
import time
import weakref

import numpy as np
import polars as pl
import pytest
import pytrec_eval

import riskrank as rr
import riskrank.measures.rank_runs
from riskrank import evaluate
from riskrank.cores import usable_cores
from riskrank.data.trec.runs import read_run
from riskrank.errors import AlignmentError, FileError
from riskrank.measures.rank_runs import rank_runs

QRELS = {"1": {"a": 1}, "2": {"a": 1}, "10": {"a": 0, "b": 2}}
RUN_A = {"1": {"a": 1.0}, "2": {"x": 2.0, "a": 1.0}, "99": {"a": 1.0}}


def test_judged_documents_stand_by_topic_and_rank_with_their_grades():
    qrels = {"1": {"a": 1, "b": -1}, "2": {"a": 0, "c": 3}}
    run = {"2": {"z": 3.0, "c": 2.0, "a": 1.0}, "1": {"b": 2.0, "a": 1.0}, "7": {"a": 1.0}}
    ranked = rank_runs(qrels, {"x": run})
    ((name, ranking),) = ((each.name, each.ranking) for each in ranked.in_turn)
    assert name == "x"
    assert ranked.judgments.topics == ("1", "2")
    # z has no judgment and b one below 0: both only take up a rank
    rows = np.stack([ranking.topic, ranking.rank, ranking.grade], axis=1)
    assert rows.tolist() == [[0, 2, 1], [1, 2, 3], [1, 3, 0]]
    assert ranking.retrieved.tolist() == [2, 3]


def test_grades_and_scores_are_there_as_dicts_for_other_libraries():
    ranked = rank_runs({"1": {"a": 1.0}}, {"x": RUN_A, "y": {"1": {"b": 2}}})
    assert ranked.names == ("x", "y")
    assert [each.as_dicts() for each in ranked.in_turn] == [
        ({"1": {"a": 1}}, RUN_A),
        ({"1": {"a": 1}}, {"1": {"b": 2.0}}),
    ]


def test_no_common_topic_is_an_error():
    with pytest.raises(
        AlignmentError, match=r"qrels have no topic in common: run RED; qrels Red\. They differ in capital"
    ):
        list(rank_runs({"Red": {"a": 1}}, {"a": {"RED": {"a": 1.0}}}).in_turn)
    with pytest.raises(
        AlignmentError, match=r"run 'a' and the qrels have no topic in common: run 7; qrels 1, 2, 10\.$"
    ):
        rr.evaluate(QRELS, {"a": {"7": {"a": 1.0}}}, "RR")


def test_one_run_may_stand_alone(tmp_path):
    (tmp_path / "new.run").write_text("1 Q0 a 1 1.0 t\n")
    frame = pl.DataFrame({"qid": ["1"], "docno": ["a"], "score": [1.0]})
    for source in (
        tmp_path / "new.run",
        str(tmp_path / "new.run"),
        frame,
        RUN_A,
        rr.read_run(RUN_A, name="x"),
        [frame],
    ):
        assert rr.evaluate(QRELS, source, "RR").matrix[0, 0] == 1.0
    assert rr.evaluate(QRELS, tmp_path / "new.run", "RR").systems == ("new",)


def test_order_of_lines_does_not_matter():
    mixed = {"documents": ["x", "a", "a"], "topics": ["2", "1", "2"], "scores": [2.0, 1.0, 1.0]}
    frame = pl.DataFrame({"qid": mixed["topics"], "docno": mixed["documents"], "score": mixed["scores"]})
    assert rr.evaluate(QRELS, {"a": frame}, "RR").matrix.tolist() == [[1.0, 0.5, 0.0]]
    assert rr.evaluate(QRELS, {"a": frame.reverse()}, "RR").matrix.tolist() == [[1.0, 0.5, 0.0]]


def test_ties_are_broken_by_document_id_descending():
    # a and b are tied; b comes first, so the relevant a stands at rank 2.
    assert evaluate({"1": {"a": 1}}, {"x": {"1": {"a": 0.5, "b": 0.5}}}, "RR").matrix.tolist() == [[0.5]]


def test_scores_equal_in_float32_are_ties():
    run = {"x": {"1": {"a": 0.1 + 1e-12, "b": 0.1}}}
    assert evaluate({"1": {"a": 1}}, run, "RR").matrix.tolist() == [[0.5]]


def test_ties_across_the_cutoff_are_reported():
    run = {"x": {"1": {"a": 0.5, "b": 0.5, "c": 0.1}, "2": {"a": 0.5, "b": 0.4}}}
    qrels = {"1": {"a": 1}, "2": {"a": 1}}
    assert evaluate(qrels, run, "P@1").ties_at_cutoff == {"x": 1}
    assert evaluate(qrels, run, "P@2").ties_at_cutoff == {}


def test_files_and_dicts_give_the_same(shared_data):
    folder = shared_data / "trec_dl2019"
    path = folder / "runs" / "idst_bert_p1.run.gz"
    with gzip.open(path, "rt") as file:
        as_dict = pytrec_eval.parse_run(file)
    qrels = folder / "qrels.dl19-passage.txt"
    from_file = evaluate(qrels, {"x": path}, "nDCG@10")
    assert from_file == evaluate(qrels, {"x": as_dict}, "nDCG@10")


def test_runs_are_read_when_they_are_ranked_and_not_kept(tmp_path, monkeypatch):
    alive = weakref.WeakSet()

    def read(source, *, name):
        run = read_run(source, name=name)
        alive.add(run)
        return run

    monkeypatch.setattr(riskrank.measures.rank_runs, "read_run", read)
    paths = [tmp_path / f"{number}.run" for number in range(40)]
    for path in paths:
        path.write_text("1 Q0 a 1 1.0 t\n")
    names, most = [], 0
    for system in rank_runs(QRELS, paths).in_turn:
        time.sleep(0.02)  # others could be read meanwhile
        names.append(system.name)
        most = max(most, len(alive))
    assert names == [path.stem for path in paths]
    assert 1 <= most <= usable_cores() + 3


def test_a_missing_file_is_told_before_any_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(riskrank.measures.rank_runs, "read_run", None)
    (tmp_path / "a.run").write_text("1 Q0 a 1 1.0 t\n")
    with pytest.raises(FileError, match=r"b\.run: no such file"):
        rr.evaluate(QRELS, [tmp_path / "a.run", tmp_path / "b.run"], "RR")


def test_documents_whose_hashes_are_equal_are_told_apart(monkeypatch):
    monkeypatch.setattr(riskrank.measures.rank_runs, "PAIR_HASH", pl.lit(7, pl.UInt64).alias("pair"))
    (ranked,) = rank_runs(QRELS, {"x": {"10": {"c": 3.0, "b": 2.0, "a": 1.0}, "1": {"b": 1.0}}}).in_turn
    ranking = ranked.ranking
    assert np.stack([ranking.topic, ranking.rank, ranking.grade], axis=1).tolist() == [[2, 2, 2], [2, 3, 0]]
