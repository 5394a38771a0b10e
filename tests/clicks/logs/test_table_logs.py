"""Logs as plain tables: CSV of any kind and Parquet of any types, against a plain reader, row by row."""

from __future__ import annotations

import csv
import datetime
import gzip
import io
import itertools
import math
import re

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskrank.clicks.impressions import joined
from riskrank.clicks.logs.log_report import LogReport
from riskrank.clicks.logs.table_columns import identity
from riskrank.clicks.logs.table_logs import read_table
from riskrank.errors import FileError, ParameterError, RiskrankError

INF = math.inf
NEEDED = ["session", "query", "position", "document", "clicked"]
HEADER = ",".join(NEEDED) + "\n"
SMALL = HEADER + "1,5,1,10,1\n1,5,2,11,0\n1,6,1,11,0\n2,5,1,10,0\n2,5,2,12,1\n"
UTC = datetime.UTC


def stamp(text):
    """Seconds from 1970, in UTC."""
    return datetime.datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


def number_of(name):
    """What stands for a name: whole numbers for themselves, texts by a number of their own."""
    return int(name) if re.fullmatch("0|-?[1-9][0-9]{0,17}", name) else identity(name)


def finite(text):
    try:
        return float(text) if math.isfinite(float(text)) else None
    except ValueError:
        return None


def reference(rows):
    """The pages of rows of text (None if they go back), and which rows are bad, counted from 0."""
    good, bad = [], []
    for i, row in enumerate(rows):
        position, time, dwell = finite(row["position"]), finite(row.get("time", "0")), finite(row.get("dwell", ""))
        has_names = all(row[name] for name in ("session", "query", "document"))
        is_clear = row["clicked"].lower() in ("0", "1", "true", "false", "yes", "no")
        if has_names and is_clear and position is not None and position >= 1 and time is not None and (dwell or 0) >= 0:
            good.append({**row, "position": position, "time": time, "dwell": dwell})
        else:
            bad.append(i)
    pages = []
    for (user, session), own in itertools.groupby(good, key=lambda row: (row.get("user", ""), row["session"])):
        before, begin = None, None
        for row in own:
            begin = begin or row
            if before is not None and "time" in rows[0]:
                is_same = (row["query"], row["time"]) == (before["query"], before["time"])
                if row["time"] < before["time"] or (is_same and 1 < row["position"] <= before["position"]):
                    return None, bad
            is_page = (
                before is None
                or (row["query"], row["time"]) != (before["query"], before["time"])
                or row["position"] <= before["position"]
            )
            if is_page:
                day = finite(row["day"]) if "day" in row else row["time"] // 86_400 if "time" in rows[0] else -1
                pages.append(
                    {
                        "session": number_of(session),
                        "user": number_of(user) if user else -1,
                        "day": -1 if day is None else int(day),
                        "time": int(row["time"] - begin["time"]),
                        "query": number_of(row["query"]),
                        "is_test": False,
                        **{name: [] for name in ("document", "domain", "dwell", "score")},
                        "terms": [number_of(word) for word in row["terms"].lower().replace(",", " ").split()],
                    }
                )
            page = pages[-1]
            page["document"].append(number_of(row["document"]))
            host = re.match("[a-z]+://([^/?#]+)", row["document"])
            domain = row["domain"] if "domain" in row else host[1] if host else ""
            page["domain"].append(number_of(domain) if domain else -1)
            clicked = row["clicked"].lower() in ("1", "true", "yes")
            page["dwell"].append((INF if row["dwell"] is None else row["dwell"]) if clicked else None)
            page["score"].append(finite(row.get("score", "")))
            before = row
    return pages, bad


names = st.sampled_from(
    ["0", "7", "-3", "007", "x", "Ünï", "a b", "a,b;c", 'say "hi"', "http://a.org/x?y=1", str(10**18 - 1)]
)
values = {
    "query": st.one_of(*[names] * 9, st.just("")),
    "position": st.sampled_from([*"123412341234", "2.0", "0", "-1", "", "first"]),
    "document": st.one_of(*[names] * 9, st.just("")),
    "clicked": st.sampled_from([*"01010101", "true", "FALSE", "Yes", "no", "perhaps"]),
    "time": st.sampled_from(["0", "5", "5.5", "86400", "200000", "soon", ""]),
    "day": st.sampled_from(["0", "3", "27", ""]),
    "dwell": st.sampled_from(["", "0", "30", "7.25", "1e3", "-1"]),
    "domain": st.one_of(names, st.just("")),
    "score": st.sampled_from(["", "0", "-1.5", "1e-3"]),
    "terms": st.sampled_from(["", "4 5", "4,5", "New York", "7"]),
}


@st.composite
def tables(draw):
    """Rows of text, session after session, with some of the columns that need not be there."""
    wanted = ["user", *values] if draw(st.booleans()) else [*NEEDED[1:], "terms"]
    rows = []
    for number, size in enumerate(draw(st.lists(st.integers(1, 5), max_size=4))):
        user = draw(st.sampled_from(["", "u", "12"]))
        session = draw(st.sampled_from([f"s{number}", f"{number}"]))
        for _ in range(size):
            row = {name: draw(values[name]) for name in wanted if name != "user"}
            rows.append({"session": session, **({"user": user} if "user" in wanted else {}), **row})
    return rows


def as_csv(rows, separator=",", end="\n", quoting=csv.QUOTE_MINIMAL):
    file = io.StringIO()
    columns = list(rows[0]) if rows else [*NEEDED, "terms"]
    writer = csv.DictWriter(file, columns, delimiter=separator, lineterminator=end, quoting=quoting)
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue().encode()


@pytest.fixture(scope="module")
def read(tmp_path_factory):
    """What is found in a CSV file, or in a table written as Parquet."""
    folder = tmp_path_factory.mktemp("tables")

    def reading(content, name="log.csv", **options):
        path = folder / (name if isinstance(content, str | bytes) else "log.parquet")
        if isinstance(content, str | bytes):
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        else:
            (content if isinstance(content, pl.DataFrame) else pl.DataFrame(content)).write_parquet(path)
        report = LogReport()
        return list(read_table(path, report=report, **options)), report

    return reading


def frame(**columns):
    """A small table that makes sense, and what is special about it."""
    usual = {
        "session": [1, 1, 2],
        "query": [5, 5, 6],
        "position": [1, 2, 1],
        "document": [10, 11, 10],
        "clicked": [1, 0, 0],
    }
    return pl.DataFrame({**usual, **columns})


def test_a_table_worked_by_hand(read, pages_of):
    text = (
        "user,session,time,query,position,document,clicked,dwell,score\n"
        "3,1,100,jaguar car,1,http://a.org/1,0,,9.5\n"
        "3,1,100,jaguar car,2,http://b.org/2,1,12.5,8\n"
        "3,1,160,jaguar,1,http://a.org/3,1,,7\n"
        "4,2,90000,jaguar,1,nowhere,0,,\n"
    )
    parts, report = read(text)
    first, second, third = pages_of(parts)
    assert [(page["session"], page["user"]) for page in (first, second, third)] == [(1, 3), (1, 3), (2, 4)]
    assert [page["time"] for page in (first, second, third)] == [0, 160 - 100, 0]
    assert [page["day"] for page in (first, second, third)] == [0, 0, 1]  # 90,000 seconds are a day and an hour
    assert (first["dwell"], second["dwell"], third["dwell"]) == ([None, 12.5], [INF], [None])
    assert (first["score"], third["score"]) == ([9.5, 8.0], [None])
    assert first["document"] == [identity("http://a.org/1"), identity("http://b.org/2")]
    assert first["domain"] == [identity("a.org"), identity("b.org")]
    assert third["domain"] == [-1]
    assert first["terms"] == [identity("jaguar"), identity("car")]
    assert second["query"] == third["query"] == identity("jaguar") != first["query"]
    assert (report.lines, report.pages, report.clicks, report.bad) == (4, 3, 2, 0)


@given(
    rows=tables(),
    separator=st.sampled_from(",;\t"),
    end=st.sampled_from(["\n", "\r\n"]),
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    has_last_end=st.booleans(),
    block=st.integers(1, 400),
)
@settings(max_examples=40)
def test_any_csv_is_read_as_row_by_row(read, pages_of, rows, separator, end, quoting, has_last_end, block):
    pages, bad = reference(rows)
    text = as_csv(rows, separator, end, quoting)
    text = text if has_last_end else text.removesuffix(end.encode())
    for size in (1 << 20, block):
        if pages is None:
            with pytest.raises(FileError, match="Sort the table by session, time and position"):
                read(text, block=size)
            continue
        parts, report = read(text, block=size)
        assert pages_of(parts) == pages
        assert (report.lines, report.pages, report.bad) == (len(rows), len(pages), len(bad))
        assert report.bad_lines == [i + 2 for i in bad]  # the header is the first line


@given(rows=tables(), size=st.integers(1, 20))
@settings(max_examples=25)
def test_any_parquet_of_texts_is_read_as_row_by_row(read, pages_of, rows, size):
    pages, bad = reference(rows)
    table = pl.DataFrame(
        rows or {name: [] for name in NEEDED}, schema_overrides=None if rows else dict.fromkeys(NEEDED, pl.Utf8)
    )
    if pages is None:
        with pytest.raises(FileError, match="Sort the table by session, time and position"):
            read(table, rows=size)
        return
    parts, report = read(table, rows=size)
    assert pages_of(parts) == pages
    assert (report.lines, report.bad_lines) == (len(rows), [i + 1 for i in bad])


@given(rows=tables(), block=st.integers(1, 400))
@settings(max_examples=25)
def test_strict_reading_stops_at_the_first_bad_row(read, pages_of, rows, block):
    pages, bad = reference(rows)
    if pages is None:
        return
    if not bad:
        assert pages_of(read(as_csv(rows), strict=True)[0]) == pages
        return
    for content, options, line in (
        (as_csv(rows), {"block": block}, bad[0] + 2),
        (pl.DataFrame(rows), {"rows": block}, bad[0] + 1),
    ):
        with pytest.raises(FileError, match="row is not understood") as told:
            read(content, strict=True, **options)
        assert told.value.line == line


@pytest.mark.parametrize("size", [1, 2, 3, 1000])
def test_stretches_hold_whole_sessions(read, size):
    table = pl.DataFrame(
        {"session": [i // 3 for i in range(30)], "query": 1, "document": 2, "clicked": 0}
    ).with_columns(position=pl.int_range(30) % 3 + 1)
    for content, options in ((table, {"rows": size}), (table.write_csv(), {"block": 10 * size})):
        parts, _ = read(content, **options)
        assert [session for part in parts for session in sorted(set(part.session.tolist()))] == list(range(10))


def test_numbers_and_texts_of_any_type_name_things(read, pages_of):
    plain = pages_of(read(frame())[0])
    for kind in (pl.Int8, pl.UInt16, pl.Int32, pl.UInt64, pl.Float64):
        typed = frame().with_columns(pl.col("session", "query", "document").cast(kind))
        assert pages_of(read(typed)[0]) == plain
    as_text = pages_of(read(frame().with_columns(pl.col("session", "document").cast(pl.Utf8)))[0])
    assert as_text == plain


@pytest.mark.parametrize("kind", [pl.Categorical, pl.Enum(["tea", "coffee"])], ids=["categorical", "enum"])
def test_categories_are_texts(read, pages_of, kind):
    texts = frame(query=["tea", "tea", "coffee"])
    assert pages_of(read(texts.with_columns(pl.col("query").cast(kind)))[0]) == pages_of(read(texts)[0])


def test_numbers_beyond_63_bits_are_names_too(read, pages_of):
    table = frame(document=pl.Series([2**64 - 1, 11, 10], dtype=pl.UInt64), query=["a", "a", "b"])
    parts, report = read(table)
    assert report.bad == 0
    assert pages_of(parts) == pages_of(read(table.write_csv())[0])


def test_names_that_are_fractions_stay_different(read):
    parts, report = read(frame(document=[1.25, 1.75, 2.0]))
    assert report.bad == 2 or len(set(joined(parts).document.tolist())) == 3


def test_bytes_as_names_are_understood_or_refused_by_name(read, pages_of):
    try:
        parts, _ = read(frame(query=[b"a", b"a", b"b"]))
    except RiskrankError:
        return
    assert pages_of(parts)[0]["query"] == identity("a")


def test_missing_values_of_what_is_needed_make_a_row_bad(read, pages_of):
    for column in NEEDED:
        table = frame().with_columns(pl.when(pl.int_range(3) != 1).then(pl.col(column)).alias(column))
        parts, report = read(table)
        assert report.bad_lines == [2]
        assert [page["document"] for page in pages_of(parts)] == [[10], [10]]


def test_missing_values_of_what_is_not_needed_are_unknown(read, pages_of):
    table = frame(
        user=[None] * 3, day=[None] * 3, dwell=[None] * 3, domain=[None] * 3, score=[None] * 3, terms=[None] * 3
    )
    texts = table.with_columns(pl.col("user", "day", "dwell", "domain", "score", "terms").cast(pl.Utf8))
    for content in (table, texts, table.write_csv()):
        parts, report = read(content)
        assert report.bad == 0
        first = pages_of(parts)[0]
        assert (first["user"], first["day"], first["terms"]) == (-1, -1, [])
        assert (first["domain"], first["score"], first["dwell"]) == ([-1, -1], [None, None], [INF, None])


@pytest.mark.parametrize(
    "clicked", [[True, False, False], [1, 0, 0], [1.0, 0.0, 0.0], ["yes", "no", "f"], ["T", " 0 ", "False"]]
)
def test_clicks_are_truth_values_numbers_or_words(read, pages_of, clicked):
    for content in (frame(clicked=clicked), frame(clicked=clicked).write_csv()):
        parts, report = read(content)
        assert [page["dwell"] for page in pages_of(parts)] == [[INF, None], [None]]
        assert report.bad == 0


def test_dwell_counts_for_clicks_alone(read, pages_of):
    parts, _ = read(frame(clicked=[1, 0, 1], dwell=[3.5, 60.0, None]))
    assert [page["dwell"] for page in pages_of(parts)] == [[3.5, None], [INF]]


@pytest.mark.parametrize("dwell", ["long", "12s", "1,5"])
def test_a_dwell_time_that_is_no_number_makes_a_row_bad(read, dwell):
    _, report = read(frame(dwell=[dwell, "", ""]).write_csv())
    assert report.bad_lines == [2]


def test_dwell_times_may_be_durations(read, pages_of):
    parts, _ = read(frame(dwell=[datetime.timedelta(seconds=5), None, None]))
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
def test_times_in_text_are_seconds_or_timestamps(read, pages_of, written):
    parts, report = read(frame(**IN_ONE_SESSION, time=[written(text) for text in TIMES]).write_csv())
    assert report.bad == 0
    pages = pages_of(parts)
    assert [page["time"] for page in pages] == [0, 30]
    day = stamp(TIMES[0]) // 86_400
    assert [page["day"] for page in pages] == [day, day + 1]


@pytest.mark.parametrize("unit", ["ms", "us", "ns"])
@pytest.mark.parametrize("zone", [None, "UTC"])
def test_times_may_be_datetimes_of_any_unit(read, pages_of, unit, zone):
    times = pl.Series([datetime.datetime.fromisoformat(text) for text in TIMES]).dt.cast_time_unit(unit)
    table = frame(**IN_ONE_SESSION, time=times.dt.replace_time_zone(zone) if zone else times)
    pages = pages_of(read(table)[0])
    assert [page["time"] for page in pages] == [0, 30]
    assert [page["day"] for page in pages] == [stamp(TIMES[0]) // 86_400 + k for k in (0, 1)]


def test_times_may_be_dates(read, pages_of):
    pages = pages_of(
        read(frame(**IN_ONE_SESSION, time=[datetime.date(2024, 1, 2)] * 2 + [datetime.date(2024, 1, 3)]))[0]
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
def test_times_of_other_kinds_are_understood_or_refused_by_name(read, pages_of, times):
    try:
        parts, _ = read(frame(**IN_ONE_SESSION, time=times))
    except RiskrankError:
        return
    assert [page["time"] for page in pages_of(parts)] == [0, 30]


@pytest.mark.parametrize("column", ["time", "day"])
def test_times_and_days_beyond_all_bounds_make_a_row_bad(read, column):
    _, report = read(frame(**{column: ["1e30", "0", "0"]}).write_csv())
    assert report.bad_lines == [2]


def test_times_written_in_two_ways_are_read_the_same_whatever_the_size_of_blocks(read, pages_of):
    text = frame(time=["02/01/2024 10:00:00"] * 2 + ["2024/01/13 10:00:00"]).write_csv()
    assert pages_of(read(text, block=10)[0]) == pages_of(read(text)[0])


def test_a_time_that_is_none_makes_a_row_bad(read):
    text = frame(time=["5", "soon", ""]).write_csv()
    assert read(text)[1].bad_lines == [3, 4]


@pytest.mark.parametrize("days", [[19724] * 3, ["19724"] * 3, [19724.0] * 3, [datetime.date(2024, 1, 2)] * 3])
def test_days_are_numbers_or_dates(read, pages_of, days):
    assert {page["day"] for page in pages_of(read(frame(day=days))[0])} == {19724}


def test_days_in_text_may_be_dates(read, pages_of):
    table = frame(day=[datetime.date(2024, 1, 2)] * 3)
    assert pages_of(read(table)[0])[0]["day"] == pages_of(read(table.write_csv())[0])[0]["day"]


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
def test_terms_are_lists_or_words_of_a_text(read, pages_of, terms):
    assert pages_of(read(frame(terms=terms))[0])[0]["terms"] == [identity("new"), identity("york")]


def test_terms_that_are_numbers_stand_for_themselves(read, pages_of):
    for terms in ([[4, 5]] * 3, ["4 5"] * 3, ["4,5"] * 3, [["4", "5"]] * 3):
        assert pages_of(read(frame(terms=terms))[0])[0]["terms"] == [4, 5]


def test_without_terms_those_of_a_query_that_is_text_are_taken(read, pages_of):
    for content in (frame(query=["New York", "New York", "x"]), frame(query=["New York", "New York", "x"]).write_csv()):
        assert [page["terms"] for page in pages_of(read(content)[0])] == [
            [identity("new"), identity("york")],
            [identity("x")],
        ]
    assert [page["terms"] for page in pages_of(read(frame())[0])] == [[], []]


def test_the_number_of_a_query_is_no_term_in_csv_either(read, pages_of):
    assert pages_of(read(frame().write_csv())[0]) == pages_of(read(frame())[0])


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
def test_the_domain_is_told_from_a_url(read, pages_of, document, domain):
    for content in (frame(document=[document] * 3), frame(document=[document] * 3).write_csv()):
        assert pages_of(read(content)[0])[0]["domain"] == [-1 if domain is None else identity(domain)] * 2


def test_a_column_of_domains_wins_over_the_url(read, pages_of):
    assert pages_of(read(frame(document=["http://a.org/x"] * 3, domain=[9, 8, 7]))[0])[0]["domain"] == [9, 8]


@given(st.text(), st.text())
@settings(max_examples=50)
def test_different_texts_have_different_numbers_that_fit(one, other):
    assert 0 <= identity(one) < 2**63
    assert (identity(one) == identity(other)) == (one == other)


@given(st.integers(0, 10**18 - 1))
@settings(max_examples=50)
def test_whole_numbers_stand_for_themselves(number):
    assert identity(str(number)) == number


@pytest.mark.parametrize("order", [[0, 2, 1], [1, 2, 0]])
@pytest.mark.parametrize("size", [1, 2, 1000])
def test_a_session_that_appears_again_is_refused(read, order, size):
    for content, line in ((frame()[order], 3), (frame()[order].write_csv(), 4)):
        with pytest.raises(FileError, match="Sort the table by session, time and position") as told:
            read(content, rows=size, block=11 * size)
        assert told.value.line == line


def test_a_session_that_appears_again_much_later_is_another_one(read, pages_of):
    sessions = [*range(20), 0]
    table = pl.DataFrame({"session": sessions, "query": 1, "position": 1, "document": 2, "clicked": 0})
    with pytest.raises(FileError, match="Sort the table"):
        read(table, rows=1000)
    assert [page["session"] for page in pages_of(read(table, rows=5)[0])] == sessions


def test_the_same_number_of_a_session_may_be_another_users(read, pages_of):
    parts, _ = read(frame(session=[1, 1, 1], user=[7, 7, 8], query=[5, 5, 5], position=[1, 2, 3], time=[10, 10, 10]))
    assert [(page["user"], page["time"], page["document"]) for page in pages_of(parts)] == [
        (7, 0, [10, 11]),
        (8, 0, [10]),
    ]


def test_a_page_begins_with_another_query_or_time_or_at_the_top(read, pages_of):
    text = (
        "session,time,query,position,document,clicked\n"
        "1,0,5,1,10,0\n1,0,5,2,11,0\n"
        "1,0,6,3,12,0\n"  # another query
        "1,9,6,4,13,0\n"  # another time
        "1,9,6,1,14,0\n"  # at the top again
        "1,9,6,9,15,0\n"  # positions may leave some out
    )
    assert [page["document"] for page in pages_of(read(text)[0])] == [[10, 11], [12], [13], [14, 15]]


@pytest.mark.parametrize("rows", ["1,9,5,1,10,0\n1,8,5,1,11,0\n", "1,9,5,3,10,0\n1,9,5,2,11,0\n"])
def test_rows_that_go_back_in_time_or_position_are_refused_with_their_line(read, rows):
    with pytest.raises(
        FileError, match=r"log\.csv:3: a session goes back in time, or a page in position\. Sort the table"
    ):
        read("session,time,query,position,document,clicked\n" + rows)


@pytest.mark.parametrize("suffix", [".parquet", ".csv"])
@pytest.mark.parametrize("column", NEEDED)
def test_a_column_that_is_missing_is_named_with_those_that_are_there(read, suffix, column):
    table = frame().drop(column)
    with pytest.raises(FileError, match=f"log{suffix}: has no column {column}; it has ") as told:
        read(table if suffix == ".parquet" else table.write_csv())
    assert "\n" not in str(told.value)


def test_a_column_twice_is_refused(read):
    with pytest.raises(FileError, match="has the column query twice"):
        read(HEADER.replace("\n", ",query\n") + "1,5,1,10,1,6\n")


def test_other_columns_are_left_alone(read, pages_of):
    assert pages_of(read(frame(comment=["a", "b", "c"], more=[[1], [2], [3]]))[0]) == pages_of(read(frame())[0])
    assert pages_of(read("note," + SMALL.replace("\n", '\n"a, b",', 5))[0]) == pages_of(read(SMALL)[0])
    assert pages_of(read("," + SMALL.replace("\n", "\n0,", 5))[0]) == pages_of(read(SMALL)[0])


def test_other_columns_may_have_the_same_name(read, pages_of):
    assert pages_of(read("note,note," + SMALL.replace("\n", "\na,b,", 5))[0]) == pages_of(read(SMALL)[0])


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("quote", ["", '"'])
def test_any_usual_separator_is_told_from_the_header(read, pages_of, separator, quote):
    header, *rows = SMALL.replace(",", separator).splitlines(keepends=True)
    header = separator.join(f"{quote}{name}{quote}" for name in NEEDED) + "\n"
    assert pages_of(read(header + "".join(rows))[0]) == pages_of(read(SMALL)[0])


def test_a_byte_order_mark_is_not_part_of_the_first_name(read, pages_of):
    assert pages_of(read("\ufeff" + SMALL)[0]) == pages_of(read(SMALL)[0])


def test_a_header_with_spaces_around_its_names_is_understood(read, pages_of):
    assert pages_of(read(SMALL.replace(HEADER, HEADER.replace(",", " , ")))[0]) == pages_of(read(SMALL)[0])


@pytest.mark.parametrize("name", ["log.csv.gz", "log.csv"])
def test_compressed_tables_are_the_same_tables_whatever_their_name(read, pages_of, name):
    parts, report = read(gzip.compress(SMALL.encode()), name, block=20)
    plain, told = read(SMALL)
    assert pages_of(parts) == pages_of(plain)
    assert report == told


def test_bytes_that_are_not_utf8_are_no_reason_to_stop(read, pages_of):
    text = SMALL.encode().replace(b",6,", b",caf\xe9,")
    parts, report = read(text)
    assert report.bad == 0
    assert [page["document"] for page in pages_of(parts)] == [page["document"] for page in pages_of(read(SMALL)[0])]


def test_quoted_fields_may_hold_separators_and_quotes(read, pages_of):
    text = HEADER + '1,"say ""hi"", you",1,10,1\n'
    assert pages_of(read(text)[0])[0]["query"] == identity('say "hi", you')


def test_a_row_is_a_line_and_half_a_quotation_is_bad_whatever_the_size_of_blocks(read, pages_of):
    text = HEADER + '1,"a\nb",1,10,1\n1,7,2,11,0\n1,6" tv,3,12,0\n2,5,0,12,0\n2,5,1,12,0\n'
    for block in (1 << 20, *range(1, len(text))):
        parts, report = read(text, block=block)
        assert report.bad_lines == [2, 3, 5, 6]
        assert [page["document"] for page in pages_of(parts)] == [[11], [12]]


def test_rows_that_are_short_or_long_are_bad_or_cut(read, pages_of):
    text = HEADER + "1,5,1,10,1\n1,5\n1,5,2,11,0,9,9\n"
    parts, report = read(text)
    assert report.bad_lines == [3]
    assert pages_of(parts)[0]["document"] == [10, 11]


def test_a_short_row_is_bad_wherever_it_stands(read, pages_of):
    text = HEADER + "1,5\n1,5,1,10,1\n1,5\n1,5,2,11,0\n"
    for block in (1 << 20, 12):
        parts, report = read(text, block=block)
        assert report.bad_lines == [2, 4]
        assert pages_of(parts)[0]["document"] == [10, 11]


def test_blank_lines_are_no_rows_or_bad_ones(read, pages_of):
    parts, report = read(SMALL.replace("\n1,6", "\n\n1,6").replace("\n2,5,2", "\n\n\n2,5,2"))
    assert pages_of(parts) == pages_of(read(SMALL)[0])
    assert set(report.bad_lines) <= {4, 7, 8}


@pytest.mark.parametrize(
    ("text", "block"),
    [(HEADER + "\n" + SMALL.removeprefix(HEADER), 1 << 20), (SMALL + "\n" * 40, 30), (SMALL + "\r\n" * 40, 30)],
    ids=["after the header", "at the end", "at the end, of Windows"],
)
def test_blank_lines_are_no_reason_to_stop_wherever_they_stand(read, pages_of, text, block):
    assert pages_of(read(text, block=block)[0]) == pages_of(read(SMALL)[0])


@pytest.mark.parametrize(
    "rows",
    ['1,a"b,1,10,1\n1,a"b,2,11,0\n', '1,5,1,10,1\n1,6" tv,1,11,0\n2,6,1,12,0\n'],
    ids=["two", "one"],
)
def test_a_quote_within_a_field_is_a_letter_or_makes_its_row_bad(read, rows):
    parts, report = read(HEADER + rows)
    assert len(joined(parts).document) + report.bad == rows.count("\n")


@pytest.mark.parametrize("text", ["", "\n", "\ufeff", "\n\n\n"])
def test_an_empty_file_is_refused(read, text):
    with pytest.raises(FileError, match="log.csv: "):
        read(text)


@pytest.mark.parametrize("content", [HEADER, HEADER.strip(), HEADER.replace("\n", "\r\n"), frame()[:0]])
def test_a_table_without_rows_has_no_page(read, content):
    parts, report = read(content)
    assert sum(map(len, parts)) == 0
    assert (report.lines, report.bad) == (0, 0)


def test_a_table_of_bad_rows_has_no_page(read):
    parts, report = read(HEADER + "1,5,0,10,1\n,5,1,10,1\n")
    assert sum(map(len, parts)) == 0
    assert report.bad_lines == [2, 3]


def test_stretches_of_bad_rows_between_good_ones_cut_no_session(read, pages_of):
    text = SMALL.replace("\n1,5,2", "\n" + "1,,1,1,1\n" * 9 + "1,5,2")
    for block in (8, 11, 30, 1 << 20):
        parts, report = read(text, block=block)
        assert pages_of(parts) == pages_of(read(SMALL)[0])
        assert report.bad_lines == list(range(3, 12))


@pytest.mark.parametrize("name", ["none.csv", "none.parquet"])
def test_a_file_that_is_not_there_is_told(tmp_path, name):
    with pytest.raises(FileError, match=f"{name}: .*no such file"):
        list(read_table(tmp_path / name))


@pytest.mark.parametrize("content", [b"", b"hello", b"PAR1" * 20])
def test_what_is_no_parquet_is_refused_in_one_line(tmp_path, content):
    (tmp_path / "log.parquet").write_bytes(content)
    with pytest.raises(FileError, match="cannot be read as Parquet") as told:
        list(read_table(tmp_path / "log.parquet"))
    assert "\n" not in str(told.value)


def test_a_parquet_file_is_found_by_its_name_and_not_by_a_pattern(tmp_path, pages_of):
    frame().write_parquet(tmp_path / "a.parquet")
    frame().write_parquet(tmp_path / "log[1].parquet")
    with pytest.raises(FileError, match="no such file"):
        list(read_table(tmp_path / "*.parquet"))
    assert len(pages_of(read_table(tmp_path / "log[1].parquet"))) == 2


@pytest.mark.parametrize("size", [0, -1])
@pytest.mark.parametrize("content", [SMALL, frame()], ids=["csv", "parquet"])
def test_sizes_below_one_are_refused(read, content, size):
    with pytest.raises(ParameterError):
        read(content, block=size, rows=size)
