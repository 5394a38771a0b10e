from __future__ import annotations

import datetime

import numpy as np
import polars as pl
import pytest

import riskrank as rr
from riskrank.data.feature_tables.query_parts import SYNONYMS, SplitRule, part_position
from riskrank.errors import AlignmentError, ParameterError


def table(n=400, **more):
    """Two documents for each query, one after the other."""
    queries = np.repeat(np.arange(n), 2)
    rows = {name: np.repeat(np.asarray(values), 2) for name, values in more.items()}
    return pl.DataFrame({"qid": queries, "label": queries % 2, "bm25": queries * 1.0, **rows})


def queries_of(parts):
    return {name: part.query_ids for name, part in parts.items()}


@pytest.mark.parametrize(("part", "word"), [(part, word) for part, words in SYNONYMS.items() for word in words])
def test_a_column_says_which_queries_are_for_what(part, word):
    parts = rr.read_table_parts(table(3, fold=["train", word.upper(), "train"]), "fold")
    assert "1" in parts[part].query_ids
    assert sum(each.n_queries for each in parts.values()) == 3
    assert part_position(word) == list(SYNONYMS).index(part)


def test_rows_of_parts_may_stand_anywhere():
    frame = pl.DataFrame(
        {"qid": ["a", "b", "a", "c"], "label": [0, 1, 2, 3], "x": [1, 2, 3, 4], "set": ["test", "train", "test", "dev"]}
    )
    parts = rr.read_table_parts(frame, "set")
    assert queries_of(parts) == {"train": ("b",), "valid": ("c",), "test": ("a",)}
    assert parts["test"].features[:, 0].tolist() == [1, 3]
    assert parts["test"].labels.tolist() == [0, 2]
    assert parts["test"].row_numbers.tolist() == [0, 2]


def test_shares_go_by_a_hash_of_the_query_and_nothing_else():
    parts = rr.read_table_parts(table(2000), "70:15:15")
    sizes = {name: part.n_queries / 2000 for name, part in parts.items()}
    # The standard error of a share of 0.7 of 2000 queries is 0.01, of 0.15 it is 0.008.
    assert sizes == pytest.approx({"train": 0.7, "valid": 0.15, "test": 0.15}, abs=0.04)
    some = rr.read_table_parts(table(2000).sample(fraction=0.5, shuffle=True, seed=3), "70:15:15")
    for name, part in some.items():
        assert set(part.query_ids) <= set(parts[name].query_ids)


def test_shares_are_the_same_in_every_version():
    # blake2b("0", digest_size=8, person="riskrank") >> 11, over 2^53, and so on: computed once, by hand, and kept.
    from hashlib import blake2b

    def place(name):
        digest = blake2b(name.encode(), digest_size=8, person=b"riskrank").digest()
        return (int.from_bytes(digest, "little") >> 11) / 2**53

    parts = queries_of(rr.read_table_parts(table(50), "60:0:40"))
    assert parts == {
        "train": tuple(name for name in map(str, range(50)) if place(name) < 0.6),
        "test": tuple(name for name in map(str, range(50)) if place(name) >= 0.6),
    }


def test_four_shares_leave_queries_for_calibration():
    assert list(rr.read_table_parts(table(200), "60:15:15:10")) == ["train", "valid", "test", "calibration"]


@pytest.mark.parametrize("kind", ["days", "seconds", "texts"])
def test_by_time_the_earliest_queries_are_for_training(kind):
    days = [datetime.date(2026, 1, 1) + datetime.timedelta((7 * i) % 20) for i in range(20)]
    times = {"days": days, "seconds": [day.toordinal() for day in days], "texts": [str(day) for day in days]}[kind]
    frame = pl.DataFrame({"qid": range(20), "label": 0, "x": range(20), "asked": times})
    parts = queries_of(rr.read_table_parts(frame, "time:asked:50:25:25"))
    in_time = [str(query) for query in sorted(range(20), key=lambda query: days[query])]
    assert [set(part) for part in parts.values()] == [set(in_time[:10]), set(in_time[10:15]), set(in_time[15:])]


def test_queries_of_one_time_stay_together_and_a_query_goes_by_its_first_row():
    frame = pl.DataFrame({"qid": [1, 1, 2, 3, 4], "label": 0, "x": range(5), "day": [1, 9, 1, 1, 2]})
    # Three of four queries came first; the fourth is at 0.75 of all: beyond 0.7, before 0.85.
    assert queries_of(rr.read_table_parts(frame, "time:day")) == {"train": ("1", "2", "3"), "valid": ("4",)}
    parts = queries_of(rr.read_table_parts(frame, "time:day:50:25:25"))
    assert parts == {"train": ("1", "2", "3"), "test": ("4",)}


def test_the_rule_of_time_has_usual_shares():
    assert SplitRule.parse("time:day").shares == SplitRule.parse("70:15:15").shares == (0.7, 0.15, 0.15)
    assert SplitRule.parse("time:a:b:80:10:10") == SplitRule("time", "a:b", (0.8, 0.1, 0.1))


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("part", r"has no column 'part' \(split=\). Did you mean 'parts'"),
        ("time:", r"split names no column: write time:COLUMN"),
        ("time:dya", r"has no column 'dya' \(split=\). Did you mean 'day'"),
        ("parts", r"row 3: column 'parts' \(split=\) must hold train, valid, test or calibration, got 'x'"),
        ("mixed", r"row 2: query '0' is both in train and in test. Keep a query's rows together"),
        ("holes", r"row 3: column 'holes' \(split=\) is empty"),
        ("time:holes", r"row 3: column 'holes' \(split=\) is empty"),
    ],
)
def test_what_is_wrong_with_a_split_is_told_with_its_row(rule, message):
    frame = table(2, parts=["train", "x"], day=[1, 2]).with_columns(
        mixed=pl.Series(["train", "test", "train", "train"]), holes=pl.Series(["train", "train", None, "test"])
    )
    with pytest.raises((AlignmentError, ParameterError), match=message):
        rr.read_table_parts(frame, rule, features=["bm25"])


@pytest.mark.parametrize("rule", ["80:20", "0:50:50", "0:0:0", "1:2:3:4:5", "time:day:80:20"])
def test_shares_that_name_no_parts_are_refused(rule):
    with pytest.raises(ParameterError, match="split takes three shares"):
        rr.read_table_parts(table(2, day=[1, 2]), rule, features=["bm25"])
