"""LightGBM's text of a model, checked before LightGBM reads it: a bad one would end the whole process."""

from __future__ import annotations

import re

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

END = b"\n\n\nend of trees\n"
PARAMETERS = re.compile(rb"\nparameters:\n(?:\[\w+: [^\n]*\]\n)*\nend of parameters\n")
SIZES = re.compile(rb"\ntree_sizes=[^\n]*")
READ = (  # of each tree, in this order; what lies between is left alone
    b"num_leaves", b"num_cat", b"split_feature", b"threshold", b"decision_type", b"left_child", b"right_child",
    b"leaf_value",
)  # fmt: skip
OTHERS = rb"(?:(?!(?:%s|is_linear)=)[a-z_]++=[^\n]*+\n)*+" % b"|".join(READ)
LINES = rb"".join(rb"%s%s=([^\n]*+)\n" % (OTHERS, name) for name in READ)
TREE = re.compile(rb"Tree=(\d++)\n%s%s(?:is_linear=0\n)?%s\n\n" % (LINES, OTHERS, OTHERS))
IS_CATEGORICAL = 1  # a bit of decision types


def checked_text(text: bytes) -> tuple[bytes, int]:
    """A text that LightGBM does not crash on, and how many features the model has.

    Without the sizes of trees LightGBM reads them one after the other, and raises what it refuses; it cannot do so in
    the threads that it has otherwise.
    """
    head, _, rest = text.partition(b"\n\n")
    trees, end, behind = (b"\n\n\n" + rest).partition(END)
    if not head.startswith(b"tree\n") or not end or not _has_one_list_of_parameters(behind):
        raise BadModelError("it does not begin and end as one")
    if b"\0" in text or b"\r" in text:
        raise BadModelError("it is not a text")
    entries = dict(line.partition(b"=")[::2] for line in head.split(b"\n"))
    if len(entries) != head.count(b"\n") + 1:
        raise BadModelError("a line stands twice")
    for name in (b"num_class", b"num_tree_per_iteration"):
        number_within(entries.get(name, b""), name.decode(), 1, 1)
    n_features = 1 + number_within(entries.get(b"max_feature_idx", b""), "max_feature_idx", 0, MOST_FEATURES)
    if trees:
        _check_trees(trees[3:] + b"\n\n\n", n_features)
    return SIZES.sub(b"", head) + text[len(head) :], n_features


def _has_one_list_of_parameters(behind: bytes) -> bool:
    """LightGBM reads all lines after the first that says so, up to the last; merged models may have lost them."""
    return b"parameters" not in behind or (behind.count(b"\nparameters:") == 1 == len(PARAMETERS.findall(behind)))


def _check_trees(text: bytes, n_features: int) -> None:
    """All of the text must be trees, whose nodes and leaves are where their numbers say."""
    trees = list(TREE.finditer(text))
    if sum(tree.end() - tree.start() for tree in trees) != len(text):
        raise BadModelError("its trees are not what LightGBM writes")
    numbers, n_leaves_in, n_sets_in, *columns = zip(*(tree.groups() for tree in trees), strict=True)
    if list(numbers) != [b"%d" % i for i in range(len(trees))] or set(n_sets_in) != {b"0"}:
        raise BadModelError("its trees are not counted from 0, or split by category")
    n_leaves = whole_numbers(n_leaves_in, b" ", "num_leaves")
    check_range(n_leaves, 1, LARGEST_MODEL, "num_leaves")
    if len(n_leaves) != len(trees):
        raise BadModelError("num_leaves must be a number for each tree")
    for name, lists in zip(READ[2:], columns, strict=True):
        check_lengths(lists, b" ", n_leaves - (name != b"leaf_value"), name.decode())
    values = dict(zip(READ[2:], columns, strict=True))
    split, kinds, left, right = (
        whole_numbers(values[name], b" ", name.decode())
        for name in (b"split_feature", b"decision_type", b"left_child", b"right_child")
    )
    check_range(split, 0, n_features - 1, "split_feature")
    if (kinds & IS_CATEGORICAL).any():
        raise BadModelError("splits by category are not known here")
    tree_of = np.repeat(np.arange(len(trees)), n_leaves - 1)
    most, sizes = (n_leaves - 2)[tree_of], 2 * n_leaves - 1
    for children in (left, right):
        check_range(children, -LARGEST_MODEL, most, "children of nodes")
    nodes = [np.where(children < 0, most - children, children) for children in (left, right)]  # leaves after the others
    check_shape(np.concatenate(nodes), np.cumsum(sizes) - sizes, sizes, np.tile(tree_of, 2))
