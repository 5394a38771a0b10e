"""Slots of documents: together with those of the same gain, in whole vectors if that takes little padding."""

from __future__ import annotations

import numpy as np
import pytest

from riskrank import RankingData
from riskrank.objectives.on_data.slots import MOST_PADDING, slots_by_gain

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
    begins, slot, better, worse, of_slot = slots_by_gain(gains, data, lanes=LANES)

    for q, (a, b) in enumerate(zip(data.query_offsets[:-1], data.query_offsets[1:], strict=True)):
        gains_of_slots = of_slot[begins[q] : begins[q + 1]]
        assert len(set(slot[a:b])) == b - a  # each document has a slot of its own
        for i in range(a, b):
            assert gains_of_slots[slot[i]] == gains[i]
            assert (gains_of_slots[: better[i]] > gains[i]).all()
            assert (gains_of_slots[better[i] : worse[i]] == gains[i]).all()
            assert (gains_of_slots[worse[i] :] < gains[i]).all()


def test_groups_are_whole_vectors_only_where_that_takes_little_padding(gains, data):
    begins, _, better, worse, _ = slots_by_gain(gains, data, lanes=LANES)

    assert (np.diff(begins) <= MOST_PADDING * np.array(SIZES)).all()
    longest = slice(data.query_offsets[-2], None)
    is_even = not ((worse - better)[longest] % LANES).any()
    assert is_even == (len(np.unique(gains)) < len(gains))
