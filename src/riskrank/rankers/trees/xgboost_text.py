"""XGBoost's JSON of a model, checked before XGBoost reads it: a bad one would end the whole process."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.rankers.trees.model_texts import (
    LARGEST_MODEL,
    MOST_FEATURES,
    BadModelError,
    check_lengths,
    check_range,
    check_shape,
    lengths,
    number_within,
    whole_numbers,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

TREES, BEHIND = b'"trees":[', b']},"name":"gbtree"'
READ = (b"left_children", b"parents", b"right_children", b"split_indices")  # of each tree, in this order
OTHERS = (
    rb'(?:(?!"(?:id|tree_param|categories|split_type|%s))"[a-z_]++":\[[^][{}"]*+\],|"categories[a-z_]*+":\[\],)*+'
) % b"|".join(READ)
LISTS = rb"".join(rb'%s"%s":\[([-0-9,]*+)\],' % (OTHERS, name) for name in READ)
TREE = re.compile(
    rb'\{%s"id":(\d++),%s%s"split_type":\[([0,]*+)\],%s"tree_param":\{([^][{}]*+)\}\}(?:,(?=\{)|\Z)'
    % (OTHERS, LISTS, OTHERS, OTHERS)
)
ONE = ([b"0"], [b"1"])  # a value in each leaf
SCORE = re.compile(r"\[?[-+.0-9Ee]+\]?")


def check_xgboost_text(text: bytes) -> int:
    """Refuse a text that XGBoost would crash on; how many features the model has.

    Trees, which are nearly all of it, are looked through without making Python's values of them.
    """
    begin, end = text.find(TREES) + len(TREES), text.rfind(BEHIND)
    if text.count(b'"trees"') != 1 or begin < len(TREES) or end < begin:
        raise BadModelError("it is not the JSON of boosted trees")
    trees = list(TREE.finditer(text[begin:end]))
    if sum(tree.end() - tree.start() for tree in trees) != end - begin:
        raise BadModelError("its trees are not what XGBoost writes here")
    n_features = _check_rest(text[:begin] + text[end:], len(trees))
    if trees:
        _check_trees([tree.groups() for tree in trees], n_features)
    return n_features


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entries = dict(pairs)
    if len(entries) != len(pairs):
        raise BadModelError("an entry stands twice")
    return entries


def _check_rest(text: bytes, n_trees: int) -> int:
    try:
        learner = json.loads(text, object_pairs_hook=_once)["learner"]
        booster, param = learner["gradient_booster"], learner["learner_model_param"]
        model = booster["model"]
        own = model["gbtree_model_param"]
        bounds, info = model["iteration_indptr"], model["tree_info"]
        is_known = booster["name"] == "gbtree" and model["trees"] == [] and not model.get("cats", {}).get("enc")
        names = learner["feature_names"]
        is_plain = not learner["feature_types"] and all(type(name) is str for name in names)
        if not is_known or not is_plain or not SCORE.fullmatch(param["base_score"]):
            raise BadModelError("it is not what XGBoost writes here")
        counts = {"num_trees": own["num_trees"], "num_class": param["num_class"], "num_target": param["num_target"]}
        limits = {"num_trees": (n_trees, n_trees), "num_class": (0, 1), "num_target": (0, 1)}
        for name, count in counts.items():
            number_within(count.encode(), name, *limits[name])
        features: bytes = param["num_feature"].encode()
    except (KeyError, TypeError, AttributeError, ValueError, RecursionError) as error:
        if isinstance(error, BadModelError):
            raise
        raise BadModelError("it is not the JSON of boosted trees") from None
    if not all(type(each) is int for each in (*bounds, *info)) or any(info) or len(info) != n_trees:
        raise BadModelError("tree_info must be 0 for each tree")
    if bounds[:1] != [0] or bounds[-1] != n_trees or bounds != sorted(bounds):
        raise BadModelError("iteration_indptr does not fit the trees")
    n_features = number_within(features, "num_feature", 1, MOST_FEATURES)
    if names and (len(names) != n_features or len(set(names)) != n_features):
        raise BadModelError("feature_names must be a name for each feature")
    return n_features


def _check_trees(trees: Sequence[tuple[bytes, ...]], n_features: int) -> None:
    ids, *lists, kinds, sizes_of_leaves = zip(*trees, strict=True)
    if list(ids) != [b"%d" % i for i in range(len(trees))]:
        raise BadModelError("ids of trees must count them")
    if any(re.findall(rb'"size_leaf_vector":"([^"]*)"', each) not in ONE for each in set(sizes_of_leaves)):
        raise BadModelError("a leaf must have one value")
    sizes = lengths(lists[0], b",")
    check_range(sizes, 1, LARGEST_MODEL, "nodes of a tree")
    for name, each in zip((*READ, b"split_type"), (*lists, kinds), strict=True):
        check_lengths(each, b",", sizes, name.decode())
    left, parents, right, split = (
        whole_numbers(each, b",", name.decode()) for name, each in zip(READ, lists, strict=True)
    )
    tree, first = np.repeat(np.arange(len(trees)), sizes), np.cumsum(sizes) - sizes
    is_split = left != -1
    check_range(split[is_split], 0, n_features - 1, "split_indices")
    children, of = np.concatenate([left[is_split], right[is_split]]), np.tile(tree[is_split], 2)
    check_shape(children, first, sizes, of)
    numbers = np.tile((np.arange(len(tree)) - first[tree])[is_split], 2)
    if (parents[first[of] + children] != numbers).any():
        raise BadModelError("parents do not fit the children")
