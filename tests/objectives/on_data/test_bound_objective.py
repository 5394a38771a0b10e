"""The kernels against the naive pair loop, for every measure and target."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from riskrank import RankingData
from riskrank.objectives import Churn, Gain, RankNet, URisk
from riskrank.objectives.on_data.bound_objective import BoundObjective

# Each pair of these is one compiled loop: nDCG, P and other sums of gains share theirs, and so do FARO and T*-FARO.
MEASURES = ["nDCG@5 P@5", "AP", "RR", "ERR@5", "WTA", "PairAccuracy"]
TARGETS = ["Gain", "URisk", "UCRO", "SARO", "FARO TStarFARO", "GeoRisk", "CVaR", "Churn"]
OTHER_MEASURES = [
    "nDCG", "nDCG(dcg='log2')@5", "nDCG(gains={0:1,1:3,2:2,3:8})@5", "DCG@5", "AP@4", "AP(rel=2)", "RR@3", "ERR", "R@5",
    "Success@3", "RBP", "RBP(p=0.5,rel=2)@4",
]  # fmt: skip


def alpha(target):
    return {} if target in ("Gain", "RankNet") else {"alpha": 2.0}


@pytest.mark.parametrize("targets", TARGETS)
@pytest.mark.parametrize("measures", MEASURES)
def test_kernel_equals_the_naive_pair_loop(measures, targets, case, assert_kernel_is_naive):
    for measure, target in product(measures.split(), targets.split()):
        for truncation, normalise, sigma in product((None, 3), ("none", "all"), (0.5, 1.0)):
            options = {"truncation": truncation, "normalise": normalise, "sigma": sigma, **alpha(target)}
            assert_kernel_is_naive(target, measure, case, **options)


@pytest.mark.parametrize("target", ["Gain", "URisk"])
@pytest.mark.parametrize("measure", OTHER_MEASURES)
def test_kernel_equals_the_naive_pair_loop_for_the_other_measures(measure, target, new_case, assert_kernel_is_naive):
    for truncation, normalise in product((None, 3), ("none", "all")):
        assert_kernel_is_naive(
            target, measure, new_case(1), truncation=truncation, normalise=normalise, **alpha(target)
        )


@pytest.mark.parametrize("target", ["Gain", "URisk", "GeoRisk"])
def test_kernel_equals_the_naive_pair_loop_on_long_queries(target, new_case, assert_kernel_is_naive):
    case = new_case(4, sizes=(40, 3, 70))  # of which some are laid out in whole vectors
    for truncation, normalise in product((None, 30), ("none", "gain")):
        options = {"truncation": truncation, "normalise": normalise, **alpha(target)}
        assert_kernel_is_naive(target, "nDCG@5", case, **options)


@pytest.mark.parametrize("measure", ["PairAccuracy", "nDCG@5"])
def test_ranknet_weighs_every_pair_the_same(measure, case, assert_kernel_is_naive):
    for truncation, normalise in product((None, 3), ("none", "all")):
        assert_kernel_is_naive("RankNet", measure, case, truncation=truncation, normalise=normalise)


def test_ranknet_by_hand():
    """Scores 1 and 0, the worse document above: it is pushed down by 1 / (1 + e^-1), and the other one up."""
    data = RankingData.from_arrays(np.zeros((2, 1)), [0, 1], group=[2])
    gradient, hessian = RankNet(truncation=None, normalise=False).gradients([1.0, 0.0], data)
    rho = 1 / (1 + np.exp(-1))
    np.testing.assert_allclose(gradient, [rho, -rho])
    np.testing.assert_allclose(hessian, [rho * (1 - rho)] * 2)


@pytest.mark.parametrize(
    ("target", "measure"), [("URisk", "nDCG@5"), ("GeoRisk", "nDCG@5"), ("URisk", "AP"), ("Churn", "AP")]
)
def test_normalising_by_gain_keeps_the_weight_of_queries_at_risk(target, measure, case, assert_kernel_is_naive):
    for truncation, sigma in product((None, 3), (0.5, 1.0)):
        assert_kernel_is_naive(target, measure, case, truncation=truncation, sigma=sigma, normalise="gain", alpha=2.0)


@pytest.mark.parametrize("measure", ["nDCG@5", "DCG@5", "ERR@5", "P@5", "AP@4"])
def test_the_default_truncation_trains_graded_measures_at_its_depth(measure, new_case, assert_kernel_is_naive):
    case = new_case(2, sizes=(40, 3, 45))
    assert_kernel_is_naive("URisk", measure, case, truncation=30, normalise="all", alpha=1.0)
    at_depth = {"nDCG@5": "nDCG@30", "DCG@5": "DCG@30", "ERR@5": "ERR@30"}.get(measure, measure)
    assert str(URisk(measure).trained_measure) == at_depth
    assert str(URisk(measure, truncation=None).trained_measure) == measure
    assert str(URisk(measure, truncation=2).trained_measure) == measure


def test_a_truncation_beyond_the_longest_query_takes_every_pair(case, kernel):
    for ours in (Gain("nDCG", truncation=1000), URisk("AP", truncation=1000)):
        every = type(ours)(ours.measure, truncation=None)
        np.testing.assert_array_equal(kernel(ours, case), kernel(every, case))


@pytest.mark.parametrize(
    "objective", [URisk("nDCG@5"), URisk("AP"), Churn("nDCG@5"), Gain("nDCG", truncation=None)], ids=repr
)
def test_the_number_of_threads_changes_no_bit(objective, new_case, kernel):
    case = new_case(3, sizes=(7, 1, 30, 90, 12) * 12)
    first = kernel(objective, case, n_threads=1)
    for n_threads in (2, 3):
        np.testing.assert_array_equal(kernel(objective, case, n_threads=n_threads), first)


def test_gradients_replaces_options_and_leaves_the_objective_alone(case, kernel):
    objective = URisk("nDCG@5", alpha=2.0)
    found = objective.gradients(case.scores, case.data, case.baselines, truncation=3, normalise=False)
    expected = kernel(URisk("nDCG@5", alpha=2.0, truncation=3, normalise="none"), case)
    np.testing.assert_array_equal(found, expected)
    assert objective == URisk("nDCG@5", alpha=2.0)
    np.testing.assert_array_equal(objective.gradients(case.scores, case.data, case.baselines), kernel(objective, case))


def test_a_step_overwrites_the_arrays_of_the_last_one_and_nothing_else_is_remembered(case, kernel):
    bound = BoundObjective(Gain("nDCG@5"), case.data)
    first = bound.gradients(case.scores).gradient
    kept = first.copy()
    assert bound.gradients(-case.scores).gradient is first
    np.testing.assert_array_equal(bound.gradients(case.scores).gradient, kept)
