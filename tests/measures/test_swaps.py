"""The old names, in measures of users who wrote `swaps` and `Swaps`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

import riskrank as rr
from riskrank.measures import swaps
from riskrank.measures.standard.ndcg import nDCG
from riskrank.measures.swap_deltas import SwapDeltas

DATA = rr.RankingData.from_arrays(np.zeros((4, 1)), [0, 1, 1, 0], group=[2, 2])
SCORES = np.array([2.0, 1.0, 0.5, 1.0])


def test_a_measure_with_the_old_names_still_trains():
    with pytest.warns(DeprecationWarning, match="FirstRank.swaps is called swap_deltas now"):

        @dataclass(frozen=True, repr=False, eq=False)
        class FirstRank(rr.Measure):
            name = "FirstRank"
            summary = "is the first document relevant?"

            def swaps(self, data):
                discounts = swaps.per_rank(data, 1, lambda _: 1.0)
                with pytest.warns(DeprecationWarning, match="SwapDeltas now"):
                    return swaps.Swaps(np.sign(data.labels), discounts, np.ones(data.n_queries), prepare=None)

    gradients = rr.Gain(FirstRank()).gradients(SCORES, DATA)[0]
    assert gradients.tolist() == rr.Gain("P@1").gradients(SCORES, DATA)[0].tolist()
    assert gradients.any()


def test_a_measure_with_the_old_names_may_build_on_one_of_ours():
    with pytest.warns(DeprecationWarning, match="swap_deltas now"):

        @dataclass(frozen=True, repr=False, eq=False)
        class Doubled(nDCG):
            def swaps(self, data):
                with pytest.warns(DeprecationWarning, match="swap_deltas now"):
                    ours = super().swaps(data)
                return SwapDeltas(2 * ours.gains, ours.discounts, ours.norm)

    assert Doubled().swap_deltas(DATA).gains.tolist() == (2 * nDCG().swap_deltas(DATA).gains).tolist()


def test_what_was_called_prepare_and_change_is_value_and_delta():
    arrays = np.ones(4), np.ones(2), np.ones(2)
    with pytest.warns(DeprecationWarning, match="Swaps is called riskrank.measures.swap_deltas.SwapDeltas now"):
        deltas = swaps.Swaps(*arrays, prepare=max, change=min, work_rows=3)
    assert (deltas.value, deltas.delta, deltas.work_rows) == (max, min, 3)
    assert (deltas.gains, deltas.discounts, deltas.norm) == arrays
