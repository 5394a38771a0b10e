"""The loops over pairs where scores are far apart, labels huge or unusual, queries long."""

from __future__ import annotations

import numpy as np
import pytest

from riskrank import RankingData
from riskrank.objectives import Churn, Gain, URisk

from ..objectives.cases import assert_gradients_are_naive, gradients_of, make_case

SIZES = (9, 8, 12, 7)


def far_apart(kind, gap, rng):
    n = sum(SIZES)
    if kind == "everywhere":
        return gap * rng.permutation(n) + rng.normal(size=n)
    if kind == "one above all":
        return np.where(np.arange(n) % 7 == 3, gap, 0.0) + rng.normal(size=n)
    return np.where(np.arange(n) % 7 == 3, -gap, 0.0) + rng.normal(size=n)


@pytest.mark.parametrize("measure", ["nDCG@5", "AP"])
@pytest.mark.parametrize("kind", ["everywhere", "one above all", "one below all"])
@pytest.mark.parametrize("gap", [100.0, 1e3, 1e5])
def test_scores_far_apart_give_the_exact_gradients(kind, gap, measure):
    rng = np.random.default_rng(0)
    case = make_case(1, sizes=SIZES, scores=far_apart(kind, gap, rng))
    for normalise in ("none", "all", "gain"):
        for truncation in (None, 3):
            for sigma in (0.5, 1.0):
                assert_gradients_are_naive(
                    "URisk", measure, case, truncation=truncation, sigma=sigma, normalise=normalise, alpha=2.0
                )


@pytest.mark.parametrize("measure", ["nDCG@5", "AP"])
@pytest.mark.parametrize("spread", [290.0, 299.999, 300.0, 300.001, 700.0, 760.0])
def test_nothing_happens_where_exponentials_begin_to_overflow(spread, measure):
    """The last documents stand near each other, as far below the first as an exponential reaches."""
    scores = np.concatenate([[0.0, -1.0], -spread + np.arange(8) / 10, [-spread]])
    case = make_case(2, sizes=(11,), labels=[0, 0, 3, 0, 2, 1, 0, 4, 1, 0, 2], scores=scores)
    for normalise in ("none", "all"):
        assert_gradients_are_naive("URisk", measure, case, normalise=normalise, alpha=2.0)


@pytest.mark.parametrize("offset", [1e6, -1e6])
def test_only_differences_of_scores_matter(offset, case):
    scores = np.round(case.scores * 64) / 64  # exact in binary, also after the shift
    for objective in (URisk("nDCG@5"), URisk("AP")):
        here = gradients_of(objective, case._replace(scores=scores))
        there = gradients_of(objective, case._replace(scores=scores + offset))
        np.testing.assert_allclose(there, here, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("measure", ["nDCG@5", "nDCG", "DCG@5", "AP", "RBP", "PairAccuracy", "ERR", "ERR@5"])
def test_labels_of_forty_give_the_gradients_of_the_naive_loop(measure):
    for seed in range(3):
        labels = np.random.default_rng(seed).choice([0, 1, 2, 3, 39, 40], sum(SIZES))
        case = make_case(seed, sizes=SIZES, labels=labels)
        for truncation in (None, 3):
            assert_gradients_are_naive("Gain", measure, case, truncation=truncation)


@pytest.mark.parametrize("measure", ["nDCG@5", "nDCG", "AP", "RBP", "PairAccuracy", "ERR"])
@pytest.mark.parametrize("highest", [60, 1000])
def test_the_largest_labels_give_finite_gradients(measure, highest):
    rng = np.random.default_rng(4)
    case = make_case(4, sizes=SIZES, labels=rng.choice([0, 1, 2, highest - 1, highest], sum(SIZES)))
    gradient, hessian = gradients_of(Gain(measure), case)
    assert np.isfinite(gradient).all()
    assert np.isfinite(hessian).all()
    assert np.abs(gradient).max() > 0


@pytest.mark.parametrize("measure", ["nDCG(dcg='log2')@5", "nDCG@5", "RBP", "ERR@5", "AP", "PairAccuracy"])
def test_labels_may_be_real_numbers(measure):
    case = make_case(5, sizes=SIZES, labels=np.random.default_rng(5).integers(0, 30, sum(SIZES)) / 10)
    for normalise in ("none", "all"):
        assert_gradients_are_naive("Gain", measure, case, normalise=normalise)


def test_pair_accuracy_is_exact_with_a_label_of_its_own_for_every_document():
    sizes = (30, 30, 30)
    case = make_case(6, sizes=sizes, labels=np.random.default_rng(6).permutation(90) / 7)
    assert_gradients_are_naive("Gain", "PairAccuracy", case, truncation=4)


@pytest.mark.parametrize(
    "measure", ["nDCG@5", "nDCG(gains={0:1,1:3,2:2,3:8})@5", "DCG@5", "AP", "RR", "ERR@5", "RBP", "PairAccuracy"]
)
def test_labels_below_zero_count_as_zero(measure):
    labels = np.random.default_rng(7).integers(-2, 4, sum(SIZES))
    case = make_case(7, sizes=SIZES, labels=labels)
    assert_gradients_are_naive("Gain", measure, case)
    at_zero = make_case(7, sizes=SIZES, labels=np.maximum(labels, 0))
    np.testing.assert_array_equal(gradients_of(Gain(measure), case), gradients_of(Gain(measure), at_zero))


def test_data_without_any_relevant_document_have_no_gradients():
    case = make_case(8, sizes=SIZES, labels=np.zeros(sum(SIZES)))
    for measure in ("nDCG@5", "AP", "RR", "ERR@5", "P@5", "WTA", "RBP", "PairAccuracy", "DCG@5"):
        np.testing.assert_array_equal(gradients_of(Gain(measure), case), 0.0)


@pytest.mark.parametrize(
    "objective",
    [
        Gain("nDCG@10"),
        Gain("nDCG@10", truncation=100),
        Gain("nDCG", truncation=None),
        Gain("AP"),
        Gain("PairAccuracy"),
        URisk("ERR@5", truncation=None),
        Churn("nDCG@10"),
    ],
    ids=repr,
)
def test_gradients_of_twelve_thousand_documents_sum_to_zero(objective):
    n = 12_000
    rng = np.random.default_rng(9)
    data = RankingData.from_arrays(rng.normal(size=(n + 5, 1)), rng.integers(0, 5, n + 5), group=[n, 5])
    scores = rng.normal(size=n + 5).round(3)
    gradient, hessian = objective.gradients(scores, data, "feature:1" if objective.needs_baseline else None)
    for query in (slice(0, n), slice(n, n + 5)):
        size = np.abs(gradient[query]).sum()
        assert size > 0
        assert abs(gradient[query].sum()) <= 1e-11 * size
    assert (hessian >= 0).all()
