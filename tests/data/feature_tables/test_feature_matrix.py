from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import riskrank as rr
from riskrank.data.feature_tables import feature_matrix
from riskrank.errors import AlignmentError

LARGEST = np.finfo(np.float64).max


def table(**columns):
    n = len(next(iter(columns.values())))
    return pl.DataFrame({"qid": ["q"] * n, "label": range(n), **columns})


def test_nulls_and_nan_are_missing():
    data = rr.read_table(table(a=[1.0, None, float("nan"), 2.0], b=[None, 1, 2, 3]))
    np.testing.assert_array_equal(data.feature("a"), [1, np.nan, np.nan, 2])
    np.testing.assert_array_equal(data.feature("b"), [np.nan, 1, 2, 3])


def test_the_largest_double_is_a_missing_value_as_in_letor_files():
    data = rr.read_table(table(a=[1.0, LARGEST, -LARGEST, 1.797e308, 2.0]))
    np.testing.assert_array_equal(data.feature("a"), [1, np.nan, np.nan, np.nan, 2])


@pytest.mark.parametrize(
    ("value", "what"),
    [(float("inf"), "is infinite"), (-float("inf"), "is infinite"), (1e300, r"is 1e\+300, beyond what")],
)
def test_an_infinite_value_is_refused_by_the_name_of_its_column(value, what):
    with pytest.raises(AlignmentError, match=f"row 3: column 'tf idf' {what}.*, or leave it out .drop='tf idf'."):
        rr.read_table(table(a=[1, 2, 3], **{"tf idf": [1.0, None, value]}))


def test_columns_that_are_constant_or_have_no_value_are_told_by_name():
    frame = table(a=[1, 2, 3], b=[5, 5, 5], c=[5, None, 5], d=[None, None, None], e=[float("nan")] * 3, f=[True] * 3)
    with pytest.warns(UserWarning, match="in all 3 rows") as told:
        data = rr.read_table(frame)
    assert [str(each.message) for each in told] == [
        "d, e have no value in all 3 rows.",
        "b, f are constant in all 3 rows.",
    ]
    assert data.feature_names == ("a", "b", "c", "d", "e", "f")
    with pytest.warns(UserWarning, match="b is constant in all 3 rows"):
        rr.read_table(frame, features=["a", "b"])


@pytest.mark.parametrize("is_mixed", [False, True])
@pytest.mark.parametrize("rows_at_once", [1, 3, 4096])
def test_parts_of_any_size_fill_the_same_matrix(tmp_path, monkeypatch, is_mixed, rows_at_once):
    monkeypatch.setattr(feature_matrix, "ROWS_AT_ONCE", rows_at_once)
    rng = np.random.default_rng(0)
    n = 1000
    frame = pl.DataFrame(
        {
            "qid": rng.integers(0, 20, n) if is_mixed else np.sort(rng.integers(0, 20, n)),
            "label": rng.integers(0, 5, n),
            "a": rng.normal(size=n),
            "b": rng.normal(size=n).astype(np.float32),
            "c": rng.integers(0, 99, n),
            "d": pl.Series(rng.normal(size=n)).set(pl.Series(rng.random(n) < 0.2), None),
        }
    )
    frame.write_parquet(tmp_path / "a.parquet", row_group_size=37)
    data = rr.read_table(tmp_path / "a.parquet")
    expected = frame.select("a", "b", "c", "d").to_numpy().astype(np.float32)
    for column in range(4):
        np.testing.assert_array_equal(data.to_source_order(data.features[:, column]), expected[:, column])
    assert (data.source_rows is not None) == is_mixed
    assert data.features.flags.c_contiguous
    assert data.features.dtype == np.float32


def test_a_constant_column_is_seen_across_parts(tmp_path):
    frame = table(a=range(50), b=[1] * 50, c=[1] * 49 + [2], d=[1.0] * 49 + [None])
    frame.write_parquet(tmp_path / "a.parquet", row_group_size=7)
    with pytest.warns(UserWarning, match="in all 50 rows") as told:
        rr.read_table(tmp_path / "a.parquet")
    assert [str(each.message) for each in told] == ["b is constant in all 50 rows."]


def test_every_type_of_numbers_becomes_float32():
    types = (
        pl.Int8,
        pl.UInt8,
        pl.Int16,
        pl.Int32,
        pl.UInt64,
        pl.Int64,
        pl.Int128,
        pl.Float32,
        pl.Float64,
        pl.Decimal(10, 2),
    )
    frame = table(**{f"f{i}": pl.Series([1, 2, 3]).cast(dtype) for i, dtype in enumerate(types)})
    assert rr.read_table(frame).features.tolist() == [[k] * len(types) for k in (1, 2, 3)]
