"""LogSplits: days, users or sessions, never anybody's future before their past."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from riskrank.clicks.impressions import Impressions
from riskrank.clicks.log_splits import HISTORY, LogSplits
from riskrank.clicks.spill import Spill
from riskrank.errors import ParameterError
from riskrank.files.scratch import Scratch

TRAIN, VALID, TEST = range(3)
SHARES = (2, 1, 1)


def pages(session, *, day=-1, user=-1):
    """A page of a document for each session named; a session named twice in a row has two pages."""
    n = len(session)
    each = np.arange(n + 1)
    return Impressions(
        session=np.asarray(session, np.int64), user=np.broadcast_to(np.asarray(user, np.int64), n).copy(),
        day=np.broadcast_to(np.asarray(day, np.int64), n).copy(), query=np.zeros(n, np.int64), document_offset=each,
        document=np.zeros(n, np.int64), dwell=np.full(n, 50.0),
    )  # fmt: skip


def days(*sizes, user=-1):
    """A log with this many pages on each day, each page a session."""
    n = sum(sizes)
    return pages(np.arange(n), day=np.repeat(np.arange(len(sizes)), sizes), user=user)


@pytest.fixture(scope="module")
def split(tmp_path_factory):
    """The part of each page of a log, as a whole and batch by batch."""

    def run(log, kind, shares=SHARES, history=0.0, random_state=0, cuts=(), boundary=None):
        spill = Spill(Scratch(tmp_path_factory.mktemp("log")))
        spill.add(log)
        splits = LogSplits(spill, kind, shares, history, random_state, boundary)
        parts = np.empty(len(log), np.int64)
        first = 0
        for day in spill.days:
            rows = np.flatnonzero(log.day == day)
            bounds = [0, *cuts, len(rows)]
            for begin, end in pairwise(bounds):
                parts[rows[begin:end]] = splits.parts(log.take(rows[begin:end]), first)
                first += end - begin
        return parts

    return run


sizes_of_days = st.lists(st.integers(1, 40), min_size=4, max_size=12)
some_shares = st.tuples(*[st.floats(0.1, 5)] * 3)
some_history = st.one_of(st.just(0.0), st.floats(0.01, 0.95))


# By time, with days.


@given(sizes_of_days, some_shares, some_history)
@settings(max_examples=60)
def test_days_are_never_cut_and_the_parts_follow_each_other(split, sizes, shares, history):
    log = days(*sizes)
    parts = split(log, "time", shares, history)
    by_day = [set(parts[log.day == day].tolist()) for day in range(len(sizes))]
    assert all(len(parts) == 1 for parts in by_day)
    order = [parts.pop() for parts in by_day]
    assert order == sorted(order)
    assert (order[0] == HISTORY) == (history > 0)
    assert order[-1] == TEST
    assert TRAIN in order


def test_days_alike_are_shared_out_as_asked(split):
    # 28 days, the first quarter is history: 7 days. Of the 21 left, day k begins at k / 21: before 1/2 for k < 10.5,
    # which are 11 days, and before 3/4 for k < 15.75, which are 5 more.
    parts = split(days(*[3] * 28), "time", (2, 1, 1), 0.25)
    assert np.bincount(parts + 1).tolist() == [7 * 3, 10 * 3, 6 * 3, 5 * 3]


def test_shares_are_of_the_pages_not_of_the_days(split):
    # 24 pages; days begin at 0, 12, 18 and 21 of them: at 0, 1/2, 3/4 and 7/8.
    parts = split(days(12, 6, 3, 3), "time", (2, 1, 1))
    assert parts.tolist() == [TRAIN] * 12 + [VALID] * 6 + [TEST] * 6


def test_shares_count_in_proportion(split):
    log = days(*[2] * 10)
    assert split(log, "time", (2, 1, 1)).tolist() == split(log, "time", (0.5, 0.25, 0.25)).tolist()


@pytest.mark.parametrize("sizes", [(1, 1, 1), (50, 1, 1), (1, 1, 50), (1, 50, 1)])
def test_three_days_are_a_day_for_each_part(split, sizes):
    parts = split(days(*sizes), "time")
    assert parts.tolist() == np.repeat([TRAIN, VALID, TEST], sizes).tolist()


@pytest.mark.parametrize("sizes", [(1, 1, 1, 50), (50, 1, 1, 1), (1, 1, 1, 1, 1, 90), (90, 1, 1, 1, 1, 1)])
def test_a_busy_day_at_an_end_leaves_a_day_for_each_part(split, sizes):
    assert set(split(days(*sizes), "time").tolist()) == {TRAIN, VALID, TEST}


@pytest.mark.parametrize("sizes", [(10, 70, 10, 5, 5), (10, 10, 60, 10, 10)])
def test_a_busy_day_in_the_middle_leaves_a_day_for_each_part(split, sizes):
    assert set(split(days(*sizes), "time").tolist()) == {TRAIN, VALID, TEST}


def test_history_is_at_least_a_day_and_leaves_one_for_each_part(split):
    log = days(5, 5, 5, 5)
    for history in (0.001, 0.5, 0.99):
        assert split(log, "time", SHARES, history).tolist() == np.repeat([HISTORY, TRAIN, VALID, TEST], 5).tolist()


def test_the_order_of_the_log_does_not_matter_where_there_are_days(split):
    log = days(*[4] * 8)
    mixed = np.random.default_rng(0).permutation(len(log))
    assert split(log.take(mixed), "time").tolist() == split(log, "time")[mixed].tolist()


@pytest.mark.parametrize(("n_days", "history"), [(1, 0.0), (2, 0.0), (3, 0.25)])
def test_too_few_days_for_a_split_by_time_are_refused(split, n_days, history):
    with pytest.raises(ParameterError, match=f"has {n_days} days, too few"):
        split(days(*[9] * n_days), "time", SHARES, history)


# By time, without days.


@given(st.lists(st.integers(1, 5), min_size=4, max_size=30), some_shares, some_history)
@settings(max_examples=60)
def test_without_days_sessions_are_never_cut_and_the_parts_follow_each_other(split, lengths, shares, history):
    log = pages(np.repeat(np.arange(len(lengths)), lengths))
    parts = split(log, "time", shares, history)
    assert (np.diff(parts) >= 0).all()
    assert all(len(set(parts[log.session == session].tolist())) == 1 for session in range(len(lengths)))
    # the history ends with the session that holds its last page
    n_history = round(history * len(log))
    assert (parts == HISTORY).sum() >= n_history
    assert (parts == HISTORY).sum() < n_history + max(lengths)


def test_without_days_shares_are_of_the_pages_after_the_history(split):
    # 40 pages: 20 of history, of the other 20 a half, a quarter and a quarter.
    parts = split(pages(np.arange(40)), "time", (2, 1, 1), 0.5)
    assert parts.tolist() == [HISTORY] * 20 + [TRAIN] * 10 + [VALID] * 5 + [TEST] * 5


@given(st.lists(st.integers(1, 5), min_size=4, max_size=12), st.data())
@settings(max_examples=30)
def test_parts_do_not_depend_on_how_the_log_is_cut(split, lengths, data):
    ends = np.cumsum(lengths).tolist()
    cuts = sorted(data.draw(st.sets(st.sampled_from(ends[:-1]))))
    sessions = np.repeat(np.arange(len(lengths)), lengths)
    for kind, users in (("time", -1), ("session", -1), ("user", sessions % 3)):
        log = pages(sessions, user=users)
        assert split(log, kind, SHARES, 0.3, cuts=cuts).tolist() == split(log, kind, SHARES, 0.3).tolist()


# By user and session.


@given(st.integers(0, 1000), some_history)
@settings(max_examples=20)
def test_a_user_is_in_one_part_with_all_pages_after_the_history(split, seed, history):
    assume(history < 0.8)
    rng = np.random.default_rng(seed)
    users = rng.integers(0, 12, 200)
    for day in (-1, np.sort(rng.integers(0, 10, 200))):
        log = pages(np.arange(200), day=day, user=users)
        parts = split(log, "user", SHARES, history, seed)
        for user in range(12):
            assert len(set(parts[users == user].tolist()) - {HISTORY}) <= 1
        is_history = (parts == HISTORY).tolist()
        assert is_history == sorted(is_history, reverse=True)


@pytest.mark.parametrize("kind", ["user", "session"])
def test_users_and_sessions_are_shared_out_as_asked(split, kind):
    names = np.arange(20_000)
    parts = split(pages(names, user=names if kind == "user" else -1), kind, (5, 3, 2))
    shares = np.bincount(parts) / len(parts)
    np.testing.assert_allclose(shares, [0.5, 0.3, 0.2], atol=0.02)  # more than 5 standard errors


@pytest.mark.parametrize("kind", ["user", "session"])
def test_another_seed_is_another_split_of_users_and_sessions(split, kind):
    log = pages(np.arange(300), user=np.arange(300) if kind == "user" else -1)
    one, same, other = (split(log, kind, random_state=seed) for seed in (1, 1, 2))
    assert one.tolist() == same.tolist()
    assert one.tolist() != other.tolist()


def test_the_seed_does_not_matter_for_time(split):
    log = days(*[3] * 9)
    assert split(log, "time", random_state=1).tolist() == split(log, "time", random_state=2).tolist()


def test_a_session_is_in_one_part(split):
    session = np.repeat(np.arange(60), 3)
    for day in (-1, session // 10):
        parts = split(pages(session, day=day), "session")
        assert (parts.reshape(60, 3) == parts[::3, None]).all()
        assert set(parts.tolist()) == {TRAIN, VALID, TEST}


def test_by_user_the_first_days_are_history_for_all(split):
    log = days(*[10] * 8, user=np.arange(80) % 7)
    parts = split(log, "user", SHARES, 0.25)
    assert (parts == HISTORY).tolist() == (log.day < 2).tolist()


@pytest.mark.parametrize("kind", ["user", "session"])
def test_a_single_day_cannot_be_history_and_more(split, kind):
    log = days(30, user=np.arange(30) if kind == "user" else -1)
    with pytest.raises(ParameterError, match="has 1 days, too few to remember the first"):
        split(log, kind, SHARES, 0.25)
    assert HISTORY not in split(log, kind, SHARES, 0)


# By a number.


@pytest.mark.parametrize("boundary", [0, 700, 5000])
def test_numbers_from_the_boundary_on_are_for_testing(split, boundary):
    parts = split(pages(np.arange(4000)), "session", (2, 1, 1), boundary=boundary)
    assert set(parts[boundary:].tolist()) <= {TEST}
    assert TEST not in parts[:boundary]
    if boundary:
        assert (parts[:boundary] == TRAIN).mean() == pytest.approx(2 / 3, abs=0.06)  # the first two shares


def test_users_have_a_boundary_of_their_own(split):
    log = days(50, 50, 50, user=np.arange(150) % 10)
    parts = split(log, "user", boundary=6)
    assert ((parts == TEST) == (log.user >= 6)).all()


def test_days_have_no_boundary(split):
    with pytest.raises(ParameterError, match="a boundary is a number of users or sessions: split by user or session"):
        split(days(5, 5, 5), "time", boundary=3)


# What is refused.


def test_a_log_without_users_is_not_split_by_user(split):
    with pytest.raises(ParameterError, match="has no users: split it by session or time"):
        split(days(5, 5, 5), "user")


def test_a_log_with_users_is_not_split_by_session(split):
    with pytest.raises(ParameterError, match="has users, .*: split it by user or time"):
        split(days(5, 5, 5, user=1), "session")


def test_an_unknown_kind_is_refused_with_those_that_are_known(split):
    with pytest.raises(ParameterError, match="time, user, session"):
        split(days(5, 5, 5), "date")


@pytest.mark.parametrize("shares", [(1, 1), (1, 1, 1, 1), (1, 0, 1), (1, -1, 1), (1, float("nan"), 1), "211", ()])
def test_shares_are_three_numbers_above_0(split, shares):
    with pytest.raises(ParameterError, match="shares must be three numbers above 0") as told:
        split(days(5, 5, 5), "time", shares)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("history", [-0.1, 1, 1.5, float("nan"), "half", True])
def test_history_is_a_share_below_1(split, history):
    with pytest.raises(ParameterError, match="history must be a number from 0, below 1"):
        split(days(5, 5, 5, 5), "time", SHARES, history)


def test_no_pages_have_no_parts(split, tmp_path):
    spill = Spill(Scratch(tmp_path))
    spill.add(days(5, 5, 5))
    assert LogSplits(spill, "time", SHARES, 0, 0).parts(Impressions.none(), 0).tolist() == []
