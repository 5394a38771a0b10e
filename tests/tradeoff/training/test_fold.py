"""A fold: its baseline in every form, all models judged beside it, and predictors of its queries."""

from __future__ import annotations

import numpy as np
import pytest

import riskrank as rr
from riskrank.errors import ParameterError
from riskrank.rankers.selective.query_predictors import parse_predictor

from ..small_sweeps import TEXT, quick, ranker, same_judged, trec_run, untrainable

pytestmark = pytest.mark.usefixtures("two_cores")


def test_what_is_judged_are_the_queries_of_each_set(swept, models, parts):
    for judged_set, data in ((swept.test, parts[2]), (swept.valid, parts[1])):
        assert judged_set.queries == data.query_ids
        assert set(judged_set.fold) == {1}
        runs = {"text": data.feature(1), **{str(i): model.predict(data) for i, model in enumerate(models)}}
        values = rr.evaluate(data, runs, ["nDCG@10", "AP"])
        np.testing.assert_array_equal(judged_set.baseline, values["nDCG@10"]["text"])
        np.testing.assert_array_equal(judged_set.values, values["nDCG@10"].matrix[1:])
        np.testing.assert_allclose(judged_set.others["AP"], values["AP"].matrix.mean(axis=1))
        changes = rr.rank_changes(runs, "text", data=data)
        for i in range(len(models)):
            np.testing.assert_allclose(judged_set.distance[i], (1 - changes[str(i)].tau_per_topic) / 2)
            np.testing.assert_array_equal(judged_set.is_reranked[i], changes[str(i)].is_reranked)
    assert swept.calibration is None


# Baselines.


def test_a_run_that_ranks_as_a_feature_does_gives_the_same_sweep(small, tmp_path):
    for data in small:
        trec_run(data, tmp_path / "text.run")
    by_run, by_feature = quick(small, baseline=tmp_path / "text.run"), quick(small)
    assert by_run.baseline == "text"
    same_judged(by_run.test, by_feature.test)
    np.testing.assert_array_equal(by_run.train_gain, by_feature.train_gain)


def test_a_fitted_ranker_can_be_the_baseline(small):
    trees = rr.RegressionTrees(n_trees=3, n_leaves=4, n_threads=1).fit(small[0])
    swept = quick(small, baseline=trees)
    assert swept.baseline == trees.label
    expected = rr.evaluate(small[2], {"b": trees.predict(small[2])}, "nDCG@10")["b"]
    np.testing.assert_array_equal(swept.test.baseline, expected)


def test_several_baselines_count_by_their_mean_on_each_query(small):
    several = {"text": TEXT, "eighth": rr.Feature(8), "ninth": rr.Feature(9)}
    test = small[2]
    runs = {name: test.feature(feature.key) for name, feature in several.items()}
    expected = rr.evaluate(test, runs, "nDCG@10").matrix.mean(axis=0)
    for given in (several, rr.Baselines(several)):
        swept = quick(small, ranker(rr.GeoRisk("nDCG@10"), n_trees=3), baseline=given)
        assert swept.baseline == "text, eighth, ninth"
        np.testing.assert_allclose(swept.test.baseline, expected)
        model = ranker(rr.GeoRisk("nDCG@10", alpha=1), n_trees=3).fit(small[0], baseline=several, valid=small[1])
        np.testing.assert_array_equal(swept.model(1).predict(test), model.predict(test))
    change = rr.rank_changes({"m": model.predict(test), "text": runs["text"]}, "text", data=test)["m"]
    np.testing.assert_array_equal(swept.test.is_reranked[1], change.is_reranked)  # rankings are seen against the first


def test_a_baseline_that_lacks_documents_counts_with_those_it_has(small, tmp_path):
    for data in small:
        trec_run(data, tmp_path / "short.run", depth=3)
    swept = quick(small, baseline=tmp_path / "short.run")
    test = small[2]
    place = np.empty(test.n_documents)
    for q in range(test.n_queries):
        rows = slice(*test.query_offsets[q : q + 2])
        place[rows] = np.argsort(np.argsort(-test.feature(1)[rows], kind="stable"))
    listed = np.where(place < 3, -place, -np.inf)
    expected = rr.evaluate(test, {"b": listed}, "nDCG@10")["b"]
    np.testing.assert_array_equal(swept.test.baseline, expected)


def test_further_measures_see_the_baseline_as_the_first_one_does(small, tmp_path):
    for data in small:
        trec_run(data, tmp_path / "short.run", depth=3)
    swept = quick(small, baseline=tmp_path / "short.run", measures=["nDCG@30"])
    assert np.diff(small[2].query_offsets).max() <= 30
    deep = quick(small, baseline=tmp_path / "short.run", measure="nDCG@30")
    assert swept.test.others["nDCG@30"][0] == pytest.approx(deep.test.baseline.mean())


def test_models_may_start_from_a_baseline_that_lacks_documents(small, tmp_path):
    for data in small:
        trec_run(data, tmp_path / "short.run", depth=3)
    swept = quick(small, ranker(n_trees=3, start="baseline"), baseline=tmp_path / "short.run")
    assert len(swept) == 2


def test_models_may_start_from_the_baseline(small):
    swept = quick(small, ranker(n_trees=3, start="baseline"), predictors=["gain"])
    model = ranker(rr.URisk(alpha=1), n_trees=3, start="baseline").fit(small[0], baseline=TEXT, valid=small[1])
    values = rr.evaluate(small[2], {"m": model.predict(small[2])}, "nDCG@10")["m"]
    np.testing.assert_array_equal(swept.test.values[1], values)


# Predictors.


def test_thresholds_divide_the_training_queries_evenly(swept, models, parts):
    train = parts[0]
    own, other = models[0].predict(train), train.feature(1).astype(np.float64)
    for name in ("max feature:1", "margin"):
        values = parse_predictor(name).values(train, own, other)
        np.testing.assert_allclose(swept.thresholds[name], np.quantile(values, np.linspace(0, 1, 21)))
        np.testing.assert_array_equal(
            swept.test.predictors[name], swept.predictors[name].values(parts[2], *both(models[0], parts[2]))
        )


def both(model, data):
    return model.predict(data), data.feature(1).astype(np.float64)


@pytest.mark.parametrize(
    ("predictor", "message"), [("gain", "pass valid="), ("max feature:21", "feature must be from 1 to 20")]
)
def test_predictors_that_cannot_work_are_refused_before_training(small, predictor, message, monkeypatch):
    untrainable(monkeypatch)
    with pytest.raises(ParameterError, match=message):
        quick(small, valid=None, predictors=[predictor])


def test_a_gain_that_nobody_taught_is_refused(small):
    with pytest.raises(ParameterError, match="learns from validation queries: pass valid="):
        quick(small, valid=None, predictors=["gain"])
