from __future__ import annotations

from datetime import date
from math import inf

import polars as pl
import pytest

from riskrank.data.feature_columns import FeatureColumns
from riskrank.data.feature_tables.column_roles import ColumnChoice
from riskrank.data.feature_tables.ranking_files import (
    check_ranking_data,
    is_feature_table,
    read_for_model,
    read_ranking_data,
)
from riskrank.errors import FileError

TABLE = pl.DataFrame({"qid": [1, 1], "grade": [0, 1], "a": [1, 2], "b": [3, 4], "title": ["x", "y"]})


def test_letor_text_and_tables_come_through_one_door(tmp_path):
    (tmp_path / "a.txt").write_text("0 qid:1 1:1 2:3\n1 qid:1 1:2 2:4\n")
    TABLE.write_parquet(tmp_path / "a.parquet")
    letor = read_ranking_data(tmp_path / "a.txt")
    table = read_ranking_data(tmp_path / "a.parquet", ColumnChoice(drop=("title",)))
    assert letor.features.tolist() == table.features.tolist()
    assert (letor.feature_names, table.feature_names) == (None, ("a", "b"))
    assert not is_feature_table(tmp_path / "a.txt")
    assert read_ranking_data(tmp_path / "a.txt", n_features=3, sparse=True).n_features == 3


@pytest.mark.parametrize("said", [{"query": "qid"}, {"drop": ("title",)}, {"features": ("a",)}])
def test_columns_of_letor_text_have_no_names(tmp_path, said):
    (tmp_path / "a.txt").write_text("0 qid:1 1:1\n")
    for act in (check_ranking_data, read_ranking_data):
        with pytest.raises(FileError, match=f"is no table, its columns have no names: leave {next(iter(said))}= out"):
            act(tmp_path / "a.txt", ColumnChoice(**said))


def test_what_is_not_there_is_told_before_anything_is_read(tmp_path):
    for name in ("a.parquet", "a.txt", "*.csv"):
        with pytest.raises(FileError, match="no such file|no file matches"):
            check_ranking_data(str(tmp_path / name))
    with pytest.raises(FileError, match="is not the address of a database"):
        check_ranking_data("sqlite://")


def test_a_model_finds_its_columns_in_a_table_in_its_order(tmp_path):
    TABLE.write_parquet(tmp_path / "a.parquet")
    table = read_for_model(tmp_path / "a.parquet", FeatureColumns(2, names=("b", "a")), ColumnChoice())
    assert table.data.features.tolist() == [[3, 1], [4, 2]]
    assert table.data.feature_names == ("b", "a")


def test_a_model_does_not_mind_the_index_of_pandas(tmp_path):
    TABLE.to_pandas().to_csv(tmp_path / "a.csv")
    table = read_for_model(tmp_path / "a.csv", FeatureColumns(2, names=("b", "a")), ColumnChoice())
    assert table.data.features.tolist() == [[3, 1], [4, 2]]


def test_a_table_that_lacks_a_feature_of_the_model_is_refused_with_the_nearest_name(tmp_path):
    TABLE.rename({"a": "bm25_text"}).write_parquet(tmp_path / "a.parquet")
    model = FeatureColumns(2, names=("bm25_txt", "b"))
    with pytest.raises(
        FileError, match=r"a.parquet: its columns lack the model's feature 'bm25_txt'. Did you mean 'bm25_t"
    ):
        read_for_model(tmp_path / "a.parquet", model, ColumnChoice())


@pytest.mark.parametrize(
    ("column", "reason"),
    [
        (
            ["1", "y"],
            "row 2: column 'a' holds text ('y'), the model knows it as numbers. Write these, or nothing where",
        ),
        ([date(2026, 1, 1)] * 2, "column 'a' holds dates or times, the model knows it as numbers. Write these, or not"),
        ([[1], [2]], "column 'a' holds lists or records, the model knows it as numbers. Write these, or nothing where"),
        ([1.0, inf], "row 2: column 'a' is infinite. Leave it empty where it is missing, or train a model without it."),
    ],
)
def test_what_a_model_cannot_do_without_is_refused_with_what_helps(tmp_path, column, reason):
    TABLE.with_columns(a=pl.Series(column)).write_parquet(tmp_path / "a.parquet")
    with pytest.raises(FileError) as told:
        read_for_model(tmp_path / "a.parquet", FeatureColumns(2, names=("a", "b")), ColumnChoice())
    assert reason in str(told.value)
    assert str(told.value).endswith("or train a model without it.")


def test_a_category_of_the_model_that_is_a_date_is_refused_with_what_helps(tmp_path):
    TABLE.with_columns(a=date(2026, 1, 1)).write_parquet(tmp_path / "a.parquet")
    model = FeatureColumns(2, names=("a", "b"), categories={0: ("x", "y")})
    with pytest.raises(FileError, match="column 'a' holds dates or times, the model knows it as texts or whole numb"):
        read_for_model(tmp_path / "a.parquet", model, ColumnChoice())


def test_a_feature_of_the_model_cannot_be_left_out_but_other_columns_can(tmp_path):
    TABLE.write_parquet(tmp_path / "a.parquet")
    model = FeatureColumns(2, names=("a", "b"))
    with pytest.raises(FileError, match=r"column 'a' is a feature of the model, it cannot be left out \(drop=\)"):
        read_for_model(tmp_path / "a.parquet", model, ColumnChoice(drop=("title", "a")))
    assert read_for_model(tmp_path / "a.parquet", model, ColumnChoice(drop=("title",))).data.n_features == 2


def test_a_feature_of_the_model_is_no_label_and_no_document_though_it_is_called_so(tmp_path):
    TABLE.rename({"a": "rating", "b": "sku"}).drop("grade").write_parquet(tmp_path / "a.parquet")
    model = FeatureColumns(2, names=("rating", "sku"))
    table = read_for_model(tmp_path / "a.parquet", model, ColumnChoice())
    assert (table.roles.label, table.roles.document, table.data.features.tolist()) == (None, None, [[1, 3], [2, 4]])


@pytest.mark.parametrize(
    ("labels", "known"),
    [
        ([0, 1], [0, 1]),
        ([True, False], [1, 0]),
        ([0, None], None),
        (["a", "b"], None),
        ([[0], [1]], None),
        ([0.0, inf], None),
    ],
)
def test_labels_that_nobody_needs_are_read_where_all_rows_have_one(tmp_path, labels, known):
    TABLE.with_columns(grade=pl.Series(labels)).write_parquet(tmp_path / "a.parquet")
    model = FeatureColumns(2, names=("a", "b"))
    table = read_for_model(tmp_path / "a.parquet", model, ColumnChoice(), labelled=None)
    assert table.has_labels == (known is not None)
    assert table.data.labels.tolist() == (known or [0, 0])
