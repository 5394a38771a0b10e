from __future__ import annotations

from itertools import pairwise

import numpy as np
import polars as pl

from riskrank.data.shards.seen_queries import SeenQueries


def names(low, high):
    return pl.Series([str(number) for number in range(low, high)])


def test_queries_are_new_until_one_of_them_was_there():
    seen = SeenQueries()
    assert not any(seen.add(names(low, low + 7)) for low in range(0, 700, 7))
    assert seen.add(names(699, 703))
    assert seen.add(names(702, 710))
    assert not seen.add(names(710, 720))


def test_a_query_twice_at_once_is_known():
    assert SeenQueries().add(pl.Series(["a", "b", "a"]))


def test_a_query_takes_8_bytes():
    seen = SeenQueries()
    for low in range(0, 5000, 50):
        seen.add(names(low, low + 50))
    assert sum(each.nbytes for each in seen._sorted) == 8 * 5000
    lengths = [len(each) for each in seen._sorted]
    assert all(one >= 2 * other for one, other in pairwise(lengths))
    assert all((np.diff(each) > 0).all() for each in seen._sorted)
