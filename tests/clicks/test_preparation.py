"""From a log to prepared pages: features without leakage, parts, logs of all kinds, and options."""

from __future__ import annotations

import json
import os
import shutil
import stat
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from riskrank.clicks import Prepared, World, prepare, read_log, write_log
from riskrank.clicks.click_memory import ClickMemory
from riskrank.clicks.impressions import one_batch
from riskrank.clicks.log_splits import PARTS
from riskrank.clicks.logs.log_report import LogReport
from riskrank.clicks.prepared import CARD
from riskrank.errors import FileError, ParameterError

from .prepared_pages import ALL, NAMES, contents, frames, one_page, rows_of, text_log, together

# Features, without leakage.


def test_with_days_features_are_from_earlier_days(world, logs, prepare_frames):
    pages = together(prepare_frames(logs / "table.parquet", **ALL))
    memory, wanted = ClickMemory(), []
    for day in range(10):
        part = world.take(world.day == day)
        wanted.append(memory.features(part, part.satisfied()))
        memory.remember(part, part.satisfied())
    np.testing.assert_array_equal(pages.select(NAMES).to_numpy(), np.concatenate(wanted))
    assert pages["document"].to_list() == world.document.tolist()  # this log is in the order of its days


def test_without_days_features_are_from_earlier_sessions(world, logs, prepare_frames):
    pages = together(prepare_frames(logs / "2011.txt", **ALL))
    log = one_batch(list(read_log(logs / "2011.txt")))
    wanted = ClickMemory().features_in_order(log, log.satisfied())
    columns = [name for name in NAMES if name in pages.columns]
    np.testing.assert_array_equal(
        pages.select(columns).to_numpy(), wanted[:, [NAMES.index(column) for column in columns]]
    )


@pytest.mark.parametrize("split", ["time", "user"])
def test_other_clicks_from_a_day_on_change_no_feature_up_to_that_day(world, tmp_path, prepare_frames, split):
    rng = np.random.default_rng(0)
    is_late = (world.day >= 5)[world.page]
    other = replace(
        world,
        dwell=np.where(is_late, rng.choice([np.nan, 5.0, 90.0], len(world.dwell)), world.dwell),
        document=np.where(is_late, world.document + 1, world.document),
        score=np.zeros(len(world.score)),
    )
    write_log([replace(world, score=other.score)], tmp_path / "one.parquet", layout="table")
    write_log([other], tmp_path / "other.parquet", layout="table")
    one, two = (prepare_frames(tmp_path / f"{name}.parquet", split=split, **ALL) for name in ("one", "other"))
    for part in PARTS:
        known = [each[part].filter(pl.col("day") < 5) for each in (one, two)]
        assert known[0].equals(known[1], null_equal=True)
        # of day 5 itself, sessions begin with what was known the day before
        general = ["query_pages", "user_pages"]
        today = [
            each[part].filter(pl.col("day") == 5, pl.col("session_pages") == 0).select(general) for each in (one, two)
        ]
        assert today[0].equals(today[1])


def test_a_click_that_came_after_a_page_is_not_known_to_it(tmp_path, prepare_frames):
    late = [
        (0, "Q", 0, 100, (11, 12)),
        (10, "C", 0, 11),
        (20, "Q", 1, 100, (11, 12)),
        (30, "C", 0, 12),  # back to the first page, after the second was shown
        (90, "C", 1, 11),
    ]
    others = [one_page(day, 2, 5, (1, 2), 1) for day in (1, 2)]
    pages = together(prepare_frames(text_log(tmp_path / "log.txt", (0, 1, *late), *others), **ALL))
    first, second = rows_of(pages, session=0, session_pages=1)
    assert (first["session_clicked"], second["session_clicked"]) == (1, 0)


def test_a_session_that_goes_on_after_midnight_is_not_known_on_its_second_day(tmp_path, prepare_frames):
    midnight = 86_400
    rows = [
        # session, user, time, query; the second page of session 1 is asked on day 1, after that of session 2
        (1, 1, midnight - 10, 8),
        (1, 1, midnight + 100, 9),
        (2, 2, midnight + 10, 9),
        (3, 3, 2 * midnight + 10, 9),
        (4, 3, 3 * midnight + 10, 9),
    ]
    table = pl.DataFrame(rows, schema=["session", "user", "time", "query"], orient="row")
    table.with_columns(position=1, document=5, clicked=1, dwell=40).write_csv(tmp_path / "log.csv")
    pages = together(prepare_frames(tmp_path / "log.csv", **ALL))
    assert rows_of(pages, session=3)[0]["query_pages"] == 2
    assert rows_of(pages, session=2)[0]["query_pages"] == 0


def test_pages_whose_day_is_not_known_are_not_known_to_others(tmp_path, prepare_frames):
    rows = [(1, 0), (2, 1), (3, 2), (4, None)]  # session, day
    table = pl.DataFrame(rows, schema=["session", "day"], orient="row")
    table.with_columns(user=1, query=9, position=1, document=5, clicked=1, dwell=40).write_csv(tmp_path / "log.csv")
    pages = together(prepare_frames(tmp_path / "log.csv", **ALL))
    assert [rows_of(pages, session=k)[0]["query_pages"] for k in (1, 2, 3)] == [0, 1, 2]


def test_features_do_not_depend_on_how_much_is_read_at_once(logs, tmp_path, monkeypatch):
    for name in ("2013.txt", "2011.txt"):
        prepare(logs / name, tmp_path / "at once")
        with monkeypatch.context() as patch:
            patch.setattr("riskrank.clicks.spill.PAGES_AT_ONCE", 7)
            patch.setattr("riskrank.clicks.logs.yandex_layouts.read_yandex", read_small_batches)
            prepare(logs / name, tmp_path / "in pieces")
        assert contents(tmp_path / "in pieces") == contents(tmp_path / "at once")


def read_small_batches(path, **options):
    from riskrank.clicks.logs.yandex_reading import read_yandex

    yield from read_yandex(path, **options, block=3000)


# Parts.


def test_by_time_all_days_of_a_part_come_before_those_of_the_next(logs, prepare_frames):
    parts = prepare_frames(logs / "2013.txt", split="time")
    for before, after in (("train", "valid"), ("valid", "test")):
        assert parts[before]["day"].max() < parts[after]["day"].min()
    assert parts["train"]["day"].min() > 0  # the first are history


def test_by_time_without_days_parts_follow_each_other_in_the_log(logs, prepare_frames):
    parts = prepare_frames(logs / "2011.txt", split="time")
    for before, after in (("train", "valid"), ("valid", "test")):
        assert parts[before]["session"].max() < parts[after]["session"].min()  # this log numbers them as they come


def test_by_user_nobody_is_in_two_parts(logs, prepare_frames):
    parts = prepare_frames(logs / "2013.txt", split="user")
    users = [set(parts[part]["user"]) for part in PARTS]
    assert sum(map(len, users)) == len(set.union(*users))


@pytest.mark.parametrize(
    ("log", "split"), [("2013.txt", "time"), ("2013.txt", "user"), ("2011.txt", "time"), ("2011.txt", "session")]
)
def test_no_session_is_in_two_parts(logs, prepare_frames, log, split):
    parts = prepare_frames(logs / log, split=split)
    sessions = [set(parts[part]["session"]) for part in PARTS]
    assert sum(map(len, sessions)) == len(set.union(*sessions))


def test_shares_are_the_sizes_of_the_parts(logs, prepare_frames):
    small, large = (prepare_frames(logs / "2013.txt", shares=shares)["train"] for shares in ((1, 1, 1), (6, 1, 1)))
    assert large["page"].max() > 1.5 * small["page"].max()  # 6/8 to 1/3, as far as whole days go


def test_the_history_is_remembered_though_not_written(logs, prepare_frames):
    every = together(prepare_frames(logs / "2013.txt", keep_unsatisfied=True, history=0))
    later = together(prepare_frames(logs / "2013.txt", keep_unsatisfied=True, history=0.4))
    first = later["day"].min()
    assert first > 2
    assert later.equals(every.filter(pl.col("day") >= first), null_equal=True)


def test_a_sample_is_whole_users_with_the_features_that_they_have_among_all(logs, prepare_frames):
    every, some = (together(prepare_frames(logs / "table.parquet", sample=sample)) for sample in (1.0, 0.4))
    users = set(some["user"])
    assert 0 < len(users) < len(set(every["user"]))
    assert some.equals(every.filter(pl.col("user").is_in(users)), null_equal=True)


def test_without_users_a_sample_is_whole_sessions(logs, prepare_frames):
    every, some = (together(prepare_frames(logs / "2011.txt", sample=sample)) for sample in (1.0, 0.4))
    sessions = set(some["session"])
    assert 0.25 < len(sessions) / len(set(every["session"])) < 0.55
    assert some.equals(every.filter(pl.col("session").is_in(sessions)), null_equal=True)


def test_sizes_are_samples_of_each_part_of_its_own(logs, tmp_path, prepare_frames):
    every = prepare_frames(logs / "2011.txt", split="session")
    sizes = (80, 40, 10_000)
    made = prepare(logs / "2011.txt", tmp_path / "sized", split="session", sizes=sizes)
    pages = {part: frame["page"].max() for part, frame in every.items()}
    assert made.card["before_sampling"] == pages
    assert made.parts["test"] == pages["test"]  # fewer than were asked for
    for part, size in zip(("train", "valid"), sizes, strict=False):
        assert 0.6 * size < made.parts[part] < 1.4 * size  # whole sessions, of one to eight pages each
        assert made.parts[part] < pages[part]
    some = frames(made)["train"]
    kept = every["train"].filter(pl.col("session").is_in(set(some["session"])))
    assert some.drop("page").equals(kept.drop("page"), null_equal=True)


def test_a_boundary_is_written_to_the_card(logs, tmp_path):
    made = prepare(logs / "2011.txt", tmp_path / "made", split="session", boundary=120, history=0)
    assert made.card["boundary"] == 120
    sessions = {part: frame["session"] for part, frame in frames(made).items()}
    assert sessions["test"].min() >= 120
    assert max(sessions["train"].max(), sessions["valid"].max()) < 120


def test_unknown_features_are_refused_before_the_log_is_read(tmp_path):
    with pytest.raises(ParameterError, match="'sessions'.*Did you mean 'session'"):
        prepare(tmp_path / "no such log", tmp_path / "out", features=["sessions"])


# Logs of all kinds.


def test_a_log_in_any_layout_gives_the_same_pages(logs, prepare_frames):
    text = together(prepare_frames(logs / "2013.txt"))
    for name in ("2013.gz", "table.parquet", "table.csv"):
        assert together(prepare_frames(logs / name)).drop("original_score", strict=False).equals(text, null_equal=True)


def test_the_layout_may_be_told(logs, tmp_path):
    shutil.copy(logs / "table.csv", tmp_path / "table")
    shutil.copy(logs / "2011.txt", tmp_path / "text")
    assert contents(prepare(tmp_path / "table", tmp_path / "a", layout="table").folder) == contents(
        prepare(logs / "table.csv", tmp_path / "b").folder
    )
    prepare(tmp_path / "text", tmp_path / "c", layout="2011")
    with pytest.raises(ParameterError, match="layout must be one of 2011, 2013, table"):
        prepare(tmp_path / "text", tmp_path / "c", layout="2012")
    with pytest.raises(FileError, match="holds no result page"):
        prepare(tmp_path / "text", tmp_path / "c", layout="2013")


@pytest.mark.parametrize("layout", ["2011", "2013"])
def test_a_log_in_several_files_is_the_log_in_one(world, logs, tmp_path, layout):
    cut = [100, 101, 333]
    bounds = [world.session.min(), *(world.session[at] for at in cut), world.session.max() + 1]
    files = []
    for k in range(4):
        part = world.take((world.session >= bounds[k]) & (world.session < bounds[k + 1]))
        files.append(tmp_path / f"{k}.txt")
        write_log([part], files[-1], layout=layout)
    several = prepare(files, tmp_path / "several")
    one = prepare(logs / f"{layout}.txt", tmp_path / "one")
    assert contents(several.folder) == contents(one.folder)


def test_days_may_come_in_any_order_and_file(world, logs, tmp_path, prepare_frames):
    files = [tmp_path / f"{name}.parquet" for name in ("late", "early")]
    for file, part in zip(files, (world.day >= 4, world.day < 4), strict=True):
        write_log([world.take(part)], file, layout="table")
    prepared = prepare(files, tmp_path / "mixed")
    wanted = prepare(logs / "table.parquet", tmp_path / "sorted")
    for part in PARTS:
        assert frames(prepared)[part].equals(frames(wanted)[part], null_equal=True)


def test_a_log_without_users_is_not_split_by_user_nor_one_with_users_by_session(logs, tmp_path):
    with pytest.raises(ParameterError, match="has no users"):
        prepare(logs / "2011.txt", tmp_path / "out", split="user")
    with pytest.raises(ParameterError, match="has users"):
        prepare(logs / "2013.txt", tmp_path / "out", split="session")


def test_too_few_days_for_a_split_by_time_are_refused(tmp_path):
    log = text_log(tmp_path / "log.txt", *(one_page(day, 1, 5, (1, 2), 1) for day in (3, 4)))
    with pytest.raises(ParameterError, match="has 2 days, too few to remember the first"):
        prepare(log, tmp_path / "out")


def test_a_part_without_pages_is_refused_by_name(tmp_path):
    clicked = [one_page(day, 1, 5, (1, 2), 1) for day in (0, 1, 2)]
    ignored = [(3, 1, (0, "Q", 0, 5, (1, 2)))]
    log = text_log(tmp_path / "log.txt", *clicked, *ignored)
    with pytest.raises(ParameterError, match="no page is left for test"):
        prepare(log, tmp_path / "out")
    assert prepare(log, tmp_path / "out", keep_unsatisfied=True).parts["test"] == 1


def test_lines_that_make_no_sense_are_counted_or_end_the_work(logs, tmp_path):
    log = tmp_path / "log.txt"
    log.write_text((logs / "2013.txt").read_text() + "what is this\n")
    report = LogReport()
    prepared = prepare(log, tmp_path / "out", report=report)
    assert report.bad == prepared.card["log"]["bad"] == 1
    with pytest.raises(FileError, match="not understood: 'what is this'") as told:
        prepare(log, tmp_path / "strict", strict=True)
    assert told.value.line == len(log.read_text().splitlines())
    assert not (tmp_path / "strict").exists()


def test_a_line_that_makes_no_sense_is_named_by_its_number_in_its_own_file(logs, tmp_path):
    (tmp_path / "second.txt").write_text("900000\tM\t5\t1\nwhat is this\n")
    with pytest.raises(FileError) as told:
        prepare([logs / "2013.txt", tmp_path / "second.txt"], tmp_path / "out", strict=True)
    assert told.value.path.endswith("second.txt")
    assert told.value.line == 2


# Memory.


def test_memory_is_bounded_and_what_is_not_remembered_is_told(tmp_path):
    least = 65_536 * 24
    write_log(World().log(4000), tmp_path / "log.txt")
    small, large = (
        prepare(tmp_path / "log.txt", tmp_path / "out", memory=memory, keep_unsatisfied=True, history=0)
        for memory in (least, 2 * least)
    )
    assert small.card["remembered"] < 65_536
    assert small.card["not_remembered"] > 0
    assert large.card["not_remembered"] == 0
    assert small.card["remembered"] < large.card["remembered"]
    assert small.parts == large.parts


# Bytes.


@pytest.mark.parametrize("split", ["time", "user"])
def test_the_same_options_give_the_same_bytes(logs, tmp_path, split):
    one, other = (prepare(logs / "2013.txt", tmp_path / name, split=split, random_state=3, sample=0.7) for name in "ab")
    assert contents(one.folder) == contents(other.folder)
    assert one.card == other.card


def test_another_seed_is_another_split_by_user_and_another_sample(logs, prepare_frames):
    one, other = (prepare_frames(logs / "2013.txt", split="user", random_state=seed) for seed in (0, 1))
    assert set(one["test"]["user"]) != set(other["test"]["user"])
    one, other = (prepare_frames(logs / "2013.txt", sample=0.5, random_state=seed) for seed in (0, 1))
    assert set(together(one)["user"]) != set(together(other)["user"])


def test_the_card_says_what_was_done(world, logs, tmp_path):
    prepared = prepare(logs / "2013.txt", tmp_path / "out", grades=(40, 300), shares=(3, 1, 1), history=0.2)
    card = json.loads((tmp_path / "out" / CARD).read_text())
    assert card == prepared.card == Prepared.open(tmp_path / "out").card
    assert card["limits"] == [40, 300]
    assert (card["split"], card["shares"], card["history"], card["sample"]) == ("time", [3, 1, 1], 0.2, 1)
    assert card["days"] == len(set(world.day.tolist()))
    assert card["log"]["pages"] == len(world)
    assert card["parts"] == {part: frame["page"].max() for part, frame in frames(prepared).items()}


def test_nothing_but_the_parts_the_card_and_the_list_is_in_the_folder(logs, tmp_path):
    prepare(logs / "2013.txt", tmp_path / "out")
    assert sorted(os.listdir(tmp_path)) == ["out"]
    assert sorted(os.listdir(tmp_path / "out")) == sorted([".riskrank.json", CARD, *PARTS])


def test_the_folder_may_be_read_by_whom_the_umask_lets_read(logs, tmp_path):
    (tmp_path / "usual").mkdir()
    prepare(logs / "2013.txt", tmp_path / "out")
    assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == stat.S_IMODE((tmp_path / "usual").stat().st_mode)


# Options.


@pytest.mark.parametrize(
    "options",
    [
        {"satisfied": -1},
        {"satisfied": float("nan")},
        {"satisfied": float("inf")},
        {"grades": ()},
        {"grades": (50, 50)},
        {"grades": (400, 50)},
        {"grades": (-1, 50)},
        {"sample": 0},
        {"sample": 1.1},
        {"sample": "half"},
        {"sizes": (1, 2)},
        {"sizes": (1, 2, 0)},
        {"sizes": (1, 2, float("nan"))},
        {"sizes": 5},
        {"sizes": (1, 2, 3), "sample": 0.5},
        {"boundary": -1},
        {"boundary": 5},
        {"smoothing": 0},
        {"memory": 10},
        {"random_state": -1},
        {"random_state": 1.5},
        {"features": ["clicks"]},
        {"split": "date"},
        {"shares": (1, 1)},
        {"history": 2},
        {"satisfied": "long"},
        {"grades": "50,400"},
    ],
    ids=repr,
)
def test_options_that_make_no_sense_are_refused_before_the_log_is_read(tmp_path, options):
    with pytest.raises(ParameterError) as told:
        prepare(tmp_path / "no such log", tmp_path / "new" / "out", **options)
    assert "\n" not in str(told.value)
    assert os.listdir(tmp_path) == []


def test_a_refused_option_is_called_by_its_own_name(tmp_path):
    with pytest.raises(ParameterError, match="^memory must be"):
        prepare(tmp_path / "no such log", tmp_path / "out", memory=10)


def test_a_dwell_time_that_is_not_over_yet_is_not_known(tmp_path):
    """Clicked at 5 for 500 units, but asked again at 10: by then nobody knows that the click satisfied."""
    header = "session,user,day,time,query,position,document,clicked,click_time,dwell\n"
    days = "".join(f"{s},1,{s},0,9,1,8,1,1,50\n" for s in range(1, 4))
    page = "{},1,4,0,5,1,7,1,5,500\n{},1,4,10,5,1,7,1,11,60\n"
    (tmp_path / "log.csv").write_text(header + days + page.format(4, 4))
    prepared = prepare(tmp_path / "log.csv", tmp_path / "out", history=0)
    test = prepared.read("test")
    assert test.feature(prepared.number("session_clicked")).tolist() == [0, 1]
    assert test.feature(prepared.number("session_satisfied")).tolist() == [0, 0]


def test_sessions_of_several_users_may_have_the_same_number(tmp_path):
    rows = "".join(f"1,{user},5,1,7,1\n" for user in range(100))
    (tmp_path / "log.csv").write_text("session,user,query,position,document,clicked\n" + rows)
    prepared = prepare(tmp_path / "log.csv", tmp_path / "out", split="time")
    assert prepared.parts == {"train": 38, "valid": 19, "test": 18}
