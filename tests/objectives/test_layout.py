"""Where the compiled loop keeps documents: together with those of the same gain, in whole vectors if there is room."""

from __future__ import annotations

import numpy as np
import pytest

from riskrank import RankingData
from riskrank.objectives.lambdas import MOST_ROOM, _laid_out

LANES = 8
SIZES = (1, 7, 60, 5, 200)

RNG = np.random.default_rng(0)
GAINS = {
    "graded": RNG.integers(0, 5, sum(SIZES)).astype(float),
    "all different": RNG.permutation(sum(SIZES)).astype(float),
    "all the same": np.ones(sum(SIZES)),
}


@pytest.fixture(params=list(GAINS))
def gains(request):
    return GAINS[request.param]


@pytest.fixture
def data():
    return RankingData.from_arrays(np.zeros((sum(SIZES), 1)), np.zeros(sum(SIZES)), group=SIZES)


def test_better_documents_stand_before_a_group_and_worse_ones_behind(gains, data):
    places, place, better, worse, of_place = _laid_out(gains, data, lanes=LANES)

    for q, (a, b) in enumerate(zip(data.query_offsets[:-1], data.query_offsets[1:], strict=True)):
        laid = of_place[places[q] : places[q + 1]]
        assert len(set(place[a:b])) == b - a  # each document has a place of its own
        for i in range(a, b):
            assert laid[place[i]] == gains[i]
            assert (laid[: better[i]] > gains[i]).all()
            assert (laid[better[i] : worse[i]] == gains[i]).all()
            assert (laid[worse[i] :] < gains[i]).all()


def test_groups_are_whole_vectors_only_where_that_takes_little_room(gains, data):
    places, _, better, worse, _ = _laid_out(gains, data, lanes=LANES)

    assert (np.diff(places) <= MOST_ROOM * np.array(SIZES)).all()
    longest = slice(data.query_offsets[-2], None)
    is_even = not ((worse - better)[longest] % LANES).any()
    assert is_even == (len(np.unique(gains)) < len(gains))
