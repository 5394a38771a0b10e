"""Tables that Python programs hold."""

from __future__ import annotations

import subprocess
import sys

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import riskrank as rr
from riskrank.errors import AlignmentError, ParameterError

COLUMNS = {
    "qid": ["007", "007", "8"],
    "grade": [0, 2, 1],
    "url": ["a", "b", "a"],
    "bm25": [1.5, None, 0.25],
    "length": [3, 4, 5],
    "is_new": [True, False, True],
}


class OnlyArrow:
    def __init__(self, table):
        self._table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self._table.__arrow_c_stream__(requested_schema)


class OnlyInterchange:
    def __init__(self, table):
        self._table = table

    def __dataframe__(self, nan_as_null=False, allow_copy=True):
        return self._table.__dataframe__(nan_as_null=nan_as_null, allow_copy=allow_copy)


FORMS = {
    "polars": pl.DataFrame,
    "lazy polars": pl.LazyFrame,
    "pandas": pd.DataFrame,
    "pandas of objects": lambda columns: pd.DataFrame(columns).astype({"qid": object, "url": object}),
    "pandas with its own types": lambda columns: pd.DataFrame(columns).convert_dtypes(),
    "pandas with an index": lambda columns: pd.DataFrame(columns).set_index(["qid", "url"]),
    "arrow": pa.table,
    "arrow stream": lambda columns: OnlyArrow(pa.table(columns)),
    "interchange": lambda columns: OnlyInterchange(pa.table(columns)),
    "duckdb": lambda columns: duckdb.from_arrow(pa.table(columns)),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_table_is_the_same_data(form):
    data = rr.read_table(FORMS[form](COLUMNS))
    assert data.query_ids == ("007", "8")
    assert data.labels.tolist() == [0, 2, 1]
    assert data.document_ids.tolist() == ["a", "b", "a"]
    assert data.feature_names == ("bm25", "length", "is_new")
    np.testing.assert_array_equal(data.features, np.array([[1.5, 3, 1], [np.nan, 4, 0], [0.25, 5, 1]], np.float32))


@pytest.mark.parametrize("dtype", [np.int8, np.uint64, np.float16, np.float32, "Int64", "Float32", "boolean", bool])
def test_numbers_of_pandas_of_any_type_are_numbers(dtype):
    frame = pd.DataFrame({"qid": [1.0, 1.0, 2.0], "label": [0, 1, 0], "a": pd.Series([1, 0, 1]).astype(dtype)})
    data = rr.read_table(frame)
    assert data.query_ids == ("1", "2")
    assert data.feature("a").tolist() == [1, 0, 1]


def test_absent_values_of_pandas_are_missing():
    frame = pd.DataFrame(
        {"qid": [1, 1, 1], "label": [0, 1, 0], "a": pd.array([1, None, 2], "Int64"), "b": [np.nan, 1, 2]}
    )
    np.testing.assert_array_equal(rr.read_table(frame).features, [[1, np.nan], [np.nan, 1], [2, 2]])


@pytest.mark.parametrize(
    ("values", "known"), [(["y", None, "x"], ("x", "y")), ([4, None, 3], ("3", "4")), ([4.0, None, 3.0], ("3", "4"))]
)
def test_categories_of_pandas_are_known_by_their_texts(values, known):
    brand = pd.Series(values, dtype=object).astype("category").cat.add_categories([9])
    data = rr.read_table(pd.DataFrame({"qid": 1, "label": [0, 1, 2], "brand": brand}))
    np.testing.assert_array_equal(data.feature("brand"), [1, np.nan, 0])
    assert data.categories == {0: known}


def test_times_of_pandas_are_refused_by_name():
    frame = pd.DataFrame({"qid": [1], "label": [0], "a": [1], "brand": pd.to_datetime(["2026-01-01"])})
    with pytest.raises(AlignmentError, match="column 'brand' holds dates or times"):
        rr.read_table(frame)


def test_columns_of_one_name_are_refused():
    frame = pd.DataFrame([[1, 0, 1, 2]], columns=["qid", "label", "a", "a"])
    with pytest.raises(AlignmentError, match="two columns are called 'a'. Rename one of them"):
        rr.read_table(frame)


def test_a_lazy_table_that_fails_is_one_line():
    with pytest.raises(AlignmentError, match=r"the table: a LazyFrame cannot be read \(.*nothing"):
        rr.read_table(pl.LazyFrame(COLUMNS).select("nothing"))


@pytest.mark.parametrize("source", [None, 7, {"qid": [1]}, np.zeros((2, 2)), [1, 2], "x".encode])
def test_what_is_no_table_is_refused(source):
    with pytest.raises(
        ParameterError, match="a table must be a path, an address, or a table of Polars, pandas or Arrow"
    ):
        rr.read_table(source)


def test_the_interchange_needs_pyarrow_and_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow.interchange", None)
    with pytest.raises(AlignmentError, match="a OnlyInterchange is read through Arrow: pip install pyarrow"):
        rr.read_table(OnlyInterchange(pa.table(COLUMNS)))


def test_pandas_and_duckdb_are_read_without_pyarrow():
    code = """
import sys
sys.modules["pyarrow"] = None
import duckdb, pandas as pd, riskrank as rr
frame = pd.DataFrame({"qid": ["a", "b"], "label": [0, 1], "x": [1, 2]})
assert rr.read_table(frame).query_ids == ("a", "b")
with duckdb.connect() as connection:
    relation = connection.sql("SELECT 'a' AS qid, 1 AS label, range AS x FROM range(3)")
    assert rr.read_table(relation).feature("x").tolist() == [0, 1, 2]
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
