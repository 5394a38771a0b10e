"""Boosting from the baseline's scores: no risk at first, and a baseline is needed to predict."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import riskrank as rr
from riskrank.errors import AlignmentError, ParameterError


def starting(train, engine="lightgbm", *, baseline=None, objective=None, **arguments):
    ranker = rr.LambdaMART(
        objective or rr.URisk(alpha=5),
        n_trees=8,
        n_leaves=4,
        learning_rate=0.02,
        start="baseline",
        engine=engine,
        n_threads=1,
    )
    return ranker.fit(train, baseline=rr.Feature(1) if baseline is None else baseline, **arguments)


def column(data, number=1):
    return data.feature(number).astype(np.float64)


def test_the_first_model_has_hardly_any_risk(train, valid, engine):
    ranker = starting(train, engine, valid=valid)
    options = {"n_leaves": 4, "learning_rate": 0.02, "engine": engine, "n_threads": 1}
    from_zero = rr.LambdaMART(rr.URisk(alpha=5), n_trees=1, **options)
    from_zero.fit(train, baseline=rr.Feature(1), valid=valid)
    for side in ("train", "valid"):
        first = ranker.history_[f"{side}_risk"][0]
        assert first < 0.01
        assert first < 0.2 * from_zero.history_[f"{side}_risk"][0]
    assert ranker.history_["train_urisk"][-1] > 0


def test_the_history_is_that_of_the_whole_model(train, valid, engine):
    ranker = starting(train, engine, valid=valid)
    for side, data in (("train", train), ("valid", valid)):
        values = rr.evaluate(data, {"m": ranker.predict(data), "b": column(data)}, "nDCG@10")
        assert ranker.history_[f"{side}_effectiveness"][-1] == pytest.approx(values["m"].mean())
        assert ranker.history_[f"{side}_risk"][-1] == pytest.approx(rr.risk.risk(values["m"], values["b"]))


def test_a_feature_as_baseline_is_read_from_the_data(train, valid, tmp_path, engine):
    ranker = starting(train, engine)
    assert ranker.card_["needs_baseline"]
    assert ranker.card_["start_scale"] > 0
    scores = ranker.predict(valid)
    np.testing.assert_array_equal(ranker.predict(valid.features), scores)
    np.testing.assert_array_equal(ranker.predict(valid, baseline=rr.Feature(1)), scores)
    np.testing.assert_array_equal(ranker.predict(valid, baseline=column(valid)), scores)
    ranker.save(tmp_path / "model")
    np.testing.assert_array_equal(rr.load(tmp_path / "model").predict(valid), scores)
    assert (ranker.predict(valid, baseline=rr.Feature(9)) != scores).any()


def test_any_other_baseline_is_asked_for(train, valid, tmp_path, engine):
    ranker = starting(train, engine, baseline=column(train))
    np.testing.assert_array_equal(ranker.predict(valid, baseline=column(valid)), starting(train, engine).predict(valid))
    ranker.save(tmp_path / "model")
    for model in (ranker, rr.load(tmp_path / "model")):
        with pytest.raises(ParameterError, match="this model starts from its baseline .scores.: pass baseline="):
            model.predict(valid)
        with pytest.raises(AlignmentError, match="needs a score for each of the .* documents"):
            model.predict(valid.features, baseline=[1.0, 2.0])
        with pytest.raises(AlignmentError, match="needs a score for each of the .* documents"):
            model.predict(valid, baseline=np.ones(2))


def test_the_scale_gives_the_baseline_the_wanted_spread(train):
    ranker = starting(train)
    queries = np.split(column(train), train.query_offsets[1:-1])
    assert ranker.card_["start_scale"] == pytest.approx(1 / np.mean([scores.std() for scores in queries]))
    twice = rr.LambdaMART(n_trees=1, start="baseline", start_spread=2.0).fit(train, baseline=rr.Feature(1))
    assert twice.card_["start_scale"] == pytest.approx(2 * ranker.card_["start_scale"])


def test_documents_that_the_baseline_lacks_stand_below_all_others(train, valid):
    run = {query: {train.ids[row]: 1.0} for query, row in zip(train.query_ids, train.query_offsets, strict=False)}
    ranker = starting(train, baseline=run)
    assert ranker.history_["train_risk"][0] < 0.01
    some = {query: {valid.ids[row]: 1.0} for query, row in zip(valid.query_ids, valid.query_offsets, strict=False)}
    assert np.isfinite(ranker.predict(valid, baseline=some)).all()


def test_a_missing_value_of_the_baselines_feature_is_no_missing_score(train, valid):
    features = np.array(valid.features)
    features[3, 0] = np.nan
    ranker = starting(train)
    for data in (dataclasses.replace(valid, features=features), features):
        assert np.isfinite(ranker.predict(data)).all()


def test_gain_may_start_there_too(train, valid):
    ranker = starting(train, objective=rr.Gain())
    assert (
        ranker.history_["train_effectiveness"][0] >= rr.evaluate(train, {"b": column(train)}, "nDCG@10").matrix.mean()
    )
    assert np.isfinite(ranker.predict(valid)).all()


def test_a_start_needs_one_baseline_that_tells_documents_apart(train):
    with pytest.raises(ParameterError, match="exactly one baseline, got 2"):
        starting(train, baseline=[rr.Feature(1), rr.Feature(2)])
    with pytest.raises(ParameterError, match="tells documents apart; all its scores are equal"):
        starting(train, baseline=np.ones(train.n_documents))
