"""XGBoost's JSON of a model, checked before XGBoost reads it: a bad one would end the whole process."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.rankers.trees.model_texts import (
    LARGEST_MODEL,
    MOST_FEATURES,
    BadModelError,
    category_counts,
    check_lengths,
    check_range,
    check_shape,
    lengths,
    number_within,
    whole_numbers,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.typing import Categories, Integers

TREES, BEHIND = b'"trees":[', b']},"name":"gbtree"'
READ = (b"left_children", b"parents", b"right_children", b"split_indices")  # of each tree, in this order
SETS = (b"categories", b"categories_nodes", b"categories_segments", b"categories_sizes")  # of splits by category
OTHERS = (rb'(?:(?!"(?:id|tree_param|categories|split_type|%s))"[a-z_]++":\[[^][{}"]*+\],)*+') % b"|".join(READ)
LISTS = rb"".join(rb'%s"%s":\[([-0-9,]*+)\],' % (OTHERS, name) for name in READ)
OF_SETS = rb"(?:%s)?+" % rb"".join(rb'"%s":\[([0-9,]*+)\],' % name for name in SETS)
TREE = re.compile(
    rb'\{%s%s%s"id":(\d++),%s%s"split_type":\[([01,]*+)\],%s"tree_param":\{([^][{}]*+)\}\}(?:,(?=\{)|\Z)'
    % (OTHERS, OF_SETS, OTHERS, LISTS, OTHERS, OTHERS)
)
ONE = ([b"0"], [b"1"])  # a value in each leaf
SCORE = re.compile(r"\[?[-+.0-9Ee]+\]?")


def check_xgboost_text(text: bytes, categories: Categories) -> int:
    """Refuse a text that XGBoost would crash on; how many features the model has. It may split by `categories`.

    Trees, which are nearly all of it, are looked through without making Python's values of them.
    """
    begin, end = text.find(TREES) + len(TREES), text.rfind(BEHIND)
    if text.count(b'"trees"') != 1 or begin < len(TREES) or end < begin:
        raise BadModelError("it is not the JSON of boosted trees")
    trees = list(TREE.finditer(text[begin:end]))
    if sum(tree.end() - tree.start() for tree in trees) != end - begin:
        raise BadModelError("its trees are not what XGBoost writes here")
    n_features = _check_rest(text[:begin] + text[end:], len(trees), categories)
    if trees:
        _check_trees([tree.groups(b"") for tree in trees], category_counts(categories, n_features))
    return n_features


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entries = dict(pairs)
    if len(entries) != len(pairs):
        raise BadModelError("an entry stands twice")
    return entries


def feature_types(categories: Categories, n_features: int) -> list[str] | None:
    """What XGBoost calls quantities and categories; None where all are numbers."""
    return ["c" if column in categories else "q" for column in range(n_features)] if categories else None


def _check_rest(text: bytes, n_trees: int, categories: Categories) -> int:
    try:
        learner = json.loads(text, object_pairs_hook=_once)["learner"]
        booster, param = learner["gradient_booster"], learner["learner_model_param"]
        model = booster["model"]
        own = model["gbtree_model_param"]
        bounds, info = model["iteration_indptr"], model["tree_info"]
        is_known = booster["name"] == "gbtree" and model["trees"] == [] and not model.get("cats", {}).get("enc")
        names, types = learner["feature_names"], learner["feature_types"]
        is_plain = all(type(name) is str for name in names)
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
    if (types or None) != feature_types(categories, n_features):
        raise BadModelError("feature_types do not fit its card")
    if names and (len(names) != n_features or len(set(names)) != n_features):
        raise BadModelError("feature_names must be a name for each feature")
    return n_features


def _check_trees(trees: Sequence[tuple[bytes, ...]], n_codes: Integers) -> None:
    """`n_codes`: how many codes each feature has, 0 for numbers."""
    codes, nodes, segments, counts, ids, *lists, kinds, sizes_of_leaves = zip(*trees, strict=True)
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
    check_range(split[is_split], 0, len(n_codes) - 1, "split_indices")
    is_category = whole_numbers(kinds, b",", "split_type") == 1
    if is_category[~is_split].any():
        raise BadModelError("leaves split by category")
    places = np.arange(len(tree)) - first[tree]
    own = CategorySplits(tree[is_category], places[is_category], n_codes[split[is_category]], len(trees))
    own.check(codes, nodes, segments, counts)
    children, of = np.concatenate([left[is_split], right[is_split]]), np.tile(tree[is_split], 2)
    check_shape(children, first, sizes, of)
    if (parents[first[of] + children] != np.tile(places[is_split], 2)).any():
        raise BadModelError("parents do not fit the children")


@dataclass(frozen=True, eq=False)
class CategorySplits:
    """The splits by category of all trees: in which tree, at which node of it, and how many codes the column has."""

    tree: Integers
    node: Integers
    n_codes: Integers
    n_trees: int

    def check(
        self, codes: Sequence[bytes], nodes: Sequence[bytes], segments: Sequence[bytes], counts: Sequence[bytes]
    ) -> None:
        """Every such split has codes of its column, which are where its segment says."""
        if not self.n_codes.all():
            raise BadModelError("splits by category where its card has none")
        in_tree = np.bincount(self.tree, minlength=self.n_trees)
        for name, lists in zip(SETS[1:], (nodes, segments, counts), strict=True):
            check_lengths(lists, b",", in_tree, name.decode())
        of_node, starts, sizes, values = (
            whole_numbers(lists, b",", name.decode())
            for name, lists in zip((*SETS[1:], SETS[0]), (nodes, segments, counts, codes), strict=True)
        )
        if (of_node != self.node).any():
            raise BadModelError("categories_nodes do not fit split_type")
        n_values = lengths(codes, b",")
        check_range(sizes, 1, LARGEST_MODEL, "categories_sizes")
        if (np.bincount(self.tree, weights=sizes, minlength=self.n_trees) != n_values).any():
            raise BadModelError("categories_sizes do not fit the categories")
        if (starts != np.cumsum(sizes) - sizes - (np.cumsum(n_values) - n_values)[self.tree]).any():
            raise BadModelError("categories_segments do not fit the categories")
        check_range(values, 0, np.repeat(self.n_codes, sizes) - 1, "categories")
