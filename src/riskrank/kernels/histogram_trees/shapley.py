"""What each feature adds to a score of trees: SHAP values by TreeSHAP (Lundberg et al. 2020, algorithm 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from riskrank.kernels.compiled import compiled

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Path(NamedTuple):
    """The different features on the way to a node, the first of which is none.

    Of each: the share of ways that go on where it is not known, whether (1) or not (0) they go on where it is known,
    and the weight of the sets that hold as many features as its place says. A row for each depth.
    """

    feature: NDArray[np.int64]
    zero: NDArray[np.float64]
    one: NDArray[np.float64]
    weight: NDArray[np.float64]


class Ways(NamedTuple):
    """Where a walk still has to go: node (leaves are ~leaf), depth, the feature of the split before it, and the shares
    of that split: zero and one, as in a path.
    """

    node: NDArray[np.int64]
    depth: NDArray[np.int64]
    feature: NDArray[np.int64]
    zero: NDArray[np.float64]
    one: NDArray[np.float64]


@compiled
def count_nodes(walks, leaf_counts, counts):
    """The documents of all nodes, of the splits and then of the leaves; and how deep the deepest tree is."""
    n_splits, deepest = len(walks.feature), 0
    counts[n_splits:] = leaf_counts
    order, depth = np.empty(n_splits, np.int64), np.zeros(n_splits, np.int64)
    for t in range(len(walks.splits) - 1):
        root, leaves = walks.splits[t], walks.leaves[t]
        n = min(walks.splits[t + 1] - root, 1)
        order[0] = root
        k = 0
        while k < n:  # parents before their children, wherever their numbers are
            for child in walks.children[2 * order[k] : 2 * order[k] + 2]:
                deepest = max(deepest, depth[order[k]] + 1)
                if child >= 0:
                    depth[root + child] = depth[order[k]] + 1
                    order[n] = root + child
                    n += 1
            k += 1
        for k in range(n - 1, -1, -1):
            counts[order[k]] = 0
            for child in walks.children[2 * order[k] : 2 * order[k] + 2]:
                counts[order[k]] += counts[root + child] if child >= 0 else leaf_counts[leaves + ~child]
    return deepest


@compiled
def explain_rows(features, span, walks, counts, n_trees, deepest, out):
    """What each feature adds to the scores of some rows by the first trees; last what all rows have in common."""
    shape = deepest + 1, min(deepest, features.shape[1]) + 2
    path = Path(np.empty(shape, np.int64), np.empty(shape), np.empty(shape), np.empty(shape))
    n_ways = deepest + 2
    ways = Ways(np.empty(n_ways, np.int64), np.empty(n_ways, np.int64), np.empty(n_ways, np.int64), np.empty(n_ways),
                np.empty(n_ways))  # fmt: skip
    for i in range(span[0], span[1]):
        for t in range(n_trees):
            _explain(features[i], walks, counts, t, path, ways, out[i])


@compiled
def _explain(row, walks, counts, tree, path, ways, out):
    """Add what each feature contributes to the score of a row by one tree."""
    root, leaves = walks.splits[tree], walks.leaves[tree]
    n_splits = walks.splits[tree + 1] - root
    of_leaves = counts[len(walks.feature) + leaves :]
    if n_splits == 0:
        out[-1] += walks.values[leaves]
        return
    ways.node[0], ways.depth[0], ways.feature[0], ways.zero[0], ways.one[0] = 0, 0, -1, 1.0, 1.0
    n_ways, length = 1, np.zeros(len(path.feature), np.int64)
    while n_ways:
        n_ways -= 1
        node, depth, feature = ways.node[n_ways], ways.depth[n_ways], ways.feature[n_ways]
        n = _extended(path, length, depth, feature, ways.zero[n_ways], ways.one[n_ways])
        if node < 0:
            value = walks.values[leaves + ~node]
            for k in range(1, n):
                share = _unwound_sum(path, depth, n, k) * (path.one[depth, k] - path.zero[depth, k])
                out[path.feature[depth, k]] += share * value
            out[-1] += value * of_leaves[~node] / counts[root]
            continue
        s = root + node
        zero, one, n = _taken_out(path, depth, n, walks.feature[s])
        length[depth] = n
        x = row[walks.feature[s]]
        goes_left = x <= walks.threshold[s] or (np.isnan(x) and walks.missing_left[s] != 0)
        for side in range(2):
            child = walks.children[2 * s + side]
            n_child = counts[root + child] if child >= 0 else of_leaves[~child]
            ways.node[n_ways], ways.depth[n_ways], ways.feature[n_ways] = child, depth + 1, walks.feature[s]
            ways.zero[n_ways] = zero * n_child / counts[s]
            ways.one[n_ways] = one if goes_left == (side == 0) else 0.0
            n_ways += 1


@compiled
def _extended(path, length, depth, feature, zero, one):
    """The path to a node at a depth: that of its parent and the parent's feature; how long it is."""
    n = 0
    if depth > 0:
        n = length[depth - 1]
        for k in range(n):
            path.feature[depth, k] = path.feature[depth - 1, k]
            path.zero[depth, k], path.one[depth, k] = path.zero[depth - 1, k], path.one[depth - 1, k]
            path.weight[depth, k] = path.weight[depth - 1, k]
    weight = path.weight[depth]
    path.feature[depth, n], path.zero[depth, n], path.one[depth, n] = feature, zero, one
    weight[n] = 1.0 if n == 0 else 0.0
    for k in range(n - 1, -1, -1):
        weight[k + 1] += one * weight[k] * (k + 1) / (n + 1)
        weight[k] *= zero * (n - k) / (n + 1)
    return n + 1


@compiled
def _taken_out(path, depth, n, feature):
    """The path without a feature, if it has it: the shares that the feature had, and the length that is left."""
    for k in range(1, n):
        if path.feature[depth, k] == feature:
            zero, one = path.zero[depth, k], path.one[depth, k]
            weight, last = path.weight[depth], n - 1
            left = weight[last]
            for j in range(last - 1, -1, -1):
                if one != 0:
                    before = weight[j]
                    weight[j] = left * n / ((j + 1) * one)
                    left = before - weight[j] * zero * (last - j) / n
                else:
                    weight[j] = weight[j] * n / (zero * (last - j))
            for j in range(k, last):
                path.feature[depth, j] = path.feature[depth, j + 1]
                path.zero[depth, j], path.one[depth, j] = path.zero[depth, j + 1], path.one[depth, j + 1]
            return zero, one, last
    return 1.0, 1.0, n


@compiled
def _unwound_sum(path, depth, n, k):
    """The weights of all sets without one feature of the path, added up."""
    zero, one, weight, last = path.zero[depth, k], path.one[depth, k], path.weight[depth], n - 1
    left, total = weight[last], 0.0
    for j in range(last - 1, -1, -1):
        if one != 0:
            share = left * n / ((j + 1) * one)
            total += share
            left = weight[j] - share * zero * (last - j) / n
        else:
            total += weight[j] * n / (zero * (last - j))
    return total
