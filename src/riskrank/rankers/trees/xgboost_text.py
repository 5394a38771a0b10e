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
    from collections.abc import Mapping, Sequence

    Entries = Mapping[bytes, bytes]

TREES, BEHIND = b'"trees":[', b']},"name":"gbtree"'
ENTRY = re.compile(rb'([,{])"([a-z_]+)":(?:\[([^][{}"]*)\]|(\d+)|(\{[^][{}]*\}))')
PER_NODE = (b"left_children", b"right_children", b"parents", b"split_indices", b"split_type")
EMPTY = (b"categories", b"categories_nodes", b"categories_segments", b"categories_sizes")
SCORE = re.compile(r"\[?[-+.0-9Ee]+\]?")


def check_xgboost_text(text: bytes) -> int:
    """Refuse a text that XGBoost would crash on; how many features the model has.

    Trees, which are nearly all of it, are looked through without making Python's values of them.
    """
    begin, end = text.find(TREES) + len(TREES), text.rfind(BEHIND)
    if text.count(b'"trees"') != 1 or begin < len(TREES) or end < begin:
        raise BadModelError("it is not the JSON of boosted trees")
    trees = _trees(text[begin:end])
    n_features = _check_rest(text[:begin] + text[end:], len(trees))
    if trees:
        _check_trees(trees, n_features)
    return n_features


def _trees(text: bytes) -> Sequence[Entries]:
    """The entries of each tree, all of it being entries of numbers."""
    trees: list[dict[bytes, bytes]] = []
    position = 0
    for match in ENTRY.finditer(text):
        start, name, *values = match.groups()
        between = text[position : match.start()]
        if start == b"{":
            if between != (b"}," if trees else b""):
                break
            trees.append({})
        elif between or not trees:
            break
        if name in trees[-1]:
            raise BadModelError(f"{name.decode()} stands twice")
        trees[-1][name] = values[0] or values[1] or values[2] or b""
        position = match.end()
    if text[position:] != (b"}" if trees else b""):
        raise BadModelError("a tree is not what XGBoost writes")
    return trees


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
        is_plain = not learner["feature_names"] and not learner["feature_types"]
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
    return number_within(features, "num_feature", 1, MOST_FEATURES)


def _check_trees(trees: Sequence[Entries], n_features: int) -> None:
    for name in (*PER_NODE, b"id", b"tree_param"):
        if any(name not in tree for tree in trees):
            raise BadModelError(f"a tree has no {name.decode()}")
    if any(tree.get(name) for tree in trees for name in EMPTY):
        raise BadModelError("splits by category are not known here")
    if [tree[b"id"] for tree in trees] != [b"%d" % i for i in range(len(trees))]:
        raise BadModelError("ids of trees must count them")
    for param in {tree[b"tree_param"] for tree in trees}:
        vector = re.findall(rb'"size_leaf_vector":"([^"]*)"', param)
        if vector not in ([b"0"], [b"1"]):
            raise BadModelError("a leaf must have one value")
    sizes = lengths([tree[b"left_children"] for tree in trees], b",")
    check_range(sizes, 1, LARGEST_MODEL, "nodes of a tree")
    for name in PER_NODE:
        check_lengths([tree[name] for tree in trees], b",", sizes, name.decode())
    left, right, parents, split, kinds = (
        whole_numbers([tree[name] for tree in trees], b",", name.decode()) for name in PER_NODE
    )
    if kinds.any():
        raise BadModelError("splits by category are not known here")
    tree, first = np.repeat(np.arange(len(trees)), sizes), np.cumsum(sizes) - sizes
    is_split = left != -1
    check_range(split[is_split], 0, n_features - 1, "split_indices")
    children, of = np.concatenate([left[is_split], right[is_split]]), np.tile(tree[is_split], 2)
    check_shape(children, first, sizes, of)
    numbers = np.tile((np.arange(len(tree)) - first[tree])[is_split], 2)
    if (parents[first[of] + children] != numbers).any():
        raise BadModelError("parents do not fit the children")
