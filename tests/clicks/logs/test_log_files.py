"""Logs written and read back, in three layouts; reading any of them, one file or several."""

from __future__ import annotations

import gzip
import os

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskrank.clicks.impressions import Impressions, joined
from riskrank.clicks.logs.log_files import write_log
from riskrank.clicks.logs.log_report import LogReport
from riskrank.clicks.logs.reading import read_log
from riskrank.clicks.simulator import World
from riskrank.errors import FileError, ParameterError

KINDS = [("2011", "log.txt"), ("2013", "log.txt"), ("2013", "log.gz"), ("table", "log.parquet"), ("table", "log.csv")]
kinds = pytest.mark.parametrize(("layout", "name"), KINDS)
BIG = 10**18 - 1  # the greatest number of a Yandex log


@pytest.fixture(scope="module")
def stretches():
    """A made-up log in several stretches, none of them empty."""
    log = joined(list(World().log(200)))
    cuts = [log.session < 20, (log.session >= 20) & (log.session < 60), log.session >= 60]
    return [log.take(cut) for cut in cuts]


def holds(layout, page):
    """What a layout can hold of a page."""
    if layout == "table":
        return page
    without = {"score": [None] * len(page["document"])}
    if layout == "2011":
        without |= {"user": -1, "day": -1, "terms": [], "domain": [-1] * len(page["document"])}
    return {**page, **without}


@kinds
def test_a_log_read_back_is_what_its_layout_can_hold(tmp_path, pages_of, stretches, layout, name):
    assert write_log(iter(stretches), tmp_path / name, layout=layout) == sum(map(len, stretches))
    report = LogReport()
    found = pages_of(read_log(tmp_path / name, strict=True, report=report))
    assert found == [holds(layout, page) for page in pages_of(stretches)]
    assert report.pages == len(found)
    assert report.lost_clicks == report.bad == 0
    assert os.listdir(tmp_path) == [name]


@kinds
def test_stretches_leave_no_trace_in_the_file(tmp_path, pages_of, stretches, layout, name):
    write_log(stretches, tmp_path / name, layout=layout)
    write_log([joined(stretches)], tmp_path / f"whole-{name}", layout=layout)
    assert pages_of(read_log(tmp_path / name)) == pages_of(read_log(tmp_path / f"whole-{name}"))


@kinds
def test_a_log_read_back_and_written_again_is_the_same_file(tmp_path, pages_of, stretches, layout, name):
    write_log(stretches, tmp_path / name, layout=layout)
    write_log(read_log(tmp_path / name), tmp_path / f"again-{name}", layout=layout)
    assert pages_of(read_log(tmp_path / f"again-{name}")) == pages_of(read_log(tmp_path / name))


def test_the_lines_of_a_log_worked_by_hand(tmp_path):
    page = {
        "document": np.array([101, 102, 103, 104]), "domain": np.array([1, 1, 2, 2]),
        "dwell": np.array([40, np.nan, 9, np.inf]), "score": np.full(4, np.nan),
    }  # fmt: skip
    log = Impressions(
        session=np.array([7, 7]), user=np.array([3, 3]), day=np.array([2, 2]), time=np.array([0, 50]),
        query=np.array([55, 56]), is_test=np.array([False, False]), document_offset=np.array([0, 3, 4]), **page,
        term_offset=np.array([0, 2, 2]), term=np.array([8, 9]),
    )  # fmt: skip
    write_log([log], tmp_path / "new.txt", layout="2013")
    assert (tmp_path / "new.txt").read_text().splitlines() == [
        "7\tM\t2\t3",
        "7\t0\tQ\t0\t55\t8,9\t101,1\t102,1\t103,2",
        "7\t1\tC\t0\t101",  # a unit after the page
        "7\t41\tC\t0\t103",  # 40 later, and 9 before the next page
        "7\t50\tQ\t1\t56\t\t104,2",
        "7\t51\tC\t1\t104",
    ]
    write_log([log], tmp_path / "old.txt", layout="2011")
    assert (tmp_path / "old.txt").read_text().splitlines() == [
        "7\t0\tQ\t55\t1\t101\t102\t103", "7\t1\tC\t101", "7\t41\tC\t103", "7\t50\tQ\t56\t1\t104", "7\t51\tC\t104",
    ]  # fmt: skip


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
        is_test=np.zeros(len(parts["query"]), bool),
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
    found = pages_of(read_log(folder / "log.txt", layout=layout, strict=True))
    assert found == [holds(layout, page) for page in pages_of([log])]


READ = {
    "clicks upwards": "1 M 0 3|1 0 Q 0 5 1 10,1 11,1|1 1 C 0 11|1 11 C 0 10|1 99 Q 1 6 1 12,1",
    "a click some time after the page": "1 M 0 3|1 0 Q 0 5 1 10,1 11,1|1 5 C 0 10|1 25 Q 1 6 1 12,1",
    "the upper click ends the session": "1 M 0 3|1 0 Q 0 5 1 10,1 11,1|1 1 C 0 11|1 11 C 0 10",
    "back to an earlier page": "1 M 0 3|1 0 Q 0 5 1 10,1 11,1|1 7 Q 1 6 1 12,1|1 8 C 1 12|1 20 C 0 11",
}


@pytest.mark.parametrize("events", READ.values(), ids=READ)
def test_a_log_that_was_read_can_be_written_in_its_own_layout(tmp_path, pages_of, events):
    (tmp_path / "log.txt").write_text(events.replace(" ", "\t").replace("|", "\n") + "\n")
    write_log(read_log(tmp_path / "log.txt"), tmp_path / "copy.txt", layout="2013")
    assert pages_of(read_log(tmp_path / "copy.txt")) == pages_of(read_log(tmp_path / "log.txt"))


@pytest.mark.parametrize("events", READ.values(), ids=READ)
@pytest.mark.parametrize("name", ["copy.csv", "copy.parquet"])
def test_a_log_that_was_read_can_be_written_as_a_table(tmp_path, pages_of, events, name):
    (tmp_path / "log.txt").write_text(events.replace(" ", "\t").replace("|", "\n") + "\n")
    write_log(read_log(tmp_path / "log.txt"), tmp_path / name, layout="table")
    assert pages_of(read_log(tmp_path / name)) == pages_of(read_log(tmp_path / "log.txt"))


OLD = "1\t0\tQ\t5\t1\t10\t11\n1\t1\tC\t10\n"


def test_a_log_without_users_and_domains_is_readable_in_the_layout_of_2013_or_refused(tmp_path):
    (tmp_path / "old.txt").write_text(OLD)
    try:
        write_log(read_log(tmp_path / "old.txt"), tmp_path / "new.txt", layout="2013")
    except ParameterError:
        return
    assert sum(map(len, read_log(tmp_path / "new.txt", layout="2013", strict=True))) == 1


def test_test_pages_are_readable_in_the_layout_of_2011_or_refused(tmp_path, stretches):
    log = stretches[0]
    log = Impressions(**{**vars(log), "is_test": np.ones(len(log), bool)})
    try:
        write_log([log], tmp_path / "old.txt", layout="2011")
    except ParameterError:
        return
    assert sum(map(len, read_log(tmp_path / "old.txt", layout="2011", strict=True))) == len(log)


NAMED = (
    "session,user,query,position,document,domain,clicked\nmonday,ann,new york,1,a,b,1\nmonday,ann,new york,2,c,d,0\n"
)


@pytest.mark.parametrize("layout", ["2011", "2013"])
def test_logs_with_texts_for_names_are_readable_in_the_layouts_of_yandex_or_refused(tmp_path, layout):
    (tmp_path / "log.csv").write_text(NAMED.replace("\n", ",0\n").replace(",clicked,0", ",clicked,day"))
    try:
        write_log(read_log(tmp_path / "log.csv"), tmp_path / "log.txt", layout=layout)
    except ParameterError:
        return
    assert sum(map(len, read_log(tmp_path / "log.txt", layout=layout, strict=True))) == 1


@pytest.mark.parametrize("name", ["copy.csv", "copy.parquet"])
def test_logs_with_texts_for_names_go_through_a_table(tmp_path, pages_of, name):
    (tmp_path / "log.csv").write_text(NAMED)
    write_log(read_log(tmp_path / "log.csv"), tmp_path / name, layout="table")
    assert pages_of(read_log(tmp_path / name)) == pages_of(read_log(tmp_path / "log.csv"))


@pytest.mark.parametrize(("layout", "name"), KINDS[:3])
def test_pages_without_documents_are_refused_in_the_layouts_of_yandex(tmp_path, stretches, layout, name):
    log = stretches[0]
    empty = Impressions(**{**vars(log), "document_offset": np.append([0, 0], log.document_offset[2:])})
    with pytest.raises(ParameterError, match="at least one document"):
        write_log([empty], tmp_path / name, layout=layout)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("layout", "name"),
    [
        KINDS[0],
        pytest.param(*KINDS[1]),
        KINDS[3],
        pytest.param(*KINDS[4]),
    ],
)
def test_stretches_without_pages_add_nothing(tmp_path, pages_of, stretches, layout, name):
    nothing = Impressions.none()
    write_log([nothing, *stretches, nothing], tmp_path / name, layout=layout)
    found = pages_of(read_log(tmp_path / name, strict=True))
    assert found == [holds(layout, page) for page in pages_of(stretches)]


@pytest.mark.parametrize(
    ("layout", "name"),
    [
        *KINDS[:4],
        pytest.param(*KINDS[4]),
    ],
)
def test_a_log_without_pages_is_readable_or_refused(tmp_path, layout, name):
    try:
        assert write_log([], tmp_path / name, layout=layout) == 0
    except ParameterError:
        assert os.listdir(tmp_path) == []
        return
    assert sum(map(len, read_log(tmp_path / name))) == 0


class SourceError(Exception):
    pass


def breaking(stretches, error):
    yield stretches[0]
    raise error


@kinds
@pytest.mark.parametrize("error", [SourceError(), KeyboardInterrupt()], ids=["error", "interruption"])
def test_nothing_is_left_half_written_when_the_source_breaks_off(tmp_path, stretches, layout, name, error):
    with pytest.raises(type(error)):
        write_log(breaking(stretches, error), tmp_path / name, layout=layout)
    assert os.listdir(tmp_path) == []


@kinds
def test_what_was_there_stays_until_the_new_log_is_whole(tmp_path, pages_of, stretches, layout, name):
    (tmp_path / name).write_bytes(b"old")
    with pytest.raises(SourceError):
        write_log(breaking(stretches, SourceError()), tmp_path / name, layout=layout)
    assert (tmp_path / name).read_bytes() == b"old"
    write_log(stretches, tmp_path / name, layout=layout)
    assert len(pages_of(read_log(tmp_path / name))) == sum(map(len, stretches))
    assert os.listdir(tmp_path) == [name]


@kinds
def test_a_log_can_be_written_over_the_file_that_it_is_read_from(tmp_path, pages_of, stretches, layout, name):
    write_log(stretches, tmp_path / name, layout=layout)
    before = pages_of(read_log(tmp_path / name))
    write_log(read_log(tmp_path / name), tmp_path / name, layout=layout)
    assert pages_of(read_log(tmp_path / name)) == before


def test_names_that_end_in_gz_are_compressed(tmp_path, stretches):
    write_log(stretches, tmp_path / "log.gz")
    write_log(stretches, tmp_path / "log.txt")
    assert gzip.decompress((tmp_path / "log.gz").read_bytes()) == (tmp_path / "log.txt").read_bytes()


@kinds
def test_a_folder_that_is_not_there_is_told(tmp_path, stretches, layout, name):
    with pytest.raises(FileError, match="cannot be written .there is no such folder"):
        write_log(stretches, tmp_path / "none" / name, layout=layout)


@kinds
def test_a_target_that_is_a_folder_is_told_and_left_alone(tmp_path, stretches, layout, name):
    (tmp_path / name).mkdir()
    with pytest.raises(FileError, match="cannot be written"):
        write_log(stretches, tmp_path / name, layout=layout)
    assert os.listdir(tmp_path) == [name]
    assert os.listdir(tmp_path / name) == []


@pytest.mark.parametrize("name", ["log.txt", "log", "log.csv.gz", "log.tsv"])
def test_tables_are_parquet_or_csv(tmp_path, stretches, name):
    with pytest.raises(FileError, match="must end in .parquet or .csv"):
        write_log(stretches, tmp_path / name, layout="table")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("layout", ["2014", "", "TABLE"])
def test_a_layout_that_is_not_known_is_refused_with_those_that_are(tmp_path, stretches, layout):
    with pytest.raises(ParameterError, match="layout must be one of 2011, 2013, table"):
        write_log(stretches, tmp_path / "log.txt", layout=layout)
    with pytest.raises(ParameterError, match="layout must be one of 2011, 2013, table"):
        list(read_log(tmp_path / "log.txt", layout=layout))


def test_a_name_that_is_too_long_is_our_error(tmp_path, stretches):
    with pytest.raises(FileError, match="cannot be written"):
        write_log(stretches, tmp_path / ("x" * 300))


@kinds
def test_others_may_read_a_log_as_any_file(tmp_path, stretches, layout, name):
    (tmp_path / "usual").touch()
    write_log(stretches, tmp_path / name, layout=layout)
    assert (tmp_path / name).stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_a_log_written_without_a_layout_is_read_without_one(tmp_path, pages_of, stretches):
    for name in ("log.parquet", "log.csv"):
        try:
            write_log(stretches, tmp_path / name)
        except (FileError, ParameterError):
            continue
        assert len(pages_of(read_log(tmp_path / name))) == sum(map(len, stretches))


def test_several_files_are_read_one_after_the_other(tmp_path, pages_of, stretches):
    paths = []
    for part, (layout, name) in zip(stretches, [KINDS[2], KINDS[4], KINDS[3]], strict=True):
        write_log([part], tmp_path / name, layout=layout)
        paths.append(tmp_path / name)
    report = LogReport()
    pages = pages_of(read_log(paths, report=report))
    assert [page["document"] for page in pages] == [page["document"] for page in pages_of(stretches)]
    assert report.pages == len(pages)
    assert pages_of(read_log([str(path) for path in paths])) == pages
    assert pages_of(read_log([])) == []


def test_a_table_of_any_name_is_read_with_its_layout(tmp_path, pages_of, stretches):
    write_log(stretches, tmp_path / "log.csv", layout="table")
    os.rename(tmp_path / "log.csv", tmp_path / "log.dat")
    assert pages_of(read_log(tmp_path / "log.dat", layout="table")) == pages_of(stretches)
    with pytest.raises(FileError, match="is not a log of Yandex"):
        list(read_log(tmp_path / "log.dat"))


@pytest.mark.parametrize(("layout", "name"), [*KINDS[:3], *KINDS[4:]])
def test_strict_reading_names_the_file_and_its_own_line(tmp_path, stretches, layout, name):
    write_log(stretches, tmp_path / name, layout=layout)
    opening = gzip.open if name.endswith(".gz") else open
    with opening(tmp_path / name, "ab") as file:
        file.write(b"1,2,3,4,bad\n")
    with opening(tmp_path / name) as file:
        n_lines = len(file.readlines())
    with pytest.raises(FileError, match=f"{name}:{n_lines}: ") as told:
        list(read_log(tmp_path / name, strict=True))
    assert told.value.line == n_lines


@pytest.mark.parametrize("name", ["log.csv", "log.parquet"])
def test_withheld_pages_are_not_written_as_pages_without_clicks(tmp_path, name):
    (tmp_path / "log.txt").write_text("1\tM\t0\t3\n1\t0\tT\t0\t5\t1\t10,1\n")
    with pytest.raises(ParameterError, match="withheld clicks cannot be written in the layout table"):
        write_log(read_log(tmp_path / "log.txt"), tmp_path / name)
    assert not (tmp_path / name).exists()


@pytest.mark.parametrize("name", ["log.tsv", "log.csv.gz", "log.pq"])
def test_names_of_tables_that_cannot_be_written_are_refused(tmp_path, name):
    with pytest.raises(FileError, match="must end in .parquet or .csv"):
        write_log(World(random_state=1).log(20), tmp_path / name)
