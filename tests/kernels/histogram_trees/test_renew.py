"""Documents find their leaves, against a walk that goes split by split, and leaves their sums."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from riskrank.kernels.histogram_trees.bin import MISSING
from riskrank.kernels.histogram_trees.renew import add_values, find_leaves, sum_by_leaf
from riskrank.rankers.trees.native.best_first import LeafSplit
from riskrank.rankers.trees.native.grown_tree import children_of, coded_tree

N_FEATURES = 3


def drawn_splits(n_splits, rng):
    """Any leaf may be split next, by any code and the last one too."""
    return [
        LeafSplit(int(rng.integers(n + 1)), int(rng.integers(N_FEATURES)), int(rng.choice([0, 1, 2, 128, 253, 254])),
                  bool(rng.integers(2)), 1.0)
        for n in range(n_splits)
    ]  # fmt: skip


def leaf_by_splits(row, splits):
    leaf = 0
    for number, split in enumerate(splits):
        code = row[split.column]
        goes_left = split.missing_left if code == MISSING else code <= split.cut
        if split.leaf == leaf and not goes_left:
            leaf = number + 1
    return leaf


@given(st.integers(1, 12), st.integers(0, 40), st.integers(0, 3), st.integers(0, 10**6))
def test_documents_are_in_the_leaf_that_splits_one_after_the_other_lead_to(n_splits, n, begin, seed):
    rng = np.random.default_rng(seed)
    splits = drawn_splits(n_splits, rng)
    codes = rng.choice(np.uint8([0, 1, 2, 3, 128, 253, 254, MISSING]), (n + begin + 3, N_FEATURES))
    tree = coded_tree(splits, [split.column for split in splits], children_of(splits))
    leaf_of = np.full(len(codes), -1, np.int32)
    find_leaves(codes, (begin, begin + n), tree, leaf_of)
    expected = [leaf_by_splits(row, splits) for row in codes.tolist()]
    assert leaf_of.tolist() == [-1] * begin + expected[begin : begin + n] + [-1] * 3


def test_leaves_sum_up_their_documents_and_add_their_values():
    leaf_of = np.int32([1, 0, 1, 2, 2])
    gradient, hessian = np.float32([1, 2, 3, 4, 5]), np.float32([0.5, 0.25, 1, 2, 4])
    sums, scores = np.zeros((3, 3)), np.zeros(5)
    sum_by_leaf(gradient, hessian, (0, 4), leaf_of, sums)  # without the last document
    assert sums.tolist() == [[2, 0.25, 1], [1 + 3, 0.5 + 1, 2], [4, 2, 1]]
    add_values(np.array([10.0, 20.0, 30.0]), (1, 5), leaf_of, scores)
    assert scores == pytest.approx([0, 10, 20, 30, 30])
