"""Targets and measures of one's own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from riskrank import Measure
from riskrank.errors import ParameterError
from riskrank.measures.swap_deltas import SwapDeltas, best_total, inverse, per_rank
from riskrank.objectives import Gain, Objective, URisk, own_target

LOSS = 3.0


def worth(d):
    return LOSS * d if d < 0 else d


def cautious(delta, query, run):
    """Losses weigh three times."""
    d = query.effectiveness - query.baseline
    return worth(d + delta) - worth(d)


def by_spread(delta, query, run):
    return delta * (1 + run.alpha * run.deviation + abs(run.mean_difference) + 1 / run.n_queries)


Cautious, BySpread = own_target(cautious), own_target(by_spread)


@pytest.mark.parametrize("measure", ["nDCG@5", "AP"])
def test_a_target_that_calls_a_helper_and_reads_a_constant(measure, case, kernel):
    for normalise in ("none", "all"):
        expected = kernel(URisk(measure, alpha=2.0, normalise=normalise), case)
        np.testing.assert_allclose(
            kernel(Cautious(measure, normalise=normalise), case), expected, rtol=1e-11, atol=1e-13
        )


def test_a_target_sees_the_state_of_all_queries(case, naive, kernel):
    def weigh(model, baselines, *, alpha, **_):
        d = model - baselines.mean(axis=0)
        weight = 1 + alpha * d.std(ddof=1) + abs(d.mean()) + 1 / len(d)
        return lambda q, after: weight * (after - model[q])

    value = naive.measure("nDCG@5", case.data)
    expected = naive.gradients(case.data, case.scores, case.baselines, value=value, target=weigh, alpha=3.0)
    found = kernel(BySpread("nDCG@5", alpha=3.0, truncation=None, normalise="none"), case)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


def test_a_target_made_inside_a_function_may_call_its_neighbours(case, kernel):
    def doubled(delta):
        return 2.0 * delta

    def twice(delta, query, run):
        return doubled(delta)

    expected = kernel(Gain("nDCG@5", normalise="none"), case)
    found = kernel(own_target(twice)("nDCG@5", normalise="none"), case)
    np.testing.assert_allclose(found, np.multiply(2.0, expected), rtol=1e-11, atol=1e-13)


def test_an_own_target_is_an_objective_like_any_other():
    assert issubclass(Cautious, Objective)
    assert Cautious.name == "cautious"
    assert Cautious.summary == "Losses weigh three times."
    assert Cautious("AP", alpha=2.0).to_dict() == {
        "objective": "cautious", "measure": "AP", "truncation": 30, "sigma": 1.0, "normalise": "gain", "alpha": 2.0,
    }  # fmt: skip
    assert repr(Cautious("AP", alpha=2.0)) == "cautious('AP', alpha=2.0)"
    with pytest.raises(ParameterError, match="cautious needs a baseline"):
        Cautious("AP").gradients([1.0], None)


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
def test_a_measure_of_ones_own_is_trained_like_any_other(measure, value, new_case, naive, kernel):
    case = new_case(4)
    for truncation, normalise in ((None, "none"), (3, "all")):
        options = {"truncation": truncation, "normalise": normalise, "alpha": 2.0}
        found = kernel(URisk(measure, **options), case)
        expected = naive.gradients(case.data, case.scores, case.baselines, value=value, target="URisk", **options)
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)
