"""Impressions: pages and their documents, satisfied clicks, grades, parts and wholes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskrank.clicks.impressions import Impressions, one_batch
from riskrank.errors import ParameterError

from .small_impressions import THREE, impressions

NAN, INF = math.nan, math.inf

dwells = st.sampled_from([NAN, 0.0, 1.0, 29.0, 30.0, 49.0, 50.0, 399.0, 400.0, 1e9, INF])
shown = st.lists(st.tuples(st.integers(0, 99), dwells), max_size=4)
logs = st.lists(st.tuples(shown, st.lists(st.integers(0, 9), max_size=3)), max_size=6)


def page_of(*dwell):
    return impressions([([(k, each) for k, each in enumerate(dwell)], [])])


def test_no_page_at_all_has_no_documents(pages_of):
    nothing = Impressions.none()
    assert len(nothing) == 0
    assert pages_of([nothing]) == []
    for values in (nothing.page, nothing.position, nothing.satisfied(), nothing.grades()):
        assert values.tolist() == []
    assert len(nothing.take(np.zeros(0, bool))) == 0


def test_what_a_log_does_not_tell_is_left_out(pages_of):
    ids = np.array([3, 4])
    told = Impressions(session=ids, query=ids, document_offset=np.array([0, 2, 2]), document=ids, dwell=ids * 1.0)
    unknown = {"user": -1, "day": -1, "time": 0, "is_withheld": False, "terms": []}
    assert pages_of([told]) == [
        {
            "session": 3,
            "query": 3,
            "document": [3, 4],
            "dwell": [3, 4],
            "domain": [-1, -1],
            "score": [None] * 2,
            **unknown,
        },
        {"session": 4, "query": 4, "document": [], "dwell": [], "domain": [], "score": [], **unknown},
    ]
    assert np.isnan(told.click_time).tolist() == [True, True]


def test_pages_whose_clicks_are_withheld_go_by_their_old_name_too():
    with pytest.warns(DeprecationWarning, match="is_withheld"):
        assert THREE.is_test is THREE.is_withheld


def test_documents_know_their_page_and_their_rank_from_one():
    assert THREE.page.tolist() == [0, 0, 1, 2, 2, 2]
    assert THREE.position.tolist() == [1, 2, 1, 1, 2, 3]


@given(logs)
@settings(max_examples=40)
def test_positions_count_from_one_on_each_page_even_among_pages_without_documents(pages):
    log = impressions(pages)
    assert log.position.tolist() == [k + 1 for shown, _ in pages for k in range(len(shown))]
    assert log.page.tolist() == [i for i, (shown, _) in enumerate(pages) for _ in shown]


def test_a_satisfied_click_lasts_thirty_seconds_or_ends_the_session():
    assert page_of(NAN, 0, 29.999, 30, 31, INF).satisfied().tolist() == [False, False, False, True, True, True]


def test_every_click_is_satisfied_from_zero_seconds_on_and_only_the_last_without_end():
    assert page_of(NAN, 0, 500, INF).satisfied(0).tolist() == [False, True, True, True]
    assert page_of(NAN, 0, 500, INF).satisfied(INF).tolist() == [False, False, False, True]


@pytest.mark.parametrize("threshold", [-1, -INF, NAN])
def test_a_threshold_below_zero_is_refused(threshold):
    with pytest.raises(ParameterError, match="threshold must be a number from 0"):
        THREE.satisfied(threshold)


def test_grades_are_those_of_2014_unless_told_otherwise():
    """0 without a click or below 50 units, 1 from 50, 2 from 400 or for the click that ends the session."""
    assert page_of(NAN, 0, 49, 50, 399, 400, 401, INF).grades().tolist() == [0, 0, 0, 1, 1, 2, 2, 2]


@given(logs, st.lists(st.floats(0, 1000), min_size=1, max_size=4, unique=True).map(sorted))
@settings(max_examples=40)
def test_a_grade_counts_the_limits_that_a_click_reaches(pages, limits):
    grades = impressions(pages).grades(limits).tolist()
    dwell = [each for shown, _ in pages for _, each in shown]
    assert grades == [sum(each >= limit for limit in limits) for each in dwell]


@given(logs)
@settings(max_examples=40)
def test_with_one_limit_the_grade_is_whether_the_click_is_satisfied(pages):
    log = impressions(pages)
    assert log.grades([30.0]).tolist() == log.satisfied(30.0).astype(int).tolist()


@pytest.mark.parametrize(
    "limits",
    [
        (),
        (400, 50),
        (50, 50),
        [[50, 400]],
        50,
        pytest.param((NAN,)),
        pytest.param((50, NAN)),
    ],
)
def test_limits_that_do_not_rise_are_refused(limits):
    with pytest.raises(ParameterError, match="limits must be numbers that rise"):
        THREE.grades(limits)


@given(logs, st.data())
@settings(max_examples=40)
def test_taking_pages_is_picking_them_from_a_list(pages_of, pages, data):
    log = impressions(pages)
    positions = st.lists(st.integers(0, len(pages) - 1), max_size=8) if pages else st.just([])
    chosen = data.draw(positions)
    every = pages_of([log])
    assert pages_of([log.take(np.array(chosen, np.int64))]) == [every[i] for i in chosen]


@given(logs, st.data())
@settings(max_examples=40)
def test_a_mask_takes_the_pages_where_it_is_true(pages_of, pages, data):
    log = impressions(pages)
    mask = data.draw(st.lists(st.booleans(), min_size=len(pages), max_size=len(pages)))
    every = pages_of([log])
    kept = [page for page, wanted in zip(every, mask, strict=True) if wanted]
    assert pages_of([log.take(np.array(mask, bool))]) == kept


def test_taking_leaves_the_log_as_it_was(pages_of):
    before = pages_of([THREE])
    taken = THREE.take(np.array([2, 0]))
    taken.document[:] = 0
    taken.dwell[:] = 0
    assert pages_of([THREE]) == before


@pytest.mark.parametrize(
    "pages",
    [
        pytest.param([3], id="position"),
        pytest.param([-2], id="position from the end"),
        pytest.param([True] * 4, id="long mask"),
        pytest.param([True], id="short mask"),
    ],
)
def test_pages_that_do_not_exist_are_refused(pages):
    with pytest.raises(ParameterError, match="pages are taken by a mask of 3, or by positions below that"):
        THREE.take(np.array(pages))


@given(st.lists(logs, min_size=1, max_size=4))
@settings(max_examples=40)
def test_batches_joined_are_their_pages_one_after_the_other(pages_of, parts):
    several = [impressions(pages) for pages in parts]
    whole = one_batch(several)
    assert pages_of([whole]) == pages_of(several)
    assert len(whole) == sum(map(len, several))
    assert whole.document_offset.dtype == whole.term_offset.dtype == np.int64


@given(logs, st.integers(0, 6))
@settings(max_examples=40)
def test_a_log_cut_in_two_and_joined_is_whole_again(pages_of, pages, cut):
    log = impressions(pages)
    number = np.arange(len(log))
    assert pages_of([one_batch([log.take(number < cut), log.take(number >= cut)])]) == pages_of([log])


def test_batches_without_pages_add_nothing(pages_of):
    nothing = Impressions.none()
    assert pages_of([one_batch([nothing, THREE, nothing, THREE])]) == pages_of([THREE]) * 2
    assert len(one_batch([nothing, nothing])) == 0


def test_no_batch_at_all_is_no_page():
    assert len(one_batch([])) == 0
