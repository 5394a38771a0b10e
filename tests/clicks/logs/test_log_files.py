"""Logs written and read back, in every layout; reading any of them, one file or several."""

from __future__ import annotations

import gzip
import os

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskrank.clicks.impressions import Impressions, one_batch
from riskrank.clicks.logs.log_files import LAYOUTS, detect_layout, read_log, write_log
from riskrank.clicks.logs.log_report import LogReport
from riskrank.errors import FileError, ParameterError

from .outside_layout import PageLines
from .yandex_texts import LOG_2011, LOG_2013

KINDS = [("2011", "log.txt"), ("2013", "log.txt"), ("2013", "log.gz"), ("table", "log.parquet"), ("table", "log.csv")]
kinds = pytest.mark.parametrize(("layout", "name"), KINDS)
BIG = 10**18 - 1  # the greatest number of a Yandex log


def holds(layout, page):
    """What a layout can hold of a page."""
    if layout == "table":
        return page
    without = {"score": [None] * len(page["document"])}
    if layout == "2011":
        without |= {"user": -1, "day": -1, "terms": [], "domain": [-1] * len(page["document"])}
    return {**page, **without}


@kinds
def test_a_log_read_back_is_what_its_layout_can_hold(tmp_path, pages_of, batches, layout, name):
    assert write_log(iter(batches), tmp_path / name, layout=layout) == sum(map(len, batches))
    report = LogReport()
    pages = pages_of(read_log(tmp_path / name, strict=True, report=report))
    assert pages == [holds(layout, page) for page in pages_of(batches)]
    assert report.pages == len(pages)
    assert report.lost_clicks == report.bad == 0
    assert os.listdir(tmp_path) == [name]


@kinds
def test_batches_leave_no_trace_in_the_file(tmp_path, pages_of, batches, layout, name):
    write_log(batches, tmp_path / name, layout=layout)
    write_log([one_batch(batches)], tmp_path / f"whole-{name}", layout=layout)
    assert pages_of(read_log(tmp_path / name)) == pages_of(read_log(tmp_path / f"whole-{name}"))


@kinds
def test_a_log_read_back_and_written_again_is_the_same_file(tmp_path, pages_of, batches, layout, name):
    write_log(batches, tmp_path / name, layout=layout)
    write_log(read_log(tmp_path / name), tmp_path / f"again-{name}", layout=layout)
    assert pages_of(read_log(tmp_path / f"again-{name}")) == pages_of(read_log(tmp_path / name))


numbers = st.one_of(st.integers(0, 5), st.integers(0, BIG))


@st.composite
def logs(draw, *, any_dwell):
    """A log of a few sessions that begin at 0; dwell times are any, or such as fit between the pages."""
    parts = {
        name: [] for name in ("session", "user", "day", "time", "query", "document", "domain", "dwell", "score", "term")
    }
    document_offset, term_offset = [0], [0]
    for session in draw(st.lists(numbers, unique=True, max_size=4)):
        user, day = draw(st.integers(-1, 3)), draw(st.integers(-1, 27))
        time, n_pages = 0, draw(st.integers(1, 3))
        for page in range(n_pages):
            shown = draw(
                st.lists(st.tuples(numbers, st.integers(0, 60)), min_size=1, max_size=4, unique_by=lambda pair: pair[0])
            )
            clicked = draw(st.lists(st.booleans(), min_size=len(shown), max_size=len(shown)))
            dwell = [
                float(stay) if is_clicked else np.nan for (_, stay), is_clicked in zip(shown, clicked, strict=True)
            ]
            if any_dwell:
                dwell = [
                    draw(st.sampled_from([each, each / 8, np.inf])) if not np.isnan(each) else each for each in dwell
                ]
            elif any(clicked) and page == n_pages - 1:
                dwell[max(np.flatnonzero(clicked))] = np.inf
            terms = draw(st.lists(numbers, max_size=3))
            for name, value in {
                "session": session,
                "user": user,
                "day": day,
                "time": time,
                "query": draw(numbers),
            }.items():
                parts[name].append(value)
            parts["document"] += [document for document, _ in shown]
            parts["domain"] += draw(
                st.lists(st.integers(-1 if any_dwell else 0, 3), min_size=len(shown), max_size=len(shown))
            )
            parts["dwell"] += dwell
            parts["score"] += [draw(st.sampled_from([np.nan, 0.1, -2.5, 1e-9])) if any_dwell else np.nan for _ in shown]
            parts["term"] += terms
            document_offset.append(len(parts["document"]))
            term_offset.append(len(parts["term"]))
            time += 1 + int(np.nansum([each for each in dwell if each < np.inf])) if any(clicked) else 7
    real = {"dwell", "score"}
    return Impressions(
        **{name: np.array(values, float if name in real else np.int64) for name, values in parts.items()},
        document_offset=np.array(document_offset),
        term_offset=np.array(term_offset),
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("round")


@pytest.mark.parametrize("name", ["log.csv", "log.parquet"])
@given(log=logs(any_dwell=True))
@settings(max_examples=25)
def test_any_log_goes_through_a_table(folder, pages_of, name, log):
    if not len(log):
        return
    write_log([log], folder / name, layout="table")
    assert pages_of(read_log(folder / name, strict=True)) == pages_of([log])


@pytest.mark.parametrize("layout", ["2011", "2013"])
@given(log=logs(any_dwell=False))
@settings(max_examples=25)
def test_logs_whose_clicks_fit_between_pages_go_through_the_layouts_of_yandex(folder, pages_of, layout, log):
    if not len(log):
        return
    known = {"user": np.maximum(log.user, 0), "day": np.maximum(log.day, 0)}
    log = Impressions(**{**vars(log), **known})
    write_log([log], folder / "log.txt", layout=layout)
    pages = pages_of(read_log(folder / "log.txt", layout=layout, strict=True))
    assert pages == [holds(layout, page) for page in pages_of([log])]


@pytest.mark.parametrize(
    ("layout", "name"),
    [
        KINDS[0],
        pytest.param(*KINDS[1]),
        KINDS[3],
        pytest.param(*KINDS[4]),
    ],
)
def test_batches_without_pages_add_nothing(tmp_path, pages_of, batches, layout, name):
    nothing = Impressions.none()
    write_log([nothing, *batches, nothing], tmp_path / name, layout=layout)
    pages = pages_of(read_log(tmp_path / name, strict=True))
    assert pages == [holds(layout, page) for page in pages_of(batches)]


@kinds
def test_a_log_without_pages_is_refused(tmp_path, layout, name):
    with pytest.raises(ParameterError, match="a log needs at least one result page"):
        write_log([], tmp_path / name, layout=layout)
    assert os.listdir(tmp_path) == []


class SourceError(Exception):
    pass


def breaking(batches, error):
    yield batches[0]
    raise error


@kinds
@pytest.mark.parametrize("error", [SourceError(), KeyboardInterrupt()], ids=["error", "interruption"])
def test_nothing_is_left_half_written_when_the_source_breaks_off(tmp_path, batches, layout, name, error):
    with pytest.raises(type(error)):
        write_log(breaking(batches, error), tmp_path / name, layout=layout)
    assert os.listdir(tmp_path) == []


@kinds
def test_what_was_there_stays_until_the_new_log_is_whole(tmp_path, pages_of, batches, layout, name):
    (tmp_path / name).write_bytes(b"old")
    with pytest.raises(SourceError):
        write_log(breaking(batches, SourceError()), tmp_path / name, layout=layout)
    assert (tmp_path / name).read_bytes() == b"old"
    write_log(batches, tmp_path / name, layout=layout)
    assert len(pages_of(read_log(tmp_path / name))) == sum(map(len, batches))
    assert os.listdir(tmp_path) == [name]


@kinds
def test_a_log_can_be_written_over_the_file_that_it_is_read_from(tmp_path, pages_of, batches, layout, name):
    write_log(batches, tmp_path / name, layout=layout)
    before = pages_of(read_log(tmp_path / name))
    write_log(read_log(tmp_path / name), tmp_path / name, layout=layout)
    assert pages_of(read_log(tmp_path / name)) == before


def test_names_that_end_in_gz_are_compressed(tmp_path, batches):
    write_log(batches, tmp_path / "log.gz")
    write_log(batches, tmp_path / "log.txt")
    assert gzip.decompress((tmp_path / "log.gz").read_bytes()) == (tmp_path / "log.txt").read_bytes()


@kinds
def test_a_folder_that_is_not_there_is_told(tmp_path, batches, layout, name):
    with pytest.raises(FileError, match="cannot be written .there is no such folder"):
        write_log(batches, tmp_path / "none" / name, layout=layout)


@kinds
def test_a_place_that_is_a_folder_is_told_and_left_alone(tmp_path, batches, layout, name):
    (tmp_path / name).mkdir()
    with pytest.raises(FileError, match="cannot be written"):
        write_log(batches, tmp_path / name, layout=layout)
    assert os.listdir(tmp_path) == [name]
    assert os.listdir(tmp_path / name) == []


@pytest.mark.parametrize("layout", ["2014", "", "tables"])
def test_a_layout_that_is_not_known_is_refused_with_those_that_are(tmp_path, batches, layout):
    with pytest.raises(ParameterError, match="layout must be one of 2011, 2013, table"):
        write_log(batches, tmp_path / "log.txt", layout=layout)
    with pytest.raises(ParameterError, match="layout must be one of 2011, 2013, table"):
        list(read_log(tmp_path / "log.txt", layout=layout))


def test_a_name_that_is_too_long_is_our_error(tmp_path, batches):
    with pytest.raises(FileError, match="cannot be written"):
        write_log(batches, tmp_path / ("x" * 300))


@kinds
def test_others_may_read_a_log_as_any_file(tmp_path, batches, layout, name):
    (tmp_path / "usual").touch()
    write_log(batches, tmp_path / name, layout=layout)
    assert (tmp_path / name).stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_a_log_written_without_a_layout_is_read_without_one(tmp_path, pages_of, batches):
    for name in ("log.parquet", "log.csv", "log.txt", "log.gz"):
        write_log(batches, tmp_path / name)
        assert len(pages_of(read_log(tmp_path / name))) == sum(map(len, batches))


def test_several_files_are_read_one_after_the_other(tmp_path, pages_of, batches):
    paths = []
    for part, (layout, name) in zip(batches, [KINDS[2], KINDS[4], KINDS[3]], strict=True):
        write_log([part], tmp_path / name, layout=layout)
        paths.append(tmp_path / name)
    report = LogReport()
    pages = pages_of(read_log(paths, report=report))
    assert [page["document"] for page in pages] == [page["document"] for page in pages_of(batches)]
    assert report.pages == len(pages)
    assert pages_of(read_log([str(path) for path in paths])) == pages
    assert pages_of(read_log([])) == []


def test_a_table_of_any_name_is_read_with_its_layout(tmp_path, pages_of, batches):
    write_log(batches, tmp_path / "log.csv", layout="table")
    os.rename(tmp_path / "log.csv", tmp_path / "log.dat")
    assert pages_of(read_log(tmp_path / "log.dat", layout="table")) == pages_of(batches)
    with pytest.raises(FileError, match="is not a search log"):
        list(read_log(tmp_path / "log.dat"))


@pytest.mark.parametrize(("layout", "name"), [*KINDS[:3], *KINDS[4:]])
def test_strict_reading_names_the_file_and_its_own_line(tmp_path, batches, layout, name):
    write_log(batches, tmp_path / name, layout=layout)
    opening = gzip.open if name.endswith(".gz") else open
    with opening(tmp_path / name, "ab") as file:
        file.write(b"1,2,3,4,bad\n")
    with opening(tmp_path / name) as file:
        n_lines = len(file.readlines())
    with pytest.raises(FileError, match=f"{name}:{n_lines}: ") as told:
        list(read_log(tmp_path / name, strict=True))
    assert told.value.line == n_lines


# Layouts.


@pytest.mark.parametrize(
    ("name", "text", "layout"),
    [
        ("log.csv", "", "table"),
        ("log.tsv.gz", "", "table"),
        ("log.parquet", "", "table"),
        ("log.txt", LOG_2011, "2011"),
        ("log", LOG_2013, "2013"),
        ("log.csv.txt", LOG_2013, "2013"),
    ],
)
def test_a_layout_is_detected_by_the_name_of_the_file_or_else_by_its_lines(tmp_path, name, text, layout):
    (tmp_path / name).write_text(text)
    assert detect_layout(tmp_path / name) is LAYOUTS[layout]


@pytest.mark.parametrize("text", ["", "\n\n", "\ufeff"])
def test_an_empty_file_is_told(tmp_path, text):
    (tmp_path / "log.txt").write_text(text)
    with pytest.raises(FileError, match=r"log\.txt: is empty"):
        list(read_log(tmp_path / "log.txt"))


@pytest.mark.parametrize("text", ["hello\nworld\n", "\x00\x01\x02", "session,query\n1,2\n"])
def test_what_is_no_log_is_refused_with_its_beginning(tmp_path, text):
    (tmp_path / "log.txt").write_text(text)
    with pytest.raises(FileError, match=r"log\.txt: is not a search log: '") as told:
        list(read_log(tmp_path / "log.txt"))
    assert "\n" not in str(told.value)


class Entry:
    name = "plain"  # another one than the layout's own

    def load(self):
        return PageLines()


@pytest.fixture
def outside_layout(monkeypatch):
    """A layout that another package offers."""
    monkeypatch.setattr(LAYOUTS, "data", dict(LAYOUTS.data))
    monkeypatch.setattr(LAYOUTS, "_aliases", {})
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: [Entry()] if group == LAYOUTS.group else [])


@pytest.mark.usefixtures("outside_layout")
def test_a_layout_of_another_package_is_written_detected_and_read(tmp_path, pages_of, batches):
    written = write_log(batches, tmp_path / "log.pages")
    os.rename(tmp_path / "log.pages", tmp_path / "log.txt")
    assert detect_layout(tmp_path / "log.txt").name == "pages"
    report = LogReport()
    pages = pages_of(read_log(tmp_path / "log.txt", strict=True, report=report))
    held = ("session", "query", "document", "dwell")
    assert [[page[name] for name in held] for page in pages] == [
        [page[name] for name in held] for page in pages_of(batches)
    ]
    assert written == report.pages == report.lines == len(pages)
    with pytest.raises(FileError, match="must not end like a pages in the layout 2013"):
        write_log(batches, tmp_path / "log.pages", layout="2013")
    with pytest.raises(ParameterError, match="layout must be one of 2011, 2013, table, pages"):
        list(read_log(tmp_path / "log.txt", layout="papers"))


@pytest.mark.usefixtures("outside_layout")
@pytest.mark.parametrize("layout", ["pages", "Pages", "plain"])
def test_a_layout_is_known_by_its_name_and_by_that_of_its_entry_point(tmp_path, pages_of, layout):
    (tmp_path / "log.txt").write_text("7 1 5 6:12.5 8:inf\n")
    (page,) = pages_of(read_log(tmp_path / "log.txt", layout=layout))
    assert (page["session"], page["query"], page["document"]) == (7, 1, [5, 6, 8])
    assert page["dwell"] == [None, 12.5, np.inf]


@pytest.mark.usefixtures("outside_layout")
def test_what_another_package_does_not_understand_is_counted_or_refused(tmp_path):
    (tmp_path / "log.pages").write_text("7 1 5\n7 2 five\n\n8 1 6:2\n")
    report = LogReport()
    assert [len(batch) for batch in read_log(tmp_path / "log.pages", report=report)] == [1, 1]
    assert (report.lines, report.pages, report.clicks, report.bad_lines) == (4, 2, 1, [2, 3])
    with pytest.raises(FileError, match=r"log\.pages:2: line is not understood: '7 2 five'"):
        list(read_log(tmp_path / "log.pages", strict=True))


@pytest.mark.usefixtures("outside_layout")
def test_a_log_in_a_layout_that_is_only_read_is_refused_and_nothing_is_left_behind(tmp_path, batches, monkeypatch):
    monkeypatch.delattr(PageLines, "write")
    with pytest.raises(ParameterError, match=r"^logs in the layout pages can be read, but not written\.$"):
        write_log(batches, tmp_path / "log.pages")
    assert os.listdir(tmp_path) == []
