"""Texts of trees that would end the process, make it hang or score wrongly are refused before an engine reads them.

Each row, given to the engine as it is, did one of these, or raises an error of the engine's that is told as well.
"""

from __future__ import annotations

import re

import numpy as np
import pytest

import riskrank as rr
from riskrank.data.synthetic.synthetic_features import web_search_data
from riskrank.errors import FileError
from riskrank.rankers.trees.engine import ENGINES, engine_named

from ..rankers.category_tables import category_data

N_FEATURES = 20


@pytest.fixture(scope="module")
def texts():
    data = web_search_data(30, documents_per_query=10, n_features=N_FEATURES)
    shape = {"n_trees": 3, "n_leaves": 6, "n_threads": 1}
    return {engine: rr.LambdaMART(engine=engine, **shape).fit(data).model_text_.decode() for engine in ENGINES}


def changed(text: str, pattern: str, to: str) -> bytes:
    assert re.search(pattern, text, re.MULTILINE)
    return re.sub(pattern, to, text, count=1, flags=re.MULTILINE).encode()


def refused(engine: str, text: bytes) -> None:
    with pytest.raises(FileError, match=r"^model: is not a model of [\w ]+ \(.+\)\.$") as told:
        engine_named(engine).read_model(text, "model")
    assert len(str(told.value)) < 400


@pytest.mark.parametrize(
    ("pattern", "to"),
    [
        ("^left_child=.*$", "left_child=2 -2 3000000 -1 -4"),
        ("^left_child=.*$", "left_child=2 -2 3 -1 -4000000"),
        ("^left_child=.*$", "left_child=2 -2 3 -1 -99999999999999999999"),
        ("^left_child=.*$", "left_child=0 -2 3 -1 -4"),
        ("^left_child=.*$", "left_child=-1 -1 -1 -1 -1"),
        ("^left_child=.*$", "left_child=1 1 1 1 1"),
        ("^left_child=.*$", "left_child=2 -2"),
        ("^left_child=.*$", "left_child=2 -2 3 -1 -4 " + "7 " * 1000),
        ("^left_child=.*$", "left_child=2 -2 3  -1"),
        ("^left_child=.*$", "left_child=2 - 3 -1 -4"),
        ("^left_child=.*$", "left_child=2 1-2 3 -1 -4"),
        ("^left_child=.*$", "left_child=a b c d e"),
        ("^left_child=.*\n", ""),
        ("^left_child=(.*)$", r"left_child=\1\n left_child=9 9 9 9 9"),
        ("^left_child=(.*)$", r"left_child=\1\nleft_child=9 9 9 9 9"),
        ("^right_child=.*$", "right_child=0 0 0 0 0"),
        ("^leaf_value=.*$", "leaf_value=0.1"),
        ("^leaf_value=.*$", "leaf_value=0.1 0.1 0.1 0.1 x 0.1"),
        ("^leaf_value=.*\n", ""),
        ("^threshold=.*$", "threshold=1"),
        ("^threshold=.*$", "threshold=1 x 1 1 1"),
        ("^split_gain=.*$", "split_gain=1 x 1 1 1"),
        ("^split_feature=.*$", "split_feature=0 100000000 1 0 0"),
        ("^split_feature=.*$", "split_feature=0 20 1 0 0"),
        ("^split_feature=.*$", "split_feature=-1 1 1 0 0"),
        ("^decision_type=.*$", "decision_type=1 1 1 1 1"),
        ("^num_class=.*$", "num_class=0"),
        ("^num_class=.*$", "num_class=-1"),
        ("^num_class=.*$", "num_class=1000000000"),
        ("^num_class=.*\n", ""),
        ("^num_tree_per_iteration=.*$", "num_tree_per_iteration=0"),
        ("^num_tree_per_iteration=.*$", "num_tree_per_iteration=3"),
        ("^num_leaves=.*$", "num_leaves=0"),
        ("^num_leaves=.*$", "num_leaves=-5"),
        ("^num_leaves=.*$", "num_leaves=1"),
        ("^num_leaves=.*$", "num_leaves=7"),
        ("^num_leaves=.*$", "num_leaves=2000000000"),
        ("^num_leaves=.*$", "num_leaves=x"),
        ("^num_leaves=.*$", "num_leaves="),
        ("^num_leaves=.*$", "num_leaves=6\0"),
        ("^num_leaves=.*\n", ""),
        ("^num_cat=.*$", "num_cat=5"),
        ("^num_cat=.*$", "num_cat=-5"),
        ("^num_cat=.*$", "num_cat=2000000000"),
        ("^is_linear=.*$", "is_linear=1"),
        ("^max_feature_idx=.*$", "max_feature_idx=1"),
        ("^max_feature_idx=.*$", "max_feature_idx=-7"),
        ("^max_feature_idx=.*$", "max_feature_idx=2000000000"),
        ("^feature_names=.*\n", ""),
        ("^feature_infos=.*\n", ""),
        ("^Tree=1$", "Tree=7"),
        ("^Tree=1$", "Wood=1"),
        ("^end of trees$", "end of the world"),
        (r"\Atree\n", "bush\n"),
        (r"^\[max_bin: 255\]$", "[max_bin: 2\n55]"),
        (r"^\[max_bin: 255\]$", "[max_bin"),
        ("^end of parameters$", "end of all"),
        ("^parameters:$", "measures:"),
        ("^parameters:$", "parameters:\nnum_leaves=3\n\nparameters:"),
        ("^feature_importances:$", "parameters:"),
        ("^pandas_categorical:.*$", "pandas_categorical:" + "[" * 100_000),
    ],
    ids=lambda text: text[:40],
)
def test_a_text_that_lightgbm_cannot_bear_is_refused(texts, pattern, to):
    refused("lightgbm", changed(texts["lightgbm"], pattern, to))


def test_the_sizes_of_trees_are_not_gone_by(texts):
    features = np.random.default_rng(0).normal(size=(9, N_FEATURES)).astype(np.float32)
    engine = engine_named("lightgbm")
    expected = engine.read_model(texts["lightgbm"].encode(), "model").predict(features, n_trees=3, n_threads=1)
    for sizes in ("tree_sizes=683", "tree_sizes=683 6890000000 1", "tree_sizes=1 -686 1", "tree_sizes=x", "x=1"):
        model = engine.read_model(changed(texts["lightgbm"], "^tree_sizes=.*$", sizes), "model")
        np.testing.assert_array_equal(model.predict(features, n_trees=3, n_threads=1), expected)


@pytest.mark.parametrize("share", np.linspace(0, 0.95, 12).round(2))
@pytest.mark.parametrize("engine", ENGINES)
def test_a_text_that_was_cut_short_is_refused(texts, engine, share):
    text = texts[engine].encode()
    end = len(text) if engine == "xgboost" else text.find(b"end of trees")
    refused(engine, text[: int(end * share)])


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("engine", ENGINES)
def test_a_byte_that_changed_is_refused_or_does_no_harm(texts, engine, seed):
    rng = np.random.default_rng(seed)
    text = bytearray(texts[engine].encode())
    for place in rng.integers(0, len(text), 3):
        text[place] = rng.choice(list(b'0179-.,x e\n[]{}"=:'))
    features = rng.normal(size=(9, N_FEATURES)).astype(np.float32)
    try:
        model = engine_named(engine).read_model(bytes(text), "model")
    except FileError:
        return
    if model.n_trees and model.n_features == N_FEATURES:
        assert model.predict(features, n_trees=model.n_trees, n_threads=1).shape == (9,)


NUMBERS = r"\[[^]]*\]"


@pytest.mark.parametrize(
    ("pattern", "to"),
    [
        (r'"left_children":\[\d+', '"left_children":[1000000'),
        (r'"left_children":\[\d+', '"left_children":[-7'),
        (r'"left_children":\[\d+', '"left_children":[0'),
        (r'"left_children":\[\d+', '"left_children":[2'),
        (r'"left_children":\[\d+', '"left_children":["a"'),
        (r'"left_children":\[\d+', '"left_children":[1.5'),
        (r'"left_children":\[\d+', '"left_children":[99999999999999999999'),
        (f'"left_children":{NUMBERS}', '"left_children":[1]'),
        (f'"left_children":{NUMBERS}', '"left_children":[]'),
        (f'"left_children":{NUMBERS},', ""),
        (f'"left_children":({NUMBERS})', r'"left_children":\1,"left_children":[9,9,9]'),
        (r'"right_children":\[\d+', '"right_children":[0'),
        (f'"right_children":{NUMBERS}', '"right_children":[2]'),
        (f'"parents":{NUMBERS}', '"parents":[]'),
        (r'"parents":\[\d+,\d+', '"parents":[2147483647,9'),
        (f'"split_conditions":{NUMBERS}', '"split_conditions":[1]'),
        (f'"base_weights":{NUMBERS}', '"base_weights":[]'),
        (f'"sum_hessian":{NUMBERS}', '"sum_hessian":[]'),
        (f'"default_left":{NUMBERS}', '"default_left":[]'),
        (f'"split_type":{NUMBERS}', '"split_type":[]'),
        (r'"split_type":\[\d', '"split_type":[1'),
        (r'"split_indices":\[\d+', '"split_indices":[100000000'),
        (r'"split_indices":\[\d+', '"split_indices":[20'),
        (r'"split_indices":\[\d+', '"split_indices":[-1'),
        ('"categories_nodes":', '"categories_nodes":[1],"categories_node":'),
        (r'"categories_sizes":\[\]', '"categories_sizes":[99999]'),
        (r'"num_nodes":"\d+"', '"num_nodes":"100000"'),
        (r'"num_nodes":"\d+"', '"num_nodes":"0"'),
        (r'"num_deleted":"\d+"', '"num_deleted":"100"'),
        (r'"size_leaf_vector":"\d+"', '"size_leaf_vector":"100"'),
        (r'"num_trees":"\d+"', '"num_trees":"400"'),
        (r'"num_trees":"\d+"', '"num_trees":"2000000000"'),
        (r'"num_class":"\d+"', '"num_class":"1000"'),
        (r'"num_class":"\d+"', '"num_class":"-10"'),
        (r'"num_target":"\d+"', '"num_target":"100"'),
        (r'"num_feature":"20","num_target"', '"num_feature":"0","num_target"'),
        (r'"num_feature":"20","num_target"', '"num_feature":"4000000000","num_target"'),
        (r'"num_parallel_tree":"\d+"', '"num_parallel_tree":"0"'),
        (r'"base_score":"[^"]*"', '"base_score":"x"'),
        (r'"base_score":"[^"]*"', '"base_score":"[1,2,3]"'),
        (r'"tree_info":\[0', '"tree_info":[9'),
        (f'"tree_info":{NUMBERS}', '"tree_info":[]'),
        (f'"iteration_indptr":{NUMBERS}', '"iteration_indptr":[-5,1,2,3]'),
        (f'"iteration_indptr":{NUMBERS}', '"iteration_indptr":[0,100,2000000,3]'),
        (f'"iteration_indptr":{NUMBERS}', '"iteration_indptr":[]'),
        ('"id":0', '"id":7000000'),
        ('"name":"gbtree"', '"name":"gblinear"'),
        ('"name":"gbtree"', '"name":"dart"'),
        ('"name":"rank:ndcg"', '"name":"nope"'),
        (f'"version":{NUMBERS}', '"version":[]'),
        (r'"enc":\[\]', '"enc":[{}]'),
        (r'"feature_names":\[\]', '"feature_names":["a","b"]'),
        (r'"feature_types":\[\]', '"feature_types":["c","c"]'),
        (r'"attributes":\{\}', '"attributes":' + "[" * 100_000),
        (r"\A\{", '{"a":' + "[" * 100_000),
        (r"\A\{", "binf{"),
        (r"\A\{", "{L"),
    ],
    ids=lambda text: text[:40],
)
def test_a_text_that_xgboost_cannot_bear_is_refused(texts, pattern, to):
    refused("xgboost", changed(texts["xgboost"], pattern, to))


def test_binary_models_are_refused(texts):
    import xgboost

    booster = xgboost.Booster()
    booster.load_model(bytearray(texts["xgboost"].encode()))
    refused("xgboost", bytes(booster.save_raw("ubj")))
    refused("xgboost", b"\0" * 400)


@pytest.fixture(scope="module")
def category_models():
    data, shape = category_data(), {"n_trees": 3, "n_leaves": 6, "n_threads": 1}
    return {engine: rr.LambdaMART(engine=engine, **shape).fit(data) for engine in ("lightgbm", "xgboost")}


def refused_with_categories(model, text: bytes) -> None:
    with pytest.raises(FileError, match=r"^model: is not a model of \w+ \(.+\)\.$"):
        engine_named(model.engine).read_model(text, "model", model.columns_.categories)


@pytest.mark.parametrize(
    ("pattern", "to"),
    [
        ("^num_cat=[1-9].*$", "num_cat=0"),
        ("^num_cat=[1-9].*$", "num_cat=100"),
        ("^num_cat=[1-9].*$", "num_cat=-1"),
        ("^num_cat=[1-9].*$", "num_cat=2000000000"),
        ("^num_cat=[1-9].*$", "num_cat=1 1"),
        ("^cat_boundaries=0", "cat_boundaries=1"),
        ("^cat_boundaries=0 ", "cat_boundaries=0 -"),
        ("^cat_boundaries=0 ", "cat_boundaries=0 9"),
        ("^cat_boundaries=(.*) .*$", r"cat_boundaries=\1 2000000000"),
        ("^cat_boundaries=0 .*$", "cat_boundaries=0"),
        ("^cat_boundaries=(.*)$", r"cat_boundaries=\1 4"),
        ("^cat_boundaries=.*\n", ""),
        ("^cat_boundaries=(.*)$", r"cat_boundaries=\1\ncat_boundaries=\1"),
        ("^cat_threshold=", "cat_threshold=7 "),
        ("^cat_threshold=\\d+", "cat_threshold=4294967296"),
        ("^cat_threshold=\\d+", "cat_threshold=-1"),
        ("^cat_threshold=\\d+", "cat_threshold=x"),
        ("^cat_threshold=.*\n", ""),
        ("^threshold=.*$", "threshold=100 100 100 100 100"),
        ("^threshold=.*$", "threshold=-1 -1 -1 -1 -1"),
        ("^threshold=.*$", "threshold=0.5 0.5 0.5 0.5 0.5"),
        ("^threshold=.*$", "threshold=1e300 1e300 1e300 1e300 1e300"),
        ("^threshold=.*$", "threshold=nan nan nan nan nan"),
        ("^split_feature=.*$", "split_feature=0 0 0 0 0"),
        ("^decision_type=.*$", "decision_type=1 1 1 1 1"),
    ],
    ids=lambda text: text[:40],
)
def test_splits_by_category_that_lightgbm_cannot_bear_are_refused(category_models, pattern, to):
    model = category_models["lightgbm"]
    refused_with_categories(model, changed(model.model_text_.decode(), pattern, to))


@pytest.mark.parametrize(
    ("pattern", "to"),
    [
        (r'"categories":\[\d+', '"categories":[40'),
        (r'"categories":\[\d+', '"categories":[2000000000'),
        (r'"categories":\[\d+', '"categories":[-1'),
        (r'"categories":\[\d+', '"categories":[0.5'),
        (r'"categories":\[\d+', '"categories":[1,2,3'),
        (r'"categories":\[[\d,]+\]', '"categories":[]'),
        (r'"categories_nodes":\[\d+', '"categories_nodes":[9'),
        (r'"categories_nodes":\[\d+', '"categories_nodes":[2000000000'),
        (r'"categories_nodes":\[[\d,]+\]', '"categories_nodes":[]'),
        (r'"categories_segments":\[\d+', '"categories_segments":[1000000'),
        (r'"categories_segments":\[[\d,]+\]', '"categories_segments":[]'),
        (r'"categories_sizes":\[\d+', '"categories_sizes":[1000000'),
        (r'"categories_sizes":\[\d+', '"categories_sizes":[0'),
        (r'"categories_sizes":\[[\d,]+\]', '"categories_sizes":[]'),
        (r'"categories":\[.*?"default_left"', '"default_left"'),
        (r'"split_type":\[[01,]+\]', '"split_type":[0,0,0,0,0,0,0,0,0,0,0]'),
        (r'"split_type":\[[01,]+\]', '"split_type":[1,1,1,1,1,1,1,1,1,1,1]'),
        (r'"split_type":\[[01,]+\]', '"split_type":[2,2,2,2,2,2,2,2,2,2,2]'),
        (r'"split_indices":\[[\d,]+\]', '"split_indices":[0,0,0,0,0,0,0,0,0,0,0]'),
        (r'"feature_types":\["q","c","c"\]', '"feature_types":["c","c","c"]'),
        (r'"feature_types":\["q","c","c"\]', '"feature_types":["q","c"]'),
        (r'"feature_types":\["q","c","c"\]', '"feature_types":[]'),
        (r'"feature_types":\["q","c","c"\]', '"feature_types":{"q":1}'),
    ],
    ids=lambda text: text[:40],
)
def test_splits_by_category_that_xgboost_cannot_bear_are_refused(category_models, pattern, to):
    model = category_models["xgboost"]
    refused_with_categories(model, changed(model.model_text_.decode(), pattern, to))


@pytest.mark.parametrize("engine", ["lightgbm", "xgboost"])
def test_splits_by_category_are_refused_where_the_card_has_none(category_models, engine):
    refused(engine, category_models[engine].model_text_)


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("engine", ["lightgbm", "xgboost"])
def test_a_byte_that_changed_among_categories_is_refused_or_does_no_harm(category_models, engine, seed):
    rng = np.random.default_rng(seed)
    model = category_models[engine]
    text = bytearray(model.model_text_)
    lists = [
        match.start() + i for match in re.finditer(rb"cat[a-z_]*[\"=:]+[^\n\]]*", text) for i in range(len(match[0]))
    ]
    for place in rng.choice(lists, 2):
        text[place] = rng.choice(list(b"0179-., x"))
    features = rng.integers(0, 3, size=(9, 3)).astype(np.float32)
    try:
        read = engine_named(engine).read_model(bytes(text), "model", model.columns_.categories)
    except FileError:
        return
    assert np.isfinite(read.predict(features, n_trees=3, n_threads=1)).all()
