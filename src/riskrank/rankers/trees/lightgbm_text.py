"""LightGBM's text of a model, checked before LightGBM reads it: a bad one would end the whole process."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

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

END = b"\n\n\nend of trees\n"
PARAMETERS = re.compile(rb"\nparameters:\n(?:\[\w+: [^\n]*\]\n)*\nend of parameters\n")
SIZES = re.compile(rb"\ntree_sizes=[^\n]*")
READ = (  # of each tree, in this order; what lies between is left alone
    b"num_leaves", b"num_cat", b"split_feature", b"threshold", b"decision_type", b"left_child", b"right_child",
    b"leaf_value",
)  # fmt: skip
SETS = (b"cat_boundaries", b"cat_threshold")  # of trees that split by category: where sets of codes end, and their bits
OTHERS = rb"(?:(?!(?:%s|is_linear)=)[a-z_]++=[^\n]*+\n)*+" % b"|".join((*READ, *SETS))
LINES = rb"".join(rb"%s%s=([^\n]*+)\n" % (OTHERS, name) for name in READ)
OF_SETS = rb"(?:%s=([^\n]*+)\n%s=([^\n]*+)\n)?+" % SETS
TREE = re.compile(rb"Tree=(\d++)\n%s%s%s(?:is_linear=0\n)?%s\n\n" % (LINES, OTHERS, OF_SETS, OTHERS))
IS_CATEGORICAL = 1  # a bit of decision types
BITS = 32  # of a number in cat_threshold


def checked_text(text: bytes, categories: Categories) -> tuple[bytes, int]:
    """A text that LightGBM does not crash on, and how many features the model has; `categories`: where it may split so.

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
        _check_trees(trees[3:] + b"\n\n\n", n_features, categories)
    return SIZES.sub(b"", head) + text[len(head) :], n_features


def tree_texts(checked: bytes) -> list[re.Match[bytes]]:
    """The trees of a text that was checked, of which nothing else is a tree."""
    rest = checked.partition(b"\n\n")[2]
    trees = (b"\n\n\n" + rest).partition(END)[0]
    return list(TREE.finditer(trees[3:] + b"\n\n\n")) if trees else []


@dataclass(frozen=True, eq=False)
class CategorySets:
    """Sets of codes, which go left at a split, as bits: so many in each tree, and how many numbers each set has."""

    in_tree: Integers
    sizes: Integers

    @classmethod
    def read(cls, n_sets_in: Sequence[bytes], bounds: Sequence[bytes], bits: Sequence[bytes]) -> CategorySets:
        """The sets of all trees, which must be where their bounds say."""
        n_sets = whole_numbers(n_sets_in, b" ", "num_cat")
        check_range(n_sets, 0, LARGEST_MODEL, "num_cat")
        if len(n_sets) != len(n_sets_in):
            raise BadModelError("num_cat must be a number for each tree")
        has_sets = n_sets > 0
        n_bounds = np.where(has_sets, n_sets + 1, 0)
        check_lengths(bounds, b" ", n_bounds, "cat_boundaries")
        ends, numbers = whole_numbers(bounds, b" ", "cat_boundaries"), whole_numbers(bits, b" ", "cat_threshold")
        check_range(numbers, 0, 2**BITS - 1, "cat_threshold")
        check_range(ends, 0, LARGEST_MODEL, "cat_boundaries")
        last = np.cumsum(n_bounds)[has_sets] - 1
        first = last - n_sets[has_sets]
        sizes = np.delete(np.diff(ends, append=0), last)
        if ends[first].any() or (sizes < 1).any() or (ends[last] != lengths(bits, b" ")[has_sets]).any():
            raise BadModelError("cat_boundaries do not fit cat_threshold")
        return cls(n_sets, sizes)

    def check_uses(self, trees: Integers, chosen: Integers, n_codes: Integers) -> None:
        """Splits of `trees` must choose sets that are there, and that have no more bits than their column has codes."""
        if not n_codes.all():
            raise BadModelError("splits by category where its card has none")
        check_range(chosen, 0, self.in_tree[trees] - 1, "sets of categories")
        first = np.cumsum(self.in_tree) - self.in_tree
        check_range(self.sizes[first[trees] + chosen], 1, -(-n_codes // BITS), "bits of categories")


def _has_one_list_of_parameters(behind: bytes) -> bool:
    """LightGBM reads all lines after the first that says so, up to the last; merged models may have lost them."""
    return b"parameters" not in behind or (behind.count(b"\nparameters:") == 1 == len(PARAMETERS.findall(behind)))


def _check_trees(text: bytes, n_features: int, categories: Categories) -> None:
    """All of the text must be trees, whose nodes and leaves are where their numbers say."""
    trees = list(TREE.finditer(text))
    if sum(tree.end() - tree.start() for tree in trees) != len(text):
        raise BadModelError("its trees are not what LightGBM writes")
    numbers, n_leaves_in, n_sets_in, *columns, bounds, bits = zip(*(tree.groups(b"") for tree in trees), strict=True)
    if list(numbers) != [b"%d" % i for i in range(len(trees))]:
        raise BadModelError("its trees are not counted from 0")
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
    tree_of = np.repeat(np.arange(len(trees)), n_leaves - 1)
    sets = CategorySets.read(n_sets_in, bounds, bits)
    is_category = (kinds & IS_CATEGORICAL) != 0
    if is_category.any():
        thresholds = b" ".join(each for each in values[b"threshold"] if each).split(b" ")
        chosen = whole_numbers([thresholds[i] for i in np.flatnonzero(is_category)], b" ", "sets of categories")
        n_codes = category_counts(categories, n_features)[split[is_category]]
        sets.check_uses(tree_of[is_category], chosen, n_codes)
    most, sizes = (n_leaves - 2)[tree_of], 2 * n_leaves - 1
    for children in (left, right):
        check_range(children, -LARGEST_MODEL, most, "children of nodes")
    nodes = [np.where(children < 0, most - children, children) for children in (left, right)]  # leaves after the others
    check_shape(np.concatenate(nodes), np.cumsum(sizes) - sizes, sizes, np.tile(tree_of, 2))
