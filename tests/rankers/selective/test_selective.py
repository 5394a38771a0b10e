"""Selective: the model where a predictor says so, the baseline elsewhere."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import riskrank as rr
from riskrank.errors import FileError, ParameterError
from riskrank.rankers.selective.query_predictors import parse_predictor

from ..contract import qid_of
from .small_models import TEXT, first_documents, inner


@pytest.fixture(scope="module")
def model(train):
    return inner().fit(train)


@pytest.fixture(scope="module")
def scores(model, valid):
    return model.predict(valid), valid.feature(1).astype(np.float64)


def selective(model, predictor, threshold, apply="above", **options):
    return rr.Selective.of(model, baseline=TEXT, predictor=predictor, threshold=threshold, apply=apply, **options)


PREDICTORS = [
    "max feature:1", "min feature:8", "mean feature:3", "deviation feature:9", "entropy feature:1",
    "margin", "deviation", "agreement",
]  # fmt: skip


@pytest.mark.parametrize("text", PREDICTORS)
def test_the_model_ranks_the_queries_on_one_side_of_the_threshold(text, model, valid, scores):
    values = parse_predictor(text).values(valid, *scores)
    threshold = float(np.median(values))
    for predictor in (text, parse_predictor(text)):
        above, below = (selective(model, predictor, threshold, side) for side in ("above", "below"))
        np.testing.assert_array_equal(above.uses_model(valid), values > threshold)
        np.testing.assert_array_equal(below.uses_model(valid), values < threshold)
        np.testing.assert_array_equal(above.predicted(valid), values)
        used = np.repeat(values > threshold, np.diff(valid.query_offsets))
        np.testing.assert_array_equal(above.predict(valid), np.where(used, *scores))


def test_a_query_at_the_threshold_keeps_the_baseline(model, valid, scores):
    values = rr.Aggregate("max", 1).values(valid, *scores)
    for side in ("above", "below"):
        used = selective(model, "max feature:1", float(values[4]), side).uses_model(valid)
        assert not used[4]
        assert 0 < used.sum() < valid.n_queries


def test_the_two_sides_of_a_threshold_share_no_query(model, valid):
    above, below = (selective(model, "margin", 0.1, side).uses_model(valid) for side in ("above", "below"))
    assert (above ^ below).all()


def test_another_baseline_may_be_given_when_it_ranks(model, valid, scores):
    ranker = selective(model, "agreement", 0.2)
    values = rr.Confidence("agreement").values(valid, scores[0], valid.feature(3).astype(np.float64))
    np.testing.assert_array_equal(ranker.predicted(valid, baseline=rr.Feature(3)), values)
    used = ranker.uses_model(valid, baseline=rr.Feature(3))
    np.testing.assert_array_equal(used, values > 0.2)
    assert (used != ranker.uses_model(valid)).any()


@pytest.mark.parametrize("predictor", [*PREDICTORS, "gain"])
def test_a_query_gets_the_same_ranking_in_any_company(predictor, model, train, valid, scores):
    ranker = selective(model, predictor, 0.0, valid=train)
    predicted = ranker.predicted(valid)
    threshold = float(np.sort(predicted)[valid.n_queries // 2] + 1e-9)
    ranker = selective(model, ranker.predictor_, threshold)
    whole = np.split(ranker.predict(valid), valid.query_offsets[1:-1])
    for positions in ([5], [9, 1, 3]):
        alone = ranker.predict(valid.take(positions))
        np.testing.assert_array_equal(alone, np.concatenate([whole[q] for q in positions]))


# The gain, learned from validation queries.


def learned_by_hand(model, data, baseline, measure="nDCG@10"):
    own, other = model.predict(data), np.asarray(baseline, dtype=np.float64)
    values = rr.evaluate(data, {"own": own, "other": other}, measure)
    return rr.PredictedGain().learned(data, own, other, values["own"] - values["other"])


def same_predictor(one, other):
    np.testing.assert_allclose(one.weights, other.weights, atol=1e-12)
    assert (one.penalty, one.intercept) == pytest.approx((other.penalty, other.intercept))


@pytest.mark.parametrize("predictor", [None, "gain", rr.PredictedGain()])
def test_the_gain_is_learned_from_the_validation_queries(predictor, train, valid):
    ranker = rr.Selective(inner(), predictor=predictor).fit(train, baseline=TEXT, valid=valid)
    same_predictor(ranker.predictor_, learned_by_hand(inner().fit(train), valid, valid.feature(1)))
    np.testing.assert_array_equal(ranker.uses_model(valid), ranker.predicted(valid) > 0)


def test_the_gain_is_that_of_the_measure_of_the_ranker(train, valid):
    model = inner(objective=rr.Gain("AP")).fit(train)
    ranker = rr.Selective.of(model, baseline=TEXT, valid=valid)
    same_predictor(ranker.predictor_, learned_by_hand(model, valid, valid.feature(1), "AP"))


def test_the_gain_is_over_the_baseline_of_the_validation_queries(train, valid, model):
    others = np.random.default_rng(0).normal(size=valid.n_documents)
    ranker = rr.Selective(inner()).fit(train, baseline=train.feature(1), valid=valid, valid_baseline=others)
    same_predictor(ranker.predictor_, learned_by_hand(model, valid, others))


def test_scores_of_validation_documents_come_in_the_order_of_their_arrays(train, valid, model):
    order = np.random.default_rng(0).permutation(valid.n_documents)
    ranker = rr.Selective(inner()).fit(
        train,
        baseline=train.feature(1),
        valid=(valid.features[order], valid.labels[order], qid_of(valid)[order]),
        valid_baseline=valid.feature(1)[order],
    )
    mixed = rr.RankingData.from_arrays(valid.features[order], valid.labels[order], qid=qid_of(valid)[order])
    assert ranker.predictor_.intercept == pytest.approx(learned_by_hand(model, mixed, mixed.feature(1)).intercept)


def test_one_that_has_learned_already_needs_no_validation(train, valid, model):
    known = learned_by_hand(model, valid, valid.feature(1))
    ranker = rr.Selective(inner(), predictor=known).fit(train, baseline=TEXT)
    assert ranker.predictor_ is known


def test_the_gain_is_learned_anew_with_each_fit(train, valid):
    ranker = rr.Selective(inner())
    first = ranker.fit(train, baseline=TEXT, valid=valid).predictor_
    again = ranker.fit(train, baseline=TEXT, valid=train).predictor_
    assert ranker.predictor is None
    assert first.intercept != again.intercept


def test_the_gain_is_learned_where_the_baseline_lacks_documents(train, valid, model):
    ranker = rr.Selective.of(model, baseline=first_documents(valid), valid=valid)
    assert np.isfinite(ranker.predicted(valid)).all()
    assert not np.isnan(ranker.predict(valid)).any()


def test_the_gain_is_learned_for_a_model_that_starts_from_the_baseline(train, valid):
    ranker = rr.Selective(inner(start="baseline")).fit(train, baseline=TEXT, valid=valid)
    same_predictor(ranker.predictor_, learned_by_hand(ranker.ranker_, valid, valid.feature(1)))


def test_a_learned_gain_is_saved_and_restored(train, valid, tmp_path):
    ranker = rr.Selective(inner(), threshold=0.01).fit(train, baseline=TEXT, valid=valid)
    ranker.save(tmp_path / "model")
    back = rr.load(tmp_path / "model")
    np.testing.assert_array_equal(back.predicted(valid), ranker.predicted(valid))
    np.testing.assert_array_equal(back.predict(valid), ranker.predict(valid))
    again = back.save(tmp_path / "again") or rr.load(tmp_path / "again")
    np.testing.assert_array_equal(again.predict(valid), ranker.predict(valid))


def test_the_card_of_a_learned_gain_comes_back_as_it_was(train, valid, tmp_path):
    ranker = rr.Selective(inner()).fit(train, baseline=TEXT, valid=valid)
    ranker.save(tmp_path / "model")
    assert rr.load(tmp_path / "model").card_ == ranker.card_


@pytest.mark.parametrize("predictor", [rr.Aggregate("max", 1), rr.Entropy(8), rr.Confidence("agreement")], ids=str)
def test_predictors_are_saved_and_restored(predictor, model, valid, tmp_path):
    selective(model, predictor, 0.25, "below").save(tmp_path / "model")
    back = rr.load(tmp_path / "model")
    assert (back.predictor_, back.predictor, back.threshold, back.apply) == (predictor, predictor, 0.25, "below")


@pytest.mark.parametrize("content", [None, {}, {"kind": "oracle"}, {"kind": "entropy"}, {"kind": "entropy", "x": 1}])
def test_a_card_without_a_known_predictor_is_refused(content, model, tmp_path):
    selective(model, "margin", 0.1).save(tmp_path / "model")
    file = tmp_path / "model" / "card.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "predictor": content}))
    with pytest.raises(FileError, match="card.json: predictor"):
        rr.load(tmp_path / "model")


# What is refused.


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"predictor": "maximum feature:1"}, "unknown predictor 'maximum feature:1'. Known: max, min"),
        ({"predictor": 110}, "predictor must be one like Aggregate"),
        ({"predictor": rr.Aggregate}, "predictor must be one like Aggregate"),
        ({"threshold": "low"}, "threshold must be a number, got 'low'"),
        ({"threshold": math.nan}, "threshold must be a number, got nan"),
        ({"threshold": None}, "threshold must be a number, got None"),
        ({"apply": "beside"}, "apply must be one of above, below, got 'beside'"),
    ],
)
def test_bad_parameters_are_refused_before_training(model, train, monkeypatch, parameters, message):
    parameters = {"predictor": "margin", **parameters}
    with pytest.raises(ParameterError, match=message):
        rr.Selective.of(model, baseline=TEXT, **parameters)
    monkeypatch.setattr(rr.LambdaMART, "fit", lambda *_, **__: pytest.fail("trained"))
    with pytest.raises(ParameterError, match=message) as caught:
        rr.Selective(inner(), **parameters).fit(train, baseline=TEXT)
    assert "\n" not in str(caught.value)


def test_a_gain_without_validation_queries_is_refused(train, model):
    for use in (lambda: rr.Selective(inner()).fit(train, baseline=TEXT), lambda: selective(model, None, 0.0)):
        with pytest.raises(ParameterError, match="learns from validation queries: pass valid="):
            use()


def test_a_gain_without_validation_queries_is_refused_before_training(train, monkeypatch):
    monkeypatch.setattr(rr.LambdaMART, "fit", lambda *_, **__: pytest.fail("trained"))
    with pytest.raises(ParameterError, match="learns from validation queries: pass valid="):
        rr.Selective(inner()).fit(train, baseline=TEXT)


def test_too_few_validation_queries_are_refused(train, model):
    with pytest.raises(ParameterError, match="at least 3 queries to learn from, got 2"):
        rr.Selective.of(model, baseline=TEXT, valid=train.take([0, 1]))


def test_a_predictor_of_a_feature_that_is_not_there_is_refused(model, valid):
    with pytest.raises(ParameterError, match="feature must be from 1 to 20, got 21"):
        selective(model, "max feature:21", 0.0).predict(valid)


def test_a_gain_over_no_baseline_is_refused(valid, model):
    with pytest.raises(ParameterError, match="baseline"):
        rr.Selective.of(model, baseline=None, valid=valid)


def test_one_that_is_not_fitted_predicts_nothing(valid):
    with pytest.raises(ParameterError, match="is not fitted yet"):
        rr.Selective(inner(), predictor="margin").predicted(valid)
