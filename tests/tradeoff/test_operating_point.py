"""Operating points: each rule by hand, guarantees, and the ranker that is deployed."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from scipy.stats import binom

import riskrank as rr
from riskrank.data.synthetic.synthetic_features import web_search_data
from riskrank.errors import AlignmentError, ParameterError
from riskrank.risk.outcomes import gain, risk
from riskrank.tradeoff.operating_point import OperatingPoint

from .synthetic_sweeps import judged, synthetic_sweep

# Four queries each. Model 0: gain 0.10, risk 0.05; 1: gain 0.08, risk 0.02; 2: gain 0.05, risk 0; 3: gain −0.01.
DELTA = [[0.4, 0.2, 0.0, -0.2], [0.2, 0.2, 0.0, -0.08], [0.2, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, -0.04]]


@pytest.fixture
def sweep():
    return synthetic_sweep(judged(DELTA))


# Rules.


@pytest.mark.parametrize(
    ("max_risk", "expected"), [(1.0, 0), (0.05, 0), (0.049, 1), (0.02, 1), (0.019, 2), (0.0, 2), (0, 2)]
)
def test_the_rule_of_risk_takes_the_largest_gain_within_the_limit(sweep, max_risk, expected):
    point = sweep.choose("risk", max_risk=max_risk)
    assert point.index == expected
    assert (point.gain, point.risk) == pytest.approx((sweep.test.gain[expected], sweep.test.risk[expected]))
    assert point.why == f"It gains most of those with a risk up to {max_risk:g} on test queries."
    assert sweep.choose(max_risk=max_risk).index == expected  # the usual rule


def test_where_nothing_gains_within_the_limit_the_baseline_is_kept():
    loser = synthetic_sweep(judged(DELTA[3:]))
    risky = synthetic_sweep(judged(DELTA[:2]))
    for sweep, limit in ((loser, 1.0), (risky, 0.01)):
        point = sweep.choose("risk", max_risk=limit)
        assert point.index is None
        assert (point.gain, point.risk, point.hurt) == (0, 0, 0)
        assert point.why == f"No model gains anything with a risk up to {limit:g} on test queries."
        assert point.label == "keep the baseline, feature:1"
        with pytest.raises(ParameterError, match="the baseline is kept: there is no model to deploy"):
            point.ranker()


def test_rules_see_validation_queries_and_show_test_queries():
    sweep = synthetic_sweep(judged(DELTA), valid=judged(DELTA[::-1]))
    point = sweep.choose("risk", max_risk=0.02)
    assert point.index == 2  # which on validation queries is what model 1 is on test queries
    assert (point.gain, point.risk) == pytest.approx((0.05, 0.0))
    assert point.why.endswith("on validation queries.")


def test_the_rule_of_area_takes_the_largest_area_when_mixed():
    delta = np.zeros((3, 10))
    delta[0, :8] = 0.1  # re-ranks 8 of 10 for a gain of 0.08
    delta[1, :4] = 0.15  # 4 of 10 for 0.06: above the coin's line (0.04)
    delta[2, :2] = 0.1  # 2 of 10 for 0.02: on it
    assert synthetic_sweep(judged(delta)).choose("area").index == 1
    assert synthetic_sweep(judged(delta)).choose("area").why == (
        "It has the largest area under gain against reranked on test queries."
    )


def test_areas_may_be_those_against_risk():
    sweep = synthetic_sweep(judged(DELTA))
    # From (0, 0.05) to (0.05, 0.1) the mean gain is 0.075; by way of (0.02, 0.08) it is (0.0008 + 0.0027) / 0.05 = 0.07
    assert sweep.choose("area", cost="risk").index == 2
    without = synthetic_sweep(judged(DELTA[:2]))
    assert without.choose("area", cost="risk").index == 1


def test_where_the_full_model_gains_nothing_there_is_no_area():
    point = synthetic_sweep(judged([DELTA[3], DELTA[0]])).choose("area")
    assert point.index is None
    assert point.why == "The gain-only model gains nothing on test queries."


@pytest.mark.parametrize(
    ("reference", "expected"), [(0.095, 0), (0.085, 1), (0.06, 2), (0.0, 3), (5.0, 0), (1, 1), (2, 2)]
)
def test_the_rule_of_parity_takes_the_nearest_gain(sweep, reference, expected):
    # a whole number is the place of another model
    assert sweep.choose("parity", reference=reference).index == expected


def test_among_equal_gains_parity_takes_the_least_risk():
    sweep = synthetic_sweep(judged([[0.3, -0.1], [0.1, 0.1], [0.2, 0.0], [0.6, 0.0]]))
    assert sweep.choose("parity", reference=0.11).index == 1
    assert sweep.choose("parity", reference=0).index == 1  # as much as model 0, without its risk


def test_the_rule_of_reranking_takes_the_nearest_share_with_the_most_gain():
    changed = [[1, 1, 1, 1], [1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 0, 0]]
    sweep = synthetic_sweep(judged([DELTA[0], DELTA[2], DELTA[1], DELTA[3]], is_reranked=changed))
    assert sweep.choose("reranking", reference=0.6).index == 2
    assert sweep.choose("reranking", reference=0.9).index == 0
    assert sweep.choose("reranking", reference=0.0).index == 3
    assert sweep.choose("reranking", reference=1).index == 2  # as many as model 1
    assert sweep.choose("reranking", reference=0.6).why == "It re-ranks nearly 60.0% of test queries."


def test_rules_keep_to_a_series():
    sweep = synthetic_sweep(judged(DELTA), series=["a", "a", "b", "b"], values=[0, 1, 0, 1])
    assert sweep.choose("risk", max_risk=1, series="b").index == 2
    assert sweep.choose("parity", reference=0.1, series="b").index == 2
    assert sweep.choose("reranking", reference=1.0, series="b").index in (2, 3)
    with pytest.raises(ParameterError, match="no series 'c'. There are: a, b"):
        sweep.choose("risk", max_risk=1, series="c")


def test_the_rule_of_area_keeps_to_a_series():
    sweep = synthetic_sweep(judged([DELTA[0], DELTA[3]]), series=["a", "b"], values=[0, 0])
    point = sweep.choose("area", series="b")
    assert point.index is None or sweep.settings[point.index].series == "b"


def test_the_place_of_a_model_may_be_numpys_number(sweep):
    best = sweep.test.gain.argmax()  # 0, a NumPy number
    assert sweep.choose("parity", reference=best).index == sweep.choose("parity", reference=int(best)).index


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rule": "luck"}, "rule must be one of risk, area, parity, reranking, got 'luck'"),
        ({}, "the rule risk needs max_risk, a number from 0, got None"),
        ({"max_risk": -0.1}, "the rule risk needs max_risk, a number from 0, got -0.1"),
        ({"max_risk": math.nan}, "the rule risk needs max_risk, a number from 0, got nan"),
        ({"max_risk": "low"}, "the rule risk needs max_risk, a number from 0, got 'low'"),
        ({"rule": "area", "cost": "money"}, "cost must be one of risk, reranked, got 'money'"),
        ({"rule": "parity"}, "the rule parity needs a reference: a number, or the place of another model"),
        ({"rule": "reranking"}, "the rule reranking needs a reference"),
    ],
)
def test_rules_that_cannot_be_applied_are_refused(sweep, options, message):
    with pytest.raises(ParameterError, match=message):
        sweep.choose(**options)


@pytest.mark.parametrize("reference", [4, "best"])
def test_a_reference_that_is_none_is_refused(sweep, reference):
    with pytest.raises(ParameterError, match="reference"):
        sweep.choose("parity", reference=reference)


# Guarantees.


def hurts(*counts, n=100, win=0.1, loss=0.2):
    """Models that hurt so many of n queries and help all others."""
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
        "tested on 100 held-out queries (exact binomial)."
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
    calibration.values[0, 3:] += 0.2  # the boldest would gain most
    point = synthetic_sweep(hurts(3, 1, 0), calibration=calibration).guarantee(0.05, hurt_beyond=0)
    # 20 shares of model 2, then model 1 (safe), then model 0 (not safe)
    assert point.index == 2
    assert point.control.is_safe.tolist() == [True] * 21 + [False]
    better = hurts(3, 1, 0)
    better.values[1, 1:] += 0.1
    assert synthetic_sweep(hurts(3, 1, 0), calibration=better).guarantee(0.05, hurt_beyond=0).index == 1


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
        "no point could be shown to be safe, tested on 100 held-out queries (exact binomial)."
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
        "tested on 100 held-out queries (betting)."
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


@pytest.mark.parametrize("method", ["betting", "hoeffding-bentkus"])
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
    assert f"2,000 held-out queries ({method})" in half.why
    assert half.risk == pytest.approx(half.probability * true)


def selective_sweep(*, win=0.1, **options):
    """100 queries; those with a predictor above 0.6 are hurt."""
    x = (np.arange(100) + 0.5) / 100
    part = judged(np.where(x > 0.6, -0.1, win)[None], predictors={"x": x})
    given = {"valid": part, "calibration": part, "thresholds": {"x": np.arange(0, 21) / 20}, **options}
    return synthetic_sweep(part, predictors={"x": rr.Aggregate("max", 1)}, **given)


def test_a_predictor_says_on_which_queries():
    point = selective_sweep().guarantee(0.05, hurt_beyond=0, via="x")
    # below: safe up to 0.6, where none is hurt; up to 0.65 five are, and P(Bin(100, 0.05) ≤ 5) > 0.1
    assert (point.index, point.predictor, point.apply, point.threshold) == (0, "x", "below", 0.6)
    assert point.label == "URisk, α = 0, on queries with x below 0.6"
    assert point.probability == 1
    assert (point.gain, point.risk, point.hurt) == pytest.approx((0.6 * 0.1, 0, 0))
    assert point.control.is_safe.sum() == 13  # thresholds 0 to 0.6


def test_the_better_side_is_found_also_for_a_model_that_loses_on_the_whole():
    sweep = selective_sweep(win=0.05)
    assert sweep.test.gain[0] < 0
    assert sweep.selective("x")["apply"] == "below"
    assert sweep.guarantee(0.05, hurt_beyond=0, via="x").gain == pytest.approx(0.6 * 0.05)


def test_the_gain_only_model_is_the_one_that_is_used_selectively():
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
        ({"budget": 0}, "the budget must lie between 0 and 1, got 0"),
        ({"budget": 1.5}, "the budget must lie between 0 and 1"),
        ({"confidence": 1}, "confidence must lie between 0 and 1, got 1"),
        ({"confidence": 0}, "confidence must lie between 0 and 1"),
        ({"via": "luck"}, "via must be one of mixed, alpha, x, got 'luck'"),
        ({"method": "prayer"}, "method must be one of betting, hoeffding-bentkus, binomial, got 'prayer'"),
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


# The ranker to deploy.


@pytest.fixture(scope="module")
def parts():
    data = web_search_data(200, documents_per_query=12, n_features=20)
    return [data.take(slice(*ends)) for ends in ((0, 60), (60, 90), (90, 140), (140, 200))]


@pytest.fixture(scope="module")
def trained(parts):
    """Against a weak baseline, so that there is something to gain."""
    train, valid, calibration, test = parts
    ranker = rr.LambdaMART(rr.URisk("nDCG@10"), n_trees=8, n_leaves=4, n_threads=1)
    return rr.sweep(
        train, ranker, baseline=rr.Feature(8), values=(0, 5), valid=valid, test=test, calibration=calibration,
        predictors=["margin", "agreement", "gain"], n_jobs=1,
    )  # fmt: skip


def on_test_queries(ranker, data, **options):
    """Per query, against the baseline."""
    runs = {"ranker": ranker.predict(data, **options), "baseline": data.feature(8)}
    return rr.evaluate(data, runs, "nDCG@10").matrix


@pytest.mark.parametrize("via", ["margin", "agreement", "gain"])
def test_a_selective_ranker_does_what_its_point_says(trained, parts, via, tmp_path):
    point = trained.guarantee(0.1, via=via)
    assert point.predictor == via
    ranker = point.ranker()
    assert isinstance(ranker, rr.Selective)
    assert (ranker.threshold, ranker.apply) == (point.threshold, point.apply)
    ranker.save(tmp_path / "model")
    for deployed in (ranker, rr.load(tmp_path / "model")):
        values, base = on_test_queries(deployed, parts[3])
        assert gain(values, base) == pytest.approx(point.gain, abs=1e-12)
        assert risk(values, base) == pytest.approx(point.risk, abs=1e-12)
        assert (values < base - 1e-12).mean() == pytest.approx(point.hurt)


def test_a_mixed_ranker_does_what_its_point_says_but_for_the_coins(trained, parts, tmp_path):
    point = trained.guarantee(0.02, confidence=0.8)
    assert 0 < point.probability < 1
    ranker = point.ranker()
    assert isinstance(ranker, rr.Mixed)
    assert ranker.probability == point.probability
    ranker.save(tmp_path / "model")
    values, base = on_test_queries(rr.load(tmp_path / "model"), parts[3])
    delta = trained.test.delta[point.index]
    noise = math.sqrt(point.probability * (1 - point.probability) * np.square(delta).sum()) / len(delta)
    assert abs(gain(values, base) - point.gain) < 4 * noise
    assert abs(risk(values, base) - point.risk) < 4 * noise
    # over many seeds, it is the very number
    means = []
    for seed in range(200):
        used = rr.Mixed.of(
            ranker.ranker_, baseline=rr.Feature(8), probability=point.probability, random_state=seed
        ).uses_model(parts[3])
        means.append((used * delta).mean())
    assert np.mean(means) == pytest.approx(point.gain, abs=4 * noise / math.sqrt(200))


def test_a_model_that_is_always_used_is_deployed_as_it_is(trained, parts):
    point = trained.choose("risk", max_risk=1.0)
    assert point.ranker() is trained.model(point.index)
    values, base = on_test_queries(point.ranker(), parts[3])
    assert (gain(values, base), risk(values, base)) == pytest.approx((point.gain, point.risk))
    assert repr(point) == f"{point.label}. {point.why}"


def test_the_ranker_of_a_saved_sweep_is_the_same(trained, parts, tmp_path):
    train, valid, calibration, test = parts
    ranker = rr.LambdaMART(rr.URisk("nDCG@10"), n_trees=8, n_leaves=4, n_threads=1)
    rr.sweep(
        train, ranker, baseline=rr.Feature(8), values=(0, 5), valid=valid, test=test, calibration=calibration,
        predictors=["margin", "agreement", "gain"], n_jobs=1, folder=tmp_path / "sweep",
    )  # fmt: skip
    loaded = rr.Sweep.load(tmp_path / "sweep")
    for via in ("gain", "mixed"):
        one, other = (sweep.guarantee(0.05, via=via) for sweep in (trained, loaded))
        assert (one.index, one.probability, one.threshold, one.gain) == (
            other.index, other.probability, other.threshold, other.gain,
        )  # fmt: skip
        np.testing.assert_array_equal(one.ranker().predict(test), other.ranker().predict(test))


def point_of(sweep, **options):
    return OperatingPoint(sweep, 0, "Because.", **{"probability": 0.5, **options})


def test_a_baseline_that_is_no_feature_has_to_be_given(trained, parts):
    named = dataclasses.replace(trained, baseline="eighth")
    with pytest.raises(ParameterError, match=r"a mixed ranker needs its baseline \(eighth\): pass baseline="):
        point_of(named).ranker()
    one, other = point_of(named).ranker(baseline=rr.Feature(8)), point_of(trained).ranker()
    np.testing.assert_array_equal(one.predict(parts[3]), other.predict(parts[3]))


def test_several_features_are_no_baseline_to_mix_with(trained):
    several = dataclasses.replace(trained, baseline="feature:1, feature:2", n_baselines=2)
    with pytest.raises(ParameterError, match="baseline"):
        point_of(several).ranker()


def test_a_guarantee_for_a_mixture_with_several_baselines_is_refused():
    sweep = synthetic_sweep(hurts(5), calibration=hurts(5), baseline="feature:1, feature:2", n_baselines=2)
    with pytest.raises(ParameterError, match="one baseline"):
        sweep.guarantee(0.05, hurt_beyond=0)


def test_a_mixture_with_a_run_that_lacks_documents_does_what_its_point_says(parts):
    train, valid, _, test = parts
    run = {}
    for data in (train, valid, test):
        ids, score = data.ids, data.feature(1)
        for q, query in enumerate(data.query_ids):
            rows = range(*data.query_offsets[q : q + 2])
            run[query] = {ids[row]: float(score[row]) for row in list(rows)[:2]}
    ranker = rr.LambdaMART(rr.URisk("nDCG@10"), n_trees=4, n_leaves=4, n_threads=1)
    sweep = rr.sweep(train, ranker, baseline=run, values=(0,), valid=valid, test=test, predictors=["margin"], n_jobs=1)
    limit = float(np.median(sweep.test.predictors["margin"]))
    point = OperatingPoint(sweep, 0, "", predictor="margin", threshold=limit)
    used = sweep.test.predictors["margin"] > limit
    deployed = point.ranker(baseline=run).predict(test)
    values = rr.evaluate(test, {"m": deployed}, "nDCG@10")["m"]
    np.testing.assert_allclose(values, np.where(used, sweep.test.values[0], sweep.test.baseline))
