"""LightGBM's text of a model, checked before LightGBM reads it: a bad one would end the whole process."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from riskrank.rankers.trees.model_texts import (
    LARGEST_MODEL,
    MOST_FEATURES,
    BadModelError,
    check_lengths,
    check_range,
    check_shape,
    number_within,
    whole_numbers,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Entries = Mapping[bytes, bytes]

END = b"\n\n\nend of trees\n"
PARAMETERS = re.compile(rb"\nparameters:\n(?:\[\w+: [^\n]*\]\n)*\nend of parameters\n")
SIZES = re.compile(rb"\ntree_sizes=[^\n]*")
PER_NODE = (b"split_feature", b"decision_type", b"left_child", b"right_child", b"threshold")
PER_LEAF = (b"leaf_value",)
KNOWN = {
    b"num_leaves", b"num_cat", *PER_NODE, *PER_LEAF, b"split_gain", b"leaf_weight", b"leaf_count", b"internal_value",
    b"internal_weight", b"internal_count", b"is_linear", b"shrinkage",
}  # fmt: skip
IS_CATEGORICAL = 1  # a bit of decision types


def checked_text(text: bytes) -> tuple[bytes, int]:
    """A text that LightGBM does not crash on, and how many features the model has.

    Without the sizes of trees LightGBM reads them one after the other, and raises what it refuses; it cannot do so in
    the threads that it has otherwise.
    """
    head, _, rest = text.partition(b"\n\n")
    trees, end, behind = rest.partition(END)
    if not head.startswith(b"tree\n") or not (end or rest.startswith(END.lstrip(b"\n"))):
        raise BadModelError("it does not begin and end as one")
    if b"\0" in text or b"\r" in text or not PARAMETERS.search(behind if end else rest):
        raise BadModelError("it is not a text with its parameters")
    entries = _entries(head.removeprefix(b"tree\n"))
    for name in (b"num_class", b"num_tree_per_iteration"):
        number_within(_entry(entries, name), name.decode(), 1, 1)
    n_features = 1 + number_within(_entry(entries, b"max_feature_idx"), "max_feature_idx", 0, MOST_FEATURES)
    if end:
        _check_trees([_tree(block, i) for i, block in enumerate(trees.split(b"\n\n\n"))], n_features)
    return SIZES.sub(b"", head) + text[len(head) :], n_features


def _entries(text: bytes) -> Entries:
    lines = [line.partition(b"=") for line in text.split(b"\n")]
    entries = {name: value for name, _, value in lines}
    if len(entries) != len(lines):
        raise BadModelError("a line stands twice")
    return entries


def _entry(entries: Entries, name: bytes) -> bytes:
    if name not in entries:
        raise BadModelError(f"it has no {name.decode()}")
    return entries[name]


def _tree(block: bytes, number: int) -> Entries:
    begin = b"Tree=%d\n" % number
    entries = _entries(block.removeprefix(begin))
    if not block.startswith(begin) or not entries.keys() <= KNOWN:
        raise BadModelError(f"tree {number} is not what LightGBM writes")
    return entries


def _check_trees(trees: Sequence[Entries], n_features: int) -> None:
    columns = {
        name: [_entry(tree, name) for tree in trees] for name in (b"num_leaves", b"num_cat", *PER_NODE, *PER_LEAF)
    }
    if any(tree.get(b"is_linear", b"0") != b"0" for tree in trees):
        raise BadModelError("linear trees are not known here")
    n_leaves, n_sets = (whole_numbers(columns[name], b" ", name.decode()) for name in (b"num_leaves", b"num_cat"))
    if len(n_leaves) != len(trees) or len(n_sets) != len(trees):
        raise BadModelError("num_leaves and num_cat must be a number each")
    check_range(n_leaves, 1, LARGEST_MODEL, "num_leaves")
    for names, expected in ((PER_NODE, n_leaves - 1), (PER_LEAF, n_leaves)):
        for name in names:
            check_lengths(columns[name], b" ", expected, name.decode())
    split, kinds, left, right = (whole_numbers(columns[name], b" ", name.decode()) for name in PER_NODE[:4])
    check_range(split, 0, n_features - 1, "split_feature")
    if n_sets.any() or (kinds & IS_CATEGORICAL).any():
        raise BadModelError("splits by category are not known here")
    tree = np.repeat(np.arange(len(trees)), n_leaves - 1)
    most, sizes = (n_leaves - 2)[tree], 2 * n_leaves - 1
    for children in (left, right):
        check_range(children, -LARGEST_MODEL, most, "children of nodes")
    nodes = [np.where(children < 0, most - children, children) for children in (left, right)]  # leaves after the others
    check_shape(np.concatenate(nodes), np.cumsum(sizes) - sizes, sizes, np.tile(tree, 2))
