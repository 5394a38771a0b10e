"""A ranking that measures are worked out on by hand, the same with a tie, and random ones for slow references."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import strategies as st

from riskrank import RankingData, evaluate

# Ranking of topic 1: grades 0, 2, unjudged, 1; one relevant document (grade 1) is not retrieved.
QRELS = {"1": {"a": 0, "b": 2, "d": 1, "e": 1}}
RUN = {"x": {"1": {"a": 9.0, "b": 8.0, "c": 7.0, "d": 6.0}}}

# Feature data whose second and third documents are tied: their grades are 0, 2, 0, 1 or 0, 0, 2, 1.
TIED = RankingData.from_arrays(np.zeros((4, 1)), [0, 2, 0, 1], group=[4])
TIED_SCORES = {"x": [9.0, 8.0, 8.0, 7.0]}

queries = st.lists(  # each of some (label, score)
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 100)), min_size=1, max_size=9, unique_by=lambda pair: pair[1]),
    min_size=1,
    max_size=4,
)


def exactly(expected):
    return pytest.approx(expected, abs=1e-12)


def value(measure):
    return evaluate(QRELS, RUN, measure)["x"].item()


def value_with_tie(measure):
    return evaluate(TIED, TIED_SCORES, measure)["x"].item()


def check_against(slow, content, measure):
    """`slow` gets the grades of a query in the order of their scores, and the highest grade of all queries."""
    labels, scores = zip(*(pair for query in content for pair in query), strict=True)
    data = RankingData.from_arrays(np.zeros((len(labels), 1)), labels, group=list(map(len, content)))
    values = evaluate(data, {"x": scores}, measure)["x"]
    ranked = [[label for label, _ in sorted(query, key=lambda pair: -pair[1])] for query in content]
    assert values.tolist() == exactly([slow(grades, max(labels)) for grades in ranked])
