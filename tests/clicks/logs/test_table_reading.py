"""Logs as plain tables: CSV of any kind and Parquet of any types, against a plain reader, row by row."""

from __future__ import annotations

import csv
import gzip
import io
import itertools
import math
import re

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskrank.clicks.impressions import one_batch
from riskrank.clicks.logs import table_reading
from riskrank.clicks.logs.table_columns import identity
from riskrank.clicks.logs.table_reading import read_click_table
from riskrank.data.tables import parquet_damage
from riskrank.errors import FileError

from .tables import HEADER, NEEDED, SMALL, frame

INF = math.inf


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
                        "is_withheld": False,
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


def test_a_table_worked_by_hand(read_rows, pages_of):
    text = (
        "user,session,time,query,position,document,clicked,dwell,score\n"
        "3,1,100,jaguar car,1,http://a.org/1,0,,9.5\n"
        "3,1,100,jaguar car,2,http://b.org/2,1,12.5,8\n"
        "3,1,160,jaguar,1,http://a.org/3,1,,7\n"
        "4,2,90000,jaguar,1,nowhere,0,,\n"
    )
    parts, report = read_rows(text)
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
def test_any_csv_is_read_as_row_by_row(read_rows, pages_of, rows, separator, end, quoting, has_last_end, block):
    pages, bad = reference(rows)
    text = as_csv(rows, separator, end, quoting)
    text = text if has_last_end else text.removesuffix(end.encode())
    for size in (1 << 20, block):
        if pages is None:
            with pytest.raises(FileError, match="Sort the table by session, time and position"):
                read_rows(text, block=size)
            continue
        parts, report = read_rows(text, block=size)
        assert pages_of(parts) == pages
        assert (report.lines, report.pages, report.bad) == (len(rows), len(pages), len(bad))
        assert report.bad_lines == [i + 2 for i in bad]  # the header is the first line


@given(rows=tables(), size=st.integers(1, 20))
@settings(max_examples=25)
def test_any_parquet_of_texts_is_read_as_row_by_row(read_rows, pages_of, rows, size):
    pages, bad = reference(rows)
    table = pl.DataFrame(
        rows or {name: [] for name in NEEDED}, schema_overrides=None if rows else dict.fromkeys(NEEDED, pl.Utf8)
    )
    if pages is None:
        with pytest.raises(FileError, match="Sort the table by session, time and position"):
            read_rows(table, rows=size)
        return
    parts, report = read_rows(table, rows=size)
    assert pages_of(parts) == pages
    assert (report.lines, report.bad_lines) == (len(rows), [i + 1 for i in bad])


@given(rows=tables(), block=st.integers(1, 400))
@settings(max_examples=25)
def test_strict_reading_stops_at_the_first_bad_row(read_rows, pages_of, rows, block):
    pages, bad = reference(rows)
    if pages is None:
        return
    if not bad:
        assert pages_of(read_rows(as_csv(rows), strict=True)[0]) == pages
        return
    for content, options, line in (
        (as_csv(rows), {"block": block}, bad[0] + 2),
        (pl.DataFrame(rows), {"rows": block}, bad[0] + 1),
    ):
        with pytest.raises(FileError, match="row is not understood") as told:
            read_rows(content, strict=True, **options)
        assert told.value.line == line


@pytest.mark.parametrize("size", [1, 2, 3, 1000])
def test_batches_hold_whole_sessions(read_rows, size):
    table = pl.DataFrame(
        {"session": [i // 3 for i in range(30)], "query": 1, "document": 2, "clicked": 0}
    ).with_columns(position=pl.int_range(30) % 3 + 1)
    for content, options in ((table, {"rows": size}), (table.write_csv(), {"block": 10 * size})):
        parts, _ = read_rows(content, **options)
        assert [session for part in parts for session in sorted(set(part.session.tolist()))] == list(range(10))


def test_missing_values_of_what_is_needed_make_a_row_bad(read_rows, pages_of):
    for column in NEEDED:
        table = frame().with_columns(pl.when(pl.int_range(3) != 1).then(pl.col(column)).alias(column))
        parts, report = read_rows(table)
        assert report.bad_lines == [2]
        assert [page["document"] for page in pages_of(parts)] == [[10], [10]]


@pytest.mark.parametrize("order", [[0, 2, 1], [1, 2, 0]])
@pytest.mark.parametrize("size", [1, 2, 1000])
def test_a_session_that_appears_again_is_refused(read_rows, order, size):
    for content, line in ((frame()[order], 3), (frame()[order].write_csv(), 4)):
        with pytest.raises(FileError, match="Sort the table by session, time and position") as told:
            read_rows(content, rows=size, block=11 * size)
        assert told.value.line == line


def test_a_session_that_appears_again_much_later_is_another_one(read_rows, pages_of):
    sessions = [*range(20), 0]
    table = pl.DataFrame({"session": sessions, "query": 1, "position": 1, "document": 2, "clicked": 0})
    with pytest.raises(FileError, match="Sort the table"):
        read_rows(table, rows=1000)
    assert [page["session"] for page in pages_of(read_rows(table, rows=5)[0])] == sessions


def test_the_same_number_of_a_session_may_be_another_users(read_rows, pages_of):
    parts, _ = read_rows(
        frame(session=[1, 1, 1], user=[7, 7, 8], query=[5, 5, 5], position=[1, 2, 3], time=[10, 10, 10])
    )
    assert [(page["user"], page["time"], page["document"]) for page in pages_of(parts)] == [
        (7, 0, [10, 11]),
        (8, 0, [10]),
    ]


def test_a_page_begins_with_another_query_or_time_or_at_the_top(read_rows, pages_of):
    text = (
        "session,time,query,position,document,clicked\n"
        "1,0,5,1,10,0\n1,0,5,2,11,0\n"
        "1,0,6,3,12,0\n"  # another query
        "1,9,6,4,13,0\n"  # another time
        "1,9,6,1,14,0\n"  # at the top again
        "1,9,6,9,15,0\n"  # positions may leave some out
    )
    assert [page["document"] for page in pages_of(read_rows(text)[0])] == [[10, 11], [12], [13], [14, 15]]


@pytest.mark.parametrize("rows", ["1,9,5,1,10,0\n1,8,5,1,11,0\n", "1,9,5,3,10,0\n1,9,5,2,11,0\n"])
def test_rows_that_go_back_in_time_or_position_are_refused_with_their_line(read_rows, rows):
    with pytest.raises(
        FileError, match=r"log\.csv:3: a session goes back in time, or a page in position\. Sort the table"
    ):
        read_rows("session,time,query,position,document,clicked\n" + rows)


@pytest.mark.parametrize("suffix", [".parquet", ".csv"])
@pytest.mark.parametrize("column", NEEDED)
def test_a_column_that_is_missing_is_named_with_those_that_are_there(read_rows, suffix, column):
    table = frame().drop(column)
    with pytest.raises(FileError, match=f"log{suffix}: has no column {column}; it has ") as told:
        read_rows(table if suffix == ".parquet" else table.write_csv())
    assert "\n" not in str(told.value)


def test_a_column_twice_is_refused(read_rows):
    with pytest.raises(FileError, match="has the column query twice"):
        read_rows(HEADER.replace("\n", ",query\n") + "1,5,1,10,1,6\n")


def test_other_columns_are_left_alone(read_rows, pages_of):
    assert pages_of(read_rows(frame(comment=["a", "b", "c"], more=[[1], [2], [3]]))[0]) == pages_of(
        read_rows(frame())[0]
    )
    assert pages_of(read_rows("note," + SMALL.replace("\n", '\n"a, b",', 5))[0]) == pages_of(read_rows(SMALL)[0])
    assert pages_of(read_rows("," + SMALL.replace("\n", "\n0,", 5))[0]) == pages_of(read_rows(SMALL)[0])


def test_other_columns_may_have_the_same_name(read_rows, pages_of):
    assert pages_of(read_rows("note,note," + SMALL.replace("\n", "\na,b,", 5))[0]) == pages_of(read_rows(SMALL)[0])


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("quote", ["", '"'])
def test_any_usual_separator_is_told_from_the_header(read_rows, pages_of, separator, quote):
    header, *rows = SMALL.replace(",", separator).splitlines(keepends=True)
    header = separator.join(f"{quote}{name}{quote}" for name in NEEDED) + "\n"
    assert pages_of(read_rows(header + "".join(rows))[0]) == pages_of(read_rows(SMALL)[0])


def test_a_byte_order_mark_is_not_part_of_the_first_name(read_rows, pages_of):
    assert pages_of(read_rows("\ufeff" + SMALL)[0]) == pages_of(read_rows(SMALL)[0])


def test_a_header_with_spaces_around_its_names_is_understood(read_rows, pages_of):
    assert pages_of(read_rows(SMALL.replace(HEADER, HEADER.replace(",", " , ")))[0]) == pages_of(read_rows(SMALL)[0])


@pytest.mark.parametrize("name", ["log.csv.gz", "log.csv"])
def test_compressed_tables_are_the_same_tables_whatever_their_name(read_rows, pages_of, name):
    parts, report = read_rows(gzip.compress(SMALL.encode()), name, block=20)
    plain, told = read_rows(SMALL)
    assert pages_of(parts) == pages_of(plain)
    assert report == told


def test_bytes_that_are_not_utf8_are_no_reason_to_stop(read_rows, pages_of):
    text = SMALL.encode().replace(b",6,", b",caf\xe9,")
    parts, report = read_rows(text)
    assert report.bad == 0
    assert [page["document"] for page in pages_of(parts)] == [
        page["document"] for page in pages_of(read_rows(SMALL)[0])
    ]


def test_quoted_fields_may_hold_separators_and_quotes(read_rows, pages_of):
    text = HEADER + '1,"say ""hi"", you",1,10,1\n'
    assert pages_of(read_rows(text)[0])[0]["query"] == identity('say "hi", you')


def test_a_row_is_a_line_and_half_a_quotation_is_bad_whatever_the_size_of_blocks(read_rows, pages_of):
    text = HEADER + '1,"a\nb",1,10,1\n1,7,2,11,0\n1,6" tv,3,12,0\n2,5,0,12,0\n2,5,1,12,0\n'
    for block in (1 << 20, *range(1, len(text))):
        parts, report = read_rows(text, block=block)
        assert report.bad_lines == [2, 3, 5, 6]
        assert [page["document"] for page in pages_of(parts)] == [[11], [12]]


def test_short_rows_are_bad_and_long_ones_are_cut(read_rows, pages_of):
    text = HEADER + "1,5,1,10,1\n1,5\n1,5,2,11,0,9,9\n"
    parts, report = read_rows(text)
    assert report.bad_lines == [3]
    assert pages_of(parts)[0]["document"] == [10, 11]


def test_a_short_row_is_bad_wherever_it_stands(read_rows, pages_of):
    text = HEADER + "1,5\n1,5,1,10,1\n1,5\n1,5,2,11,0\n"
    for block in (1 << 20, 12):
        parts, report = read_rows(text, block=block)
        assert report.bad_lines == [2, 4]
        assert pages_of(parts)[0]["document"] == [10, 11]


def test_blank_lines_are_no_rows(read_rows, pages_of):
    parts, report = read_rows(SMALL.replace("\n1,6", "\n\n1,6").replace("\n2,5,2", "\n\n\n2,5,2"))
    assert pages_of(parts) == pages_of(read_rows(SMALL)[0])
    assert report.bad_lines == []


@pytest.mark.parametrize(
    ("text", "block"),
    [(HEADER + "\n" + SMALL.removeprefix(HEADER), 1 << 20), (SMALL + "\n" * 40, 30), (SMALL + "\r\n" * 40, 30)],
    ids=["after the header", "at the end", "at the end, of Windows"],
)
def test_blank_lines_are_no_reason_to_stop_wherever_they_stand(read_rows, pages_of, text, block):
    assert pages_of(read_rows(text, block=block)[0]) == pages_of(read_rows(SMALL)[0])


@pytest.mark.parametrize(
    ("rows", "bad", "documents"),
    [('1,a"b,1,10,1\n1,a"b,2,11,0\n', [2, 3], []), ('1,5,1,10,1\n1,6" tv,1,11,0\n2,6,1,12,0\n', [3], [10, 12])],
    ids=["two", "one"],
)
def test_a_quote_within_a_field_makes_its_row_bad(read_rows, rows, bad, documents):
    parts, report = read_rows(HEADER + rows)
    assert report.bad_lines == bad
    assert one_batch(parts).document.tolist() == documents


@pytest.mark.parametrize("text", ["", "\n", "\ufeff", "\n\n\n"])
def test_an_empty_file_is_refused(read_rows, text):
    with pytest.raises(FileError, match="log.csv: "):
        read_rows(text)


@pytest.mark.parametrize("content", [HEADER, HEADER.strip(), HEADER.replace("\n", "\r\n"), frame()[:0]])
def test_a_table_without_rows_has_no_page(read_rows, content):
    parts, report = read_rows(content)
    assert sum(map(len, parts)) == 0
    assert (report.lines, report.bad) == (0, 0)


def test_a_table_of_bad_rows_has_no_page(read_rows):
    parts, report = read_rows(HEADER + "1,5,0,10,1\n,5,1,10,1\n")
    assert sum(map(len, parts)) == 0
    assert report.bad_lines == [2, 3]


def test_batches_of_bad_rows_between_good_ones_cut_no_session(read_rows, pages_of):
    text = SMALL.replace("\n1,5,2", "\n" + "1,,1,1,1\n" * 9 + "1,5,2")
    for block in (8, 11, 30, 1 << 20):
        parts, report = read_rows(text, block=block)
        assert pages_of(parts) == pages_of(read_rows(SMALL)[0])
        assert report.bad_lines == list(range(3, 12))


@pytest.mark.parametrize("name", ["none.csv", "none.parquet"])
def test_a_file_that_is_not_there_is_told(tmp_path, name):
    with pytest.raises(FileError, match=f"{name}: .*no such file"):
        list(read_click_table(tmp_path / name))


@pytest.mark.parametrize("content", [b"", b"hello", b"PAR1" * 20])
def test_what_is_no_parquet_is_refused_in_one_line(tmp_path, content):
    (tmp_path / "log.parquet").write_bytes(content)
    with pytest.raises(FileError, match="is not a Parquet file, or it is damaged") as told:
        list(read_click_table(tmp_path / "log.parquet"))
    assert "\n" not in str(told.value)


def test_a_parquet_file_is_found_by_its_name_and_not_by_a_pattern(tmp_path, pages_of):
    frame().write_parquet(tmp_path / "a.parquet")
    frame().write_parquet(tmp_path / "log[1].parquet")
    with pytest.raises(FileError, match="no such file"):
        list(read_click_table(tmp_path / "*.parquet"))
    assert len(pages_of(read_click_table(tmp_path / "log[1].parquet"))) == 2


def test_a_session_as_long_as_the_log_is_looked_at_a_few_times_not_with_each_part(read_rows, pages_of, monkeypatch):
    looked_at = []
    whole = table_reading._check_order
    monkeypatch.setattr(
        table_reading, "_check_order", lambda rows, path: (looked_at.append(len(rows)), whole(rows, path))
    )
    rows = "".join(f"1,{k},1,10,1,{k}\n" for k in range(500))
    batches, _ = read_rows(HEADER.replace("\n", ",time\n") + rows, block=60)
    assert [len(batch) for batch in batches] == [500]
    assert sum(looked_at) < 4 * 500


def test_a_parquet_log_is_looked_through_once_however_many_parts_it_is_read_in(read_rows, pages_of, monkeypatch):
    looked_at, check = [], parquet_damage.check_parquet

    def counted(path, content):
        looked_at.append(path)
        check(path, content)

    monkeypatch.setattr(parquet_damage, "check_parquet", counted)
    whole, _ = read_rows(frame())
    parts, _ = read_rows(frame(), rows=1)
    assert pages_of(parts) == pages_of(whole)
    assert len(looked_at) == 2
