"""Scores of feature data from outside: a feature, a file of scores, or a run."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

import riskrank as rr
from riskrank.data.scores.document_scores import is_run_file, run_scores, scores_of
from riskrank.data.trec.run_writer import run_lines
from riskrank.errors import AlignmentError, FileError

FEATURES = np.array([[1.0, 9.0], [2.0, 8.0], [3.0, 7.0], [4.0, 6.0]])
LABELS = [0, 2, 1, 1]
NOT_RETRIEVED = -np.inf


def data_of(qid=("x", "x", "x", "y"), ids=("a", "b", "c", "d")):
    return rr.RankingData.from_arrays(FEATURES, LABELS, qid=list(qid), document_ids=ids)


def scores(run, data):
    return run_scores(rr.read_run(run), data).tolist()


def test_a_run_counts_by_its_ranks():
    run = {"x": {"c": 5.0, "a": 4.5, "b": 0.1}, "y": {"d": 77.0}}
    assert scores(run, data_of()) == [-2, -3, -1, -1]


def test_what_a_run_lacks_is_not_retrieved():
    run = {"x": {"c": 5.0}}
    assert scores(run, data_of()) == [NOT_RETRIEVED, NOT_RETRIEVED, -1, NOT_RETRIEVED]


def test_documents_outside_the_data_keep_their_ranks():
    run = {"x": {"elsewhere": 9.0, "b": 5.0, "more": 4.0, "a": 3.0}, "unknown query": {"a": 1.0}}
    assert scores(run, data_of()) == [-4, -2, NOT_RETRIEVED, NOT_RETRIEVED]


def test_the_same_document_may_stand_in_many_queries():
    data = data_of(qid=("x", "x", "y", "y"), ids=("a", "b", "a", "b"))
    assert scores({"x": {"a": 2.0, "b": 1.0}, "y": {"a": 1.0, "b": 2.0}}, data) == [-1, -2, -2, -1]


def test_ties_are_broken_as_trec_eval_does():
    run = {"x": {"a": 1.0, "b": 1.0 + 1e-12, "c": 1.0}}
    assert scores(run, data_of())[:3] == [-3, -2, -1]


def test_documents_without_ids_go_by_their_number_in_the_source():
    data = data_of(qid=("x", "y", "x", "y"), ids=None)  # rows 1 and 3, then 2 and 4
    assert scores({"x": {"3": 2.0, "1": 1.0}, "y": {"4": 1.0}}, data) == [-2, -1, NOT_RETRIEVED, -1]


def test_a_run_without_a_common_document_is_refused():
    with pytest.raises(AlignmentError, match="run 'run1' and the data have no document in common.$"):
        scores({"x": {"z": 1.0}}, data_of())
    with pytest.raises(AlignmentError, match="in common .without ids in the data, they are numbered from 1.."):
        scores({"x": {"a": 1.0}}, data_of(ids=None))


def test_evaluating_a_run_gives_what_evaluating_its_text_gives(tmp_path):
    rng = np.random.default_rng(0)
    sizes = rng.integers(2, 12, 15)
    n = int(sizes.sum())
    ids = [f"d{i}" for i in rng.permutation(n)]
    data = rr.RankingData.from_arrays(rng.normal(size=(n, 1)), rng.integers(0, 4, n), group=sizes, document_ids=ids)
    path = tmp_path / "model.run"
    path.write_text("\n".join(run_lines(data, rng.normal(size=n), tag="x", depth=6)))
    offsets = data.query_offsets
    qrels = {
        query: {data.ids[row]: int(data.labels[row]) for row in range(offsets[q], offsets[q + 1])}
        for q, query in enumerate(data.query_ids)
    }
    for measure in ("nDCG(dcg='log2')@5", "nDCG(dcg='exp-log2')@5", "AP", "RR", "P@10", "R@5"):
        by_scores = rr.evaluate(data, {"x": scores_of(path, data)}, measure).matrix
        np.testing.assert_allclose(by_scores, rr.evaluate(qrels, {"x": path}, measure).matrix, err_msg=measure)


@pytest.mark.parametrize(
    ("text", "is_run"),
    [
        ("x Q0 a 1 0.5 tag\n", True),
        ("x Q0 a 1 0.5\n", True),
        ("\n  \nx\tQ0\ta\t1\t0.5\ttag\n", True),
        ("0.5\n0.25\n", False),
        ("x\t0\t0.5\n", False),
    ],
)
def test_the_first_line_tells_a_run_from_scores(text, is_run, tmp_path):
    (tmp_path / "plain").write_text(text)
    (tmp_path / "packed").write_bytes(gzip.compress(text.encode()))
    assert is_run_file(tmp_path / "plain") is is_run
    assert is_run_file(tmp_path / "packed") is is_run


def test_every_source_gives_a_score_per_document(tmp_path):
    data = data_of(qid=("x", "y", "x", "y"))  # held as rows 1, 3, 2, 4
    (tmp_path / "plain.scores").write_text("10\n20\n30\n40\n")
    (tmp_path / "a.run").write_text("x Q0 c 1 2 t\nx Q0 a 2 1 t\ny Q0 d 1 1 t\n")
    (tmp_path / "ranklib.scores").write_text("x\t0\t10\nx\t1\t30\ny\t0\t20\ny\t1\t40\n")
    assert scores_of(tmp_path / "plain.scores", data).tolist() == [10, 30, 20, 40]
    assert scores_of(tmp_path / "ranklib.scores", data).tolist() == [10, 30, 20, 40]
    assert scores_of("feature:2", data).tolist() == [9, 7, 8, 6]
    assert scores_of(tmp_path / "a.run", data).tolist() == [-2, -1, NOT_RETRIEVED, -1]


def test_what_cannot_be_read_is_told(tmp_path):
    with pytest.raises(FileError, match="nowhere: no such file"):
        scores_of(tmp_path / "nowhere", data_of())
    (tmp_path / "empty").write_text("\n")
    with pytest.raises(FileError, match="empty: is empty"):
        scores_of(tmp_path / "empty", data_of())
    (tmp_path / "four").write_text("x Q0 a 1\n")
    with pytest.raises(FileError, match="four:1: a line needs the fields"):
        scores_of(tmp_path / "four", data_of())
