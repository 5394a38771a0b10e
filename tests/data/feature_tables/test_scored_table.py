from __future__ import annotations

import re

import numpy as np
import polars as pl
import pytest

import riskrank as rr
from riskrank.data.feature_tables.column_roles import ColumnChoice
from riskrank.data.feature_tables.feature_table import read_feature_table
from riskrank.data.feature_tables.scored_table import is_table_name, own_rows, ranks_of, scored_table, table_bytes
from riskrank.data.trec.run_writer import run_lines
from riskrank.errors import AlignmentError, FileError

from ...hostile.test_odd_columns import ODD

TABLE = pl.DataFrame(
    {
        "qid": ["a", "b", "a", "a"],
        "grade": [0, 1, 2, 1],
        "docno": ["x", "x", "y", "z"],
        "bm25": [1.0, 2.0, 3.0, 4.0],
        "title": ["one", "two", "three", "four"],
    }
)


@pytest.mark.parametrize("name", ["a.xlsx", "A.JSON", "a.pickle"])
def test_no_table_is_written_by_a_name_that_says_another_kind(name):
    with pytest.raises(FileError, match="is no kind of table that is written here: name it .parquet, .csv or .jsonl"):
        is_table_name(name)
    assert (is_table_name("a.Parquet"), is_table_name("a.run"), is_table_name("a")) == (True, False, False)


@pytest.fixture
def table():
    return read_feature_table(TABLE, ColumnChoice(drop=("title",)))


def test_the_users_columns_and_rows_stay_as_they_are_beside_scores_and_ranks(table):
    # The documents are a: x y z, b: x; y and z are tied, and the larger id comes first.
    scored = scored_table(table.data, np.array([0.5, 0.7, 0.7, 0.1]), table)
    assert scored.drop("score", "rank").equals(TABLE)
    assert scored["score"].to_list() == [0.5, 0.1, 0.7, 0.7]
    assert scored["rank"].to_list() == [3, 1, 2, 1]
    assert scored_table(table.data, np.array([0.5, 0.7, 0.7, 0.1]), table, depth=1)["docno"].to_list() == ["x", "z"]


def test_ranks_are_those_of_runs():
    rng = np.random.default_rng(0)
    data = rr.web_search_data(20, documents_per_query=15, n_features=20)
    scores = rng.integers(0, 4, len(data)) / 4  # with many ties
    ranks = {}
    for line in run_lines(data, scores, tag="x"):
        query, _, document, rank, *_ = line.split()
        ranks[query, document] = int(rank)
    queries = np.array(data.query_ids)[data.query_numbers]
    assert ranks_of(data, scores).tolist() == [ranks[pair] for pair in zip(queries, data.ids, strict=True)]


def test_names_that_the_table_has_already_are_refused(table):
    again = read_feature_table(TABLE.with_columns(score=0.5, rank=1), ColumnChoice(drop=("title", "score", "rank")))
    with pytest.raises(AlignmentError, match=r"has a column 'score' already: name the scores \(score_column=\)"):
        scored_table(again.data, np.zeros(4), again)
    assert scored_table(again.data, np.zeros(4), again, column="new").columns[-2:] == ["new", "new_rank"]


def test_rows_of_a_part_are_those_of_its_documents():
    frame = TABLE.with_columns(set=pl.Series(["test", "train", "test", "test"]))
    table = read_feature_table(frame, ColumnChoice(drop=("title",)), split="set")
    assert own_rows(table, table.part("test")).equals(frame[[0, 2, 3]])
    assert scored_table(table.part("train"), np.array([1.0]), table)["title"].to_list() == ["two"]


def test_letor_data_have_queries_and_documents():
    data = rr.RankingData.from_arrays([[1.0], [2.0]], [0, 1], qid=["a", "a"], document_ids=["x", "y"])
    assert scored_table(data, np.array([1.0, 2.0]), None).rows() == [("a", "x", 1.0, 2), ("a", "y", 2.0, 1)]


@pytest.mark.parametrize("name", ["a.parquet", "a.csv", "a.tsv", "a.arrow", "a.feather", "a.jsonl"])
def test_every_format_is_read_back(tmp_path, name):
    (tmp_path / name).write_bytes(table_bytes(TABLE, tmp_path / name))
    assert rr.read_table(tmp_path / name, drop="title").feature("bm25").tolist() == [1, 3, 4, 2]


def test_lists_cannot_be_written_as_csv():
    with pytest.raises(AlignmentError, match="column 'terms' holds lists or records, which CSV cannot. Write Parquet"):
        table_bytes(TABLE.with_columns(terms=pl.lit([1, 2])), "a.csv")


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "arrow", "parquet"])
def test_columns_of_every_type_are_written_or_named(ending):
    kinds = {**ODD, "struct of bytes": pl.Series([{"x": b"a"}])}
    refused = set()
    for kind, column in kinds.items():
        try:
            assert table_bytes(pl.DataFrame({"a": column}), f"a.{ending}")
        except AlignmentError as error:
            assert re.fullmatch(r"column 'a' holds [a-z ]+, which (CSV|JSON lines) cannot. Write Parquet.", str(error))
            refused.add(kind)
    binary = {kind for kind in kinds if "bytes" in kind}
    nested = {kind for kind in kinds if "list" in kind or "struct" in kind or kind == "array"}
    text = {"csv": binary | nested | {"duration"}, "jsonl": binary}
    assert refused == text.get(ending.replace("tsv", "csv"), set())
