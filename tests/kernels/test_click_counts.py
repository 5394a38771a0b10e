"""The table of counts: keys that differ, places that stay, and a larger table with the same counts."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from riskrank.kernels.click_counts import CLICKED, SHOWN, Memory, count_of, find_key, key_of, move


def table(n_places):
    return Memory(np.zeros(n_places, np.uint64), np.zeros((n_places, 4), np.uint32), np.zeros(4), np.zeros(2, np.int64))


def fill(memory, keys):
    """Key number i is shown i + 1 times and clicked i times."""
    for i, key in enumerate(keys):
        at = find_key(memory.keys, key)
        memory.keys[at] = key
        memory.counts[at, SHOWN], memory.counts[at, CLICKED] = i + 1, i
        memory.state[0] += 1


@pytest.fixture(scope="module")
def keys():
    return [np.uint64(key_of(kind, one, two, 0)) for kind in range(1, 4) for one in range(5) for two in range(4)]


def test_keys_tell_kinds_and_the_order_of_ids_apart():
    keys = [key_of(*ids) for ids in itertools.product(range(1, 5), range(4), range(4), range(4))]
    assert len(set(keys)) == len(keys)
    assert 0 not in keys  # a free place


def test_what_was_counted_is_there_also_in_a_crowded_table(keys):
    memory = table(64)
    fill(memory, keys)
    assert len(keys) == 60
    for i, key in enumerate(keys):
        assert count_of(memory, key, SHOWN) == i + 1
        assert count_of(memory, key, CLICKED) == i
    assert count_of(memory, np.uint64(key_of(9, 9, 9, 9)), SHOWN) == 0


def test_a_larger_table_takes_over_every_count(keys):
    small, large = table(64), table(256)
    fill(small, keys)
    small.totals[:] = [7, 5, 3, 1]
    move(small, large)
    for key in keys:
        for what in (SHOWN, CLICKED):
            assert count_of(large, key, what) == count_of(small, key, what)
    np.testing.assert_array_equal(large.totals, small.totals)
    np.testing.assert_array_equal(large.state, [len(keys), 0])
