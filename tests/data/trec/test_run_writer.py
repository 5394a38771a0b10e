"""Runs as text: what is written is read back as the same ranking."""

from __future__ import annotations

import numpy as np
import pytest

import riskrank as rr
from riskrank.data.synthetic.synthetic_features import web_search_data
from riskrank.data.trec.run_writer import check_finite_scores, run_lines
from riskrank.errors import AlignmentError


def data_of(ids=("a", "b", "c", "d"), qid=("q1", "q1", "q1", "q2")):
    n = len(qid)
    return rr.RankingData.from_arrays(np.zeros((n, 1)), np.arange(n), qid=list(qid), document_ids=ids)


def fields(*arguments, **options):
    return [line.split(" ") for line in run_lines(*arguments, **{"tag": "x", **options})]


def test_documents_are_ranked_best_first_within_their_query():
    lines = list(run_lines(data_of(), np.array([0.5, 2.0, -1.0, 0.0]), tag="bm25"))
    assert lines == [
        "q1 Q0 b 1 2.0 bm25",
        "q1 Q0 a 2 0.5 bm25",
        "q1 Q0 c 3 -1.0 bm25",
        "q2 Q0 d 1 0.0 bm25",
    ]


def test_ties_stand_as_trec_eval_reads_them():
    """Equal scores: document ids descending; equal means equal in single precision."""
    lines = fields(data_of(), np.array([1.0, 1.0, 1.0 + 1e-12, 0.0]))
    assert [line[2] for line in lines[:3]] == ["c", "b", "a"]
    assert [line[3] for line in lines[:3]] == ["1", "2", "3"]


def test_scores_are_written_in_full():
    scores = np.array([0.1 + 0.2, 1e-300, -1 / 3, 12345678.9])
    assert sorted(float(line[4]) for line in fields(data_of(), scores)) == sorted(scores.tolist())


def test_a_run_may_be_cut_at_a_depth():
    assert [line[2] for line in fields(data_of(), np.array([0.5, 2.0, -1.0, 0.0]), depth=2)] == ["b", "a", "d"]


@pytest.mark.parametrize(("tag", "label"), [("my model", "my_model"), (" a\tb\n", "a_b"), ("", "riskrank"), ("é", "é")])
def test_a_tag_is_one_word(tag, label):
    assert {line[5] for line in fields(data_of(), np.zeros(4), tag=tag)} == {label}


def test_without_ids_documents_go_by_their_number_in_the_source():
    mixed = data_of(ids=None, qid=("x", "y", "x"))
    assert [line[:3] for line in fields(mixed, np.array([1.0, 2.0, 3.0]))] == [
        ["x", "Q0", "3"],
        ["x", "Q0", "1"],
        ["y", "Q0", "2"],
    ]


def test_a_document_that_stands_twice_for_a_query_is_refused():
    with pytest.raises(AlignmentError, match="document 'a' stands twice for query 'q1'; a run cannot hold it"):
        list(run_lines(data_of(ids=("a", "b", "a", "d")), np.zeros(4), tag="x"))
    twice = data_of(ids=("a", "b", "c", "a"))  # for two queries
    assert len(fields(twice, np.zeros(4))) == 4


def test_what_is_written_is_read_back_as_the_same_ranking(tmp_path):
    data = web_search_data(20, documents_per_query=15, n_features=20)
    scores = np.random.default_rng(0).normal(size=data.n_documents).round(1)
    tied = scores + 1e-4 * np.arange(data.n_documents)[::-1]  # apart in single precision
    path = tmp_path / "model.run"
    path.write_text("\n".join(run_lines(data, tied, tag="model")))
    qrels = {
        query: {data.ids[row]: int(data.labels[row]) for row in range(data.query_offsets[q], data.query_offsets[q + 1])}
        for q, query in enumerate(data.query_ids)
    }
    measure = "nDCG(dcg='exp-log2')@10"
    expected = rr.evaluate(data, {"x": tied}, measure)
    np.testing.assert_allclose(rr.evaluate(qrels, {"x": path}, measure).matrix, expected.matrix)
    ranks = {}
    for query, _, document, rank, _, _ in (line.split() for line in path.read_text().splitlines()):
        ranks.setdefault(query, []).append((int(rank), document))
    assert all([rank for rank, _ in listed] == list(range(1, len(listed) + 1)) for listed in ranks.values())


@pytest.mark.parametrize("score", [np.nan, np.inf])
def test_a_score_that_is_not_finite_is_never_written(score):
    with pytest.raises(
        AlignmentError, match=f"query 'q1', document 'c': the score must be a finite number, got {score}"
    ):
        list(run_lines(data_of(), np.array([0.5, 2.0, score, -np.inf]), tag="x"))


def test_of_a_model_even_minus_infinity_is_refused():
    check_finite_scores(data_of(), np.zeros(4))
    with pytest.raises(AlignmentError, match="query 'q2', document 'd': .* got -inf"):
        check_finite_scores(data_of(), np.array([0.5, 2.0, 0.0, -np.inf]))


def test_queries_that_are_known_by_their_words_are_read_back(tmp_path):
    data = rr.RankingData.from_arrays(
        [[1.0], [2.0]], [0, 1], qid=["red shoes", "red shoes"], document_ids=["size 7", "b"]
    )
    lines = list(run_lines(data, np.array([0.5, 2.0]), tag="x"))
    assert lines[0] == "red shoes\tQ0\tb\t1\t2.0\tx"
    (tmp_path / "a.run").write_text("\n".join(lines) + "\n")
    scores = rr.evaluate({"red shoes": {"size 7": 1}}, {"a": tmp_path / "a.run"}, "RR").matrix
    np.testing.assert_allclose(scores, [[0.5]])  # the relevant document is second


@pytest.mark.parametrize("name", ["a\tb", "a\nb", " a", ""])
def test_a_name_that_no_line_can_hold_is_refused(name):
    data = rr.RankingData.from_arrays([[1.0], [2.0]], [0, 1], qid=["q", "q"], document_ids=["a", name])
    with pytest.raises(AlignmentError, match="a run cannot hold it"):
        list(run_lines(data, np.array([0.5, 2.0]), tag="x"))
