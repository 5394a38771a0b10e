from __future__ import annotations

import pandas as pd
import polars as pl
import pytest

from riskrank.data.trec.qrels import read_qrels
from riskrank.data.trec.runs import read_run
from riskrank.errors import AlignmentError

ROWS = [("1", "a", 2.0), ("1", "b", 0.0)]


@pytest.mark.parametrize(
    "names", [("qid", "docno", "label"), ("query_id", "doc_id", "relevance"), ("topic", "document", "grade")]
)
def test_frames_of_pyterrier_and_ir_measures_are_understood(names):
    columns = dict(zip(names, (["1", "1"], ["a", "b"], [2, 0]), strict=True))
    for frame in (pd.DataFrame(columns), pl.DataFrame(columns), pl.LazyFrame(columns)):
        assert read_qrels(frame).frame.rows() == ROWS


def test_runs_ignore_other_columns_and_accept_numeric_ids():
    frame = pd.DataFrame({"qid": [1, 1], "docno": [7, 8], "score": [2.5, 1], "rank": [0, 1], "query": ["x", "y"]})
    assert read_run(frame).frame.rows() == [("1", "7", 2.5), ("1", "8", 1.0)]


def test_dicts_are_understood_and_checked():
    assert read_qrels({1: {"a": 2, "b": False}}).frame.rows() == ROWS
    with pytest.raises(AlignmentError, match="qrels is empty"):
        read_qrels({})
    with pytest.raises(AlignmentError, match="row 0: needs a topic, a document and a finite score"):
        read_run({"1": {"a": float("nan")}})
    with pytest.raises(AlignmentError, match="score must be numeric, got 'high'"):
        read_run({"1": {"a": "high"}})


def test_a_frame_without_the_columns_says_which():
    with pytest.raises(AlignmentError, match="needs a column document or docno or doc_id"):
        read_run(pl.DataFrame({"qid": ["1"], "dok": ["a"], "score": [1.0]}))


def test_duplicates_and_nulls_are_refused():
    with pytest.raises(AlignmentError, match="document 'a' stands twice for topic '1'"):
        read_run(pl.DataFrame({"qid": ["1", "1"], "docno": ["a", "a"], "score": [1.0, 2.0]}))
    with pytest.raises(AlignmentError, match="row 1"):
        read_run(pl.DataFrame({"qid": ["1", None], "docno": ["a", "b"], "score": [1.0, 2.0]}))
