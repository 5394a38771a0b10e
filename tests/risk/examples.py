"""A worked example and random ones, for the tests of every risk measure."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

SYSTEM, BASELINE = [0.6, 0.3, 0.5, 0.4], [0.5, 0.5, 0.5, 0.44]
# d = 0.1, −0.2, 0, −0.04

effectiveness = st.floats(0, 1).map(lambda x: round(x, 6))
alphas = st.floats(0, 50)


def pairs(min_size=2):
    return st.integers(min_size, 30).flatmap(
        lambda n: st.tuples(arrays(float, n, elements=effectiveness), arrays(float, n, elements=effectiveness))
    )


matrices = st.tuples(st.integers(1, 6), st.integers(1, 8)).flatmap(
    lambda shape: arrays(float, shape, elements=st.floats(0, 1).map(lambda x: round(x, 4)))
)


def shuffled(pair, random):
    order = list(range(len(pair[0])))
    random.shuffle(order)
    return pair[0][order], pair[1][order]
