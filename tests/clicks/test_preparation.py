"""From a log to prepared pages: what is written, what is left out, and what stays when something goes wrong."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import stat
from dataclasses import replace
from importlib import import_module

import numpy as np
import polars as pl
import pytest

from riskrank.clicks import Prepared, World, prepare, read_log, write_log
from riskrank.clicks.click_memory import ClickMemory
from riskrank.clicks.features import FEATURES, GROUPS
from riskrank.clicks.impressions import joined
from riskrank.clicks.log_splits import PARTS
from riskrank.clicks.logs.log_report import LogReport
from riskrank.clicks.prepared import CARD, KEYS
from riskrank.errors import FileError, ParameterError, RiskrankError

MODULE = import_module("riskrank.clicks.preparation")  # the package has a function of this name
NAMES = [feature.name for feature in FEATURES]
ALL = {"keep_unsatisfied": True, "history": 0}  # every page is written


@pytest.fixture(scope="module")
def world():
    """A few days of users who come back."""
    log = joined(list(World(pages_per_user=20).log(500)))
    return replace(log, day=log.day // 3)


@pytest.fixture(scope="module")
def logs(world, tmp_path_factory):
    """The same log in all layouts, and what the oldest of them cannot have: users, days, domains and terms."""
    folder = tmp_path_factory.mktemp("logs")
    write_log([world], folder / "2013.txt", layout="2013")
    write_log([world], folder / "2013.gz", layout="2013")
    write_log([world], folder / "2011.txt", layout="2011")
    write_log([world], folder / "table.parquet", layout="table")
    write_log([world], folder / "table.csv", layout="table")
    return folder


@pytest.fixture
def made(tmp_path):
    """Prepared pages of a log as frames, by part."""

    def run(log, **options):
        return frames(prepare(log, tmp_path / f"made{len(list(tmp_path.iterdir()))}", **options))

    return run


def frames(prepared):
    return {
        part: pl.concat([pl.read_parquet(file) for file in sorted((prepared.folder / part).glob("*.parquet"))])
        for part, pages in prepared.parts.items()
        if pages
    }


def together(parts):
    """Train, valid and test one after the other; pages are numbered within their part."""
    return pl.concat([parts[part] for part in PARTS]).drop("page")


def contents(folder):
    """All files below a folder with their bytes."""
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}


def text_log(path, *sessions):
    """A log of 2013/14: sessions of (day, user, events), a query being (time, kind, page, query, documents)."""
    lines = []
    for number, (day, user, *events) in enumerate(sessions):
        lines.append(f"{number}\tM\t{day}\t{user}")
        for time, kind, page, *rest in events:
            if kind == "C":
                lines.append(f"{number}\t{time}\tC\t{page}\t{rest[0]}")
            else:
                query, documents = rest
                shown = "\t".join(f"{document},{document}" for document in documents)
                lines.append(f"{number}\t{time}\t{kind}\t{page}\t{query}\t{query}\t{shown}")
    path.write_text("\n".join(lines) + "\n")
    return path


def one_page(day, user, query, documents, clicked):
    """A session with a page and a click that satisfies."""
    return day, user, (0, "Q", 0, query, documents), (5, "C", 0, clicked)


def rows_of(frame, **wanted):
    return frame.filter(**wanted).rows(named=True)


# Features, without leakage.


def test_with_days_features_are_from_earlier_days(world, logs, made):
    found = together(made(logs / "table.parquet", **ALL))
    memory, wanted = ClickMemory(), []
    for day in range(10):
        part = world.take(world.day == day)
        wanted.append(memory.features(part, part.satisfied()))
        memory.remember(part, part.satisfied())
    np.testing.assert_array_equal(found.select(NAMES).to_numpy(), np.concatenate(wanted))
    assert found["document"].to_list() == world.document.tolist()  # this log is in the order of its days


def test_without_days_features_are_from_earlier_sessions(world, logs, made):
    found = together(made(logs / "2011.txt", **ALL))
    log = joined(list(read_log(logs / "2011.txt")))
    wanted = ClickMemory().features_in_order(log, log.satisfied())
    columns = [name for name in NAMES if name in found.columns]
    np.testing.assert_array_equal(
        found.select(columns).to_numpy(), wanted[:, [NAMES.index(column) for column in columns]]
    )


@pytest.mark.parametrize("split", ["time", "user"])
def test_other_clicks_from_a_day_on_change_no_feature_up_to_that_day(world, tmp_path, made, split):
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
    one, two = (made(tmp_path / f"{name}.parquet", split=split, **ALL) for name in ("one", "other"))
    for part in PARTS:
        known = [each[part].filter(pl.col("day") < 5) for each in (one, two)]
        assert known[0].equals(known[1], null_equal=True)
        # of day 5 itself, sessions begin with what was known the day before
        general = ["query_pages", "user_pages"]
        today = [
            each[part].filter(pl.col("day") == 5, pl.col("session_pages") == 0).select(general) for each in (one, two)
        ]
        assert today[0].equals(today[1])


def test_a_click_that_came_after_a_page_is_not_known_to_it(tmp_path, made):
    late = [
        (0, "Q", 0, 100, (11, 12)),
        (10, "C", 0, 11),
        (20, "Q", 1, 100, (11, 12)),
        (30, "C", 0, 12),  # back to the first page, after the second was shown
        (90, "C", 1, 11),
    ]
    others = [one_page(day, 2, 5, (1, 2), 1) for day in (1, 2)]
    found = together(made(text_log(tmp_path / "log.txt", (0, 1, *late), *others), **ALL))
    first, second = rows_of(found, session=0, session_pages=1)
    assert (first["session_clicked"], second["session_clicked"]) == (1, 0)


def test_a_session_that_goes_on_after_midnight_is_not_known_on_its_second_day(tmp_path, made):
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
    found = together(made(tmp_path / "log.csv", **ALL))
    assert rows_of(found, session=3)[0]["query_pages"] == 2
    assert rows_of(found, session=2)[0]["query_pages"] == 0


def test_pages_whose_day_is_not_known_are_not_known_to_others(tmp_path, made):
    rows = [(1, 0), (2, 1), (3, 2), (4, None)]  # session, day
    table = pl.DataFrame(rows, schema=["session", "day"], orient="row")
    table.with_columns(user=1, query=9, position=1, document=5, clicked=1, dwell=40).write_csv(tmp_path / "log.csv")
    found = together(made(tmp_path / "log.csv", **ALL))
    assert [rows_of(found, session=k)[0]["query_pages"] for k in (1, 2, 3)] == [0, 1, 2]


def test_features_do_not_depend_on_how_much_is_read_at_once(logs, tmp_path, monkeypatch):
    for name in ("2013.txt", "2011.txt"):
        prepare(logs / name, tmp_path / "at once")
        with monkeypatch.context() as patch:
            patch.setattr("riskrank.clicks.spill.PAGES_AT_ONCE", 7)
            patch.setattr("riskrank.clicks.logs.log_files.read_yandex", small_stretches)
            prepare(logs / name, tmp_path / "in pieces")
        assert contents(tmp_path / "in pieces") == contents(tmp_path / "at once")


def small_stretches(path, **options):
    from riskrank.clicks.logs.yandex_reading import read_yandex

    yield from read_yandex(path, **options, block=3000)


# Parts.


def test_by_time_all_days_of_a_part_come_before_those_of_the_next(logs, made):
    parts = made(logs / "2013.txt", split="time")
    for earlier, later in (("train", "valid"), ("valid", "test")):
        assert parts[earlier]["day"].max() < parts[later]["day"].min()
    assert parts["train"]["day"].min() > 0  # the first are history


def test_by_time_without_days_parts_follow_each_other_in_the_log(logs, made):
    parts = made(logs / "2011.txt", split="time")
    for earlier, later in (("train", "valid"), ("valid", "test")):
        assert parts[earlier]["session"].max() < parts[later]["session"].min()  # this log numbers them as they come


def test_by_user_nobody_is_in_two_parts(logs, made):
    parts = made(logs / "2013.txt", split="user")
    users = [set(parts[part]["user"]) for part in PARTS]
    assert sum(map(len, users)) == len(set.union(*users))


@pytest.mark.parametrize(
    ("log", "split"), [("2013.txt", "time"), ("2013.txt", "user"), ("2011.txt", "time"), ("2011.txt", "session")]
)
def test_no_session_is_in_two_parts(logs, made, log, split):
    parts = made(logs / log, split=split)
    sessions = [set(parts[part]["session"]) for part in PARTS]
    assert sum(map(len, sessions)) == len(set.union(*sessions))


def test_shares_are_the_sizes_of_the_parts(logs, made):
    small, large = (made(logs / "2013.txt", shares=shares)["train"] for shares in ((1, 1, 1), (6, 1, 1)))
    assert large["page"].max() > 1.5 * small["page"].max()  # 6/8 to 1/3, as far as whole days go


def test_the_history_is_remembered_though_not_written(logs, made):
    every = together(made(logs / "2013.txt", keep_unsatisfied=True, history=0))
    later = together(made(logs / "2013.txt", keep_unsatisfied=True, history=0.4))
    first = later["day"].min()
    assert first > 2
    assert later.equals(every.filter(pl.col("day") >= first), null_equal=True)


def test_a_sample_is_whole_users_with_the_features_that_they_have_among_all(logs, made):
    every, some = (together(made(logs / "table.parquet", sample=sample)) for sample in (1.0, 0.4))
    users = set(some["user"])
    assert 0 < len(users) < len(set(every["user"]))
    assert some.equals(every.filter(pl.col("user").is_in(users)), null_equal=True)


def test_without_users_a_sample_is_whole_sessions(logs, made):
    every, some = (together(made(logs / "2011.txt", sample=sample)) for sample in (1.0, 0.4))
    sessions = set(some["session"])
    assert 0.25 < len(sessions) / len(set(every["session"])) < 0.55
    assert some.equals(every.filter(pl.col("session").is_in(sessions)), null_equal=True)


# Pages and grades.


def test_pages_without_a_satisfied_click_are_left_out_or_kept(logs, made):
    few, every = (together(made(logs / "2013.txt", history=0, keep_unsatisfied=keep)) for keep in (False, True))
    page = ["session", "day", "query"]

    def is_good(frame):
        starts = (pl.col("position") == 1).cum_sum()
        return frame.with_columns(starts.alias("number")).filter((pl.col("grade") > 0).any().over("number"))

    good = is_good(every).drop("number")
    assert len(good) < len(every)
    assert few.equals(good, null_equal=True)
    assert few.group_by(page).agg(pl.col("grade").max())["grade"].min() == 1


def test_grades_are_the_limits_that_the_time_reaches(tmp_path, made):
    def page(day, lasted):
        return day, 1, (0, "Q", 0, 5, (1, 2, 3)), (5, "C", 0, 2), (5 + lasted, "C", 0, 3)

    # The time on document 2 lasts until the click on 3, which ends the session.
    lasting = [49, 50, 399, 400]
    log = text_log(tmp_path / "log.txt", *(page(day, lasted) for day, lasted in enumerate(lasting)))
    found = together(made(log, grades=(50, 400), **ALL)).filter(position=2)
    assert found["dwell"].to_list() == lasting
    assert found["grade"].to_list() == [0, 1, 1, 2]
    last = together(made(log, grades=(50, 400), **ALL)).filter(position=3)
    assert last["grade"].to_list() == [2] * 4
    assert together(made(log, **ALL)).filter(position=2)["grade"].to_list() == [1] * 4
    assert together(made(log, satisfied=399.5, **ALL)).filter(position=2)["grade"].to_list() == [0, 0, 0, 1]


def test_of_several_grades_the_first_limit_is_what_satisfies(logs, made):
    one, several = (
        together(made(logs / "2013.txt", **ALL, **how)) for how in ({"satisfied": 50}, {"grades": (50, 400)})
    )
    assert one.drop("grade").equals(several.drop("grade"), null_equal=True)
    assert (several["grade"] > 0).to_list() == (one["grade"] > 0).to_list()
    assert set(several["grade"]) == {0, 1, 2}


def test_a_page_is_numbered_within_its_part_in_presented_order(logs, made):
    for frame in made(logs / "2013.txt").values():
        assert frame["page"].to_list() == (frame["position"] == 1).cum_sum().to_list()
        steps = frame["position"].diff().drop_nulls()
        assert ((steps == 1) | (frame["position"][1:] == 1)).all()
        assert frame["presented"].to_list() == (-frame["position"]).to_list()


# Withheld pages.


def withheld_log(path):
    days = [one_page(day, user, 5, (1, 2), 1) for day in range(5) for user in (1, 2)]
    withheld = [(4, 1, (0, "Q", 0, 7, (1, 2)), (9, "C", 0, 2), (60, "T", 1, 7, (2, 3)))]
    early = [(3, 1, (0, "T", 0, 7, (2, 3)))]
    return text_log(path, *days[:8], *early, *days[8:], *withheld)


@pytest.mark.parametrize("keep", [True, False])
def test_pages_whose_clicks_are_withheld_are_a_part_of_their_own(tmp_path, made, keep):
    parts = made(withheld_log(tmp_path / "log.txt"), keep_unsatisfied=keep)
    assert parts["withheld"].select("session", "query", "document").rows() == [
        (8, 7, 2), (8, 7, 3), (11, 7, 2), (11, 7, 3),
    ]  # fmt: skip
    assert parts["withheld"]["grade"].to_list() == [0] * 4
    assert not together(parts).filter(pl.col("document") == 3).height
    last = parts["withheld"].filter(session=11)
    assert last["session_satisfied"].to_list() == [1, 0]
    assert last["user_pages"].to_list() == [4, 4]  # a page on each of days 0 to 3; that of day 3 without clicks not
    assert last["query_pages"].to_list() == [0, 0]  # query 7 was asked on a withheld page and in this session only


def test_withheld_pages_are_read_as_other_parts_are(tmp_path):
    found = prepare(withheld_log(tmp_path / "log.txt"), tmp_path / "out")
    assert found.parts["withheld"] == 2
    assert found.read("withheld").n_queries == 2


def test_a_log_without_withheld_pages_has_no_such_part(logs, tmp_path):
    found = prepare(logs / "2013.txt", tmp_path / "out")
    assert sorted(found.parts) == sorted(PARTS)
    with pytest.raises(FileError, match="no part withheld"):
        found.read("withheld")


def test_withheld_pages_of_the_history_are_written_too(tmp_path, made):
    days = [one_page(day, user, 5, (1, 2), 1) for day in range(5) for user in (1, 2)]
    log = text_log(tmp_path / "log.txt", (0, 1, (0, "T", 0, 7, (2, 3))), *days)
    assert made(log, history=0.25)["withheld"]["document"].to_list() == [2, 3]


# Features by name.


@pytest.mark.parametrize("group", GROUPS)
def test_a_group_of_features_is_written_alone_with_the_presented_order(logs, tmp_path, group):
    found = prepare(logs / "table.parquet", tmp_path / "out", features=[group])
    wanted = [feature.name for feature in FEATURES if feature.group == group or feature.name == "presented"]
    assert list(found.features) == wanted
    assert frames(found)["train"].columns == [*KEYS, *wanted]


def test_features_are_the_same_whichever_others_are_written(logs, made):
    every = together(made(logs / "table.parquet"))
    some = together(made(logs / "table.parquet", features=["user", "similar_terms", "domain_rate"]))
    assert some.columns[len(KEYS) - 1 :][0] == "presented"
    assert some.equals(every.select(some.columns), null_equal=True)
    assert every.columns == [*KEYS[1:], *NAMES]


def test_features_that_the_log_cannot_have_are_left_out(logs, tmp_path):
    table, text, bare = (
        prepare(logs / name, tmp_path / "out") for name in ("table.parquet", "2013.txt", "2011.txt")
    )  # fmt: skip
    assert list(table.features) == NAMES
    assert [name for name in NAMES if name not in text.features] == ["original_score"]
    needing = ("user", "domain", "terms", "similar", "original")
    assert list(bare.features) == [name for name in NAMES if not any(word in name for word in needing)]
    assert prepare(logs / "2011.txt", tmp_path / "out", features=["user"]).features == ("presented",)


def test_unknown_features_are_refused_before_the_log_is_read(tmp_path):
    with pytest.raises(ParameterError, match="'sessions'.*Did you mean 'session'"):
        prepare(tmp_path / "no such log", tmp_path / "out", features=["sessions"])


# Logs of all kinds.


def test_a_log_in_any_layout_gives_the_same_pages(logs, made):
    text = together(made(logs / "2013.txt"))
    for name in ("2013.gz", "table.parquet", "table.csv"):
        assert together(made(logs / name)).drop("original_score", strict=False).equals(text, null_equal=True)


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


def test_days_may_come_in_any_order_and_file(world, logs, tmp_path, made):
    files = [tmp_path / f"{name}.parquet" for name in ("late", "early")]
    for file, part in zip(files, (world.day >= 4, world.day < 4), strict=True):
        write_log([world.take(part)], file, layout="table")
    found = prepare(files, tmp_path / "mixed")
    wanted = prepare(logs / "table.parquet", tmp_path / "sorted")
    for part in PARTS:
        assert frames(found)[part].equals(frames(wanted)[part], null_equal=True)


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
    found = prepare(log, tmp_path / "out", report=report)
    assert report.bad == found.card["log"]["bad"] == 1
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


def test_memory_is_bounded_and_what_found_no_room_is_told(tmp_path):
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


def test_another_seed_is_another_split_by_user_and_another_sample(logs, made):
    one, other = (made(logs / "2013.txt", split="user", random_state=seed) for seed in (0, 1))
    assert set(one["test"]["user"]) != set(other["test"]["user"])
    one, other = (made(logs / "2013.txt", sample=0.5, random_state=seed) for seed in (0, 1))
    assert set(together(one)["user"]) != set(together(other)["user"])


def test_the_card_says_what_was_done(world, logs, tmp_path):
    found = prepare(logs / "2013.txt", tmp_path / "out", grades=(40, 300), shares=(3, 1, 1), history=0.2)
    card = json.loads((tmp_path / "out" / CARD).read_text())
    assert card == found.card == Prepared.open(tmp_path / "out").card
    assert card["limits"] == [40, 300]
    assert (card["split"], card["shares"], card["history"], card["sample"]) == ("time", [3, 1, 1], 0.2, 1)
    assert card["days"] == len(set(world.day.tolist()))
    assert card["log"]["pages"] == len(world)
    assert card["parts"] == {part: frame["page"].max() for part, frame in frames(found).items()}


def test_nothing_but_the_parts_and_the_card_is_in_the_folder(logs, tmp_path):
    prepare(logs / "2013.txt", tmp_path / "out")
    assert sorted(os.listdir(tmp_path)) == ["out"]
    assert sorted(os.listdir(tmp_path / "out")) == sorted([CARD, *PARTS])


def test_the_folder_may_be_read_by_whom_the_umask_lets_read(logs, tmp_path):
    (tmp_path / "usual").mkdir()
    prepare(logs / "2013.txt", tmp_path / "out")
    assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == stat.S_IMODE((tmp_path / "usual").stat().st_mode)


# What is refused, and what stays.


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


def failing(kind, logs, tmp_path, monkeypatch):
    """Options of a `prepare` that fails at some point."""
    if kind == "no log":
        return {"log": tmp_path / "missing.txt"}
    if kind == "no pages":
        (tmp_path / "log.txt").write_text("0\tM\t1\t1\n")
        return {"log": tmp_path / "log.txt"}
    if kind == "second log":
        (tmp_path / "log.txt").write_text("neither\tthis\nnor that\n")
        return {"log": [logs / "2013.txt", tmp_path / "log.txt"]}
    if kind == "damaged log":
        (tmp_path / "log.parquet").write_bytes((logs / "table.parquet").read_bytes()[:-500])
        return {"log": tmp_path / "log.parquet"}
    if kind == "split":
        return {"log": logs / "2013.txt", "split": "session"}
    if kind == "empty part":
        return {"log": logs / "2013.txt", "sample": 1e-9}
    place = {"interrupted": (MODULE._Writer, "add"), "interrupted at the end": (json, "dumps")}[kind]

    def interrupt(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(*place, interrupt)
    return {"log": logs / "2013.txt"}


FAILURES = ["no log", "no pages", "second log", "damaged log", "split", "empty part", "interrupted",
            "interrupted at the end"]  # fmt: skip


@pytest.mark.parametrize("kind", FAILURES)
def test_a_failure_leaves_nothing_behind(logs, tmp_path, monkeypatch, kind):
    options = failing(kind, logs, tmp_path, monkeypatch)
    before = sorted(os.listdir(tmp_path))
    with pytest.raises((RiskrankError, KeyboardInterrupt)) as told:
        prepare(folder=tmp_path / "new" / "out", **options)
    assert "\n" not in str(told.value)
    assert sorted(os.listdir(tmp_path)) == before


@pytest.mark.parametrize("kind", FAILURES)
def test_a_failure_leaves_earlier_prepared_clicks_as_they_are(logs, tmp_path, monkeypatch, kind):
    prepare(logs / "2011.txt", tmp_path / "out")
    options = failing(kind, logs, tmp_path, monkeypatch)
    before = contents(tmp_path)
    with pytest.raises((RiskrankError, KeyboardInterrupt)):
        prepare(folder=tmp_path / "out", **options)
    assert contents(tmp_path) == before
    assert not [name for name in os.listdir(tmp_path) if name.startswith(".")]


def test_a_failure_leaves_none_of_several_new_folders_behind(logs, tmp_path):
    with pytest.raises(RiskrankError):
        prepare(logs / "2013.txt", tmp_path / "new" / "folder" / "out", sample=1e-9)
    assert os.listdir(tmp_path) == []


def test_an_interruption_at_the_very_end_leaves_the_earlier_or_the_new_clicks(logs, tmp_path, monkeypatch):
    prepare(logs / "2013.txt", tmp_path / "out")
    before = contents(tmp_path / "out")

    def interrupt(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "rename", interrupt)
    with pytest.raises(KeyboardInterrupt):
        prepare(logs / "2013.txt", tmp_path / "out")
    assert contents(tmp_path / "out") == before


def test_earlier_prepared_clicks_are_replaced_as_a_whole(logs, tmp_path):
    prepare(withheld_log(tmp_path / "log.txt"), tmp_path / "out")
    assert (tmp_path / "out" / "withheld").is_dir()
    prepare(logs / "2013.txt", tmp_path / "out")
    assert sorted(os.listdir(tmp_path / "out")) == sorted([CARD, *PARTS])


def test_an_empty_folder_is_filled(logs, tmp_path):
    (tmp_path / "out").mkdir()
    prepare(logs / "2013.txt", tmp_path / "out")
    assert Prepared.open(tmp_path / "out").parts["train"] > 0


def test_a_folder_that_holds_something_else_is_refused_and_left_alone(logs, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.txt").write_text("all of it")
    with pytest.raises(FileError, match="holds something else than prepared clicks"):
        prepare(logs / "2013.txt", tmp_path / "out")
    assert contents(tmp_path) == {"out/thesis.txt": b"all of it"}


def test_a_file_is_refused_and_left_alone(logs, tmp_path):
    (tmp_path / "out").write_text("all of it")
    with pytest.raises(FileError, match="is a file"):
        prepare(logs / "2013.txt", tmp_path / "out")
    assert contents(tmp_path) == {"out": b"all of it"}


def test_a_folder_with_a_card_of_something_else_is_refused_and_left_alone(logs, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / CARD).write_text('{"format": "my own"}')
    (tmp_path / "out" / "thesis.txt").write_text("all of it")
    with contextlib.suppress(FileError):
        prepare(logs / "2013.txt", tmp_path / "out")
    assert (tmp_path / "out" / "thesis.txt").exists()


def test_what_lies_beside_prepared_clicks_in_their_folder_is_not_deleted(logs, tmp_path):
    prepare(logs / "2013.txt", tmp_path / "out")
    (tmp_path / "out" / "models").mkdir()
    (tmp_path / "out" / "models" / "best.json").write_text("{}")
    with contextlib.suppress(FileError):
        prepare(logs / "2013.txt", tmp_path / "out")
    assert (tmp_path / "out" / "models" / "best.json").exists()


def test_a_link_to_prepared_clicks_is_refused_or_replaced(logs, tmp_path):
    prepare(logs / "2013.txt", tmp_path / "real")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with contextlib.suppress(FileError):
        prepare(logs / "2013.txt", tmp_path / "link")
    assert Prepared.open(tmp_path / "link").parts["train"] > 0


def test_a_place_below_a_file_is_refused(logs, tmp_path):
    (tmp_path / "file").write_text("all of it")
    with pytest.raises(FileError):
        prepare(logs / "2013.txt", tmp_path / "file" / "out")


# Reading what was prepared.


@pytest.fixture
def prepared(logs, tmp_path, monkeypatch):
    """Prepared clicks in several files per part."""
    monkeypatch.setattr(MODULE, "DOCUMENTS_IN_FILE", 300)
    monkeypatch.setattr("riskrank.clicks.spill.PAGES_AT_ONCE", 20)
    found = prepare(logs / "2013.txt", tmp_path / "out", grades=(50, 400))
    assert len(os.listdir(tmp_path / "out" / "train")) > 2
    return found


@pytest.mark.parametrize("part", PARTS)
def test_a_part_is_its_stretches_one_after_the_other(prepared, part):
    whole = prepared.read(part)
    stretches = list(prepared.stretches(part))
    np.testing.assert_array_equal(whole.features, np.concatenate([each.features for each in stretches]))
    np.testing.assert_array_equal(whole.labels, np.concatenate([each.labels for each in stretches]))
    assert whole.query_ids == tuple(name for each in stretches for name in each.query_ids)
    sizes = [np.diff(each.query_offsets) for each in stretches]
    assert np.diff(whole.query_offsets).tolist() == np.concatenate(sizes).tolist()


def test_a_part_in_several_files_is_the_part_in_one(prepared, logs, tmp_path, monkeypatch):
    monkeypatch.undo()
    one = prepare(logs / "2013.txt", tmp_path / "one", grades=(50, 400))
    assert os.listdir(tmp_path / "one" / "train") == ["00000.parquet"]
    for part in PARTS:
        assert frames(one)[part].equals(frames(prepared)[part], null_equal=True)


def test_a_part_is_read_as_it_was_written(prepared):
    data, frame = prepared.read("valid"), frames(prepared)["valid"]
    assert data.n_queries == prepared.parts["valid"] == frame["page"].max()
    assert data.query_ids == tuple(str(number + 1) for number in range(data.n_queries))
    assert data.labels.tolist() == frame["grade"].to_list()
    np.testing.assert_array_equal(data.features, frame.select(prepared.features).to_numpy())
    for name in prepared.features:
        np.testing.assert_array_equal(data.feature(prepared.number(name)), frame[name].to_numpy())
    assert prepared.number("presented") == 1


def test_what_prepared_clicks_do_not_have_is_refused_by_name(prepared):
    with pytest.raises(ParameterError, match="no feature original_score"):
        prepared.number("original_score")
    for read in (prepared.read, lambda part: list(prepared.stretches(part))):
        with pytest.raises(FileError, match="no part future. It has: train, valid, test"):
            read("future")


def test_prepared_clicks_say_how_large_they_are(prepared):
    sizes = ", ".join(f"{prepared.parts[part]} {part}" for part in PARTS)
    assert repr(prepared) == f"Prepared: pages {sizes}; 31 features"


@pytest.mark.parametrize(
    "card",
    [None, "", "{", "[]", "7", '{"format": "other"}', '{"format": "riskrank clicks"}', b"\xff\xfe",
     '{"format": "riskrank clicks", "version": "new", "features": [], "parts": {}}',
     '{"format": "riskrank clicks", "version": 1, "features": 3, "parts": {}}',
     '{"format": "riskrank clicks", "version": 1, "features": [], "parts": []}'],
)  # fmt: skip
def test_a_folder_without_a_good_card_is_refused_in_one_line(tmp_path, card):
    if card is not None:
        (tmp_path / CARD).write_bytes(card if isinstance(card, bytes) else card.encode())
    with pytest.raises(FileError, match=f"is not a folder of prepared clicks .no good {CARD}.") as told:
        Prepared.open(tmp_path)
    assert "\n" not in str(told.value)


def test_clicks_prepared_by_a_newer_program_are_refused(prepared):
    (prepared.folder / CARD).write_text(json.dumps(prepared.card | {"version": 99}))
    with pytest.raises(FileError, match="newer riskrank"):
        Prepared.open(prepared.folder)


@pytest.mark.parametrize("damage", ["empty", "cut", "text", "columns"])
def test_a_damaged_file_is_told_by_name_in_one_line(prepared, damage):
    file = prepared.folder / "train" / "00001.parquet"
    if damage == "columns":
        pl.read_parquet(file).drop("user_pages").write_parquet(file)
    else:
        file.write_bytes({"empty": b"", "cut": file.read_bytes()[:-100], "text": b"not at all\n" * 99}[damage])
    for read in (prepared.read, lambda part: list(prepared.stretches(part))):
        with pytest.raises(FileError, match="00001.parquet: is damaged") as told:
            read("train")
        assert "\n" not in str(told.value)
    prepared.read("test")


def test_a_missing_file_is_noticed(prepared):
    (prepared.folder / "train" / "00001.parquet").unlink()
    with pytest.raises(FileError):
        prepared.read("train")


def test_a_missing_part_is_not_said_to_be_there(prepared):
    shutil.rmtree(prepared.folder / "train")
    with pytest.raises(FileError) as told:
        prepared.read("train")
    assert "has: train" not in str(told.value)


def test_a_dwell_time_that_is_not_over_yet_is_not_known(tmp_path):
    """Clicked at 5 for 500 units, but asked again at 10: by then nobody knows that the click satisfied."""
    header = "session,user,day,time,query,position,document,clicked,click_time,dwell\n"
    days = "".join(f"{s},1,{s},0,9,1,8,1,1,50\n" for s in range(1, 4))
    page = "{},1,4,0,5,1,7,1,5,500\n{},1,4,10,5,1,7,1,11,60\n"
    (tmp_path / "log.csv").write_text(header + days + page.format(4, 4))
    found = prepare(tmp_path / "log.csv", tmp_path / "out", history=0)
    test = found.read("test")
    assert test.feature(found.number("session_clicked")).tolist() == [0, 1]
    assert test.feature(found.number("session_satisfied")).tolist() == [0, 0]


def test_sessions_of_several_users_may_have_the_same_number(tmp_path):
    rows = "".join(f"1,{user},5,1,7,1\n" for user in range(100))
    (tmp_path / "log.csv").write_text("session,user,query,position,document,clicked\n" + rows)
    found = prepare(tmp_path / "log.csv", tmp_path / "out", split="time")
    assert found.parts == {"train": 38, "valid": 19, "test": 18}
