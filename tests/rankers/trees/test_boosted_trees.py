"""What rankers of boosted trees have in common: the engine's file, and importances."""

from __future__ import annotations

import numpy as np
import pytest

import riskrank as rr
from riskrank.errors import ParameterError
from riskrank.rankers.trees.engine import ENGINES, engine_named

from ..assert_refused import assert_refused


def test_a_changed_parameter_does_not_change_what_was_fitted(train, valid, tmp_path):
    ranker = rr.LambdaMART(n_trees=4, n_leaves=4).fit(train)
    scores = ranker.predict(valid)
    ranker.set_params(engine="xgboost", n_trees=99).save(tmp_path / "model")
    np.testing.assert_array_equal(rr.load(tmp_path / "model").predict(valid), scores)


def test_a_model_of_another_engine_is_replaced_whole(train, tmp_path):
    for engine in ENGINES:
        rr.LambdaMART(n_trees=2, n_leaves=4, engine=engine).fit(train).save(tmp_path / "model")
    assert sorted(path.name for path in (tmp_path / "model").iterdir()) == sorted(
        [".riskrank.json", "card.json", "history.json", engine_named(engine).MODEL_FILE]
    )


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_trees": 0}, "n_trees must be a whole number from 1, got 0"),
        ({"n_trees": 2.5}, "n_trees must be a whole number from 1, got 2.5"),
        ({"n_trees": "9"}, "n_trees must be a whole number from 1, got '9'"),
        ({"n_trees": None}, "n_trees must be a whole number from 1, got None"),
        ({"n_leaves": 1}, "n_leaves must be a whole number from 2, got 1"),
        ({"min_docs_in_leaf": -1}, "min_docs_in_leaf must be a whole number from 0, got -1"),
        ({"learning_rate": 0}, "learning_rate must be a number above 0, got 0"),
        ({"learning_rate": -0.1}, "learning_rate must be a number above 0, got -0.1"),
        ({"learning_rate": float("nan")}, "learning_rate must be a number above 0, got nan"),
        ({"learning_rate": float("inf")}, "learning_rate must be a number above 0, got inf"),
        ({"learning_rate": "fast"}, "learning_rate must be a number above 0, got 'fast'"),
        ({"early_stopping": 0}, "early_stopping must be a whole number from 1, got 0"),
        ({"early_stopping": 5}, "early_stopping needs validation data: pass valid="),
        ({"start": "top"}, "start must be one of zero, baseline, got 'top'"),
        ({"start_spread": 0}, "start_spread must be a number above 0, got 0"),
        ({"engine": "lightgmb"}, f"unknown engine 'lightgmb'. Did you mean 'lightgbm'. Known: {', '.join(ENGINES)}"),
        ({"engine": None}, f"unknown engine 'None'. Known: {', '.join(ENGINES)}"),
        ({"objective": "urisc"}, "unknown objective 'urisc'. Did you mean 'urisk'"),
        ({"objective": rr.URisk}, "objective must be one like URisk.'nDCG@10', alpha=5., or its name, got"),
        ({"objective": rr.URisk()}, "URisk needs a baseline. Pass baseline=, like Feature.110."),
        ({"start": "baseline"}, "start='baseline' needs exactly one baseline, got 0"),
        ({"random_state": None}, "random_state must be a whole number"),
        ({"random_state": "a"}, "random_state must be a whole number"),
        ({"n_threads": "many"}, "n_threads must be a whole number"),
        ({"n_threads": -1}, "n_threads must be a whole number from 1"),
        ({"engine_params": 5}, "engine_params must be a dict"),
    ],
    ids=str,
)  # fmt: skip
def test_a_bad_parameter_is_one_clear_line(parameters, message, train):
    assert_refused(ParameterError, message, train, **parameters)


def test_importances_are_the_gain_and_the_number_of_splits_of_each_feature(train, engine):
    ranker = rr.LambdaMART(n_trees=3, n_leaves=4, engine=engine, n_threads=1).fit(train)
    gain, splits = (ranker.importances()[kind] for kind in ("gain", "splits"))
    assert splits.sum() == 3 * 3
    np.testing.assert_array_equal(gain > 0, splits > 0)
    np.testing.assert_allclose(ranker.feature_importances_, gain / gain.sum())


def test_a_model_without_trees_gives_no_feature_any_importance():
    ranker = rr.LambdaMART(n_trees=5).fit(np.ones((60, 1)), [1, 0] * 30, group=[2] * 30)
    assert ranker.best_trees_ == 0
    np.testing.assert_array_equal(ranker.feature_importances_, [0])
    np.testing.assert_array_equal(ranker.predict([[1.0], [2.0]]), [0, 0])


def test_only_the_best_trees_are_used(train, valid, engine):
    ranker = rr.LambdaMART(n_trees=40, n_leaves=6, learning_rate=0.5, valid_measure="AP", engine=engine, n_threads=1)
    ranker.fit(train, valid=valid)
    assert ranker.best_trees_ < ranker.card_["trees"] == 40
    few = rr.LambdaMART(n_trees=ranker.best_trees_, n_leaves=6, learning_rate=0.5, engine=engine, n_threads=1)
    np.testing.assert_array_equal(ranker.predict(valid), few.fit(train).predict(valid))


def test_the_engine_reads_the_file_as_the_model_that_was_chosen(train, valid, engine, tmp_path):
    ranker = rr.LambdaMART(n_trees=40, n_leaves=6, learning_rate=0.5, engine=engine, early_stopping=5)
    ranker.fit(train, valid=valid).save(tmp_path / "model")
    assert ranker.best_trees_ < ranker.card_["trees"]
    scores = scores_of_the_engine(engine, tmp_path / "model", valid.features)
    np.testing.assert_array_equal(scores, ranker.predict(valid))
    np.testing.assert_array_equal(rr.load(tmp_path / "model").predict(valid), ranker.predict(valid))
    assert ranker.model_.n_trees == ranker.best_trees_


@pytest.mark.parametrize("n_trees", [0, 1, 3, 4])
def test_a_file_has_the_first_trees_and_an_objective_that_ranks(train, engine, n_trees, tmp_path):
    module = engine_named(engine)
    whole = rr.LambdaMART(n_trees=4, n_leaves=4, engine=engine).fit(train)
    (tmp_path / module.MODEL_FILE).write_bytes(module.model_file(whole.model_text_, n_trees, []))
    few = np.zeros(len(train))
    if n_trees:
        few = rr.LambdaMART(n_trees=n_trees, n_leaves=4, engine=engine).fit(train).predict(train)
    np.testing.assert_array_equal(scores_of_the_engine(engine, tmp_path, train.features), few)
    assert module.read_model((tmp_path / module.MODEL_FILE).read_bytes(), "model").n_trees == n_trees
    assert (b'"name":"rank:ndcg"' if engine == "xgboost" else b"\nobjective=lambdarank\n") in (
        tmp_path / module.MODEL_FILE
    ).read_bytes()


def scores_of_the_engine(engine, folder, features):
    """What somebody gets who knows nothing of riskrank."""
    if engine != "xgboost":
        import lightgbm

        return lightgbm.Booster(model_file=folder / "model.txt").predict(features)
    import xgboost

    booster = xgboost.Booster(model_file=folder / "model.json")
    return booster.predict(xgboost.DMatrix(features)).astype(np.float64)


def test_the_engine_s_own_model_is_public(train, valid, engine):
    ranker = rr.LambdaMART(n_trees=3, n_leaves=4, engine=engine)
    with pytest.raises(ParameterError, match="not fitted"):
        _ = ranker.booster_
    library = "xgboost" if engine == "xgboost" else "lightgbm"
    assert type(ranker.fit(train).booster_).__module__.startswith(library)
