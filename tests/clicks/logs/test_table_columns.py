"""Columns of tables, whatever form they have: names, truth values, times, days, terms and domains."""

from __future__ import annotations

import datetime
import math

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskrank.clicks.impressions import one_batch
from riskrank.clicks.logs.table_columns import identity

from .tables import frame

INF = math.inf
UTC = datetime.UTC


def stamp(text):
    """Seconds from 1970, in UTC."""
    return datetime.datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


def test_numbers_and_texts_of_any_type_name_things(read_rows, pages_of):
    plain = pages_of(read_rows(frame())[0])
    for kind in (pl.Int8, pl.UInt16, pl.Int32, pl.UInt64, pl.Float64):
        typed = frame().with_columns(pl.col("session", "query", "document").cast(kind))
        assert pages_of(read_rows(typed)[0]) == plain
    as_text = pages_of(read_rows(frame().with_columns(pl.col("session", "document").cast(pl.Utf8)))[0])
    assert as_text == plain


@pytest.mark.parametrize("kind", [pl.Categorical, pl.Enum(["tea", "coffee"])], ids=["categorical", "enum"])
def test_categories_are_texts(read_rows, pages_of, kind):
    texts = frame(query=["tea", "tea", "coffee"])
    assert pages_of(read_rows(texts.with_columns(pl.col("query").cast(kind)))[0]) == pages_of(read_rows(texts)[0])


def test_numbers_beyond_63_bits_are_names_too(read_rows, pages_of):
    table = frame(document=pl.Series([2**64 - 1, 11, 10], dtype=pl.UInt64), query=["a", "a", "b"])
    parts, report = read_rows(table)
    assert report.bad == 0
    assert pages_of(parts) == pages_of(read_rows(table.write_csv())[0])


def test_names_that_are_fractions_stay_different(read_rows):
    parts, report = read_rows(frame(document=[1.25, 1.75, 2.0]))
    assert report.bad == 0
    assert len(set(one_batch(parts).document.tolist())) == 3


def test_bytes_are_names_as_texts_are(read_rows, pages_of):
    parts, _ = read_rows(frame(query=[b"a", b"a", b"b"]))
    assert pages_of(parts)[0]["query"] == identity("a")


def test_missing_values_of_what_is_not_needed_are_unknown(read_rows, pages_of):
    table = frame(
        user=[None] * 3, day=[None] * 3, dwell=[None] * 3, domain=[None] * 3, score=[None] * 3, terms=[None] * 3
    )
    texts = table.with_columns(pl.col("user", "day", "dwell", "domain", "score", "terms").cast(pl.Utf8))
    for content in (table, texts, table.write_csv()):
        parts, report = read_rows(content)
        assert report.bad == 0
        first = pages_of(parts)[0]
        assert (first["user"], first["day"], first["terms"]) == (-1, -1, [])
        assert (first["domain"], first["score"], first["dwell"]) == ([-1, -1], [None, None], [INF, None])


@pytest.mark.parametrize(
    "clicked", [[True, False, False], [1, 0, 0], [1.0, 0.0, 0.0], ["yes", "no", "f"], ["T", " 0 ", "False"]]
)
def test_clicks_are_truth_values_numbers_or_words(read_rows, pages_of, clicked):
    for content in (frame(clicked=clicked), frame(clicked=clicked).write_csv()):
        parts, report = read_rows(content)
        assert [page["dwell"] for page in pages_of(parts)] == [[INF, None], [None]]
        assert report.bad == 0


def test_dwell_counts_for_clicks_alone(read_rows, pages_of):
    parts, _ = read_rows(frame(clicked=[1, 0, 1], dwell=[3.5, 60.0, None]))
    assert [page["dwell"] for page in pages_of(parts)] == [[3.5, None], [INF]]


@pytest.mark.parametrize("dwell", ["long", "12s", "1,5"])
def test_a_dwell_time_that_is_no_number_makes_a_row_bad(read_rows, dwell):
    _, report = read_rows(frame(dwell=[dwell, "", ""]).write_csv())
    assert report.bad_lines == [2]


def test_dwell_times_may_be_durations(read_rows, pages_of):
    parts, _ = read_rows(frame(dwell=[datetime.timedelta(seconds=5), None, None]))
    assert pages_of(parts)[0]["dwell"] == [5.0, None]


TIMES = ["2024-01-02T23:59:50", "2024-01-02T23:59:50", "2024-01-03T00:00:20"]
IN_ONE_SESSION = {"session": [1, 1, 1]}


@pytest.mark.parametrize(
    "written",
    [
        lambda text: text,
        lambda text: text.replace("T", " "),
        lambda text: text + "Z",
        lambda text: text + ".250",
        lambda text: text + ".250000Z",
        lambda text: str(stamp(text)),
        lambda text: str(int(stamp(text))),
        pytest.param(lambda text: text + "+00:00"),
        pytest.param(lambda text: text + " UTC"),
    ],
    ids=["T", "space", "Z", "milliseconds", "microseconds", "seconds", "whole seconds", "offset", "UTC"],
)
def test_times_in_text_are_seconds_or_timestamps(read_rows, pages_of, written):
    parts, report = read_rows(frame(**IN_ONE_SESSION, time=[written(text) for text in TIMES]).write_csv())
    assert report.bad == 0
    pages = pages_of(parts)
    assert [page["time"] for page in pages] == [0, 30]
    day = stamp(TIMES[0]) // 86_400
    assert [page["day"] for page in pages] == [day, day + 1]


@pytest.mark.parametrize("unit", ["ms", "us", "ns"])
@pytest.mark.parametrize("zone", [None, "UTC"])
def test_times_may_be_datetimes_of_any_unit(read_rows, pages_of, unit, zone):
    times = pl.Series([datetime.datetime.fromisoformat(text) for text in TIMES]).dt.cast_time_unit(unit)
    table = frame(**IN_ONE_SESSION, time=times.dt.replace_time_zone(zone) if zone else times)
    pages = pages_of(read_rows(table)[0])
    assert [page["time"] for page in pages] == [0, 30]
    assert [page["day"] for page in pages] == [stamp(TIMES[0]) // 86_400 + k for k in (0, 1)]


def test_times_may_be_dates(read_rows, pages_of):
    pages = pages_of(
        read_rows(frame(**IN_ONE_SESSION, time=[datetime.date(2024, 1, 2)] * 2 + [datetime.date(2024, 1, 3)]))[0]
    )
    assert [page["time"] for page in pages] == [0, 86_400]


@pytest.mark.parametrize(
    "times",
    [
        [datetime.timedelta(seconds=5)] * 2 + [datetime.timedelta(seconds=35)],
        [datetime.time(5)] * 2 + [datetime.time(5, 0, 30)],
    ],
    ids=["durations", "of the day"],
)
def test_times_may_be_durations_or_times_of_the_day(read_rows, pages_of, times):
    parts, _ = read_rows(frame(**IN_ONE_SESSION, time=times))
    assert [page["time"] for page in pages_of(parts)] == [0, 30]


@pytest.mark.parametrize("column", ["time", "day"])
def test_times_and_days_beyond_all_bounds_make_a_row_bad(read_rows, column):
    _, report = read_rows(frame(**{column: ["1e30", "0", "0"]}).write_csv())
    assert report.bad_lines == [2]


def test_times_written_in_two_ways_are_read_the_same_whatever_the_size_of_blocks(read_rows, pages_of):
    text = frame(time=["02/01/2024 10:00:00"] * 2 + ["2024/01/13 10:00:00"]).write_csv()
    assert pages_of(read_rows(text, block=10)[0]) == pages_of(read_rows(text)[0])


def test_a_time_that_is_none_makes_a_row_bad(read_rows):
    text = frame(time=["5", "soon", ""]).write_csv()
    assert read_rows(text)[1].bad_lines == [3, 4]


@pytest.mark.parametrize("days", [[19724] * 3, ["19724"] * 3, [19724.0] * 3, [datetime.date(2024, 1, 2)] * 3])
def test_days_are_numbers_or_dates(read_rows, pages_of, days):
    assert {page["day"] for page in pages_of(read_rows(frame(day=days))[0])} == {19724}


def test_days_in_text_may_be_dates(read_rows, pages_of):
    table = frame(day=[datetime.date(2024, 1, 2)] * 3)
    assert pages_of(read_rows(table)[0])[0]["day"] == pages_of(read_rows(table.write_csv())[0])[0]["day"]


@pytest.mark.parametrize(
    "terms",
    [
        ["new york"] * 3,
        ["New,York"] * 3,
        [" new  york "] * 3,
        [["new", "york"]] * 3,
        [["New", None, "York"]] * 3,
        pytest.param(pl.Series([["new", "york"]] * 3, dtype=pl.Array(pl.Utf8, 2))),
    ],
    ids=["text", "commas", "spaces", "lists", "nulls in lists", "arrays"],
)
def test_terms_are_lists_or_words_of_a_text(read_rows, pages_of, terms):
    assert pages_of(read_rows(frame(terms=terms))[0])[0]["terms"] == [identity("new"), identity("york")]


def test_terms_that_are_numbers_stand_for_themselves(read_rows, pages_of):
    for terms in ([[4, 5]] * 3, ["4 5"] * 3, ["4,5"] * 3, [["4", "5"]] * 3):
        assert pages_of(read_rows(frame(terms=terms))[0])[0]["terms"] == [4, 5]


def test_without_terms_those_of_a_query_that_is_text_are_taken(read_rows, pages_of):
    for content in (frame(query=["New York", "New York", "x"]), frame(query=["New York", "New York", "x"]).write_csv()):
        assert [page["terms"] for page in pages_of(read_rows(content)[0])] == [
            [identity("new"), identity("york")],
            [identity("x")],
        ]
    assert [page["terms"] for page in pages_of(read_rows(frame())[0])] == [[], []]


def test_the_number_of_a_query_is_no_term_in_csv_either(read_rows, pages_of):
    assert pages_of(read_rows(frame().write_csv())[0]) == pages_of(read_rows(frame())[0])


@pytest.mark.parametrize(
    ("document", "domain"),
    [
        ("http://a.org/x", "a.org"),
        ("https://a.org?x=1", "a.org"),
        ("https://a.org", "a.org"),
        ("a.org/x", None),
        ("doc-17", None),
        ("17", None),
    ],
)
def test_the_domain_is_told_from_a_url(read_rows, pages_of, document, domain):
    for content in (frame(document=[document] * 3), frame(document=[document] * 3).write_csv()):
        assert pages_of(read_rows(content)[0])[0]["domain"] == [-1 if domain is None else identity(domain)] * 2


def test_a_column_of_domains_wins_over_the_url(read_rows, pages_of):
    assert pages_of(read_rows(frame(document=["http://a.org/x"] * 3, domain=[9, 8, 7]))[0])[0]["domain"] == [9, 8]


@given(st.text(), st.text())
@settings(max_examples=50)
def test_different_texts_have_different_numbers_that_fit(one, other):
    assert 0 <= identity(one) < 2**63
    assert (identity(one) == identity(other)) == (one == other)


@given(st.integers(0, 10**18 - 1))
@settings(max_examples=50)
def test_whole_numbers_stand_for_themselves(number):
    assert identity(str(number)) == number
