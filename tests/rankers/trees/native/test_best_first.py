"""Trees of the engine are those of a plain, slow reference, and those of LightGBM where no sums tie."""

from __future__ import annotations

import threading
from types import SimpleNamespace

import lightgbm
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import riskrank as rr
from riskrank.rankers.trees.native import best_first
from riskrank.rankers.trees.native.best_first import BestFirst
from riskrank.rankers.trees.native.document_codes import encoded, find_bins
from riskrank.rankers.trees.native.document_sample import DocumentSample
from riskrank.rankers.trees.native.native_parameters import NativeParameters
from riskrank.rankers.trees.native_trees import Trees, split_rules

from .plain_trees import plain_tree, unpacked

ODD = st.sampled_from([0.0, -0.0, 1e-45, -1e-45, 3.4e38, -3.4e38, 1.0, 1.0000001, 7.0, float("nan")])


def grown(features, gradient, hessian, n_threads=1, **options):
    """The splits of the engine and of the reference."""
    own = NativeParameters(**{"sample_fraction": 1.0, "min_data_in_leaf": 1, **options})
    documents = encoded(features, find_bins(features, own.max_bin, 1), 1)
    gradients = SimpleNamespace(gradient=gradient.astype(np.float32), hessian=hessian.astype(np.float32))
    sampled, _, packing = DocumentSample(documents, own, 1).draw(gradients, 0)
    rules, parts = split_rules(own, packing), unpacked(sampled.packed.copy(), packing)
    splits = BestFirst(own.num_leaves, own.max_depth, n_threads).grow(sampled, rules)
    depth = own.max_depth if own.max_depth >= 0 else 10**9
    expected = plain_tree(documents.codes, parts, documents.bounds.n_bins, rules, own.num_leaves, depth)
    return [(s.leaf, s.column, s.cut, s.missing_left, s.gain) for s in splits], expected


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"num_leaves": 12, "min_data_in_leaf": 6},
        {"num_leaves": 12, "lambda_l2": 3.0, "min_sum_hessian_in_leaf": 2.0},
        {"num_leaves": 30, "max_depth": 2},
        {"num_leaves": 9, "max_bin": 4},
    ],
    ids=str,
)
@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_trees_are_those_of_the_reference(options, missing):
    rng = np.random.default_rng(5)
    features = rng.normal(size=(90, 3)).round(1).astype(np.float32)
    features[rng.random(features.shape) < missing] = np.nan
    ours, reference = grown(features, rng.normal(size=90), rng.random(90), **{"num_leaves": 6, **options})
    assert ours == reference
    assert len(ours) > 1


@settings(max_examples=40)
@given(st.data())
def test_odd_data_grow_the_trees_of_the_reference(data):
    n = data.draw(st.integers(1, 12))
    rows = data.draw(st.lists(st.lists(ODD, min_size=2, max_size=2), min_size=n, max_size=n))
    gradient = data.draw(st.lists(st.sampled_from([-2.0, -1e-30, 0.0, 0.5, 1.0]), min_size=n, max_size=n))
    ours, reference = grown(np.array(rows, np.float32), np.array(gradient), np.ones(n), num_leaves=5)
    assert ours == reference


@pytest.mark.parametrize(
    "column",
    [np.full(30, 4.0), np.full(30, np.nan), np.tile([1e-45, -1e-45, 0.0], 10), np.tile([3.4e38, -3.4e38], 15),
     np.tile([np.nan, 1.0], 15)],
    ids=["constant", "all missing", "denormal", "huge", "half missing"],
)  # fmt: skip
def test_odd_columns_beside_a_plain_one_grow_the_trees_of_the_reference(column):
    rng = np.random.default_rng(3)
    features = np.stack([column, np.arange(30.0) % 7], axis=1).astype(np.float32)
    ours, reference = grown(features, rng.normal(size=30), 0.1 + rng.random(30), num_leaves=6)
    assert ours == reference
    assert len(ours) > 1


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_lightgbm_makes_the_same_splits_of_the_same_bins_and_gradients(missing, seed):
    """Gradients are drawn, so that no two splits are worth the same. Leaves are limited by hessians, since LightGBM
    estimates numbers of documents from them.
    """
    rng = np.random.default_rng(seed)
    features = rng.integers(0, 40, size=(1500, 6)).astype(np.float32)
    features[rng.random(features.shape) < missing] = np.nan
    gradient = (rng.normal(size=1500) + np.nan_to_num(features[:, 2]) / 40).astype(np.float32)
    hessian = (0.5 + rng.random(1500)).astype(np.float32)
    data = rr.RankingData.from_arrays(features, rng.integers(0, 3, 1500), group=[1500])
    limits = {"min_sum_hessian_in_leaf": 12.0, "min_data_in_leaf": 1}
    ranker = rr.LambdaMART(n_leaves=20, learning_rate=1.0, engine="native", engine_params=limits, n_threads=1)
    trees = Trees(data, None, ranker, None)
    assert trees.grow(SimpleNamespace(gradient=gradient, hessian=hessian), 0)

    parameters = {"objective": "none", "num_leaves": 20, "learning_rate": 1.0, "min_data_in_bin": 1,
                  "verbosity": -1, "num_threads": 1, **limits}  # fmt: skip
    booster = lightgbm.Booster(parameters, lightgbm.Dataset(features, np.zeros(1500)))
    booster.update(fobj=lambda *_: (gradient, hessian))
    ours, theirs = (text_lines(text) for text in (trees.text().decode(), booster.model_to_string(num_iteration=-1)))
    for name in ("split_feature", "left_child", "right_child", "leaf_count"):
        assert ours[name] == theirs[name]
    np.testing.assert_allclose(numbers(ours["leaf_value"]), numbers(theirs["leaf_value"]), rtol=1e-5)
    np.testing.assert_allclose(numbers(ours["split_gain"]), numbers(theirs["split_gain"]), rtol=1e-3)
    np.testing.assert_array_equal(trees.train_scores(), lightgbm_scores(trees, features))


def text_lines(text):
    return dict(line.split("=", 1) for line in text.split("Tree=0")[1].splitlines() if "=" in line)


def numbers(text):
    return np.array(text.split(), float)


def lightgbm_scores(trees, features):
    return lightgbm.Booster(model_str=trees.text().decode()).predict(features, raw_score=True)


def test_any_number_of_threads_grows_the_same_tree():
    rng = np.random.default_rng(2)
    n = best_first.FEW_VALUES // 50
    features = rng.normal(size=(n, 80)).astype(np.float32)
    gradient, hessian = rng.normal(size=n) + features[:, 0], 0.1 + rng.random(n)
    own = NativeParameters(num_leaves=40, min_data_in_leaf=2, sample_fraction=0.8)
    documents = encoded(features, find_bins(features, 255, 2), 1)
    gradients = SimpleNamespace(gradient=gradient.astype(np.float32), hessian=hessian.astype(np.float32))
    trees = []
    for n_threads in (1, 2, 3, 8):
        sampled, _, packing = DocumentSample(documents, own, n_threads).draw(gradients, 4)
        trees.append(BestFirst(40, -1, n_threads).grow(sampled, split_rules(own, packing)))
    assert trees[0] == trees[1] == trees[2] == trees[3]
    assert len(trees[0]) == 39


def test_who_fails_at_a_leaf_ends_the_tree_for_all(monkeypatch):
    rng = np.random.default_rng(3)
    own = NativeParameters(sample_fraction=1.0, min_data_in_leaf=1, num_leaves=30)
    features = rng.random((30_000, 20), np.float32)
    documents = encoded(features, find_bins(features, own.max_bin, 1), 1)
    gradients = SimpleNamespace(
        gradient=rng.normal(size=30_000).astype(np.float32), hessian=np.ones(30_000, np.float32)
    )
    sampled, _, packing = DocumentSample(documents, own, 1).draw(gradients, 0)
    failed, real = threading.Event(), best_first.split_leaf

    def split(leaf, new, *arguments):
        if threading.current_thread() is not threading.main_thread():
            failed.set()
            raise MemoryError
        if new > 1:  # of the root there are leaves for both
            assert failed.wait(60)
        real(leaf, new, *arguments)

    monkeypatch.setattr(best_first, "split_leaf", split)
    with pytest.raises(MemoryError):
        BestFirst(own.num_leaves, own.max_depth, 2).grow(sampled, split_rules(own, packing))
