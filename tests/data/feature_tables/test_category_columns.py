"""Columns of categories: the same codes from every kind of table."""

import numpy as np
import polars as pl
import pytest

import riskrank as rr
from riskrank.errors import AlignmentError

TABLE = pl.DataFrame(
    {"qid": [1, 1, 2, 2], "label": [0, 1, 0, 1], "bm25": [1.0, 2, 3, 4], "brand": ["b", "a", None, "c"]}
)
CODES = [1, 0, np.nan, 2]


@pytest.mark.parametrize(
    "kind", [pl.String, pl.Categorical, pl.Enum(["z", "c", "b", "a"])], ids=["texts", "categorical", "enum"]
)
@pytest.mark.parametrize("form", ["held", "lazy", "parquet", "arrow", "pyarrow", "pandas"])
def test_values_are_sorted_whatever_the_table_is(kind, form, tmp_path):
    table = TABLE.with_columns(pl.col("brand").cast(kind))
    forms = {"lazy": table.lazy, "pyarrow": table.to_arrow, "pandas": table.to_pandas}
    source = forms[form]() if form in forms else table
    if form in ("parquet", "arrow"):
        source = tmp_path / f"table.{form}"
        table.write_parquet(source) if form == "parquet" else table.write_ipc(source)
    data = rr.read_table(source, categories="brand")
    assert data.categories == {1: ("a", "b", "c")}
    assert data.feature_names == ("bm25", "brand")
    np.testing.assert_array_equal(data.feature("brand"), CODES)


def test_categories_of_several_files_are_encoded_together(tmp_path):
    for number, kind in enumerate((pl.Enum(["a", "b"]), pl.Enum(["c", "d"]))):
        half = TABLE.slice(2 * number, 2).with_columns(pl.col("brand").cast(kind))
        half.write_parquet(tmp_path / f"part-{number}.parquet")
    np.testing.assert_array_equal(rr.read_table(str(tmp_path / "part-*.parquet")).feature("brand"), CODES)


def test_cells_of_a_text_file_stay_as_they_are_written(tmp_path):
    (tmp_path / "a.csv").write_text("qid,label,zip,bm25\n1,0,010,1\n1,1,10,2\n1,1,,3\n")
    data = rr.read_table(tmp_path / "a.csv", categories="zip")
    assert data.categories == {0: ("010", "10")}
    np.testing.assert_array_equal(data.feature("zip"), [0, 1, np.nan])


@pytest.mark.parametrize("values", [[10, 9, None, 9], [10.0, 9.0, np.nan, 9.0], ["10", "9", "", "9"]])
def test_whole_numbers_are_the_same_categories_as_their_texts(values):
    data = rr.read_table(TABLE.with_columns(brand=pl.Series(values, strict=False)), categories="brand")
    assert data.categories == {1: ("10", "9")}
    np.testing.assert_array_equal(data.feature("brand"), [0, 1, np.nan, 1])


@pytest.mark.parametrize("odd", [0.5, np.inf])
def test_fractions_are_no_categories(odd):
    with pytest.raises(AlignmentError, match=r"row 3: column 'bm25' \(categories=\): categories are texts or whole"):
        rr.read_table(TABLE.with_columns(bm25=pl.Series([1.0, None, odd, 4])), categories=["bm25", "brand"])


def test_parts_of_a_table_share_their_codes():
    parts = rr.read_table_parts(TABLE.with_columns(part=pl.Series(["train", "train", "test", "test"])), "part",
                                categories="brand")  # fmt: skip
    assert parts["train"].categories == parts["test"].categories == {1: ("a", "b", "c")}
    np.testing.assert_array_equal(parts["test"].feature("brand"), CODES[2:])


def test_queries_that_are_taken_keep_their_categories():
    data = rr.read_table(TABLE, categories="brand")
    assert data.take([1]).columns.categories == data.categories
    assert data.columns.shown(1, 2.0) == "c"


def test_a_category_ranks_nothing():
    data = rr.read_table(TABLE, categories="brand")
    with pytest.raises(rr.errors.ParameterError, match="brand holds categories, which rank nothing: name numbers"):
        rr.evaluate(data, {"brand": rr.Feature("brand")}, "nDCG@10")


@pytest.mark.parametrize("code", [3, -1, 0.5])
def test_codes_must_be_those_of_categories(code):
    with pytest.raises(AlignmentError, match="brand must hold codes of its categories, from 0 to 1, or NaN"):
        rr.RankingData([[code]], [1], [0, 1], ["a"], feature_names=("brand",), categories={0: ("x", "y")})


def test_a_category_stands_once_in_a_column_that_is_there():
    for categories, reason in (({0: ("x", "x")}, "brand has the category 'x' twice"), ({1: ("x",)}, "of column 1")):
        with pytest.raises(AlignmentError, match=reason):
            rr.RankingData([[0]], [1], [0, 1], ["a"], feature_names=("brand",), categories=categories)


def test_the_fingerprint_tells_categories_apart():
    from riskrank.data.fingerprints import sampled_fingerprint, whole_fingerprint

    data = [
        rr.read_table(TABLE.with_columns(brand=pl.Series(["b", "a", None, last])), categories="brand") for last in "cd"
    ]
    np.testing.assert_array_equal(data[0].features, data[1].features)
    for digest in (sampled_fingerprint, whole_fingerprint):
        assert digest(data[0]) != digest(data[1])
