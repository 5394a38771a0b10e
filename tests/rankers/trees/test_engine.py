"""What every tree engine does: its parameters, its samples, and going on from a checkpoint as if uninterrupted."""

from __future__ import annotations

import dataclasses
import subprocess
import sys

import numpy as np
import pytest

import riskrank as rr
from riskrank.errors import FileError, ParameterError
from riskrank.rankers.trees import lightgbm_trees, xgboost_trees
from riskrank.rankers.trees.engine import BLOCK, ENGINES, block_seed, engine_named
from riskrank.rankers.trees.native.document_codes import coded

from ..assert_refused import assert_refused
from ..interrupted_trees import BASELINE, interrupted, seventy_trees

SETTINGS = [
    *(pytest.param(engine, {}, id=engine) for engine in ENGINES),
    pytest.param("lightgbm", {"fast": True}, id="lightgbm-fast"),
    pytest.param(
        "lightgbm",
        {"engine_params": {"feature_fraction": 0.5, "bagging_fraction": 0.6, "bagging_freq": 1}},
        id="lightgbm-samples",
    ),
    pytest.param(
        "lightgbm", {"engine_params": {"bagging_fraction": 0.6, "bagging_freq": 3}}, id="lightgbm-every-third"
    ),
    pytest.param("lightgbm", {"engine_params": {"feature_fraction": 0.5}}, id="lightgbm-columns"),
    pytest.param(
        "lightgbm",
        {"engine_params": {"subsample": 0.6, "subsample_freq": 1, "colsample_bytree": 0.5}},
        id="lightgbm-other-names",
    ),
    pytest.param(
        "lightgbm",
        {"learning_rate": 0.5, "engine_params": {"data_sample_strategy": "goss"}},
        id="lightgbm-goss",
    ),
    pytest.param(
        "lightgbm", {"engine_params": {"extra_trees": True, "feature_fraction_bynode": 0.5}}, id="lightgbm-extra"
    ),
    pytest.param("xgboost", {"engine_params": {"subsample": 0.6, "colsample_bytree": 0.5}}, id="xgboost-samples"),
    pytest.param("native", {"engine_params": {"sample_fraction": 0.4, "feature_fraction": 0.5}}, id="native-samples"),
    pytest.param("xgboost", {"engine_params": {"subsample": 0.6}}, id="xgboost-rows"),
    pytest.param("lightgbm", {"objective": rr.SARO(alpha=5, refresh=4)}, id="lightgbm-memory"),
    pytest.param("xgboost", {"objective": rr.SARO(alpha=5)}, id="xgboost-memory"),
    *(pytest.param(engine, {"start": "baseline"}, id=f"{engine}-start") for engine in ENGINES),
]


@pytest.mark.parametrize(("engine", "parameters"), SETTINGS)
def test_a_resumed_training_gives_the_very_same_model(engine, parameters, train, valid, tmp_path):
    expected = seventy_trees(engine, **parameters).fit(train, baseline=BASELINE)
    interrupted(seventy_trees(engine, **parameters), tmp_path / "c", train)
    resumed = seventy_trees(engine, **parameters)
    resumed.fit(train, baseline=BASELINE, checkpoint=tmp_path / "c", resume=True)
    np.testing.assert_array_equal(resumed.predict(valid), expected.predict(valid))
    np.testing.assert_equal(resumed.history_.columns, expected.history_.columns)
    assert resumed.card_["trees"] == 70
    assert not (tmp_path / "c").exists()


@pytest.mark.parametrize(
    ("engine", "name", "value"),
    [
        ("lightgbm", "feature_fraction", "abc"),
        ("lightgbm", "feature_fraction", 3),
        ("lightgbm", "max_bin", "x"),
        ("lightgbm", "objective", "lambdarank"),
        ("native", "sample_fraction", "abc"),
        ("native", "sample_fraction", 3),
        ("native", "max_bin", 256),
        ("native", "max_depth", -2),
        ("native", "objective", "lambdarank"),
        ("xgboost", "subsample", "abc"),
        ("xgboost", "subsample", 3),
        ("xgboost", "max_bin", "x"),
        ("xgboost", "objective", "no such"),
        ("xgboost", "booster", "gblinear"),
    ],
)
def test_what_an_engine_refuses_is_one_line(engine, name, value, train):
    assert_refused(ParameterError, "refuses the parameters", train, engine=engine, engine_params={name: value})


@pytest.mark.parametrize(
    ("engine", "short", "full"),
    [
        ("lightgbm", {"eta": 0.5}, {"learning_rate": 0.5}),
        ("lightgbm", {"max_leaves": 3}, {"num_leaves": 3}),
        ("lightgbm", {"max_bins": 3}, {"max_bin": 3}),
        ("xgboost", {"eta": 0.5}, {"learning_rate": 0.5}),
        ("xgboost", {"lambda": 50.0}, {"reg_lambda": 50.0}),
    ],
    ids=str,
)
def test_an_engines_own_parameters_go_by_all_their_names_and_win(engine, short, full, train, valid):
    def scores(engine_params):
        ranker = rr.LambdaMART(n_trees=4, n_leaves=8, engine=engine, engine_params=engine_params, n_threads=1)
        return ranker.fit(train).predict(valid)

    np.testing.assert_array_equal(scores(short), scores(full))
    assert (scores(full) != scores(None)).any()


def test_models_on_the_same_data_share_its_bins(train, engine):
    """And other bins take their place: only the last ones are kept."""
    data = dataclasses.replace(train)

    def binned(most):
        if engine == "lightgbm":
            return lightgbm_trees.binned(data, {"max_bin": most})
        if engine == "native":
            return coded(data, most, 1)
        return xgboost_trees.binned(data, most, 1)

    first = binned(63)
    assert binned(63) is first
    assert binned(31) is not first
    assert binned(63) is not first


def test_another_seed_draws_other_samples(train, valid, engine):
    sampling = {
        "lightgbm": {"bagging_fraction": 0.5, "bagging_freq": 1},
        "native": {"sample_fraction": 0.5},
        "xgboost": {"subsample": 0.5},
    }[engine]

    def scores(seed):
        options = {"engine": engine, "engine_params": sampling, "n_threads": 1}
        return rr.LambdaMART(n_trees=5, n_leaves=4, random_state=seed, **options).fit(train).predict(valid)

    np.testing.assert_array_equal(scores(1), scores(1))
    assert (scores(1) != scores(2)).any()


def test_samples_differ_from_tree_to_tree(train, engine):
    """With one feature per tree, some tree takes another feature than the first one did."""
    share = {"colsample_bytree" if engine == "xgboost" else "feature_fraction": 0.05}
    ranker = rr.LambdaMART(n_trees=12, n_leaves=4, engine=engine, engine_params=share, n_threads=1).fit(train)
    assert (ranker.feature_importances_ > 0).sum() > 3


def test_an_engine_is_a_module_with_the_same_names(engine):
    module = engine_named(engine)
    assert engine == module.NAME
    for name in ("VERSION", "Trees", "read_model", "quiet"):
        assert hasattr(module, name)


def test_a_command_loads_no_library_that_engines_would_only_look_at():
    """And the libraries are there for whoever wants them later."""
    code = """
import sys
from riskrank import rankers
rankers.are_estimators = False
from riskrank.rankers.trees.engine import ENGINES, OPTIONAL, engine_named
for name in ENGINES:
    engine_named(name)
assert not set(OPTIONAL) & set(sys.modules), set(OPTIONAL) & set(sys.modules)
import pandas, sklearn
"""
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_an_unknown_engine_gets_a_suggestion():
    with pytest.raises(ParameterError, match="unknown engine 'lightgmb'. Did you mean 'lightgbm'. Known: lightgbm"):
        engine_named("lightgmb")


def test_the_seed_of_a_block_goes_by_where_the_block_begins():
    seeds = [block_seed(5, iteration) for iteration in range(3 * BLOCK)]
    assert len(set(seeds)) == 3
    assert all(len(set(seeds[start : start + BLOCK])) == 1 for start in (0, BLOCK, 2 * BLOCK))
    assert seeds[0] == 5
    assert 0 <= block_seed(2**31 - 1, 10**6) < 2**31


def test_what_is_not_a_model_of_the_engine_is_refused(engine):
    with pytest.raises(FileError, match="model.file: is not a model of"):
        engine_named(engine).read_model(b"\xff\xfe no model", "model.file")
