"""Synthetic logs: the same for the same seed, of the size asked for, with clicks as real ones are."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskrank.clicks.impressions import one_batch
from riskrank.clicks.simulator import N_SHOWN, World
from riskrank.errors import ParameterError

shares = st.floats(0, 1)
worlds = st.builds(
    World,
    pages_per_user=st.floats(0.5, 100),
    pages_per_query=st.floats(0.5, 100),
    ambiguous=shares,
    fresh=shares,
    refinding=shares,
    habits=shares,
    mistakes=shares,
    random_state=st.integers(0, 2**40),
)


@pytest.fixture(scope="module")
def log():
    return one_batch(list(World().log(20_000)))


@pytest.fixture(scope="module")
def repeats(log):
    """Of each page: how often its user preferred each document for its query before, and what they like now."""
    before, now = [], log.satisfied().reshape(-1, N_SHOWN)
    preferred = defaultdict(Counter)
    pages = zip(log.user.tolist(), log.query.tolist(), log.document.reshape(-1, N_SHOWN).tolist(), now, strict=True)
    for user, query, shown, satisfied in pages:
        own = preferred[user, query]
        before.append([own[document] for document in shown])
        own.update(np.array(shown)[satisfied].tolist())
    return np.array(before), now


@given(worlds, st.integers(1, 300))
@settings(max_examples=15)
def test_the_same_seed_makes_the_same_log(pages_of, world, n):
    again = World(**vars(world))
    assert pages_of(world.log(n)) == pages_of(again.log(n)) == pages_of(world.log(n))


def test_other_random_numbers_leave_the_log_alone(pages_of):
    first = pages_of(World().log(50))
    np.random.seed(7)  # noqa: NPY002
    np.random.random(3)  # noqa: NPY002
    assert pages_of(World().log(50)) == first


def test_other_seeds_make_other_logs_of_the_same_world():
    one, other = (one_batch(list(World(pages_per_query=10, random_state=seed).log(500))) for seed in (1, 2))
    assert one.query.tolist()[:100] != other.query.tolist()[:100]
    shown = [{}, {}]
    for pages, part in zip(shown, (one, other), strict=True):
        for i, query in enumerate(part.query.tolist()):
            pages[query] = part.document[i * N_SHOWN : (i + 1) * N_SHOWN].tolist()
    common = shown[0].keys() & shown[1].keys()
    assert len(common) > 30
    assert all(shown[0][query] == shown[1][query] for query in common)


@given(worlds, st.integers(1, 400))
@settings(max_examples=25)
def test_a_log_has_so_many_pages_and_what_is_left_of_the_last_session(world, n):
    log = one_batch(list(world.log(n)))
    assert n <= len(log)
    assert (log.session < log.session[-1]).sum() < n  # without the last session there would be too few


@given(worlds, st.integers(1, 400))
@settings(max_examples=25)
def test_every_page_is_well_formed(world, n):
    log = one_batch(list(world.log(n)))
    documents = log.document.reshape(-1, N_SHOWN)
    assert np.diff(log.document_offset).tolist() == [N_SHOWN] * len(log)
    assert all(len(set(page)) == N_SHOWN for page in documents.tolist())
    assert (log.user >= 0).all()
    assert (log.user < max(2, round(n / world.pages_per_user))).all()
    assert (log.query >= 0).all()
    assert (log.query < max(2, round(n / world.pages_per_query))).all()
    assert (log.day >= 0).all()
    assert (log.day < 28).all()
    assert (np.diff(log.day) >= 0).all()
    assert not log.is_withheld.any()
    assert (log.dwell[~np.isnan(log.dwell)] >= 0).all()
    assert (np.diff(log.score.reshape(-1, N_SHOWN)) <= 0).all()  # ranked by the score
    for values in (log.domain, log.term, log.time):
        assert (values >= 0).all()


@given(worlds, st.integers(1, 400))
@settings(max_examples=25)
def test_sessions_are_whole_rise_and_belong_to_a_user_and_a_day(world, n):
    parts = list(world.log(n))
    sessions = [set(part.session.tolist()) for part in parts]
    assert sum(map(len, sessions)) == len(set().union(*sessions))
    log = one_batch(parts)
    assert (np.diff(log.session) >= 0).all()
    assert np.bincount(log.session).max() <= 8
    goes_on = np.diff(log.session) == 0
    assert (np.diff(log.user)[goes_on] == 0).all()
    assert (np.diff(log.day)[goes_on] == 0).all()
    assert (np.diff(log.time)[goes_on] > 0).all()
    assert (log.time[np.append(True, ~goes_on)] == 0).all()


def test_only_the_last_click_of_a_session_ends_it(log):
    page, last_page = log.page, np.append(np.diff(log.session) > 0, True)
    clicked = ~np.isnan(log.dwell)
    last = np.zeros(len(log.dwell), bool)
    for i in np.flatnonzero(last_page):
        rows = np.flatnonzero(clicked[i * N_SHOWN : (i + 1) * N_SHOWN])
        last[i * N_SHOWN + rows[-1:]] = True
    assert (np.isinf(log.dwell) == last).all()
    assert last_page[page[last]].all()


def test_a_log_covers_four_weeks(log):
    pages = np.bincount(log.day)
    assert len(pages) == 28
    assert pages.min() > 0.5 * pages.mean()


def test_a_long_log_comes_in_batches():
    parts = list(World().log(60_000))
    assert len(parts) > 1
    assert 60_000 <= sum(map(len, parts)) < 60_008
    assert all(a.session[-1] < b.session[0] for a, b in itertools.pairwise(parts))


def test_a_query_shows_everybody_the_same_page(log):
    shown = defaultdict(set)
    for query, page in zip(log.query.tolist(), log.document.reshape(-1, N_SHOWN).tolist(), strict=True):
        shown[query].add(tuple(page))
    assert {len(pages) for pages in shown.values()} == {1}
    assert len(shown) > 1000


def test_clicks_favour_the_top(log):
    rates = (~np.isnan(log.dwell)).reshape(-1, N_SHOWN).mean(axis=0)
    assert (np.diff(rates) < 0).all()
    assert rates[0] > 3 * rates[4] > 0
    assert rates[-1] > 0


def test_clicks_favour_the_top_beyond_what_the_ranking_deserves(log):
    """A document clicked at the fifth place satisfies about as often as one clicked on top, but is clicked far less."""
    clicked = (~np.isnan(log.dwell)).reshape(-1, N_SHOWN)
    satisfied = log.satisfied().reshape(-1, N_SHOWN)
    share = satisfied.sum(axis=0) / clicked.sum(axis=0)
    assert share[4] / share[0] > 2 * clicked[:, 4].sum() / clicked[:, 0].sum()


def test_some_pages_have_no_click_some_have_several_and_some_clicks_disappoint(log):
    clicks = (~np.isnan(log.dwell)).reshape(-1, N_SHOWN).sum(axis=1)
    assert 0.1 < (clicks == 0).mean() < 0.6
    assert (clicks > 1).mean() > 0.1
    assert 0.2 < log.satisfied().sum() / clicks.sum() < 0.9


def test_users_come_back_to_their_queries(log):
    often = np.unique(np.stack([log.user, log.query]), axis=1, return_counts=True)[1]
    assert (often > 1).sum() > 500


def test_there_are_about_as_many_users_and_queries_as_asked_for():
    few = one_batch(list(World(pages_per_user=100, pages_per_query=50).log(5000)))
    many = one_batch(list(World(pages_per_user=2, pages_per_query=1).log(5000)))
    assert 40 <= len(set(few.user.tolist())) <= 50
    assert 80 <= len(set(few.query.tolist())) <= 100
    assert len(set(many.user.tolist())) > 1000
    assert len(set(many.query.tolist())) > 1000


def test_what_a_user_preferred_before_is_preferred_again_more_often_than_others_at_the_same_place(repeats):
    before, now = repeats
    comes_back = (before > 0).any(axis=1)
    assert comes_back.sum() > 1000
    known, now = before[comes_back] > 0, now[comes_back]
    for k in range(4):
        assert now[known[:, k], k].mean() > 1.5 * now[~known[:, k], k].mean()


def test_what_a_user_preferred_before_is_not_always_preferred_again(repeats):
    before, now = repeats
    again, other = ((before > 0) & now).any(axis=1), ((before == 0) & now).any(axis=1)
    comes_back = (before > 0).any(axis=1)
    assert 0.2 < again[comes_back].mean() < 0.8
    assert (other & ~again)[comes_back].mean() > 0.1


def test_moving_what_a_user_preferred_twice_to_the_top_helps_on_the_whole_and_hurts_some(repeats):
    before, now = repeats
    chosen = (before > 1).any(axis=1) & now.any(axis=1)
    before, now = before[chosen], now[chosen]
    moved = np.take_along_axis(now, np.argsort(before <= 1, axis=1, kind="stable"), axis=1)
    change = 1 / (1 + moved.argmax(axis=1)) - 1 / (1 + now.argmax(axis=1))  # of the reciprocal rank
    assert change.mean() > 0.01
    assert (change > 0).mean() > 0.05
    assert (change < 0).mean() > 0.05


def preferred_again(**shares):
    """How often a user who comes back to a query likes a document that they preferred the last time."""
    log = one_batch(list(World(**shares).log(20_000)))
    last, hits = {}, []
    documents, satisfied = (each.reshape(-1, N_SHOWN) for each in (log.document, log.satisfied()))
    for i, key in enumerate(zip(log.user.tolist(), log.query.tolist(), strict=True)):
        now = set(documents[i][satisfied[i]].tolist())
        if now:
            hits += [bool(now & last[key])] if key in last else []
            last[key] = now
    assert len(hits) > 2000
    return np.mean(hits)


def test_users_with_habits_like_the_same_document_again():
    assert preferred_again(habits=1.0) > preferred_again(habits=0.0) + 0.1


def test_queries_that_mean_something_new_each_time_are_answered_by_other_documents():
    assert preferred_again(ambiguous=1.0, habits=0.0, fresh=1.0) < preferred_again(ambiguous=1.0, habits=0.0, fresh=0.0)


@pytest.mark.parametrize(
    "sizes",
    [
        {"pages_per_user": 0},
        {"pages_per_query": -1.0},
        {"pages_per_user": float("nan")},
        {"pages_per_query": float("inf")},
        {"pages_per_user": "many"},
        {"random_state": -1},
        {"random_state": None},
        {"ambiguous": -0.1},
        {"fresh": 1.1},
        {"refinding": float("nan")},
        {"habits": 2},
        {"mistakes": float("inf")},
        pytest.param({"fresh": "some"}),
    ],
)
def test_sizes_and_shares_that_make_no_sense_are_refused_by_name(sizes):
    with pytest.raises(ParameterError, match=next(iter(sizes))):
        World(**sizes)


@pytest.mark.parametrize("n", [0, -5, 2.5, None])
def test_a_log_needs_a_number_of_pages(n):
    with pytest.raises(ParameterError, match="n_impressions must be a whole number from 1"):
        list(World().log(n))
