"""What is written of prepared pages: which of them, their grades, and their features by name."""

from __future__ import annotations

import polars as pl
import pytest

from riskrank.clicks import prepare
from riskrank.clicks.features import FEATURES, GROUPS
from riskrank.clicks.log_splits import PARTS
from riskrank.clicks.prepared import KEYS
from riskrank.errors import FileError

from .prepared_pages import ALL, NAMES, frames, one_page, text_log, together, withheld_log

# Pages and grades.


def test_pages_without_a_satisfied_click_are_left_out_or_kept(logs, prepare_frames):
    few, every = (
        together(prepare_frames(logs / "2013.txt", history=0, keep_unsatisfied=keep)) for keep in (False, True)
    )
    page = ["session", "day", "query"]

    def is_good(frame):
        starts = (pl.col("position") == 1).cum_sum()
        return frame.with_columns(starts.alias("number")).filter((pl.col("grade") > 0).any().over("number"))

    good = is_good(every).drop("number")
    assert len(good) < len(every)
    assert few.equals(good, null_equal=True)
    assert few.group_by(page).agg(pl.col("grade").max())["grade"].min() == 1


def test_grades_are_the_limits_that_the_time_reaches(tmp_path, prepare_frames):
    def page(day, lasted):
        return day, 1, (0, "Q", 0, 5, (1, 2, 3)), (5, "C", 0, 2), (5 + lasted, "C", 0, 3)

    # The time on document 2 lasts until the click on 3, which ends the session.
    lasting = [49, 50, 399, 400]
    log = text_log(tmp_path / "log.txt", *(page(day, lasted) for day, lasted in enumerate(lasting)))
    pages = together(prepare_frames(log, grades=(50, 400), **ALL)).filter(position=2)
    assert pages["dwell"].to_list() == lasting
    assert pages["grade"].to_list() == [0, 1, 1, 2]
    last = together(prepare_frames(log, grades=(50, 400), **ALL)).filter(position=3)
    assert last["grade"].to_list() == [2] * 4
    assert together(prepare_frames(log, **ALL)).filter(position=2)["grade"].to_list() == [1] * 4
    assert together(prepare_frames(log, satisfied=399.5, **ALL)).filter(position=2)["grade"].to_list() == [0, 0, 0, 1]


def test_of_several_grades_the_first_limit_is_what_satisfies(logs, prepare_frames):
    one, several = (
        together(prepare_frames(logs / "2013.txt", **ALL, **how)) for how in ({"satisfied": 50}, {"grades": (50, 400)})
    )
    assert one.drop("grade").equals(several.drop("grade"), null_equal=True)
    assert (several["grade"] > 0).to_list() == (one["grade"] > 0).to_list()
    assert set(several["grade"]) == {0, 1, 2}


def test_a_page_is_numbered_within_its_part_in_presented_order(logs, prepare_frames):
    for frame in prepare_frames(logs / "2013.txt").values():
        assert frame["page"].to_list() == (frame["position"] == 1).cum_sum().to_list()
        steps = frame["position"].diff().drop_nulls()
        assert ((steps == 1) | (frame["position"][1:] == 1)).all()
        assert frame["presented"].to_list() == (-frame["position"]).to_list()


@pytest.mark.parametrize("keep", [True, False])
def test_pages_whose_clicks_are_withheld_are_a_part_of_their_own(tmp_path, prepare_frames, keep):
    parts = prepare_frames(withheld_log(tmp_path / "log.txt"), keep_unsatisfied=keep)
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
    prepared = prepare(withheld_log(tmp_path / "log.txt"), tmp_path / "out")
    assert prepared.parts["withheld"] == 2
    assert prepared.read("withheld").n_queries == 2


def test_a_log_without_withheld_pages_has_no_such_part(logs, tmp_path):
    prepared = prepare(logs / "2013.txt", tmp_path / "out")
    assert sorted(prepared.parts) == sorted(PARTS)
    with pytest.raises(FileError, match="no part withheld"):
        prepared.read("withheld")


def test_withheld_pages_of_the_history_are_written_too(tmp_path, prepare_frames):
    days = [one_page(day, user, 5, (1, 2), 1) for day in range(5) for user in (1, 2)]
    log = text_log(tmp_path / "log.txt", (0, 1, (0, "T", 0, 7, (2, 3))), *days)
    assert prepare_frames(log, history=0.25)["withheld"]["document"].to_list() == [2, 3]


# Features by name.


@pytest.mark.parametrize("group", GROUPS)
def test_a_group_of_features_is_written_alone_with_the_presented_order(logs, tmp_path, group):
    prepared = prepare(logs / "table.parquet", tmp_path / "out", features=[group])
    wanted = [feature.name for feature in FEATURES if feature.group == group or feature.name == "presented"]
    assert list(prepared.features) == wanted
    assert frames(prepared)["train"].columns == [*KEYS, *wanted]


def test_features_are_the_same_whichever_others_are_written(logs, prepare_frames):
    every = together(prepare_frames(logs / "table.parquet"))
    some = together(prepare_frames(logs / "table.parquet", features=["user", "similar_terms", "domain_rate"]))
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
