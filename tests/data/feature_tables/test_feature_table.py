"""read_table as a whole; the sources, roles and parts have tests of their own."""

from __future__ import annotations

import math
import re

import numpy as np
import polars as pl
import pytest

import riskrank as rr
from riskrank.data.feature_tables.feature_table import choice_of, read_feature_table
from riskrank.errors import AlignmentError, FileError, ParameterError, RiskrankError

TABLE = pl.DataFrame(
    {
        "search": ["shoes", "hats", "shoes"],
        "stars": [2, 0, 1],
        "page": ["/a", "/b", "/c"],
        "bm25": [1.5, 2.5, 3.5],
        "sold": [7, 8, 9],
        "name": ["x", "y", "z"],
    }
)
SAID = {"query": "search", "label": "stars", "document": "page", "drop": "name"}


def test_a_worked_example_with_somebody_elses_names():
    data = rr.read_table(TABLE, **SAID)
    assert data.query_ids == ("shoes", "hats")
    assert data.query_offsets.tolist() == [0, 2, 3]
    assert data.labels.tolist() == [2, 1, 0]
    assert data.document_ids.tolist() == ["/a", "/c", "/b"]
    assert data.feature_names == ("bm25", "sold")
    assert data.features.tolist() == [[1.5, 7], [3.5, 9], [2.5, 8]]
    assert data.source_rows.tolist() == [0, 2, 1]


def test_features_come_in_the_order_that_is_asked_for():
    assert rr.read_table(TABLE, **{**SAID, "features": ["sold", "bm25"]}).features[0].tolist() == [7, 1.5]


def test_without_documents_they_are_numbered():
    data = rr.read_table(TABLE.drop("page"), query="search", label="stars", drop=["na*"])
    assert data.document_ids is None
    assert data.ids.tolist() == ["1", "3", "2"]


def test_labels_may_be_truth_values_and_below_zero():
    assert rr.read_table(TABLE.with_columns(stars=pl.col("stars") > 0), **SAID).labels.tolist() == [1, 1, 0]
    assert rr.read_table(TABLE.with_columns(stars=-pl.col("stars")), **SAID).labels.tolist() == [-2, -1, 0]


@pytest.mark.parametrize("cells", [[[1]] * 3, [{"a": 1}] * 3, [b"\xff"] * 3])
@pytest.mark.parametrize(("role", "name"), [("label", "stars"), ("document", "page"), ("query", "search")])
def test_lists_records_and_bytes_are_no_labels_and_no_ids(cells, role, name):
    table = TABLE.with_columns(pl.Series(name, cells))
    with pytest.raises(AlignmentError, match=rf"column '{name}' \({role}=\) must hold .*numbers, got"):
        rr.read_table(table, **SAID)


def test_labels_may_be_missing_where_nobody_learns_from_them():
    without = TABLE.with_columns(stars=pl.lit(None, pl.Int64))
    with pytest.raises(AlignmentError, match=r"row 1: column 'stars' \(label=\) is empty, as in 2 other rows"):
        rr.read_table(without, **SAID)
    assert rr.read_table(without, **SAID, labelled=False).labels.tolist() == [0, 0, 0]
    assert rr.read_table(TABLE, query="search", features="bm25", labelled=False).labels.tolist() == [0, 0, 0]


def constant(rows):
    with pytest.warns(UserWarning, match="bm25, sold are constant in all 1 row"):
        return rr.read_table(rows, **SAID)


@pytest.mark.parametrize("rows", [TABLE[:1], TABLE.filter(pl.col("search") == "shoes")])
def test_one_row_and_one_query_are_data(rows):
    data = rr.read_table(rows, **SAID) if rows.height > 1 else constant(rows)
    assert (data.n_queries, len(data)) == (1, rows.height)


def test_a_table_without_rows_or_columns_is_refused(tmp_path):
    for empty in (TABLE[:0], pl.DataFrame()):
        with pytest.raises(AlignmentError, match="has no (rows|columns)"):
            rr.read_table(empty, **({} if not empty.width else SAID))
    TABLE[:0].write_parquet(tmp_path / "a.parquet")
    with pytest.raises(FileError, match=r"a.parquet: has no rows"):
        rr.read_table(tmp_path / "a.parquet", **SAID)


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"query": ""}, "query must be the name of a column, got ''"),
        ({"label": 7}, "label must be the name of a column, got 7"),
        ({"features": []}, "features names no column"),
    ],
)
def test_what_names_no_column_is_refused(said, message):
    with pytest.raises(ParameterError, match=message):
        rr.read_table(TABLE, **said)


def test_a_table_is_what_rankers_learn_from_and_rank(tmp_path):
    rng = np.random.default_rng(0)
    n = 200
    frame = pl.DataFrame({"qid": np.arange(n) // 10, "a": rng.normal(size=n), "b": rng.normal(size=n)}).with_columns(
        label=(pl.col("a") > 0).cast(pl.Int8)
    )
    frame.write_parquet(tmp_path / "train.parquet")
    frame.select("b", "qid", "a").write_csv(tmp_path / "rank.csv")  # in another order, and without labels
    ranker = rr.LambdaMART(n_trees=5, n_leaves=4, n_threads=1).fit(tmp_path / "train.parquet", baseline="column:b")
    assert ranker.feature_names_in_.tolist() == ["a", "b"]
    scores = ranker.predict(rr.read_table(frame))
    np.testing.assert_array_equal(ranker.predict(tmp_path / "rank.csv"), scores)
    path = tmp_path / "train.parquet"
    result = rr.sweep(path, ranker, baseline=rr.Feature("b"), test=path, parameter="n_leaves", values=[4])
    assert result.test.queries == tuple(str(i) for i in range(20))


def test_real_data_are_the_same_from_letor_text_and_from_every_table(shared_data, tmp_path):
    letor = rr.read_letor(shared_data / "mq2008" / "S1.txt")
    names = [f"f{i}" for i in range(1, 47)]
    frame = pl.DataFrame(
        {"topic": np.array(letor.query_ids)[letor.query_numbers], "rel": letor.labels, "docno": letor.ids.tolist()}
    ).hstack(pl.DataFrame(letor.features, schema=names))
    frame.write_parquet(tmp_path / "a.parquet")
    frame.write_csv(tmp_path / "a.csv")
    frame.write_ipc(tmp_path / "a.arrow", compression="lz4")
    frame.write_ndjson(tmp_path / "a.jsonl")
    for path in sorted(tmp_path.iterdir()):
        with pytest.warns(UserWarning, match="are constant in all"):
            table = rr.read_table(path)
        np.testing.assert_array_equal(table.features, letor.features)
        np.testing.assert_array_equal(table.labels, letor.labels)
        assert (table.query_ids, table.feature_names) == (letor.query_ids, tuple(names))
        assert table.document_ids.tolist() == letor.document_ids.tolist()


def weighed(weights, **said):
    rows = {"qid": ["a", "b", "a"], "label": [0, 2, 1], "bm25": [1.0, 2.0, 3.0], "views": weights}
    return rr.read_table(pl.DataFrame(rows, strict=False), **{"weight": "views"} | said)


def test_a_column_of_weights_is_of_queries_where_their_rows_agree():
    data = weighed([30, 10, 30])
    assert data.feature_names == ("bm25",)
    assert (data.query_ids, data.query_weights.tolist()) == (("a", "b"), [30, 10])
    assert weighed([30, 10, 15]).document_weights.tolist() == [30, 15, 10]  # in the order of the documents
    assert weighed([30, 10, 30], weight=None).feature_names == ("bm25", "views")


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, -1, 1], "row 2: column 'views' (weight=) must hold numbers from 0."),
        ([1, None, 1], "row 2: column 'views' (weight=) is empty."),
        ([1, math.inf, 1], "row 2: column 'views' (weight=) must hold finite numbers, got inf."),
        (["1", "x", "1"], "row 2: column 'views' (weight=) must hold numbers, got 'x'."),
        ([0, 0, 0], "column 'views' (weight=) is 0 everywhere: no query would count."),
    ],
)
def test_weights_that_cannot_be_are_refused(weights, message):
    with pytest.raises(RiskrankError, match=re.escape(message)):
        weighed(weights)


def test_a_weight_is_no_other_role():
    with pytest.raises(RiskrankError, match="cannot be both"):
        weighed([1, 1, 1], weight="label")
    with pytest.raises(RiskrankError, match="has no column 'view' .weight=..*views"):
        weighed([1, 1, 1], weight="view")


def test_the_line_about_columns_says_whose_weights_were_found():
    for weights, kind in (([30, 10, 30], "of queries"), ([30, 10, 15], "of documents: query 'a' has several")):
        rows = {"qid": ["a", "b", "a"], "label": [0, 2, 1], "bm25": [1.0, 2.0, 3.0], "views": weights}
        table = read_feature_table(pl.DataFrame(rows), choice_of(weight="views"))
        assert f"weight = views ({kind}), 1 feature" in str(table.roles)
