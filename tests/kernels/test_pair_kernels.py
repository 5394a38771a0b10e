"""The loops over pairs against the naive one, for every measure and target."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
import pytest

from riskrank import Measure
from riskrank.measures.swap_deltas import SwapDeltas, best_total, inverse, per_rank
from riskrank.objectives import Churn, Gain, URisk

from ..objectives import naive
from ..objectives.cases import assert_gradients_are_naive, gradients_of, make_case
from ..thorough import IS_THOROUGH

# Each pair of these is one compiled loop: nDCG, P and other sums of gains share theirs, and so do FARO and T*-FARO.
MEASURES = ["nDCG@5 P@5", "AP", "RR", "ERR@5", "WTA", "PairAccuracy"]


TARGETS = ["Gain", "URisk", "UCRO", "SARO", "FARO TStarFARO", "GeoRisk", "CVaR", "Churn"]
PAIRS = [  # each target with nDCG, each measure with one baseline and with many; compiling all takes minutes
    (measures, targets)
    for measures, targets in product(MEASURES, TARGETS)
    if IS_THOROUGH or measures == MEASURES[0] or targets in ("URisk", "GeoRisk")
]


OTHER_MEASURES = [
    "nDCG", "nDCG(dcg='log2')@5", "nDCG(gains={0:1,1:3,2:2,3:8})@5", "DCG@5", "AP@4", "AP(rel=2)", "RR@3", "ERR", "R@5",
    "Success@3", "RBP", "RBP(p=0.5,rel=2)@4",
]  # fmt: skip


def alpha(target):
    return {} if target in ("Gain", "RankNet") else {"alpha": 2.0}


@pytest.mark.parametrize(("measures", "targets"), PAIRS)
def test_gradients_equal_the_naive_pair_loop(measures, targets, case):
    for measure, target in product(measures.split(), targets.split()):
        for truncation, normalise, sigma in product((None, 3), ("none", "all"), (0.5, 1.0)):
            options = {"truncation": truncation, "normalise": normalise, "sigma": sigma, **alpha(target)}
            assert_gradients_are_naive(target, measure, case, **options)


@pytest.mark.parametrize("target", ["Gain", "URisk"])
@pytest.mark.parametrize("measure", OTHER_MEASURES)
def test_gradients_equal_the_naive_pair_loop_for_the_other_measures(measure, target):
    for truncation, normalise in product((None, 3), ("none", "all")):
        assert_gradients_are_naive(
            target, measure, make_case(1), truncation=truncation, normalise=normalise, **alpha(target)
        )


@pytest.mark.parametrize("target", ["Gain", "URisk", "GeoRisk"])
def test_gradients_equal_the_naive_pair_loop_on_long_queries(target):
    case = make_case(4, sizes=(40, 3, 70))  # of which some are laid out in whole vectors
    for truncation, normalise in product((None, 30), ("none", "gain")):
        options = {"truncation": truncation, "normalise": normalise, **alpha(target)}
        assert_gradients_are_naive(target, "nDCG@5", case, **options)


@pytest.mark.parametrize(
    ("target", "measure"), [("URisk", "nDCG@5"), ("GeoRisk", "nDCG@5"), ("URisk", "AP"), ("Churn", "AP")]
)
def test_normalising_by_gain_keeps_the_weight_of_queries_at_risk(target, measure, case):
    for truncation, sigma in product((None, 3), (0.5, 1.0)):
        assert_gradients_are_naive(
            target, measure, case, truncation=truncation, sigma=sigma, normalise="gain", alpha=2.0
        )


def test_a_truncation_beyond_the_longest_query_takes_every_pair(case):
    for ours in (Gain("nDCG", truncation=1000), URisk("AP", truncation=1000)):
        every = type(ours)(ours.measure, truncation=None)
        np.testing.assert_array_equal(gradients_of(ours, case), gradients_of(every, case))


@pytest.mark.parametrize(
    "objective", [URisk("nDCG@5"), URisk("AP"), Churn("nDCG@5"), Gain("nDCG", truncation=None)], ids=repr
)
def test_the_number_of_threads_changes_no_bit(objective):
    case = make_case(3, sizes=(7, 1, 30, 90, 12) * 12)
    first = gradients_of(objective, case, n_threads=1)
    for n_threads in (2, 3):
        np.testing.assert_array_equal(gradients_of(objective, case, n_threads=n_threads), first)


@dataclass(frozen=True, repr=False, eq=False)
class Streak(Measure):
    """Share of documents that stand above the first one that is not relevant."""

    name = "Streak"
    summary = "relevant documents without interruption"

    def swap_deltas(self, data):
        sizes = np.diff(data.query_offsets)
        return SwapDeltas(
            np.sign(data.labels), per_rank(data, None, lambda rank: 0.0 * rank), 1.0 / sizes, streak, grows, 1
        )


def streak(gains, discounts, norm, work):
    length = 0
    while length < len(gains) and gains[length] > 0:
        length += 1
    work[0, 0] = length
    return length * norm


def grows(a, b, gains, discounts, norm, work):
    length = 0
    while length < len(gains):
        gain = gains[b] if length == a else (gains[a] if length == b else gains[length])
        if gain <= 0:
            break
        length += 1
    return (length - work[0, 0]) * norm


@dataclass(frozen=True, repr=False, eq=False)
class RootGain(Measure):
    """Labels over the root of the rank, the best being 1; positional, and its gains are the data's own array."""

    name = "RootGain"
    summary = "labels over the root of the rank"

    def swap_deltas(self, data):
        discounts = per_rank(data, None, lambda rank: 1 / np.sqrt(rank))
        return SwapDeltas(data.labels, discounts, inverse(best_total(data.labels, discounts, data)))


def naive_streak(labels):
    return next((rank for rank, label in enumerate(labels) if label <= 0), len(labels)) / len(labels)


def naive_root_gain(labels):
    def total(gains):
        return sum(gain / (rank + 1) ** 0.5 for rank, gain in enumerate(gains))

    best = total(sorted(labels, reverse=True))
    return total(labels) / best if best > 0 else 0.0


@pytest.mark.parametrize(
    ("measure", "value"), [(Streak(), naive_streak), (RootGain(), naive_root_gain)], ids=["ranked", "positional"]
)
def test_a_measure_of_ones_own_is_trained_like_any_other(measure, value):
    case = make_case(4)
    for truncation, normalise in ((None, "none"), (3, "all")):
        options = {"truncation": truncation, "normalise": normalise, "alpha": 2.0}
        actual = gradients_of(URisk(measure, **options), case)
        expected = naive.gradients(case.data, case.scores, case.baselines, value=value, target="URisk", **options)
        np.testing.assert_allclose(actual, expected, rtol=1e-9, atol=1e-12)
