"""Guarantees: each by hand, what is refused, and that what is promised is kept."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from scipy.stats import binom

import riskrank as rr
from riskrank.errors import AlignmentError, ParameterError

from ..synthetic_sweeps import judged, selective_sweep, synthetic_sweep


def hurts(*counts, n=100, win=0.1, loss=0.2):
    """Models that hurt this many of n queries and help all others."""
    delta = np.full((len(counts), n), win)
    for row, count in zip(delta, counts, strict=True):
        row[:count] = -loss
    return judged(delta)


def is_safe(count, share, *, n=100, budget=0.05, level=0.1):
    """By the exact binomial, for a model on a share of queries."""
    return budget / share >= 1 or binom.cdf(count, n, budget / share) <= level


def test_a_model_is_used_where_few_enough_were_hurt():
    assert is_safe(1, 1.0)  # P(Bin(100, 0.05) ≤ 1) = 0.037
    assert not is_safe(2, 1.0)  # P(Bin(100, 0.05) ≤ 2) = 0.118
    point = synthetic_sweep(hurts(7), calibration=hurts(1)).guarantee(0.05, hurt_beyond=0)
    assert (point.index, point.probability) == (0, 1.0)
    assert point.label == "URisk, α = 0"
    assert point.why == (
        "With a confidence of 90% its share of queries that lose more than 0 is at most 0.05, "
        "tested on 100 calibration queries (exact binomial)."
    )
    assert (point.gain, point.risk, point.hurt) == pytest.approx((0.93 * 0.1 - 0.07 * 0.2, 0.07 * 0.2, 0.07))


@pytest.mark.parametrize("count", [2, 5, 12, 40])
def test_a_model_that_hurts_more_is_used_less_often(count):
    point = synthetic_sweep(hurts(count), calibration=hurts(count, loss=0.001)).guarantee(0.05, hurt_beyond=0)
    shares = [k / 20 for k in range(1, 21)]
    unsafe = next((k for k, share in enumerate(shares) if not is_safe(count, share)), len(shares))
    assert 0 < unsafe < len(shares)
    assert (point.index, point.probability) == (0, shares[unsafe - 1])
    assert point.label == f"URisk, α = 0, on {shares[unsafe - 1]:.0%} of queries"
    assert point.hurt == pytest.approx(count / 100 * shares[unsafe - 1])
    assert point.gain == pytest.approx(shares[unsafe - 1] * ((100 - count) * 0.1 - count * 0.2) / 100)


def test_the_most_cautious_model_comes_first_and_the_bolder_ones_after_it():
    calibration = hurts(3, 1, 0)
    calibration.values[0, 3:] += 0.2  # the boldest gains most
    point = synthetic_sweep(hurts(3, 1, 0), calibration=calibration).guarantee(0.05, hurt_beyond=0)
    # 20 shares of model 2, 20 of model 1, and 15 of model 0: P(Bin(100, 0.05 / 0.75) ≤ 3) = 0.098, 0.128 at 80 %
    assert is_safe(3, 0.75)
    assert not is_safe(3, 0.8)
    assert point.control.is_safe.tolist() == [True] * 55 + [False] * 5
    assert np.isnan(point.control.p_value).tolist() == [False] * 56 + [True] * 4
    assert (point.index, point.probability) == (0, 0.75)
    assert (point.tested, point.safe) == ((2, 1), (2, 1))


def test_of_points_used_as_often_that_gain_as_much_the_one_with_less_risk_is_chosen():
    def chosen(gain):
        calibration = hurts(1, 0, win=0.1)  # gains 0.097 and what is given
        calibration.values[1] += gain - 0.1
        return synthetic_sweep(hurts(1, 0), calibration=calibration).guarantee(0.05, hurt_beyond=0)

    assert [(point.index, point.probability) for point in map(chosen, (0.093, 0.092))] == [(1, 1.0), (0, 1.0)]
    calibration = hurts(3, 0)
    calibration.values[1] -= 0.05  # half of the gain; the bolder model is safe on 75 % of queries
    point = synthetic_sweep(hurts(3, 0), calibration=calibration).guarantee(0.05, hurt_beyond=0)
    assert (point.index, point.probability) == (0, 0.75)


def test_testing_stops_at_the_first_model_that_is_not_safe():
    sweep = synthetic_sweep(hurts(0, 30, 0), calibration=hurts(0, 30, 0))
    point = sweep.guarantee(0.05, hurt_beyond=0, via="alpha")
    assert point.index == 2
    assert point.control.is_safe.tolist() == [True, False, False]
    assert np.isnan(point.control.p_value).tolist() == [False, False, True]


def test_used_always_or_not_at_all():
    sweep = synthetic_sweep(hurts(30, 5), calibration=hurts(30, 5))
    assert sweep.guarantee(0.05, hurt_beyond=0, via="mixed").index == 1
    point = sweep.guarantee(0.05, hurt_beyond=0, via="alpha")
    assert point.index is None
    assert point.why.endswith(
        "The share of queries that lose more than 0 should be at most 0.05 with a confidence of 90%: "
        "no point could be shown to be safe, tested on 100 calibration queries (exact binomial)."
    )
    assert not point.control.is_safe.any()


def test_reasons_are_good_english():
    point = synthetic_sweep(hurts(30), calibration=hurts(30)).guarantee(0.001, hurt_beyond=0.1)
    assert "an share" not in point.why


def test_safe_points_that_gain_nothing_are_not_used():
    sweep = synthetic_sweep(hurts(0), calibration=hurts(0, win=0.0))
    point = sweep.guarantee(0.05)
    assert point.index is None
    assert point.why == (
        "The expected loss should be at most 0.05 with a confidence of 90%: no safe point gains anything, "
        "tested on 100 calibration queries (betting)."
    )
    assert point.control.is_safe.all()


def test_each_series_has_its_share_of_the_doubt():
    # P(Bin(100, 0.05) ≤ 1) = 0.037 is enough at 0.1 and at 0.1 / 2, not at 0.1 / 3
    for n, expected in ((1, True), (2, True), (3, False)):
        counts = [1] * n
        series = [f"s{i}" for i in range(n)]
        sweep = synthetic_sweep(hurts(*counts), calibration=hurts(*counts), series=series, values=[0] * n)
        point = sweep.guarantee(0.05, hurt_beyond=0, via="alpha")
        assert point.control.level == pytest.approx(0.1 / n)
        assert (point.index is not None) is expected
        one = sweep.guarantee(0.05, hurt_beyond=0, via="alpha", series="s0")
        assert (one.index, one.control.level) == (0, pytest.approx(0.1))


def test_more_confidence_needs_fewer_hurt():
    sweep = synthetic_sweep(hurts(1), calibration=hurts(1))
    assert sweep.guarantee(0.05, hurt_beyond=0, via="alpha", confidence=0.95).index == 0
    assert sweep.guarantee(0.05, hurt_beyond=0, via="alpha", confidence=0.97).index is None


def test_only_losses_beyond_the_limit_hurt():
    sweep = synthetic_sweep(hurts(40), calibration=hurts(40, loss=0.1))
    assert sweep.guarantee(0.05, hurt_beyond=0.1, via="alpha").index == 0
    assert sweep.guarantee(0.05, hurt_beyond=0.0999, via="alpha").index is None
    assert sweep.guarantee(0.05, hurt_beyond=0.1, via="alpha").hurt == 0.4  # on test queries they lose 0.2


@pytest.mark.parametrize("method", ["betting", "mixture", "hoeffding-bentkus"])
def test_the_expected_loss_is_controlled_too(method):
    rng = np.random.default_rng(0)
    delta = np.where(rng.random((1, 2000)) < 0.2, -rng.random((1, 2000)) * 0.2, 0.1)
    calibration = judged(delta)
    true = float(calibration.risk[0])
    assert true == pytest.approx(0.02, abs=0.002)
    sweep = synthetic_sweep(judged(delta), calibration=calibration)
    assert sweep.guarantee(2 * true, method=method).probability == 1
    half = sweep.guarantee(0.5 * true, method=method)
    assert 0.2 < half.probability < 0.5  # the true loss of half of the queries is the budget itself
    assert half.why.startswith("With a confidence of 90% its expected loss is at most 0.01")
    assert f"2,000 calibration queries ({method})" in half.why
    assert half.risk == pytest.approx(half.probability * true)


def test_a_predictor_says_on_which_queries():
    point = selective_sweep().guarantee(0.05, hurt_beyond=0, via="x")
    # below: safe up to 0.6, where none is hurt; up to 0.65 five are, and P(Bin(100, 0.05) ≤ 5) > 0.1
    assert (point.index, point.predictor, point.apply, point.threshold) == (0, "x", "below", 0.6)
    assert point.label == "URisk, α = 0, on queries with x below 0.6"
    assert point.probability == 1
    assert (point.gain, point.risk, point.hurt) == pytest.approx((0.6 * 0.1, 0, 0))
    assert point.control.is_safe.sum() == 13  # thresholds 0 to 0.6


def test_the_reference_model_is_the_one_that_is_used_selectively():
    x = (np.arange(100) + 0.5) / 100
    part = judged([np.full(100, 0.01), np.where(x > 0.6, -0.1, 0.1)], predictors={"x": x})
    sweep = synthetic_sweep(part, values=[3, 0], calibration=part, thresholds={"x": [0.0, 0.6, 1.0]})
    assert sweep.guarantee(0.05, hurt_beyond=0, via="x").index == 1


# What is refused.


def test_folds_have_no_one_model_to_guarantee():
    with pytest.raises(ParameterError, match="a guarantee is for one model: sweep with a fixed split, not with folds"):
        synthetic_sweep(hurts(0), calibration=hurts(0), n_folds=3).guarantee(0.05)


def test_test_queries_do_not_guarantee_anything():
    with pytest.raises(ParameterError, match="needs queries that no model was trained on: .* calibration= or valid="):
        synthetic_sweep(hurts(0)).guarantee(0.05)


def test_validation_queries_serve_unless_they_chose_models():
    fresh = synthetic_sweep(hurts(0), valid=hurts(0))
    assert fresh.guarantee(0.05).index == 0
    stale = dataclasses.replace(fresh, is_valid_fresh=False)
    with pytest.raises(ParameterError, match="models were chosen by the validation queries. Sweep with calibration="):
        stale.guarantee(0.05)
    assert dataclasses.replace(stale, calibration=hurts(0)).guarantee(0.05).index == 0


def test_a_predictor_that_learned_from_the_validation_queries_needs_others():
    learned = {"x": rr.PredictedGain((1.0,), (0.0,), (1.0,))}
    sweep = dataclasses.replace(selective_sweep(calibration=None), predictors=learned)
    with pytest.raises(ParameterError, match="x has learned from the validation queries: sweep with calibration="):
        sweep.guarantee(0.05, via="x")
    assert sweep.guarantee(0.5).index == 0  # others are not concerned
    assert dataclasses.replace(sweep, calibration=sweep.valid).guarantee(0.05, hurt_beyond=0, via="x").index == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"budget": 0}, "budget must lie between 0 and 1, got 0"),
        ({"budget": 1.5}, "budget must lie between 0 and 1"),
        ({"confidence": 1}, "confidence must lie between 0 and 1, got 1"),
        ({"confidence": 0}, "confidence must lie between 0 and 1"),
        ({"via": "luck"}, "via must be one of mixed, alpha, x, got 'luck'"),
        ({"method": "prayer"}, "method must be one of betting, mixture, hoeffding-bentkus, binomial, got 'prayer'"),
        ({"series": "nobody"}, "no series 'nobody'. There are: URisk"),
    ],
)
def test_guarantees_that_make_no_sense_are_refused(options, message):
    with pytest.raises(ParameterError, match=message):
        selective_sweep().guarantee(**{"budget": 0.05, **options})


@pytest.mark.parametrize("limit", [math.nan, -0.1, "small"])
def test_a_limit_that_is_no_number_from_0_is_refused(limit):
    with pytest.raises(ParameterError, match="hurt_beyond"):
        synthetic_sweep(hurts(0), calibration=hurts(0)).guarantee(0.05, hurt_beyond=limit)


def test_losses_without_a_bound_are_refused():
    part = judged([[-3.0, 2.0]], baseline=5.0)
    with pytest.raises(AlignmentError, match="losses must lie between 0 and 1"):
        synthetic_sweep(part, calibration=part).guarantee(0.05)


def test_a_guarantee_for_a_mixture_with_several_baselines_is_refused():
    sweep = synthetic_sweep(hurts(5), calibration=hurts(5), baseline="feature:1, feature:2", n_baselines=2)
    with pytest.raises(ParameterError, match="one baseline"):
        sweep.guarantee(0.05, hurt_beyond=0)


# Neither a seed nor the order of the queries has a say.


def chosen(delta, queries, **options):
    """What is certified from these calibration queries: the point, and the p-values of all points."""
    held_out = judged(delta, queries=queries)
    point = synthetic_sweep(held_out, calibration=held_out).guarantee(0.02, **options)
    return point.label, point.control.p_value.tolist()


def drawn_losses(n=500):
    """A model that loses on one query of eight, with a risk of 0.025, and a more cautious one."""
    rng = np.random.default_rng(0)
    delta = np.where(rng.random((2, n)) < 0.125, -0.4 * rng.random((2, n)), 0.1)
    return delta * [[1.0], [0.9]], [f"q{i}" for i in range(n)]


@pytest.mark.parametrize("method", ["betting", "mixture", "hoeffding-bentkus"])
def test_any_order_of_the_held_out_queries_certifies_the_same_point(method):
    delta, queries = drawn_losses()
    expected, p = chosen(delta, queries, method=method)
    assert "% of queries" in expected
    for seed in range(20):
        order = np.random.default_rng(seed).permutation(len(queries))
        label, other = chosen(delta[:, order], [queries[i] for i in order], method=method)
        assert label == expected
        np.testing.assert_allclose(other, p, rtol=1e-12)


@pytest.mark.parametrize("method", ["betting", "mixture", "hoeffding-bentkus"])
def test_any_seed_certifies_the_same_point_and_is_warned_of(method):
    delta, queries = drawn_losses()
    expected = chosen(delta, queries, method=method)
    for seed in (0, 1, 7):
        with pytest.warns(DeprecationWarning, match="random_state has no effect") as warned:
            assert str(chosen(delta, queries, method=method, random_state=seed)) == str(expected)
        assert warned[0].filename == __file__


# What is promised is kept.


def broken_promises(repeats, *, with_calibration, seed=0):
    """How often the true share of queries hurt is above the budget; on both sides of 0.5 it is just above."""
    rng = np.random.default_rng(seed)
    hurt, budget, n = 0.2, 0.0999, 200
    limits = {"x": [0.0, 0.25, 0.5, 0.75, 1.0]}

    def drawn():
        x = rng.random(n)
        return judged(np.where(rng.random(n) < hurt, -0.1, 0.1)[None], predictors={"x": x})

    broken = 0
    for _ in range(repeats):
        valid = drawn()
        sweep = synthetic_sweep(
            valid, valid=valid, calibration=drawn() if with_calibration else None, thresholds=limits
        )
        point = sweep.guarantee(budget, hurt_beyond=0, via="x")
        if point.index is not None:
            used = 1 - point.threshold if point.apply == "above" else point.threshold
            broken += hurt * used > budget
    return broken / repeats


REPEATS = 300


TOO_MANY = 0.1 + 3 * math.sqrt(0.1 * 0.9 / REPEATS)  # for a confidence of 90 %


def test_a_guarantee_from_calibration_queries_is_kept():
    assert broken_promises(REPEATS, with_calibration=True) < TOO_MANY


def test_a_guarantee_from_validation_queries_is_kept():
    assert broken_promises(REPEATS, with_calibration=False) < TOO_MANY
