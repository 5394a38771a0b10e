from __future__ import annotations

import datetime

import polars as pl
import pytest

from riskrank.data.feature_tables.column_roles import KNOWN_NAMES, ColumnChoice, find_roles
from riskrank.data.feature_tables.sources.table_source import HeldTable
from riskrank.errors import AlignmentError


def roles(columns, *, labelled=True, taken=(), **said):
    values = columns if isinstance(columns, dict) else dict.fromkeys(columns, 1)
    table = HeldTable(
        pl.DataFrame({name: value if isinstance(value, list) else [value] for name, value in values.items()})
    )
    return find_roles(table, ColumnChoice(**said), labelled=labelled, taken=taken)


@pytest.mark.parametrize(("role", "name"), [(role, name) for role, names in KNOWN_NAMES.items() for name in names])
def test_sensible_names_are_found_by_themselves(role, name):
    usual = {"query": "qid", "label": "label", "document": "docno"} | {role: name}
    found = roles([*usual.values(), "bm25"])
    assert (found.query, found.label, found.document) == tuple(usual.values())
    assert found.features == ("bm25",)


@pytest.mark.parametrize("query", ["QID", "Query ID", "query-id", "queryId", "Query_Id", "Topic"])
def test_case_and_what_joins_words_do_not_matter(query):
    assert roles([query, "Relevance", "DocNo", "BM25"]) == roles(
        [query, "Relevance", "DocNo", "BM25"], query=query, label="Relevance", document="DocNo"
    )


def test_one_column_like_an_address_is_the_document():
    assert roles(["qid", "label", "product_url", "bm25"]).document == "product_url"
    assert roles(["qid", "label", "page_url", "shop_url", "bm25"]).document is None


def test_what_was_taken_is_one_line():
    assert str(roles(["qid", "grade", "url", "a", "b"])) == "query = qid, label = grade, document = url, 2 features"


def test_ids_beside_the_one_that_is_taken_are_left_out_and_said():
    found = roles({"qid": 1, "query": "red shoes", "docno": "a", "docid": 7, "label": 1, "score": 2.0})
    assert (found.query, found.document, found.features) == ("qid", "docno", ("score",))
    assert str(found) == "query = qid, label = label, document = docno, 1 feature; left out: query, docid"


def test_a_column_without_a_name_is_left_out_in_words():
    assert str(roles(["qid", "grade", "bm25", ""])).endswith("1 feature; left out: one without a name")


@pytest.mark.parametrize("index", ["", "Unnamed: 0", "__index_level_0__"])
def test_the_number_of_a_row_is_no_feature(index):
    found = roles([index, "qid", "label", "bm25"])
    assert (found.features, found.left_out) == (("bm25",), (index,))


def test_two_columns_that_may_be_labels_are_refused_unless_one_is_named():
    with pytest.raises(
        AlignmentError, match=r"columns 'grade' and 'rating' may both be labels: say which \(label='gra"
    ):
        roles(["qid", "grade", "rating", "bm25"])
    assert roles(["qid", "grade", "rating", "bm25"], label="rating", drop=("grade",)).features == ("bm25",)
    assert roles(["qid", "grade", "rating", "bm25"], labelled=False).label == "grade"


@pytest.mark.parametrize(
    ("said", "features"),
    [
        ({}, ("bm25", "bm25_title", "age", "is_new")),
        ({"drop": ("age",)}, ("bm25", "bm25_title", "is_new")),
        ({"drop": ("bm25*",)}, ("age", "is_new")),
        ({"features": ("is_new", "bm25*")}, ("is_new", "bm25", "bm25_title")),
        ({"features": ("*",), "drop": ("bm25_title", "a?e")}, ("bm25", "is_new")),
    ],
)
def test_features_are_all_numbers_but_those_that_are_dropped_or_those_that_are_named(said, features):
    table = {"qid": 1, "label": 1, "bm25": 1.5, "bm25_title": 2, "age": 3, "is_new": True}
    assert roles(table, **said).features == features


def test_a_name_is_itself_before_it_is_a_pattern():
    assert roles(["qid", "label", "f[1]", "f1"], features=("f[1]",)).features == ("f[1]",)


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("red shoes", r"holds text \('red shoes'\), features are numbers. Leave it out \(drop='title'\)"),
        (b"red", r"holds bytes, features are numbers. Leave it out \(drop='title'\)"),
        (datetime.date(2026, 1, 1), r"holds dates or times, features are numbers. Leave it out \(drop='title'\)"),
        (datetime.timedelta(1), r"holds dates or times, features are numbers. Leave it out \(drop='title'\)"),
        ([[1.0, 2.0]], r"holds lists or records, features are numbers. Leave it out \(drop='title'\)"),
        ({"a": 1}, r"holds lists or records, features are numbers. Leave it out \(drop='title'\)"),
    ],
)
def test_a_column_that_is_no_number_is_refused_by_name_with_what_to_do(value, reason):
    table = {"qid": 1, "label": 1, "bm25": 1.5, "title": value}
    with pytest.raises(AlignmentError, match=f"column 'title' {reason}"):
        roles(table)
    assert roles(table, drop=("title",)).features == roles(table, features=("bm25",)).features == ("bm25",)


def test_columns_of_categories_are_features_by_their_type():
    table = pl.DataFrame({"qid": [1], "label": [1], "a": [2], "brand": pl.Series(["x"], dtype=pl.Categorical)})
    found = find_roles(HeldTable(table), ColumnChoice())
    assert (found.features, found.categories) == (("a", "brand"), ("brand",))
    assert str(found) == "query = qid, label = label, 2 features (categories: brand)"


def test_texts_and_whole_numbers_are_categories_where_they_are_named():
    table = {"qid": 1, "label": 1, "bm25": 1.5, "brand": "x", "colour": 3, "query": "y"}
    found = roles(table, drop=("query",), categories=("br*", "colour"))
    assert (found.features, found.categories) == (("bm25", "brand", "colour"), ("brand", "colour"))
    found = roles(table, features=("bm25",), categories=("colour",))
    assert (found.features, found.categories) == (("bm25", "colour"), ("colour",))
    assert roles(table, drop=("brand",), categories=("query",)).categories == ("query",)


def test_a_text_among_the_features_is_refused_with_what_makes_it_a_category():
    with pytest.raises(AlignmentError, match=r"column 'brand' holds text .* make it a category \(categories='brand'\)"):
        roles({"qid": 1, "label": 1, "bm25": 1.5, "brand": "x"}, features=("b*",))


@pytest.mark.parametrize("value", [datetime.date(2026, 1, 1), [[1.0]], b"red"])
def test_dates_lists_and_bytes_are_no_categories(value):
    with pytest.raises(AlignmentError, match=r"column 'title' holds .* Leave it out \(drop='title'\)"):
        roles({"qid": 1, "label": 1, "bm25": 1.5, "title": value}, categories=("title",))


def test_categories_that_are_not_there_are_told_by_name():
    with pytest.raises(AlignmentError, match=r"no column is called 'brnd' \(categories=\). Did you mean 'brand'"):
        roles({"qid": 1, "label": 1, "brand": "x"}, categories=("brnd",))


def test_what_is_advised_for_a_name_with_a_comma_can_be_followed():
    table = {"qid": 1, "label": 1, "bm25": 1.5, "price, net": "x"}
    with pytest.raises(
        AlignmentError, match=r"Leave it out \(drop='price\? net'\), or .* \(categories='price\? net'\)"
    ):
        roles(table)
    assert roles(table, drop=("price? net",)).features == ("bm25",)


@pytest.mark.parametrize(
    ("columns", "said", "message"),
    [
        (["a", "b"], {}, r"no column that is known as query \(qid, query_id, .*, got a, b. Say which \(query=\)"),
        (["qid", "b"], {}, r"no column that is known as label \(.*, got qid, b. Say which \(label=\)"),
        (["qid", "label"], {}, "has no column of numbers that could be a feature"),
        (
            ["qid", "label", "b"],
            {"query": "Qid"},
            r"no column 'Qid' \(query=\); it has qid, label, b. Did you mean 'qid'",
        ),
        (["qid", "label", "b"], {"label": "qid"}, "column 'qid' cannot be both the query and the label"),
        (["qid", "label", "b"], {"document": "label"}, "column 'label' cannot be both the label and the document"),
        (["qid", "label", "bm25"], {"drop": ("bm52",)}, r"no column is called 'bm52' \(drop=\). Did you mean 'bm25'"),
        (["qid", "label", "bm25"], {"features": ("tf*",)}, r"no column matches 'tf\*' \(features=\)"),
        (["qid", "label", "bm25"], {"features": ("label",)}, r"column 'label' has another role already \(features=\)"),
        (["qid", "label", "bm25"], {"drop": ("bm25",)}, "has no column of numbers that could be a feature"),
    ],
)
def test_what_does_not_fit_the_table_is_named(columns, said, message):
    with pytest.raises(AlignmentError, match=message):
        roles(columns, **said)


def test_the_column_of_a_split_is_no_feature():
    assert roles({"qid": 1, "label": 1, "part": "train", "bm25": 2}, taken=["part"]).features == ("bm25",)


@pytest.mark.parametrize("cell", [[[1]], [{"a\n": 1}], [b"\xff"], [datetime.timedelta(1)]], ids=str)
@pytest.mark.parametrize("role", ["query", "label", "document", "weight", "split"])
def test_a_role_is_for_names_and_numbers(role, cell):
    names = {"query": "qid", "label": "label", "document": "docno", "weight": "traffic", "split": "part"}
    columns = {name: cell if each == role else [1] for each, name in names.items()} | {"bm25": [1]}
    what = "numbers" if role in ("label", "weight") else "names or numbers"
    with pytest.raises(AlignmentError, match=rf"column '{names[role]}' \({role}=\) must hold {what}, got [^\n]+$"):
        roles(columns, weight="traffic", taken=["part"])


def test_a_label_that_is_not_read_may_be_anything():
    assert roles({"qid": 1, "label": [[1]], "bm25": 1}, labelled=False).features == ("bm25",)
