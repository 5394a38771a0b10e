"""The logs of two challenges, against a plain reader: line by line, session by session."""

from __future__ import annotations

import gzip
import itertools
import math
import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from riskrank.clicks.impressions import one_batch
from riskrank.clicks.logs import yandex_reading
from riskrank.clicks.logs.log_files import LAYOUTS, detect_layout
from riskrank.clicks.logs.log_report import LogReport
from riskrank.clicks.logs.yandex_reading import read_yandex
from riskrank.errors import FileError

from .yandex_texts import LOG_2011, LOG_2013, lines

INF = math.inf
WHOLE = 1 << 20  # a block that holds any log made here

NUMBER = rb"[0-9]{1,18}"
SHAPES = {
    "2011": {
        "Q": rb"(N)\t(N)\tQ\t(N)\t(N)((?:\tN)+)",
        "C": rb"(N)\t(N)\tC\t(N)",
    },
    "2013": {
        "M": rb"(N)\tM\t(N)\t(N)",
        "Q": rb"(N)\t(N)\t([QT])\t(N)\t(N)\t((?:N(?:,N)*)?)((?:\tN,N)+)",
        "C": rb"(N)\t(N)\tC\t(N)\t(N)",
    },
}


def event_of(line, layout):
    """A line as (session, kind, values), or None if it has none of the shapes."""
    for kind, shape in SHAPES[layout].items():
        match = re.fullmatch(shape.replace(b"N", NUMBER), line)
        if match:
            return int(match[1]), kind, match.groups()[1:]
    return None


def lines_of(text):
    lines = text.split(b"\n")
    lines = lines if lines[-1] else lines[:-1]
    return [line.removesuffix(b"\r") for line in lines]


def reference(text, layout):
    """The pages of a log, the numbers of its bad lines, and how many clicks are lost."""
    lines = lines_of(text)
    events = [event_of(line, layout) for line in lines]
    bad = [i + 1 for i, (line, event) in enumerate(zip(lines, events, strict=True)) if line and event is None]
    pages, lost = [], 0
    for session, own in itertools.groupby(filter(None, events), key=lambda event: event[0]):
        shown, not_shown = session_of(session, list(own), layout)
        pages += shown
        lost += not_shown
    return pages, bad, lost


def session_of(session, events, layout):
    user = day = -1
    pages, serps, lost = [], [], 0
    timed = [event for event in events if event[1] != "M"]
    ends = iter([int(values[0]) for _, _, values in timed[1:]] + [INF])
    for _, kind, values in events:
        if kind == "M":
            day, user = int(values[0]), int(values[1])
            continue
        time, until = int(values[0]), next(ends)
        if kind == "C":
            document, serp = int(values[-1]), values[1]
            right = [
                page
                for page, own in zip(pages, serps, strict=True)
                if document in page["document"] and (layout == "2011" or int(serp) == own)
            ]
            if not right:
                lost += 1
                continue
            place = right[-1]["document"].index(document)
            stays = [right[-1]["dwell"][place] or 0, until - time]
            right[-1]["dwell"][place] = max(0, *stays)
            continue
        shown = [pair.split(b",") for pair in values[-1].split(b"\t")[1:]]
        terms = [] if layout == "2011" or not values[4] else values[4].split(b",")
        serps.append(-1 if layout == "2011" else int(values[2]))
        pages.append(
            {
                "session": session,
                "user": user,
                "day": day,
                "time": time,
                "query": int(values[1] if layout == "2011" else values[3]),
                "is_withheld": values[1] == b"T",
                "document": [int(pair[0]) for pair in shown],
                "domain": [int(pair[1]) if len(pair) > 1 else -1 for pair in shown],
                "dwell": [None] * len(shown),
                "score": [None] * len(shown),
                "terms": [int(term) for term in terms],
            }
        )
    return pages, lost


numbers = st.sampled_from([*[0, 1, 2, 3, 4] * 4, 10**12, 10**18 - 1])
times = st.integers(0, 60)


def joined_by(separator):
    return lambda values: separator.join(map(str, values))


def events_of(layout):
    """Lines without their session; few pages, documents and times, so that they meet."""
    if layout == "2011":
        pages = st.tuples(times, st.just("Q"), numbers, numbers, st.lists(numbers, min_size=1, max_size=4))
        clicks = st.tuples(times, st.just("C"), numbers)
        return st.one_of(
            pages.map(lambda v: joined_by("\t")([*v[:-1], *v[-1]])),
            clicks.map(joined_by("\t")),
            clicks.map(joined_by("\t")),
        )
    documents = st.tuples(numbers, numbers).map(joined_by(","))
    pages = st.tuples(
        times, st.sampled_from("QQQT"), st.integers(0, 2), numbers, st.lists(numbers, max_size=3).map(joined_by(",")),
        st.lists(documents, min_size=1, max_size=4),
    )  # fmt: skip
    clicks = st.tuples(times, st.just("C"), st.integers(0, 2), numbers).map(joined_by("\t"))
    users = st.tuples(st.just("M"), numbers, numbers).map(joined_by("\t"))
    return st.one_of(pages.map(lambda v: joined_by("\t")([*v[:-1], *v[-1]])), clicks, clicks, users)


def sessions_of(layout):
    """Lines of a session, often with a line of its user first and pages before clicks, but not always."""
    return st.tuples(numbers, st.lists(events_of(layout), max_size=8)).map(
        lambda made: [f"{made[0]}\t{event}" for event in made[1]]
    )


GARBAGE = [
    " ", "foo", "\t", "\t\t\t\t\t\t", "1", "1\t", "1\t5", "1\t5\tX\t3", "1\t5\tq\t0\t5\t1\t4,5", "1.5\tM\t0\t0",
    "-1\tM\t0\t0", "1\tM\t0", "1\tM\t0\t0\t0", "1\tM\tx\t0", " 1\tM\t0\t0", "1\tM\t0\t0 ", "1\t5\tC", "1\t5\tC\t",
    "1\t5\tC\t0\tx", "1\t5\tC\t0\t1\t", "1\t-5\tC\t0\t1", "1\t5\tQ\t0\t5", "1\t5\tQ\t0\t5\t", "1\t5\tQ\t0\t5\t1",
    "1\t5\tQ\t0\t5\t1\t",
    "1\t5\tQ\t0\t5\t1\t4,", "1\t5\tQ\t0\t5\t1\t4,5,6", "1\t5\tQ\t0\t5\t1,,2\t4,5", "1\t5\tQ\t0\t5\t,1\t4,5",
    "1\t5\tQ\t0\t5\tone\t4,5", "1\t5\tT\t0\t5\t\t4,5\t\t6,7", "1 5 Q 0 5 1 4,5", "1\t5\tQQ\t0\t5\t1\t4,5",
    f"{10**18}\t0\tC\t0\t1", f"1\t0\tC\t0\t{10**18}", f"1\t{10**30}\tC\t0\t1", f"1\t0\tQ\t0\t5\t{2**64 + 7}\t1,1",
    "1\t5\tC\t0\t١", "été\tM\t0\t0", "1\t5\tC\t0\t1\r\r", "1\t0\tC\t0\x00\t1",
]  # fmt: skip


garbage = st.one_of(st.sampled_from(GARBAGE), st.text(max_size=8).filter(lambda text: not {"\n", "\ufeff"} & {*text}))
endings = st.sampled_from([("\n", "\n"), ("\r\n", "\r\n"), ("\n", "\r\n")])


@st.composite
def logs(draw, layout, *, noise=True):
    """A log as bytes; without noise, no line between those of a session is blank or without its number."""
    lines = list(itertools.chain.from_iterable(draw(st.lists(sessions_of(layout), max_size=6))))
    if noise:
        for line in draw(st.lists(st.one_of(st.just(""), garbage), max_size=5)):
            lines.insert(draw(st.integers(0, len(lines))), line)
    ends = draw(endings)
    text = "".join(line + ends[i % 2] for i, line in enumerate(lines))
    if text and draw(st.booleans()):
        text = text.removesuffix("\n").removesuffix("\r")
    return text.encode()


@pytest.fixture(scope="module")
def read(tmp_path_factory):
    """The batches of a text and what is reported of it; without a layout, in its own."""
    path = tmp_path_factory.mktemp("logs") / "log.txt"

    def reading(text, layout=None, **options):
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        report = LogReport()
        chosen = detect_layout(path) if layout is None else LAYOUTS[layout]
        return list(read_yandex(path, has_users=chosen.has_users, report=report, **options)), report

    reading.path = path
    return reading


def test_a_log_of_2011_worked_by_hand(read, pages_of):
    parts, report = read(LOG_2011)
    pages = pages_of(parts)
    assert [(page["session"], page["time"], page["query"]) for page in pages] == [(7, 0, 50), (7, 90, 51), (8, 0, 50)]
    assert [page["document"] for page in pages] == [[101, 102, 103], [102, 104], [101]]
    assert [page["dwell"] for page in pages] == [[65, 15, INF], [4, None], [None]]
    for page in pages:
        assert (page["user"], page["day"], page["is_withheld"], page["terms"]) == (-1, -1, False, [])
        assert set(page["domain"]) == {-1}
        assert set(page["score"]) == {None}
    assert (report.lines, report.pages, report.clicks, report.lost_clicks, report.bad) == (8, 3, 4, 1, 0)


def test_a_log_of_2013_worked_by_hand(read, pages_of):
    pages = pages_of(read(LOG_2013)[0])
    assert [page["dwell"] for page in pages] == [
        [520 - 510, max(45 - 5, 50 - 45), 500 - 50],  # 101 by the number of its page, though another is on top
        [530 - 520, None],  # the last click is lost: 101 is not on that page
        [None, None],
    ]
    assert [(page["user"], page["day"], page["is_withheld"]) for page in pages] == [
        (77, 12, False), (77, 12, False), (78, 13, True),
    ]  # fmt: skip
    assert [page["terms"] for page in pages] == [[8, 9], [], [8]]
    assert [page["domain"] for page in pages] == [[1, 1, 2], [1, 3], [1, 1]]
    assert read(LOG_2013)[1].lost_clicks == 1


@pytest.mark.parametrize("layout", ["2011", "2013"])
@given(data=st.data())
@settings(max_examples=100)
def test_any_log_is_read_as_line_by_line(read, pages_of, layout, data):
    text = data.draw(logs(layout))
    pages, bad, lost = reference(text, layout)
    parts, report = read(text, layout=layout, block=WHOLE)
    assert pages_of(parts) == pages
    assert report.bad_lines == bad
    assert (report.lines, report.pages, report.lost_clicks, report.bad) == (
        len(lines_of(text)), len(pages), lost, len(bad),
    )  # fmt: skip
    assert report.clicks == sum(each is not None for page in pages for each in page["dwell"])


@pytest.mark.parametrize("layout", ["2011", "2013"])
@given(data=st.data(), block=st.integers(1, 200))
@settings(max_examples=30)
def test_the_size_of_blocks_changes_nothing(read, pages_of, layout, data, block):
    text = data.draw(logs(layout, noise=False))
    whole, told = read(text, layout=layout, block=WHOLE)
    parts, report = read(text, layout=layout, block=block)
    assert pages_of(parts) == pages_of(whole)
    assert report == told


@pytest.mark.parametrize("layout", ["2011", "2013"])
@given(data=st.data(), block=st.integers(1, 200))
@settings(max_examples=30)
def test_bad_lines_have_their_numbers_in_the_file_whatever_the_size_of_blocks(read, layout, data, block):
    text = data.draw(logs(layout))
    _, bad, _ = reference(text, layout)
    _, report = read(text, layout=layout, block=block)
    assert (report.lines, report.bad, report.bad_lines) == (len(lines_of(text)), len(bad), bad)


@pytest.mark.parametrize("layout", ["2011", "2013"])
@given(data=st.data(), block=st.integers(1, 200))
@settings(max_examples=30)
def test_strict_reading_stops_at_the_first_bad_line_and_else_reads_the_same(read, pages_of, layout, data, block):
    text = data.draw(logs(layout))
    pages, bad, _ = reference(text, layout)
    if not bad:
        assert pages_of(read(text, layout=layout, strict=True, block=WHOLE)[0]) == pages
        return
    with pytest.raises(FileError) as told:
        read(text, layout=layout, strict=True, block=block)
    assert told.value.line == bad[0]
    assert str(told.value).startswith(f"{read.path}:{bad[0]}: line is not understood: ")
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("line", GARBAGE)
def test_garbage_is_no_event_and_no_reason_to_stop(read, pages_of, line):
    text = LOG_2013.replace("4\t50\tC", f"{line}\n4\t50\tC").encode()
    parts, report = read(text)
    assert pages_of(parts) == pages_of(read(LOG_2013)[0])
    assert report.bad_lines == [5]
    with pytest.raises(FileError, match=r"log\.txt:5: line is not understood"):
        read(text, strict=True)


@pytest.mark.parametrize(("between", "bad"), [("", []), ("foo", [6])], ids=["blank", "garbage"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_no_session_is_cut_at_a_line_that_is_not_its_own(read, pages_of, between, bad, end):
    text = LOG_2013.replace("4\t500\tQ", f"{between}\n4\t500\tQ").replace("\n", end)
    whole = pages_of(read(text, block=WHOLE)[0])
    for block in range(1, len(text) + 1):
        parts, report = read(text, layout="2013", block=block)
        assert pages_of(parts) == whole
        assert report.bad_lines == bad


@pytest.mark.parametrize("between", ["", "foo"], ids=["blank", "garbage"])
def test_the_last_session_of_a_file_is_whole(read, pages_of, between):
    parts, report = read(lines("1 0 Q 5 1 10 11", between, "1 25 C 10"))
    assert pages_of(parts)[0]["dwell"] == [INF, None]
    assert report.lost_clicks == 0


def test_a_session_is_its_number_however_it_is_written_and_whatever_the_size_of_blocks(read, pages_of):
    text = LOG_2011.replace("7\t25", "07\t25")
    assert pages_of(read(text, block=WHOLE)[0]) == pages_of(read(LOG_2011)[0])
    for block in range(1, len(text) + 1):
        assert pages_of(read(text, layout="2011", block=block)[0]) == pages_of(read(LOG_2011)[0])


@given(st.integers(1, 400))
@example(1)
@settings(max_examples=30)
def test_each_batch_holds_whole_sessions_and_no_more_than_it_must(read, block):
    text = "".join(lines(f"{s} M 1 2", f"{s} 0 Q 0 5 1 10,1 11,1", f"{s} 9 C 0 11") for s in range(30))
    parts, _ = read(text, block=block)
    assert [session for part in parts for session in sorted(set(part.session.tolist()))] == list(range(30))
    longest = max(map(len, parts))
    assert longest <= block // 20 + 2


def test_a_session_longer_than_many_blocks_is_whole(read):
    turns = [(f"3 {10 * i} Q {i} 5 1 10,1 11,1", f"3 {10 * i + 4} C {i} 11") for i in range(200)]
    parts, report = read(lines("3 M 1 2", *itertools.chain.from_iterable(turns), "4 M 1 2"), block=64)
    assert [len(part) for part in parts if len(part)] == [200]
    assert one_batch(parts).dwell.tolist()[1::2] == [6.0] * 199 + [INF]
    assert report.bad == 0


@pytest.mark.parametrize(("text", "has_users"), [(LOG_2011, False), (LOG_2013, True)])
def test_compressed_logs_are_the_same_logs_whatever_their_name(tmp_path, read, pages_of, text, has_users):
    plain, told = read(text)
    for name in ("log.gz", "log.txt"):
        (tmp_path / name).write_bytes(gzip.compress(text.encode()))
        report = LogReport()
        assert pages_of(read_yandex(tmp_path / name, has_users=has_users, report=report, block=50)) == pages_of(plain)
        assert report == told


def test_a_compressed_log_that_breaks_off_is_told(tmp_path):
    whole = gzip.compress((LOG_2013 * 50).encode())
    (tmp_path / "log.gz").write_bytes(whole[:-20])
    with pytest.raises(FileError, match="log.gz: cannot be decompressed"):
        list(read_yandex(tmp_path / "log.gz", has_users=True))


def test_sessions_without_a_user_have_none_even_after_others(read, pages_of):
    text = lines("1 M 3 7", "1 0 Q 0 5 1 10,1", "2 0 Q 0 5 1 10,1", "3 M 4 8", "3 0 Q 0 5 1 10,1")
    pages = pages_of(read(text)[0])
    assert [(page["user"], page["day"]) for page in pages] == [(7, 3), (-1, -1), (8, 4)]


def test_clicks_before_any_page_are_lost(read, pages_of):
    parts, report = read(lines("1 M 3 7", "1 0 C 0 10", "1 2 Q 0 5 1 10,1"))
    assert pages_of(parts)[0]["dwell"] == [None]
    assert report.lost_clicks == 1


def test_clicks_find_no_page_of_another_session(read):
    parts, report = read(lines("1 0 Q 0 5 1 10,1", "2 1 C 0 10", "2 2 Q 0 5 1 11,1"))
    assert report.lost_clicks == 1
    assert report.clicks == 0
    assert len(one_batch(parts)) == 2


@pytest.mark.parametrize(
    ("clicks", "dwell"),
    [
        (["1 5 C 10", "1 25 C 11", "1 30 C 10", "1 37 C 11"], [20, INF]),  # 10: 25 − 5 and 37 − 30
        (["1 5 C 10", "1 8 C 10", "1 20 C 11"], [12, INF]),  # 10: 8 − 5 and 20 − 8
        (["1 5 C 10", "1 8 C 10"], [INF, None]),
        (["1 5 C 10", "1 5 C 11"], [0, INF]),  # at once
        (["1 9 C 10", "1 5 C 11"], [0, INF]),  # time that runs backwards lasts nothing
        (["1 5 C 10", "1 25 C 99"], [20, None]),  # a lost click is an event too
    ],
)
def test_the_longest_of_repeated_clicks_counts(read, pages_of, clicks, dwell):
    parts, _ = read(lines("1 0 Q 5 1 10 11", *clicks))
    assert pages_of(parts)[0]["dwell"] == dwell


def test_a_document_on_two_pages_is_clicked_on_the_later_one_unless_the_page_is_named(read, pages_of):
    old = lines("1 0 Q 5 1 10 11", "1 9 Q 6 1 11 10", "1 12 C 10")
    assert [page["dwell"] for page in pages_of(read(old)[0])] == [[None, None], [None, INF]]
    new = lines("1 0 Q 0 5 1 10,1 11,1", "1 9 Q 1 6 1 11,1 10,1", "1 12 C 0 10")
    assert [page["dwell"] for page in pages_of(read(new)[0])] == [[INF, None], [None, None]]


def test_a_document_that_stands_twice_on_a_page_is_clicked_where_it_stands_first(read, pages_of):
    parts, _ = read(lines("1 0 Q 5 1 10 11 10", "1 12 C 10"))
    assert pages_of(parts)[0]["dwell"] == [INF, None, None]


def test_numbers_have_at_most_eighteen_digits(read, pages_of):
    big = 10**18 - 1
    parts, report = read(lines(f"{big} {big} Q {big} {big} {big}", f"1 0 Q 1 1 {big}9"), layout="2011")
    assert [(page["session"], page["time"], page["document"]) for page in pages_of(parts)] == [(big, big, [big])]
    assert report.bad_lines == [2]


def test_the_layout_is_told_whatever_the_size_of_blocks(read, pages_of):
    text = lines("1 0 C 101") + LOG_2011
    whole = pages_of(read(text, block=WHOLE)[0])
    assert pages_of(read(text, block=16)[0]) == whole


def test_a_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(FileError, match="none.txt: no such file"):
        list(read_yandex(tmp_path / "none.txt", has_users=True))
    with pytest.raises(FileError, match="is a directory"):
        list(read_yandex(tmp_path, has_users=True))


def test_a_byte_order_mark_is_not_part_of_the_first_line(read, pages_of):
    assert pages_of(read("\ufeff" + LOG_2013)[0]) == pages_of(read(LOG_2013)[0])


@pytest.mark.parametrize("strict", [False, True])
def test_line_numbers_are_those_of_the_file_at_hand(tmp_path, strict):
    report = LogReport()
    (tmp_path / "one.txt").write_text(LOG_2013)
    (tmp_path / "two.txt").write_text("bad\n" + LOG_2013)
    list(read_yandex(tmp_path / "one.txt", has_users=True, strict=strict, report=report))
    if strict:
        with pytest.raises(FileError, match="two.txt:1: "):
            list(read_yandex(tmp_path / "two.txt", has_users=True, strict=True, report=report))
    else:
        list(read_yandex(tmp_path / "two.txt", has_users=True, report=report))
        assert report.bad_lines == [1]


def test_more_than_a_thousand_bad_lines_are_counted_and_the_first_thousand_named(read):
    text = LOG_2011 + "bad\n" * 1500
    for block in (WHOLE, 300):
        _, report = read(text, block=block)
        assert report.bad == 1500
        assert report.bad_lines == list(range(9, 1009))
        assert report.lines == 1508


def test_a_log_read_in_the_wrong_layout_is_done_with_block_by_block(tmp_path, monkeypatch):
    """Nothing of it is kept for a session that never ends."""
    path = tmp_path / "log.txt"
    path.write_text("1\tM\t0\t3\n1\t0\tQ\t0\t5\t1\t10,1\n" * 200)
    sizes = []
    usual = yandex_reading._Log.read
    monkeypatch.setattr(
        yandex_reading._Log, "read", lambda log, text, **options: sizes.append(len(text)) or usual(log, text, **options)
    )
    report = LogReport()
    assert list(read_yandex(path, has_users=False, report=report, block=100)) == []
    assert max(sizes) < 200
    assert report.bad == report.lines == 400


def test_a_session_as_long_as_the_log_is_parsed_a_few_times_not_with_each_block(tmp_path, monkeypatch):
    path, parsed, parse = tmp_path / "log.txt", [], yandex_reading._Log.read
    path.write_text("".join(f"1\t{k}\tQ\t{k}\t0\t5\n" for k in range(2000)))

    def counted(log, text, *, is_last):
        parsed.append(len(text))
        return parse(log, text, is_last=is_last)

    monkeypatch.setattr(yandex_reading._Log, "read", counted)
    batches = list(yandex_reading.read_yandex(path, has_users=False, block=100))
    assert [len(batch) for batch in batches] == [2000]
    assert sum(parsed) < 4 * path.stat().st_size
