"""Weights in training: against LightGBM's own, repeated queries, nets, linear rankers, validation and cards."""

from __future__ import annotations

import numpy as np
import pytest

import riskrank as rr
from riskrank.errors import ParameterError
from riskrank.rankers.fitting.plan import plan_fit
from riskrank.weights import relative_weights

from .fitting.small_trees import grown

lightgbm = pytest.importorskip("lightgbm")

AS_LIGHTGBM = rr.Gain("nDCG", truncation=30, normalise="all")


@pytest.fixture(scope="module")
def query_weights():
    weights = np.random.default_rng(0).integers(1, 6, 40).astype(float)
    return weights / weights.mean()


def plainly(data, weights):
    """LightGBM's own ranking, whose weights are those of documents."""
    groups, labels = np.diff(data.query_offsets), data.labels.astype(int)
    dataset = lightgbm.Dataset(data.features, label=labels, group=groups, weight=weights)
    parameters = {
        "objective": "lambdarank", "num_leaves": 7, "min_data_in_leaf": 5, "learning_rate": 0.1, "num_threads": 1,
        "lambdarank_truncation_level": 30, "force_row_wise": True, "verbosity": -1,
    }  # fmt: skip
    return lightgbm.train(parameters, dataset, 10).predict(data.features)


@pytest.mark.parametrize("kind", ["queries", "documents"])
def test_it_learns_what_lightgbm_learns(train, query_weights, kind):
    documents = np.random.default_rng(1).uniform(0.5, 1.5, train.n_documents)
    weights = query_weights if kind == "queries" else documents / documents.mean()
    of_rows = weights[train.query_numbers] if kind == "queries" else weights
    model = rr.LambdaMART(AS_LIGHTGBM, n_trees=10, n_leaves=7, min_docs_in_leaf=5, n_threads=1).fit(
        train, weights=weights
    )
    scores, unweighted = plainly(train, of_rows), plainly(train, None)
    np.testing.assert_allclose(model.predict(train), scores, atol=5e-5)  # LightGBM has sigmoids from a table
    assert np.abs(scores - unweighted).max() > 0.1


def coarse(data):
    """The same with few different values, so that repeating queries leaves the engines' bins as they are."""
    return rr.RankingData.from_arrays(np.round(2 * data.features), data.labels, group=np.diff(data.query_offsets))


def copies(data, times):
    queries = np.repeat(np.arange(data.n_queries), times)
    return data.take(queries)


@pytest.mark.parametrize("objective", [rr.Gain("nDCG@5"), rr.URisk("nDCG@5", alpha=5), rr.CVaR("nDCG@5")], ids=str)
def test_whole_weights_grow_the_trees_of_repeated_queries(train, engine, objective):
    data = coarse(train)
    times = np.random.default_rng(2).permutation(np.repeat([1, 2, 3], (13, 14, 13)))
    fewest = {} if engine == "xgboost" else {"min_docs_in_leaf": 1}
    options = {"n_trees": 6, "n_leaves": 5, "n_threads": 1, "engine": engine, **fewest}
    one = rr.LambdaMART(objective, **options).fit(data.weighted(times), baseline=rr.Feature(1))
    other = rr.LambdaMART(objective, **options).fit(copies(data, times), baseline=rr.Feature(1))
    np.testing.assert_allclose(one.predict(data), other.predict(data), atol=1e-6)  # engines hold single precision
    for name in ("train_effectiveness", "train_risk", "train_urisk"):
        np.testing.assert_allclose(one.history_[name], other.history_[name], atol=1e-12)


def test_equal_weights_change_nothing_at_all(train, valid, engine):
    weighted = train.weighted(np.full(40, 3.0))
    options = {"valid": valid, "early_stopping": 3}
    one, other = grown(weighted, engine, **options), grown(train, engine, **options)
    assert one.model_text_ == other.model_text_
    assert one.history_.to_json() == other.history_.to_json()


def test_how_large_all_weights_are_does_not_matter(train, query_weights):
    one, other = (grown(train.weighted(query_weights * factor)) for factor in (2.0**-20, 2.0**20))
    assert one.model_text_ == other.model_text_


def test_a_query_without_weight_teaches_nothing(train):
    weights = np.ones(40)
    weights[20:] = 0
    turned = rr.RankingData.from_arrays(  # the other half is nonsense
        train.features, np.where(train.query_numbers < 20, train.labels, 4 - train.labels),
        group=np.diff(train.query_offsets), weights=weights,
    )  # fmt: skip
    same = turned.weighted(weights)
    model, sane = grown(same, objective=AS_LIGHTGBM), grown(train.weighted(weights), objective=AS_LIGHTGBM)
    np.testing.assert_array_equal(model.predict(train), sane.predict(train))


def test_validation_goes_by_weighted_means(train, valid):
    weights = np.arange(1.0, 21.0)
    model = grown(train, valid=valid.weighted(weights), early_stopping=12)
    best = model.best_trees_
    values = rr.evaluate(valid, {"x": model.predict(valid), "old": valid.feature(1)}, "nDCG@5").matrix
    change = values[0] - values[1]
    expected = {
        "effectiveness": np.average(values[0], weights=weights),
        "risk": np.average(np.maximum(-change, 0), weights=weights),
        "reward": np.average(np.maximum(change, 0), weights=weights),
    }
    for name, number in expected.items():
        assert model.history_[f"valid_{name}"][best - 1] == pytest.approx(number, abs=1e-9)
    assert best == int(np.argmax(model.history_["watched"])) + 1
    assert model.history_["watched"][best - 1] == pytest.approx(expected["effectiveness"], abs=1e-9)
    np.testing.assert_allclose(model.valid_changes_, change, atol=1e-9)
    np.testing.assert_allclose(model.valid_weights_, weights / weights.mean(), atol=1e-9)


def test_whole_weights_validate_as_repeated_queries_would(train, valid):
    times = np.random.default_rng(4).integers(1, 4, valid.n_queries)
    one, other = (grown(train, valid=each, early_stopping=4) for each in (valid.weighted(times), copies(valid, times)))
    assert one.best_trees_ == other.best_trees_
    np.testing.assert_allclose(one.history_["watched"], other.history_["watched"], atol=1e-12)
    plain = grown(train, valid=valid, early_stopping=4).history_["watched"]
    assert not np.allclose(one.history_["watched"][:4], plain[:4])


def test_another_validation_measure_is_weighted_too(train, valid):
    weights = np.arange(1.0, 21.0)
    model = grown(train, valid=valid.weighted(weights), valid_measure="AP")
    values = rr.evaluate(valid, {"x": model.predict(valid)}, "AP")["x"]
    assert model.history_["watched"].max() == pytest.approx(np.average(values, weights=weights), abs=1e-9)


def test_the_card_and_its_text_tell_as_how_many_the_queries_count(train, query_weights, tmp_path):
    model = grown(train.weighted(query_weights))
    effective = query_weights.sum() ** 2 / np.square(query_weights).sum()
    assert model.card_["training_data"]["effective_queries"] == pytest.approx(effective)
    model.save(tmp_path / "model")
    assert rr.load(tmp_path / "model").card_["training_data"]["effective_queries"] == pytest.approx(effective)
    assert "effective_queries" not in grown(train).card_["training_data"]


def test_a_checkpoint_of_other_weights_is_refused(train, query_weights, tmp_path):
    options = {"n_trees": 3, "n_leaves": 4, "n_threads": 1}
    rr.LambdaMART(**options).fit(train, weights=query_weights, checkpoint=tmp_path / "c", keep_checkpoint=True)
    with pytest.raises(ParameterError, match="is of another training: training data"):
        rr.LambdaMART(**options).fit(train, checkpoint=tmp_path / "c", resume=True)


@pytest.mark.parametrize("kind", [rr.LinearRanker, rr.AdaRank, rr.AFS])
def test_linear_rankers_learn_the_best_weights_for_heavy_queries(kind):
    """Feature 1 ranks two heavy queries, feature 2 the three light ones."""
    labels = np.tile([1, 0, 0], 5)
    features = np.column_stack([labels, 1 - labels]).astype(float)
    features[6:] = 1 - features[6:]
    data = rr.RankingData.from_arrays(features, labels, group=[3] * 5)
    light = kind("nDCG", n_rounds=3, n_threads=1).fit(data)
    heavy = kind("nDCG", n_rounds=3, n_threads=1).fit(data.weighted([9, 9, 1, 1, 1]))
    first = slice(0, 3)
    assert np.argmax(heavy.predict(data)[first]) == 0
    assert np.argmax(light.predict(data)[first]) != 0
    weights = np.array([9, 9, 1, 1, 1])
    values = rr.evaluate(data, {"x": heavy.predict(data)}, "nDCG")["x"]
    assert heavy.history_["train_effectiveness"].max() == pytest.approx(np.average(values, weights=weights), abs=1e-9)
    with pytest.raises(ParameterError, match=f"{kind.__name__} ranks whole queries and has no use for weights of"):
        kind("nDCG").fit(data.weighted(np.arange(1, 16)))


def test_regression_trees_weigh_documents():
    features = np.array([[0.0]] * 4 + [[1.0]] * 4)
    data = rr.RankingData.from_arrays(features, [0, 0, 0, 4, 1, 1, 1, 3], group=[8])
    weights = np.array([1, 1, 1, 5, 1, 1, 1, 0.0])
    options = {"n_trees": 1, "n_leaves": 2, "min_docs_in_leaf": 1, "learning_rate": 1.0, "n_threads": 1}
    scores = rr.RegressionTrees(**options).fit(data.weighted(weights)).predict(data)
    assert scores[[0, 4]].tolist() == pytest.approx([20 / 8, 1.0], abs=1e-6)


def test_arrays_and_ids_may_have_weights(train, query_weights):
    keys = np.array(train.query_ids)[train.query_numbers]
    by_id = dict(zip(train.query_ids, query_weights.tolist(), strict=True))
    options = {"n_trees": 3, "n_leaves": 4, "n_threads": 1}
    expected = rr.LambdaMART(**options).fit(train, weights=query_weights).model_text_
    for weights in (by_id, query_weights[train.query_numbers]):
        given = rr.LambdaMART(**options).fit(train.features, train.labels, qid=keys, weights=weights)
        assert given.model_text_ == expected


def test_nets_learn_by_weight(train, query_weights):
    pytest.importorskip("torch")
    from riskrank.rankers.nets.compiled_descent import CompiledDescent
    from riskrank.rankers.nets.descent import Descent
    from riskrank.rankers.nets.pairwise_descent import PairwiseDescent

    data = train.weighted(query_weights)
    ranknet = rr.RankNet(truncation=None, normalise=False)
    ranker = rr.LambdaNet.burges2006(ranknet, layers=1, n_epochs=2, n_threads=1, learning_rate=0.01, valid_measure=None)
    learned = {}
    for kind in (Descent, CompiledDescent, PairwiseDescent):
        learner = kind(plan_fit(ranker, data), ranker, None)
        learner.step(0)
        learned[kind] = np.concatenate([value.detach().numpy().ravel() for value in learner.net.parameters()])
        np.testing.assert_allclose(learned[kind], learned[Descent], rtol=1e-3, atol=1e-5)
    plain = Descent(plan_fit(ranker, train), ranker, None)
    plain.step(0)
    unweighted = np.concatenate([value.detach().numpy().ravel() for value in plain.net.parameters()])
    assert np.abs(unweighted - learned[Descent]).max() > 1e-3
    pairs = rr.LambdaNet(ranknet, backprop="pairs", n_epochs=1)
    with pytest.raises(ParameterError, match="no use for weights of documents"):
        pairs.fit(train.weighted(np.arange(1.0, train.n_documents + 1)))


def test_the_score_of_a_ranker_is_weighted(train, query_weights):
    model = grown(train)
    values = rr.evaluate(train, {"x": model.predict(train)}, "nDCG@5")["x"]
    assert model.score(train.weighted(query_weights)) == pytest.approx(np.average(values, weights=query_weights))
    assert model.score(train) == values.mean()


def test_others_are_refused_before_any_work(train):
    with pytest.raises(ParameterError, match="got nan for query"):
        rr.LambdaMART().fit(train, weights=[np.nan] * 40)
    assert relative_weights(train.query_weights) is None
