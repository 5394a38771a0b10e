"""Our own trees: files that LightGBM reads to the last bit, odd data, samples, limits of leaves, no library needed."""

from __future__ import annotations

import dataclasses
import re
import subprocess
import sys

import lightgbm
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import riskrank as rr
from riskrank.errors import AlignmentError, FileError, ParameterError
from riskrank.rankers.trees import native_trees

WITHOUT_ENGINES = """
import sys
sys.modules.update({name: None for name in ("lightgbm", "xgboost", "sklearn", "pandas", "scipy")})
import numpy as np
import riskrank as rr
data = rr.RankingData.from_arrays(np.random.default_rng(0).random((60, 3)), np.arange(60) % 3, group=[30, 30])
ranker = rr.LambdaMART(n_trees=3, n_leaves=4, min_docs_in_leaf=5, engine="native").fit(data)
ranker.save(sys.argv[1])
print(rr.load(sys.argv[1]).predict(data).tolist() == ranker.predict(data).tolist(), ranker.best_trees_)
try:
    ranker.booster_
except rr.errors.ParameterError as error:
    print(error)
"""


def make(**parameters):
    return rr.LambdaMART(**{"n_trees": 10, "n_leaves": 8, "engine": "native", "n_threads": 1, **parameters})


def lightgbm_scores(ranker, features):
    return lightgbm.Booster(model_str=ranker.model_text_.decode()).predict(features)


def with_holes(data, share=0.2):
    holes = np.random.default_rng(0).random(data.features.shape) < share
    return dataclasses.replace(data, features=np.where(holes, np.float32(np.nan), data.features))


@pytest.mark.parametrize("share", [0.0, 0.2])
def test_lightgbm_scores_the_file_the_same_to_the_last_bit(train, valid, share):
    ranker = make(n_trees=30).fit(with_holes(train, share), valid=with_holes(valid, share))
    for features in (with_holes(train, share).features, valid.features, with_holes(valid, 0.5).features):
        np.testing.assert_array_equal(ranker.predict(features), lightgbm_scores(ranker, features))


def test_values_on_thresholds_and_next_to_them_go_the_same_way(train):
    ranker = make(n_trees=30).fit(train)
    trees = lightgbm.Booster(model_str=ranker.model_text_.decode()).trees_to_dataframe().dropna(subset="threshold")
    thresholds = trees["threshold"].to_numpy(np.float32)
    features = np.repeat(thresholds[:, None], train.n_features, axis=1)
    for side in (-np.inf, np.inf):
        features = np.vstack([features, np.nextafter(features[: len(thresholds)], np.float32(side))])
    np.testing.assert_array_equal(ranker.predict(features), lightgbm_scores(ranker, features))


class Drawn:
    """Gradients that have nothing to do with the data."""

    def __init__(self, n, seed=0):
        rng = np.random.default_rng(seed)
        self.gradient = rng.normal(size=n).astype(np.float32)
        self.hessian = rng.random(n).astype(np.float32)


@pytest.mark.parametrize("share", [0.0, 0.2])
def test_scores_during_training_are_those_of_the_model_and_of_lightgbm(train, valid, share):
    train, valid = with_holes(train, share), with_holes(valid, share)
    trees = native_trees.Trees(train, valid, make(engine_params={"sample_fraction": 0.4}), None)
    for iteration in range(5):
        assert trees.grow(Drawn(len(train)), iteration)
    model, booster = native_trees.read_model(trees.text(), "model"), lightgbm.Booster(model_str=trees.text().decode())
    for scores, data in ((trees.train_scores(), train), (trees.valid_scores(), valid)):
        np.testing.assert_array_equal(model.predict(data.features, n_trees=5, n_threads=1), scores)
        np.testing.assert_array_equal(booster.predict(data.features), scores)


ODD = st.sampled_from([0.0, -0.0, 1e-45, -1e-45, 1e-35, 3.4e38, -3.4e38, 1.0, np.nextafter(np.float32(1), 2), np.nan])
ROWS = st.lists(st.tuples(ODD, ODD, st.just(5.0), st.just(np.nan)), min_size=1, max_size=40)


@settings(max_examples=60)
@given(ROWS, ROWS, st.integers(0, 99))
def test_odd_values_are_scored_the_same_by_training_by_the_model_and_by_lightgbm(rows, others, seed):
    """Constant and missing columns, denormals, huge numbers and neighbours, in one document or several."""
    train, valid = (np.array(each, np.float32) for each in (rows, others))
    data = [rr.RankingData.from_arrays(each, np.zeros(len(each)), group=[len(each)]) for each in (train, valid)]
    trees = native_trees.Trees(*data, make(min_docs_in_leaf=1), None)
    n_trees = sum(trees.grow(Drawn(len(train), seed + iteration), iteration) for iteration in range(2))
    if len(train) == 1 or not n_trees:
        assert not n_trees
        return
    model, booster = native_trees.read_model(trees.text(), "model"), lightgbm.Booster(model_str=trees.text().decode())
    for scores, features in ((trees.train_scores(), train), (trees.valid_scores(), valid)):
        np.testing.assert_array_equal(model.predict(features, n_trees=n_trees, n_threads=1), scores)
        np.testing.assert_array_equal(booster.predict(features), scores)


def test_leaves_are_worth_what_all_their_documents_say(train):
    """Though a third of them grew the tree."""
    own = {"sample_fraction": 0.3, "lambda_l2": 0.5}
    trees = native_trees.Trees(train, None, make(learning_rate=0.5, engine_params=own), None)
    drawn = Drawn(len(train))
    trees.grow(drawn, 0)
    booster = lightgbm.Booster(model_str=trees.text().decode())
    leaf = booster.predict(train.features, pred_leaf=True)[:, 0]
    sums = [np.bincount(leaf, weights=part) for part in (drawn.gradient, drawn.hessian)]
    np.testing.assert_allclose(trees.train_scores(), (-0.5 * sums[0] / (sums[1] + 0.5))[leaf], rtol=1e-12)
    table = booster.trees_to_dataframe()
    leaves = table[table["left_child"].isna()]
    assert sorted(leaves["count"]) == sorted(np.bincount(leaf))
    assert table["count"].iloc[0] == len(train)


def test_the_number_of_threads_changes_no_byte():
    rng = np.random.default_rng(0)
    features = rng.normal(size=(40_000, 3)).astype(np.float32)  # more than one span
    data = rr.RankingData.from_arrays(features, rng.integers(0, 4, 40_000), group=[40] * 1000)
    texts = [make(n_trees=3, n_threads=n).fit(data).model_text_ for n in (1, 2, 5)]
    assert texts[0] == texts[1] == texts[2]


def leaf_counts(ranker, features):
    leaves = ranker.booster_.predict(features, pred_leaf=True)
    return np.concatenate([np.bincount(tree)[np.unique(tree)] for tree in leaves.T])


def test_leaves_have_as_many_documents_and_splits_are_as_deep_as_allowed(train):
    assert leaf_counts(make(min_docs_in_leaf=30).fit(train), train.features).min() >= 30
    assert leaf_counts(make(min_docs_in_leaf=5).fit(train), train.features).min() < 30
    shallow = make(engine_params={"max_depth": 2}).fit(train).booster_.trees_to_dataframe()
    assert shallow["node_depth"].max() == 3


def test_more_l2_and_hessian_make_smaller_leaves_and_fewer(train):
    def leaves(**own):
        table = make(n_trees=1, min_docs_in_leaf=1, engine_params=own).fit(train).booster_.trees_to_dataframe()
        return table[table["left_child"].isna()]

    assert leaves(lambda_l2=100.0)["value"].abs().max() < 0.5 * leaves()["value"].abs().max()
    weight = leaves()["weight"].sum() / 4
    assert leaves(min_sum_hessian_in_leaf=weight)["weight"].min() >= 0.99 * weight > leaves()["weight"].min()


def test_only_the_drawn_features_are_split_by(train):
    table = make(engine_params={"feature_fraction": 0.1}).fit(train).booster_.trees_to_dataframe()
    used = table.dropna(subset="split_feature").groupby("tree_index")["split_feature"].nunique()
    assert used.max() <= 2
    assert table["split_feature"].nunique() > 4


@pytest.mark.parametrize(
    "column",
    [
        np.full(60, 3.0),
        np.full(60, np.nan),
        np.tile([1e-45, -1e-45], 30),
        np.tile([3.4e38, -3.4e38, np.nan], 20),
        np.arange(60.0),
    ],
    ids=["constant", "all missing", "denormal", "huge", "numbers"],
)
def test_odd_columns_are_learned_from_and_scored_as_lightgbm_does(column):
    features = np.stack([column, np.roll(column, 1)], axis=1).astype(np.float32)
    labels = np.arange(60) % 3
    ranker = make(min_docs_in_leaf=1).fit(features, labels, group=[30, 30])
    np.testing.assert_array_equal(ranker.predict(features), lightgbm_scores(ranker, features))


def test_one_document_alone_teaches_nothing():
    one = rr.RankingData.from_arrays([[1.0]], [1], group=[1])
    with pytest.raises(rr.errors.TrainingError, match="no query has documents whose order matters"):
        make().fit(one)


def test_a_million_equal_values_are_one_bin():
    features = np.zeros((1_000_000, 2), np.float32)
    features[::1000, 1] = 1
    data = rr.RankingData.from_arrays(features, features[:, 1], group=[1000] * 1000)
    ranker = make(n_trees=1).fit(data)
    assert (np.argsort(ranker.predict(features[:1000]))[-1]) == 0


def test_categories_are_left_to_engines_that_have_them(train):
    columns = dataclasses.replace(train, features=np.abs(train.features[:, :2]).astype(int) % 2,
                                  categories={1: ("a", "b")})  # fmt: skip
    with pytest.raises(AlignmentError, match="native takes numbers, no categories .* engine='lightgbm' or 'xgboost'"):
        make().fit(columns)


def test_fast_training_is_another_thing(train):
    with pytest.raises(ParameterError, match="leave fast out"):
        make(fast=True).fit(train)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (b"decision_type=", b"decision_type=0 ", "decision_type must have"),
        (b"num_cat=0", b"num_cat=1", "cat_boundaries"),
        (b"split_gain=", b"split_gain=x ", "split_gain does not fit"),
        (b"leaf_count=", b"leaf_count=0 ", "leaf_count does not fit"),
        (b"leaf_value=", b"leaf_value=nan ", "leaf_value must have"),
    ],
)
def test_a_tampered_file_is_refused(train, old, new, message):
    text = make(n_trees=2).fit(train).model_text_
    with pytest.raises(FileError, match=f"is not a model of the engine native .*{message}"):
        native_trees.read_model(text.replace(old, new, 1), "model.txt")


def test_a_tree_behind_the_end_is_none(train):
    """Nobody has looked at its numbers."""
    text = make(n_trees=2).fit(train).model_text_
    tree = re.search(rb"Tree=0\n.*?\n\n\n", text, re.DOTALL)[0].replace(b"split_feature=", b"split_feature=9999999 ")
    model = native_trees.read_model(text.replace(b"\nparameters:", b"\n" + tree + b"\nparameters:"), "model.txt")
    assert model.n_trees == 2


@pytest.mark.parametrize("name", ["threshold", "leaf_value", "split_gain", "leaf_count", "decision_type"])
def test_numbers_that_are_none_are_refused(train, name):
    text = make(n_trees=1).fit(train).model_text_.decode()
    line = next(line for line in text.splitlines() if line.startswith(f"{name}="))
    first = line.split("=")[1].split()[0]
    special = {"leaf_count": ("nan", "-1", "x"), "decision_type": ("4", "9"), "threshold": ("nan", "x")}
    for bad in special.get(name, ("inf", "x")):
        damaged = text.replace(line, line.replace(f"={first}", f"={bad}"))
        with pytest.raises(FileError, match="is not a model of the engine native"):
            native_trees.read_model(damaged.encode(), "model.txt")


def test_no_engine_needs_to_be_installed(tmp_path):
    command = [sys.executable, "-W", "error", "-c", WITHOUT_ENGINES, str(tmp_path / "model")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "True 3", "a booster of the engine native is LightGBM's: pip install 'riskrank[lightgbm]'."
    ]  # fmt: skip
