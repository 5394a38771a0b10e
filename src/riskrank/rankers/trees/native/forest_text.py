"""Trees as LightGBM's text, which LightGBM and what reads its models (treelite, shap, converters) take as their own."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from riskrank.rankers.trees.lightgbm_text import SIZES, checked_text, tree_texts
from riskrank.rankers.trees.model_texts import BadModelError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from riskrank.rankers.trees.native.document_codes import BinBounds
    from riskrank.rankers.trees.native.grown_tree import GrownTree
    from riskrank.typing import Categories, Floats, Integers

TREES = re.compile(rb"(?<=\n\n)(?=Tree=|end of trees\n)")  # where a tree begins, or their end
LINE = rb"^%s=([^\n]*)$"
MISSING, LEFT = 8, 2  # bits of a decision: missing values go their own way; that way is left
AS_ZERO = 0  # without any, missing values count as 0
INFINITE = 1e308  # what LightGBM takes inf for


def header(bounds: BinBounds) -> bytes:
    """What stands before the sizes of trees: features have numbers for names."""
    ranges = ["none" if low == high else f"[{low!r}:{high!r}]" for low, high in bounds.ranges.tolist()]
    n_features = len(ranges)
    names = " ".join(f"Column_{i}" for i in range(n_features))
    return (
        "tree\nversion=v4\nnum_class=1\nnum_tree_per_iteration=1\nlabel_index=0\n"
        f"max_feature_idx={n_features - 1}\nobjective=lambdarank\nfeature_names={names}\n"
        f"feature_infos={' '.join(ranges)}\n"
    ).encode()


def tree_text(tree: GrownTree, number: int, rate: float) -> bytes:
    """A tree."""
    inner = _inner_sums(tree.children, tree.sums)
    worth = np.divide(-rate * inner[:, 0], inner[:, 1], out=np.zeros(len(inner)), where=inner[:, 1] > 0)
    lists: dict[str, Iterable[float]] = {
        "split_feature": tree.feature.tolist(),
        "split_gain": tree.gains.tolist(),
        "threshold": tree.thresholds.tolist(),
        "decision_type": (MISSING + LEFT * tree.missing_left).tolist(),
        "left_child": tree.children[::2],
        "right_child": tree.children[1::2],
        "leaf_value": tree.values.tolist(),
        "leaf_weight": tree.sums[:, 1].tolist(),
        "leaf_count": tree.sums[:, 2].astype(int).tolist(),
        "internal_value": worth.tolist(),
        "internal_weight": inner[:, 1].tolist(),
        "internal_count": inner[:, 2].astype(int).tolist(),
    }
    lines = "".join(f"{name}={' '.join(map(repr, values))}\n" for name, values in lists.items())
    head = f"Tree={number}\nnum_leaves={len(tree.values)}\nnum_cat=0\n"
    return f"{head}{lines}is_linear=0\nshrinkage={rate!r}\n\n\n".encode()


def _inner_sums(children: Sequence[int], of_leaves: Floats) -> Floats:
    n_splits = len(children) // 2
    sums = np.concatenate([np.zeros((n_splits, 3)), of_leaves[::-1]])  # so that ~leaf is its place from the end
    for number in reversed(range(n_splits)):  # children come after their parents
        left, right = children[2 * number : 2 * number + 2]
        sums[number] = sums[left] + sums[right]
    return sums[:n_splits]


def forest_text(head: bytes, trees: Sequence[bytes], names: Sequence[str] = ()) -> bytes:
    """A model of trees, each as `tree_text` gave it; `head` as `header` gave it."""
    if names:
        head = re.sub(rb"(?<=\nfeature_names=)[^\n]*", lambda _: b" ".join(name.encode() for name in names), head)
    sizes = b" ".join(b"%d" % len(tree) for tree in trees)
    known = re.search(LINE % b"feature_names", head, re.MULTILINE)
    used = Counter(feature for tree in trees for feature in _numbers(tree, b"split_feature", b"0"))
    of_feature = (known[1] if known else b"").split(b" ")
    importances = b"".join(b"%s=%d\n" % (of_feature[int(feature)], count) for feature, count in used.most_common())
    return b"%stree_sizes=%s\n\n%send of trees\n\nfeature_importances:\n%s\nparameters:\n\nend of parameters\n\n%s" % (
        head, sizes, b"".join(trees), importances, b"pandas_categorical:null\n",
    )  # fmt: skip


def parts_of(text: bytes) -> tuple[bytes, list[bytes]]:
    """The head of a model, and its trees, as `forest_text` takes them."""
    head, *trees = TREES.split(text)
    return SIZES.sub(b"", head.partition(b"\n\n")[0]) + b"\n", trees[:-1]


def _numbers(tree: bytes, name: bytes, default: bytes = b"") -> list[bytes]:
    line = re.search(LINE % name, tree, re.MULTILINE)
    return (line[1] if line else default).split()


class TreeColumns:
    """What a model's text says of all trees, one list after the other.

    Refused where trees split by categories, or by zeros that are missing.
    """

    def __init__(self, text: bytes, categories: Categories) -> None:
        checked, self.n_features = checked_text(text, categories)
        trees = tree_texts(checked)
        self.n_leaves = np.array([int(tree[2]) for tree in trees], np.int64)
        of_split = (b"split_feature", b"left_child", b"right_child", b"decision_type")
        self.feature, self.left, self.right, kinds = (self._whole(trees, name, self.n_leaves - 1) for name in of_split)
        if not np.isin(kinds & ~LEFT, (MISSING, AS_ZERO)).all():
            raise BadModelError("decision_type must be 0, 2, 8 or 10")
        thresholds = self._numbers(trees, b"threshold", self.n_leaves - 1)
        self.threshold = self._checked(np.clip(thresholds, -INFINITE, INFINITE), b"threshold")
        self.missing_left = np.where(kinds & MISSING, kinds & LEFT != 0, self.threshold >= 0)
        self.gain = self._finite(trees, b"split_gain", self.n_leaves - 1)
        self.values = self._finite(trees, b"leaf_value", self.n_leaves)
        self.counts = self._finite(trees, b"leaf_count", self.n_leaves)
        if (self.counts < 1).any():
            raise BadModelError("leaf_count must be numbers of documents")

    def _whole(self, trees: Sequence[re.Match[bytes]], name: bytes, sizes: Integers) -> Integers:
        return self._finite(trees, name, sizes).astype(np.int64)

    def _finite(self, trees: Sequence[re.Match[bytes]], name: bytes, sizes: Integers) -> Floats:
        return self._checked(self._numbers(trees, name, sizes), name)

    @staticmethod
    def _numbers(trees: Sequence[re.Match[bytes]], name: bytes, sizes: Integers) -> Floats:
        lists = [_numbers(tree[0], name) for tree in trees]
        if any(len(each) != size for each, size in zip(lists, sizes, strict=True)):
            raise BadModelError(f"{name.decode()} does not fit the leaves")
        return np.array([number for each in lists for number in each], dtype="S").astype(np.float64)

    @staticmethod
    def _checked(values: Floats, name: bytes) -> Floats:
        if not np.isfinite(values).all():
            raise BadModelError(f"{name.decode()} must be finite numbers")
        return values
