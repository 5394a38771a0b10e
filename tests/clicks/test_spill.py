"""Spill: a log on disk, by the days on which its sessions begin and end."""

from __future__ import annotations

import numpy as np
import pytest

from riskrank.clicks.impressions import Impressions, one_batch
from riskrank.clicks.spill import NO_DAY, Spill, session_days
from riskrank.files.scratch import Scratch


def pages(session, day=None, **columns):
    """A page of two documents for each session named; a session named several times in a row has several pages."""
    n = len(session)
    return Impressions(
        session=np.array(session), query=10 + np.arange(n), document_offset=2 * np.arange(n + 1),
        document=np.arange(2 * n), dwell=np.full(2 * n, 5.0), day=np.full(n, -1) if day is None else np.array(day),
        **columns,
    )  # fmt: skip


@pytest.fixture
def spill(tmp_path):
    return Spill(Scratch(tmp_path))


def sessions(batches):
    return [batch.session.tolist() for batch in batches]


def test_what_is_added_is_read_back_as_it_was(spill, pages_of):
    log = pages([1, 1, 2], [0, 0, 0], user=np.array([3, 3, 4]), domain=np.arange(6), score=np.linspace(0, 1, 6))
    spill.add(log)
    assert pages_of(spill.starting(0)) == pages_of([log])


def test_batches_of_a_day_are_read_together_in_the_order_in_which_they_came(spill):
    spill.add(pages([5, 1], [0, 1]))
    spill.add(pages([3, 2], [1, 0]))
    assert spill.days == [0, 1]
    assert spill.pages == {0: 2, 1: 2}
    assert sessions(spill.starting(0)) == [[5, 2]]
    assert sessions(spill.starting(1)) == [[1, 3]]
    assert sessions(spill.starting(7)) == []


def test_sessions_start_on_their_first_day_and_end_on_their_last(spill):
    spill.add(pages([1, 2, 2, 3], [0, 0, 1, 2]))
    assert sessions(spill.starting(0)) == [[1, 2, 2]]
    assert sessions(spill.ending(-1, 0)) == [[1]]
    assert sessions(spill.ending(0, 1)) == [[2, 2]]
    assert sessions(spill.ending(-1, 2)) == [[1, 2, 2, 3]]


def test_a_session_of_which_a_page_has_no_day_has_none(spill):
    log = pages([1, 1, 2], [-1, 3, 4])
    first, last = session_days(log)
    assert (first.tolist(), last.tolist()) == ([-1, -1, 4], [-1, -1, 4])
    spill.add(log)
    assert (spill.days, spill.has_days, spill.n_without_day) == ([4], True, 2)
    assert sessions(spill.ending(NO_DAY, 9)) == [[2]]


def test_a_log_without_days_is_one_day_that_has_no_name(spill):
    spill.add(pages([1, 2]))
    assert (spill.days, spill.has_days, spill.n_without_day) == ([NO_DAY], False, 0)
    assert sessions(spill.starting(NO_DAY)) == [[1, 2]]


def test_it_knows_what_no_page_of_the_log_has(spill):
    spill.add(pages([1], [0]))
    assert spill.lacking == ["user", "domain", "term", "score"]
    spill.add(pages([2], [0], user=np.array([7]), score=np.array([np.nan, 0.5])))
    assert spill.lacking == ["domain", "term"]
    spill.add(pages([3], [0], domain=np.array([-1, 2]), term_offset=np.array([0, 1]), term=np.array([9])))
    assert spill.lacking == []


def test_a_day_is_read_in_batches_of_whole_additions(spill, monkeypatch):
    monkeypatch.setattr("riskrank.clicks.spill.PAGES_AT_ONCE", 3)
    parts = [pages([k, k], [0, 0]) for k in range(5)]
    for part in parts:
        spill.add(part)
    batches = list(spill.starting(0))
    assert sessions(batches) == [[0, 0, 1, 1], [2, 2, 3, 3], [4, 4]]
    assert one_batch(batches).query.tolist() == one_batch(parts).query.tolist()
