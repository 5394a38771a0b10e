"""Features of impressions, against plain counting over the whole log."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from riskrank.kernels.click_columns import N_FEATURES
from riskrank.kernels.click_counts import Memory, Pages, most_new_keys, remember
from riskrank.kernels.click_features import features, features_in_order

from ..clicks.plain_features import LONG_ENOUGH, assert_same, expected_rows, impressions, logs

SMOOTHING = 10.0


def pages_of(log):
    batch = impressions(log)
    own = {name: getattr(batch, name) for name in Pages._fields if hasattr(batch, name)}
    clicked = ~np.isnan(batch.dwell)
    return Pages(**own, is_clicked=clicked, is_satisfied=batch.satisfied(LONG_ENOUGH), dwell_end=batch.click_time)


def empty_memory(places=1 << 12):
    return Memory(np.zeros(places, np.uint64), np.zeros((places, 4), np.uint32), np.zeros(4), np.zeros(2, np.int64))


def empty_features(pages):
    return np.full((len(pages.document), N_FEATURES), 7.0, np.float32)


@settings(max_examples=30)
@given(logs())
def test_in_order_every_feature_is_what_plain_counting_says(log):
    pages, memory = pages_of(log), empty_memory()
    out = empty_features(pages)
    assert features_in_order(pages, 0, memory, SMOOTHING, 2**62, out) == len(log)
    assert_same(out, expected_rows(log, by_day=False, smoothing=SMOOTHING))


@settings(max_examples=30)
@given(logs(), st.data())
def test_only_the_rows_of_the_pages_asked_for_are_filled(log, data):
    pages, memory = pages_of(log), empty_memory()
    remember(pages, 0, memory, 2**62)
    before = [array.copy() for array in memory]
    whole, part = empty_features(pages), empty_features(pages)
    features(pages, 0, len(log), memory, SMOOTHING, whole)
    first, last = sorted(data.draw(st.tuples(st.integers(0, len(log)), st.integers(0, len(log)))))
    features(pages, first, last, memory, SMOOTHING, part)
    a, b = pages.document_offset[first], pages.document_offset[last]
    np.testing.assert_array_equal(part[a:b], whole[a:b])
    assert (part[:a] == 7).all()
    assert (part[b:] == 7).all()
    for array, was in zip(memory, before, strict=True):
        np.testing.assert_array_equal(array, was)


@settings(max_examples=30)
@given(logs(least_sessions=2), st.integers(0, 200))
def test_a_table_that_gets_too_full_stops_before_a_session_and_goes_on_from_there(log, room):
    pages, memory = pages_of(log), empty_memory()
    whole, parts = empty_features(pages), empty_features(pages)
    features_in_order(pages, 0, empty_memory(), SMOOTHING, 2**62, whole)
    left = features_in_order(pages, 0, memory, SMOOTHING, room, parts)
    assert memory.state[0] <= room
    if left < len(log):
        assert left == 0 or log[left].owner != log[left - 1].owner
        end = next((i for i in range(left, len(log)) if log[i].owner != log[left].owner), len(log))
        assert memory.state[0] + most_new_keys(pages, left, end) > room
    assert features_in_order(pages, left, memory, SMOOTHING, 2**62, parts) == len(log)
    np.testing.assert_array_equal(parts, whole)
