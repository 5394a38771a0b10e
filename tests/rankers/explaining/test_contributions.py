"""What features contribute to scores: sums that are exact, SHAP values by hand, by brute force and by the engines."""

from __future__ import annotations

import json
from itertools import combinations
from math import factorial

import lightgbm
import numpy as np
import pandas as pd
import pytest
import xgboost

import riskrank as rr
from riskrank.errors import ParameterError

RANKERS = {
    "lightgbm": rr.LambdaMART("urisk:alpha=2", n_trees=12, n_leaves=7, min_docs_in_leaf=5),
    "native": rr.LambdaMART("urisk:alpha=2", n_trees=12, n_leaves=7, min_docs_in_leaf=5, engine="native"),
    "xgboost": rr.LambdaMART(n_trees=12, n_leaves=7, engine="xgboost"),
    "regression": rr.RegressionTrees(n_trees=6, n_leaves=5),
    "linear": rr.LinearRanker(n_rounds=2, n_starts=1),
    "adarank": rr.AdaRank(n_rounds=4),
    "afs": rr.AFS(n_rounds=3),
    "from the baseline": rr.LambdaMART(n_trees=6, n_leaves=5, start="baseline"),
}


@pytest.mark.parametrize("name", RANKERS)
def test_contributions_add_up_to_the_score(name, train, valid):
    ranker = RANKERS[name].fit(train, baseline=rr.Feature(1))
    parts = ranker.contributions(valid)
    assert parts.shape == (valid.n_documents, valid.n_features + 1)
    np.testing.assert_allclose(parts.sum(axis=1), ranker.predict(valid), rtol=0, atol=1e-6)
    unused = np.flatnonzero(ranker.feature_importances_ == 0)
    assert (parts[:, unused] == 0).all()
    shuffled = np.random.default_rng(0).permutation(valid.n_documents)
    np.testing.assert_allclose(ranker.contributions(valid.features[shuffled]), parts[shuffled], rtol=0, atol=1e-12)


def test_columns_go_by_name(train, valid):
    names = [f"f{i}" for i in range(20)]
    frame = pd.DataFrame(valid.features, columns=names)
    sizes = np.diff(train.query_offsets)
    ranker = RANKERS["lightgbm"].fit(pd.DataFrame(train.features, columns=names), train.labels, group=sizes,
                                     baseline="column:f0")  # fmt: skip
    np.testing.assert_array_equal(ranker.contributions(frame[names[::-1]]), ranker.contributions(frame))


def test_the_start_is_in_the_last_column(train, valid):
    ranker = rr.LambdaMART(n_trees=3, n_leaves=4, start="baseline").fit(train, baseline=train.feature(1))
    scores = valid.feature(1).astype(np.float64)
    parts = ranker.contributions(valid, baseline=scores)
    spread = parts[:, -1] - ranker.start_scale_ * scores
    np.testing.assert_allclose(spread, spread[0], rtol=0, atol=1e-12)
    np.testing.assert_allclose(parts.sum(axis=1), ranker.predict(valid, baseline=scores), rtol=0, atol=1e-6)
    with pytest.raises(ParameterError, match="pass baseline="):
        ranker.contributions(valid)


def test_one_split_by_hand(engine):
    """A stump on feature 2: 10 documents left, 10 right, so all that it says is that feature's, around the mean."""
    features = np.zeros((20, 3), np.float32)
    features[:, 1] = np.tile([0.0, 1.0], 10)
    ranker = rr.LambdaMART(n_trees=1, n_leaves=2, engine=engine, min_docs_in_leaf=None if engine == "xgboost" else 1)
    ranker.fit(features, features[:, 1], group=[20])
    low, high = ranker.predict(features)[:2]
    assert low < high
    parts = ranker.contributions(features)
    half = (high - low) / 2
    np.testing.assert_allclose(parts[0], [0, -half, 0, (low + high) / 2], rtol=0, atol=1e-7)
    np.testing.assert_allclose(parts[1], [0, half, 0, (low + high) / 2], rtol=0, atol=1e-7)


def lightgbm_tree(node):
    """(value, weight), or (feature, goes left?, weight, left, right)."""
    if "leaf_value" in node:
        return node["leaf_value"], node["leaf_count"]
    sides = [lightgbm_tree(node[f"{side}_child"]) for side in ("left", "right")]
    return node["split_feature"], lambda x: x <= node["threshold"], node["internal_count"], *sides


def xgboost_tree(node):
    """The same; XGBoost weighs its ways by their sums of hessians."""
    if "leaf" in node:
        return node["leaf"], node["cover"]
    sides = {child["nodeid"]: xgboost_tree(child) for child in node["children"]}
    limit = np.float32(node["split_condition"])
    return int(node["split"][1:]), lambda x: x < limit, node["cover"], sides[node["yes"]], sides[node["no"]]


def trees_of(ranker):
    if ranker.engine != "xgboost":
        return [lightgbm_tree(tree["tree_structure"]) for tree in ranker.booster_.dump_model()["tree_info"]]
    dumped = ranker.booster_.get_dump(with_stats=True, dump_format="json")
    return [xgboost_tree(json.loads(tree)) for tree in dumped]


def expectation(node, row, known):
    """Of a tree of which only some features are known: the others take both ways, by their weights."""
    if len(node) == 2:
        return node[0]
    feature, goes_left, _, left, right = node
    if feature in known:
        return expectation(left if goes_left(row[feature]) else right, row, known)
    weights = [side[1] if len(side) == 2 else side[2] for side in (left, right)]
    values = [expectation(side, row, known) for side in (left, right)]
    return float(np.dot(weights, values)) / sum(weights)


def shapley(tree, row, n_features):
    """By the definition: the mean of what a feature adds over all sets of others."""
    values = np.zeros(n_features + 1)
    values[-1] = expectation(tree, row, ())
    for f in range(n_features):
        others = [g for g in range(n_features) if g != f]
        for size in range(n_features):
            weight = factorial(size) * factorial(n_features - size - 1) / factorial(n_features)
            for known in combinations(others, size):
                added = expectation(tree, row, {*known, f}) - expectation(tree, row, known)
                values[f] += weight * added
    return values


def test_trees_agree_with_the_definition_of_shapley(train, engine):
    features = train.features[:, :4].copy()
    ranker = rr.LambdaMART(n_trees=3, n_leaves=6, learning_rate=0.5, engine=engine)
    ranker.fit(features, train.labels, group=np.diff(train.query_offsets))
    trees = trees_of(ranker)
    parts = ranker.contributions(features[:15])
    precision = 1e-5 if engine == "xgboost" else 1e-9  # XGBoost has single precision, and prints fewer digits
    for row, found in zip(features[:15], parts, strict=True):
        expected = sum(shapley(tree, row, 4) for tree in trees)
        np.testing.assert_allclose(found, expected, rtol=0, atol=precision)
    assert (np.abs(parts[:, :4]).max(axis=0) > 1e-3).sum() > 1


def test_engines_alone_say_the_same_of_the_saved_model(train, valid, tmp_path):
    for name in ("lightgbm", "xgboost"):
        ranker = RANKERS[name].fit(train, baseline=rr.Feature(1))
        ranker.save(tmp_path / name)
        if name == "lightgbm":
            alone = lightgbm.Booster(model_file=str(tmp_path / name / "model.txt"))
            expected = alone.predict(valid.features, pred_contrib=True)
        else:
            alone = xgboost.Booster(model_file=str(tmp_path / name / "model.json"))
            expected = alone.predict(xgboost.DMatrix(valid.features), pred_contribs=True)
        np.testing.assert_array_equal(rr.load(tmp_path / name).contributions(valid), expected)


def test_a_linear_model_weighs_standardised_features(train, valid):
    ranker = RANKERS["linear"].fit(train)
    column = train.features.astype(np.float64)
    standard = (valid.features - column.mean(axis=0)) / column.std(axis=0)
    np.testing.assert_allclose(ranker.contributions(valid)[:, :-1], ranker.weights_ * standard, rtol=0, atol=1e-9)


def test_a_selective_ranker_tells_of_the_model_within(train, valid):
    ranker = RANKERS["from the baseline"].fit(train, baseline=rr.Feature(1))
    mixed = rr.Mixed.of(ranker, baseline=rr.Feature(1))
    np.testing.assert_array_equal(mixed.contributions(valid), ranker.contributions(valid))


def test_nets_and_strangers_are_refused_in_one_line(train):
    class Stranger(rr.AdaRank):
        def feature_contributions(self, features):
            return rr.rankers.ranker.Ranker.feature_contributions(self, features)

    with pytest.raises(ParameterError, match="the scores of a Stranger are no sums over features. Ask permutation"):
        Stranger(n_rounds=2).fit(train).contributions(train)
    with pytest.raises(rr.errors.NotFittedError):
        rr.LambdaMART().contributions(train)


def test_no_documents_have_no_contributions(train):
    ranker = RANKERS["lightgbm"].fit(train, baseline=rr.Feature(1))
    assert ranker.contributions(train.features[:0]).shape == (0, 21)
