from __future__ import annotations

import gzip

import polars as pl
import pytest

import riskrank as rr
from riskrank.data.names import is_score_matrix
from riskrank.data.tables.document_tables import is_document_table
from riskrank.errors import AlignmentError, FileError

QRELS = {"red shoes": {"1": 3, "2": 0}, "7": {"007": 1}}
JUDGMENTS = "query,doc_id,rating\nred shoes,1,3\nred shoes,2,0\n7,007,1\n"


def table(qrels):
    return sorted(qrels.frame.iter_rows())


@pytest.mark.parametrize(
    "text",
    [
        JUDGMENTS,
        JUDGMENTS.replace(",", ";"),
        JUDGMENTS.replace(",", "\t").replace("query", "Query_ID"),
        JUDGMENTS.replace("\n", "\r\n"),
        f"{JUDGMENTS}\n\n",
        '"query","doc_id","rating","by"\n"red shoes","1",3,ann\n"red shoes","2",0,bob\n"7","007",1,\n',
    ],
)
def test_judgments_in_text(tmp_path, text):
    (tmp_path / "judgments.csv").write_bytes(text.encode())
    assert is_document_table(tmp_path / "judgments.csv")
    assert not is_score_matrix(tmp_path / "judgments.csv")
    assert table(rr.read_qrels(tmp_path / "judgments.csv")) == table(rr.read_qrels(QRELS))
    (tmp_path / "judgments.csv.gz").write_bytes(gzip.compress(text.encode()))
    assert table(rr.read_qrels(tmp_path / "judgments.csv.gz")) == table(rr.read_qrels(QRELS))


def test_judgments_in_parquet(tmp_path):
    pl.DataFrame({"qid": ["a", "a"], "docno": ["x", "y"], "label": [1, 0]}).write_parquet(tmp_path / "j.parquet")
    assert table(rr.read_qrels(tmp_path / "j.parquet")) == [("a", "x", 1.0), ("a", "y", 0.0)]


def test_results_with_scores_or_ranks(tmp_path):
    (tmp_path / "a.csv").write_text("query,doc_id,score\nq,x,0.5\nq,y,2\n")
    (tmp_path / "b.csv").write_text("query,rank,doc_id\nq,2,x\nq,1,y\n")
    qrels = {"q": {"x": 0, "y": 1}}
    scores = rr.evaluate(qrels, [tmp_path / "a.csv", tmp_path / "b.csv"], "RR")
    assert scores.systems == ("a", "b")
    assert scores.matrix.tolist() == [[1.0], [1.0]]


def test_a_gate_over_three_tables(tmp_path):
    (tmp_path / "judgments.csv").write_text("query,doc_id,rating\nq,x,0\nq,y,1\n")
    (tmp_path / "old.csv").write_text("query,doc_id,rank\nq,y,1\nq,x,2\n")
    (tmp_path / "new.csv").write_text("query,doc_id,rank\nq,x,1\nq,y,2\n")
    result = rr.gate(tmp_path / "judgments.csv", tmp_path / "new.csv", tmp_path / "old.csv", "RR", max_loss=0.1)
    assert (result.candidate, result.baseline) == ("new", "old")
    assert [(topic.topic, topic.change) for topic in result.broken_topics] == [("q", -0.5)]


@pytest.mark.parametrize("column", ["product_url", "Page URL", "uri", "pageurl", " url "])
def test_a_column_of_addresses_has_the_documents(tmp_path, column):
    (tmp_path / "judgments.csv").write_text(f"query,{column},rating\nq,https://a.example/1,2\n")
    assert table(rr.read_qrels(tmp_path / "judgments.csv")) == [("q", "https://a.example/1", 2.0)]
    (tmp_path / "judgments.csv").write_text(f"query,{column},doc_id,rating\nq,https://a.example/1,d,2\n")
    assert table(rr.read_qrels(tmp_path / "judgments.csv")) == [("q", "d", 2.0)]


def test_matrices_of_scores_are_still_matrices(tmp_path):
    (tmp_path / "m.csv").write_text("topic,old,new\n1,0.5,0.6\n")
    assert is_score_matrix(tmp_path / "m.csv")
    assert not is_document_table(tmp_path / "m.csv")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "query,doc_id\nq,x\n",
            "judgments.csv:1: needs a column for ratings, got query, doc_id: rename one to rating (docs/files.md).",
        ),
        ("query,doc_id,rating\nq,x,good\n", "judgments.csv:2: rating must be a finite number, got 'good'"),
        ("query,doc_id,rating\nq,x,1\nq,y,1\nq,x,2\n", "judgments.csv:4: document 'x' stands twice for topic 'q'"),
        ("query,doc_id,rating\nq,x,1\nq,y,\n", "judgments.csv:3: rating must be a finite number, got ''"),
        (
            "query,doc_id,rating\n,x,1\n",
            "judgments.csv:2: needs a topic, a document and a finite grade, got '', 'x'",
        ),
        ('query,doc_id,rating\n"q\n1",x,1\n\nq,y,z\n', "judgments.csv:5: rating must be a finite number, got 'z'"),
        ("query,doc_id,rating\nq,x,1,5\n", "cannot be read as a table of query, doc_id, rating"),
        ("query,doc_id,rating\n", "judgments.csv:1: has no line below the names of its columns."),
    ],
)
def test_wrong_tables_are_told_in_one_line(tmp_path, text, message):
    (tmp_path / "judgments.csv").write_text(text)
    with pytest.raises((AlignmentError, FileError)) as caught:
        rr.read_qrels(tmp_path / "judgments.csv")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_results_without_columns_for_queries_and_documents_are_told(tmp_path):
    (tmp_path / "run.csv").write_text("a,b,c\n1,x,1\n")
    (tmp_path / "other.csv").write_text("query,doc_id,place\n1,x,1\n")
    with pytest.raises(
        FileError,
        match="run.csv:1: needs columns for queries, documents and ranks or scores, got a, b, c: rename them to query",
    ):
        rr.read_run(tmp_path / "run.csv")
    with pytest.raises(
        FileError,
        match="other.csv:1: needs a column for ranks or scores, got query, doc_id, place: rename one to rank ",
    ):
        rr.read_run(tmp_path / "other.csv")


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (
            "search_term,sku,stars",
            "needs columns for documents and ranks or scores, got search_term, sku, stars: rename ",
        ),
        (
            "search_term,sku,position",
            "needs a column for documents, got search_term, sku, position: rename one to doc_id (",
        ),
        ("term,url,score", "needs a column for queries, got term, url, score: rename one to query ("),
        ("a,b,rank", "needs columns for queries and documents, got a, b, rank: rename them to query, doc_id ("),
        (
            "query,image_url,product_url",
            "needs columns for documents and ranks or scores, got query, image_url, product",
        ),
        (
            "query,url,rating",
            "needs a column for ranks or scores, got query, url, rating: rename one to rank (or score) (",
        ),
    ],
)
def test_the_columns_that_are_lacking_are_named(tmp_path, columns, message):
    (tmp_path / "run.csv").write_text(f"{columns}\n1,x,1\n")
    with pytest.raises(FileError) as caught:
        rr.read_run(tmp_path / "run.csv")
    assert message in str(caught.value)


def test_judgments_that_look_like_scores_are_told_where_runs_are_given(tmp_path):
    (tmp_path / "judgments.csv").write_text("term,sku,stars\nq,x,1\n")
    (tmp_path / "run.csv").write_text("search_term,url,position\nq,x,1\n")
    message = "judgments.csv:1: needs columns for queries, documents and ratings, got term, sku, stars"
    with pytest.raises(FileError, match=message):
        rr.gate(str(tmp_path / "judgments.csv"), str(tmp_path / "run.csv"), str(tmp_path / "run.csv"))
    assert rr.read_run(tmp_path / "run.csv").frame.rows() == [("q", "x", -1.0)]


def test_a_trec_file_may_be_named_as_a_table(tmp_path):
    (tmp_path / "run.tsv").write_text("1\tQ0\ta\t1\t2.0\tx\n")
    (tmp_path / "run.csv").write_text("1 Q0 a 1 2.0 x\n")
    for name in ("run.tsv", "run.csv"):
        assert rr.read_run(tmp_path / name).frame.rows() == [("1", "a", 2.0)]


def test_letters_of_another_encoding_are_told_with_their_line(tmp_path):
    (tmp_path / "judgments.csv").write_bytes("query,doc_id,rating\nq,x,1\nmüsli,x,1\n".encode("latin-1"))
    with pytest.raises(FileError) as caught:
        rr.read_qrels(tmp_path / "judgments.csv")
    assert str(caught.value).endswith("judgments.csv:3: is not UTF-8 text. Convert it first.")
