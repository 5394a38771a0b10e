"""Operating points: the ranker that is deployed does what its point says."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

import riskrank as rr
from riskrank.data.synthetic.synthetic_features import web_search_data
from riskrank.errors import ParameterError
from riskrank.risk.outcomes import gain, risk
from riskrank.tradeoff.operating_point import OperatingPoint


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
    delta = trained.test.changes[point.index]
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
