from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import riskrank as rr
from riskrank.data.feature_tables.document_order import order_documents
from riskrank.data.feature_tables.sources.table_source import HeldTable
from riskrank.errors import AlignmentError


def ordered(queries):
    frame = pl.DataFrame({"q": queries})
    return order_documents(HeldTable(frame), frame["q"])


def test_rows_that_stand_together_stay_where_they_are():
    order = ordered(["b", "b", "a"])
    assert (order.query_ids, order.query_offsets.tolist()) == (("b", "a"), [0, 2, 3])
    assert order.source_rows is order.positions is None


def test_rows_of_a_query_are_brought_together():
    order = ordered([7, 5, 7, 5, 9])
    assert (order.query_ids, order.query_offsets.tolist()) == (("7", "5", "9"), [0, 2, 4, 5])
    assert order.source_rows.tolist() == [0, 2, 1, 3, 4]
    assert order.positions.tolist() == [0, 2, 1, 3, 4]


@given(st.lists(st.integers(0, 6), min_size=1, max_size=60))
def test_tables_in_any_order_are_as_arrays_in_any_order(queries):
    rows = list(range(len(queries) + 1))
    queries = [*queries, 0]
    table = rr.read_table(pl.DataFrame({"qid": queries, "label": rows, "x": rows}))
    arrays = rr.RankingData.from_arrays([[row] for row in rows], rows, qid=queries)
    assert table.query_ids == arrays.query_ids
    assert table.query_offsets.tolist() == arrays.query_offsets.tolist()
    assert table.features.tolist() == arrays.features.tolist()
    assert table.labels.tolist() == arrays.labels.tolist()
    assert (table.source_rows is None) == (arrays.source_rows is None)
    if table.source_rows is not None:
        assert table.source_rows.tolist() == arrays.source_rows.tolist()


@pytest.mark.parametrize(
    ("queries", "message"),
    [
        (["a", None], r"row 2: column 'q' \(query=\) is empty"),
        ([1.0, float("nan")], r"row 2: column 'q' \(query=\) is empty"),
        (["a", "a", ""], r"row 3: column 'q' \(query=\) is empty"),
        ([], "has no rows"),
    ],
)
def test_a_row_without_a_query_is_named(queries, message):
    with pytest.raises(AlignmentError, match=message):
        ordered(queries)


@pytest.mark.parametrize("dtype", [pl.Categorical, pl.Enum(["a", "b"]), pl.String])
def test_queries_may_be_categories(dtype):
    frame = pl.DataFrame({"qid": pl.Series(["b", "a", "b"], dtype=dtype), "label": [0, 1, 2], "x": [1, 2, 3]})
    data = rr.read_table(frame)
    assert (data.query_ids, data.features.ravel().tolist()) == (("b", "a"), [1, 3, 2])


def test_numbers_beyond_integers_are_told_apart():
    table = pl.DataFrame({"qid": [1e300, 2e300, 1e300], "label": [0, 1, 1], "bm25": [1.0, 2.0, 3.0]})
    assert rr.read_table(table).query_ids == ("1e+300", "2e+300")


def test_large_numbers_of_queries_are_not_rounded():
    frame = pl.DataFrame({"qid": pl.Series([2**63 + 1, 2**63 + 2], dtype=pl.UInt64), "label": [0, 1], "x": [1, 2]})
    assert rr.read_table(frame).query_ids == (str(2**63 + 1), str(2**63 + 2))
