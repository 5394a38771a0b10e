"""Categories reach the engines as they are; unknown ones are missing; models remember them."""

from __future__ import annotations

import json
import warnings
from dataclasses import replace

import lightgbm
import numpy as np
import polars as pl
import pytest
import xgboost

import riskrank as rr
from riskrank.errors import AlignmentError, FileError, ParameterError

from ..category_tables import CATEGORIES, category_data, category_table
from ..interrupted_trees import OBJECTIVE, interrupted

ENGINES = pytest.mark.parametrize("engine", ["lightgbm", "xgboost"])
TABLE_COLUMNS = ["qid", "label", "bm25", "brand", "colour"]
SHAPE = {"n_trees": 12, "n_leaves": 8, "n_threads": 1}


def ranker(engine: str = "lightgbm", **parameters) -> rr.LambdaMART:
    return rr.LambdaMART(engine=engine, **{**SHAPE, **parameters})


def read(table: pl.DataFrame, **options) -> rr.RankingData:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # constant columns
        return rr.read_table(table, **{"categories": CATEGORIES, **options})


@pytest.fixture(scope="module")
def train():
    return category_data()


@pytest.fixture(scope="module")
def test():
    return category_data(40, seed=5)


@pytest.fixture(scope="module")
def models(train):
    return {engine: ranker(engine).fit(train) for engine in ("lightgbm", "xgboost")}


def gains_of(data: rr.RankingData) -> np.ndarray:
    return data.labels - data.labels.mean()


def test_trees_are_those_of_lightgbm_with_categorical_features(train):
    """Least squares, whose gradients LightGBM knows as well."""
    ours = rr.RegressionTrees(**SHAPE).fit(train)
    options = {"objective": "l2", "boost_from_average": False, "num_leaves": 8, "learning_rate": 0.1, "verbosity": -1}
    theirs = lightgbm.train(
        {**options, "num_threads": 1, "force_row_wise": True},
        lightgbm.Dataset(train.features, gains_of(train), categorical_feature=[1, 2]), SHAPE["n_trees"],
    )  # fmt: skip
    assert ours.importances()["gain"][1] > 0
    np.testing.assert_allclose(ours.predict(train) - train.labels.mean(), theirs.predict(train.features), atol=1e-5)


def test_trees_are_those_of_xgboost_with_categories(train):
    ours = rr.RegressionTrees(engine="xgboost", **SHAPE).fit(train)
    options = {"tree_method": "hist", "grow_policy": "lossguide", "max_depth": 0, "max_leaves": 8, "reg_lambda": 0,
               "min_child_weight": 1e-3, "learning_rate": 0.1, "nthread": 1, "base_score": 0.0}  # fmt: skip
    matrix = xgboost.QuantileDMatrix(
        train.features, gains_of(train), feature_types=["q", "c", "c"], enable_categorical=True
    )
    theirs = xgboost.train(options, matrix, SHAPE["n_trees"])
    assert ours.importances()["gain"][1] > 0
    scores = ours.predict(train) - train.labels.mean()
    np.testing.assert_allclose(scores, theirs.inplace_predict(train.features), atol=1e-5)


@ENGINES
def test_categories_help_where_grades_depend_on_them(engine, models, train, test):
    without = ranker(engine).fit(replace(train, features=train.features[:, :1], feature_names=("bm25",), categories={}))
    bare = replace(test, features=test.features[:, :1], feature_names=("bm25",), categories={})
    assert models[engine].score(test) > without.score(bare) + 0.05


@ENGINES
def test_the_engine_alone_gives_the_same_scores_for_the_codes(engine, models, train):
    booster = models[engine].booster_
    predict = booster.predict if engine == "lightgbm" else booster.inplace_predict
    np.testing.assert_array_equal(models[engine].predict(train), predict(train.features))


@ENGINES
def test_a_saved_model_gives_the_same_scores_and_knows_its_categories(engine, models, test, tmp_path):
    models[engine].save(tmp_path / "model")
    loaded = rr.load(tmp_path / "model")
    assert loaded.columns_ == models[engine].columns_
    np.testing.assert_array_equal(loaded.predict(test), models[engine].predict(test))
    card = json.loads((tmp_path / "model" / "card.json").read_text())
    assert card["categories"]["colour"] == ["blue", "green", "red"]


def test_cards_of_models_without_categories_say_nothing_of_them(train):
    bare = replace(train, features=train.features[:, :1], feature_names=("bm25",), categories={})
    assert "categories" not in ranker(n_trees=1).fit(bare).card_


@ENGINES
def test_categories_are_told_by_value_whatever_their_codes_and_places_are(engine, models, test):
    """Fewer values have other codes; columns may stand anywhere."""
    table = category_table(40, seed=5)
    is_kept = (table["brand"] > "brand 20").fill_null(value=False)
    some = read(table.filter(is_kept).select(reversed(TABLE_COLUMNS)))
    assert some.categories[1] != test.categories[1]
    np.testing.assert_array_equal(models[engine].predict(some), models[engine].predict(test)[is_kept.to_numpy()])


@ENGINES
def test_unknown_categories_are_missing_with_a_warning(engine, models):
    table = category_table(40, seed=5)
    with pytest.warns(
        UserWarning, match=r"does not know count as missing: brand \('new' and 1 other\) in 600 documents"
    ) as told:
        unknown = models[engine].predict(
            read(table.with_columns(brand=pl.when(pl.col("qid") > 5).then(pl.lit("new")).otherwise(pl.lit("other"))))
        )
    assert [each.filename for each in told] == [__file__]
    missing = models[engine].predict(read(table.with_columns(brand=pl.lit(None, pl.String))))
    np.testing.assert_array_equal(unknown, missing)


@ENGINES
def test_categories_that_training_did_not_see_are_unknown_though_the_table_has_them(engine):
    data = category_data(seed=2)
    with_third = np.unique(data.query_numbers[data.feature("brand") == 3])
    train = data.take(np.setdiff1d(np.arange(data.n_queries), with_third))
    model = ranker(engine).fit(train)
    assert model.columns_.categories[1][3] is None
    features = np.array(data.features)
    features[:, 1] = 3
    with pytest.warns(UserWarning, match="count as missing: brand"):
        unseen = model.predict(replace(data, features=features))
    features[:, 1] = np.nan
    np.testing.assert_array_equal(unseen, model.predict(replace(data, features=features)))


@ENGINES
def test_validation_data_are_encoded_as_training_data_are(engine, train):
    valid = read(category_table(30, seed=5).filter(pl.col("brand") > "brand 10").select(reversed(TABLE_COLUMNS)))
    model = ranker(engine, early_stopping=5).fit(train, valid=valid)
    assert model.score(valid) == pytest.approx(model.history_["valid_effectiveness"][model.best_trees_ - 1])


@pytest.mark.parametrize("given", ["array", "numbers"])
def test_numbers_for_a_category_are_refused_by_name(given, models, test):
    table = category_table(40, seed=5).with_columns(brand=pl.col("qid"))
    data = test.features if given == "array" else read(table, categories="colour")
    with pytest.raises(AlignmentError, match="brand holds numbers in the data, the model knows it as categories"):
        models["lightgbm"].predict(data)


def test_a_category_for_numbers_is_refused_by_name(models):
    table = category_table(40, seed=5).with_columns(bm25=pl.lit("x"))
    with pytest.raises(AlignmentError, match="bm25 holds categories in the data, the model knows it as numbers"):
        models["lightgbm"].predict(read(table, categories=[*CATEGORIES, "bm25"]))


@ENGINES
def test_contributions_add_up_to_the_scores(engine, models, test):
    parts = models[engine].contributions(test)
    np.testing.assert_allclose(parts.sum(axis=1), models[engine].predict(test), atol=1e-5)
    assert np.abs(parts[:, 1]).max() > 0.01


@ENGINES
def test_permutation_tells_that_the_brand_matters(engine, models, test):
    importance = models[engine].permutation_importance(test, repeats=1)
    assert importance.mean[1] > 0.01


@pytest.mark.parametrize("kind", [rr.LinearRanker, rr.LambdaNet, rr.AFS, rr.AdaRank])
def test_rankers_that_need_numbers_refuse_categories_by_name(kind, train):
    with pytest.raises(AlignmentError, match=rf"{kind.__name__} takes numbers, no categories \(brand, colour\). Leave"):
        kind().fit(train)


def test_a_category_is_no_baseline(train):
    with pytest.raises(ParameterError, match="brand holds categories, which rank nothing"):
        ranker("lightgbm", objective="urisk").fit(train, baseline="column:brand")


def test_too_many_categories_are_refused_by_name():
    names = [f"title {number}" for number in range(10_001)]
    data = rr.read_table(pl.DataFrame({"qid": 1, "label": np.arange(10_001) % 3, "title": names}), categories="title")
    with pytest.raises(AlignmentError, match="title has 10,001 categories, at most 10,000 are used. Leave it out"):
        ranker().fit(data)


def test_categories_are_named_in_the_table_rather_than_among_the_engines_parameters(train):
    with pytest.raises(ParameterError, match="categorical_feature"):
        ranker(engine_params={"cat_feature": [1]}).fit(train)


@ENGINES
def test_a_training_goes_on_from_its_checkpoint(engine, train, tmp_path):
    data, baseline = train, rr.Feature("bm25")
    whole = ranker(engine, objective=OBJECTIVE).fit(data, baseline=baseline)
    interrupted(ranker(engine, objective=OBJECTIVE), tmp_path, data, at=8, baseline=baseline)
    resumed = ranker(engine, objective=OBJECTIVE)
    resumed.fit(data, baseline=baseline, checkpoint=tmp_path, checkpoint_every=5, resume=True)
    np.testing.assert_array_equal(resumed.predict(data), whole.predict(data))


@ENGINES
def test_trees_of_random_samples_are_joined(engine, train, test, tmp_path):
    sampled = {"feature_fraction": 0.6} if engine == "lightgbm" else {"subsample": 0.6}
    model = ranker(engine, n_trees=60, engine_params=sampled).fit(train)
    model.save(tmp_path / "model")
    np.testing.assert_array_equal(rr.load(tmp_path / "model").predict(test), model.predict(test))


@ENGINES
def test_selective_use_works_on_categories(engine, train, test, tmp_path):
    selective = rr.Selective(ranker(engine, objective="urisk"), predictor="max feature:1", threshold=0.5)
    selective.fit(train, baseline=rr.Feature("bm25"))
    scores = selective.predict(test)
    selective.save(tmp_path / "model")
    np.testing.assert_array_equal(rr.load(tmp_path / "model").predict(test), scores)
    frame = category_table(40, seed=5)
    np.testing.assert_array_equal(selective.predict(frame.drop("label")), scores)


@pytest.mark.parametrize(
    ("categories", "reason"),
    [
        ({"brnd": ["x"]}, "categories are of no feature: 'brnd'"),
        ({"brand": ["x", "x"]}, "brand has the category 'x' twice"),
        ({"brand": [1]}, "categories.brand.*must be"),
        ({"brand": "xyz"}, "categories.brand.*must be"),
        (["x"], "categories.*must be"),
        ({"brand": [str(i) for i in range(10_001)]}, "brand has 10,001 categories"),
        ({}, "is not a model of LightGBM .*splits by category where its card has none"),
        ({"brand": ["x"]}, "is not a model of LightGBM"),
    ],
)
def test_a_card_with_other_categories_is_refused_in_one_line(models, tmp_path, categories, reason):
    models["lightgbm"].save(tmp_path / "model")
    path = tmp_path / "model" / "card.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "categories": categories}))
    with pytest.raises(FileError, match=reason) as told:
        rr.load(tmp_path / "model")
    assert "\n" not in str(told.value)
