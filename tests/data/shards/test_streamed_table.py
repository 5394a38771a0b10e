from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import riskrank as rr
from riskrank import Feature
from riskrank.data.feature_tables.column_roles import ColumnChoice
from riskrank.data.shards import document_batches, streamed_table
from riskrank.data.shards.seen_queries import ScatteredQueriesError
from riskrank.data.shards.streamed_table import StreamedTable
from riskrank.errors import ParameterError, RiskrankError
from riskrank.measures import parse_measure
from riskrank.measures.evaluate import evaluate_streamed

SYSTEMS = {"one": Feature("bm25"), "two": Feature(3)}


@pytest.fixture
def log(tmp_path):
    """Queries of 1 to 12 documents, the highest label in the last one, with ties and missing scores."""
    rng = np.random.default_rng(0)
    sizes = rng.integers(1, 13, size=40)
    n = int(sizes.sum())
    scores = rng.integers(0, 6, size=n) / 4
    table = pl.DataFrame(
        {
            "query": np.repeat([f"q{i}" for i in range(40)], sizes),
            "document": [f"d{i}" for i in range(n)],
            "label": [*rng.integers(0, 3, size=n - 1).tolist(), 4],
            "bm25": pl.Series(scores).set(pl.Series(scores == 0.5), None),
            "unused": rng.normal(size=n),
            "neural": rng.normal(size=n),
        }
    )
    path = tmp_path / "log.parquet"
    table.write_parquet(path)
    return path


@pytest.fixture(autouse=True, params=[1, 7, 1 << 18])
def small_parts(request, monkeypatch):
    monkeypatch.setattr(streamed_table, "ROWS_AT_ONCE", request.param)
    monkeypatch.setattr(document_batches, "ROWS_AT_ONCE", 5)


@pytest.mark.parametrize("missing", ["zero", "intersect"])
def test_parts_of_a_table_are_judged_like_the_whole(log, missing):
    measures = [parse_measure(name) for name in ("nDCG@3", "RBP", "ERR@5", "RR")]
    whole = rr.evaluate(rr.read_table(log), SYSTEMS, measures, missing=missing)
    streamed = evaluate_streamed(StreamedTable(log, ColumnChoice()), SYSTEMS, measures, missing=missing)
    assert dict(streamed) == dict(whole)


@pytest.mark.parametrize("is_scattered", [False, True])
def test_a_table_is_given_to_evaluate_by_its_path(log, is_scattered):
    table = pl.read_parquet(log)
    if is_scattered:
        pl.concat([table[::2], table[1::2]]).write_parquet(log)
    systems = {"one": "column:bm25", "two": Feature("neural")}
    assert rr.evaluate(log, systems, "nDCG@3") == rr.evaluate(rr.read_table(log), systems, "nDCG@3")


def test_only_columns_that_are_systems_are_read(log):
    parts = list(StreamedTable(log, ColumnChoice()).parts(SYSTEMS.values()))
    assert {part.feature_names for part in parts} == {("bm25", "neural")}
    assert {part.highest_label for part in parts} == {4}
    assert [query for part in parts for query in part.query_ids] == [f"q{i}" for i in range(40)]


def test_scattered_queries_are_told(log):
    table = pl.read_parquet(log)
    pl.concat([table[1:], table[:1]]).write_parquet(log)
    with pytest.raises(ScatteredQueriesError):
        list(StreamedTable(log, ColumnChoice()).parts([Feature("bm25")]))


def test_a_document_may_stand_once_for_a_query(log):
    table = pl.read_parquet(log)
    last = table[-1]
    others = [last.with_columns(document=pl.lit(f"other {i}")) for i in range(7)]  # more than a batch has rows
    pl.concat([table, *others, last]).write_parquet(log)
    with pytest.raises(RiskrankError, match="stands twice for query 'q39'"):
        list(StreamedTable(log, ColumnChoice()).parts([Feature("bm25")]))


def test_an_unknown_column_is_refused(log):
    with pytest.raises(ParameterError, match="no feature 'nearal'"):
        StreamedTable(log, ColumnChoice()).named(Feature("nearal"))
