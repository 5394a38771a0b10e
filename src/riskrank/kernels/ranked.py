"""Gradients for any measure that can say what a swap of two ranks does: AP, RR, ERR, own ones.

Rankings are known in full here. It also serves churn, where a swap has a second effect: it brings the ranking nearer to
the baseline's or farther from it, and then pairs of equally good documents count too.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from numba import njit

from riskrank.kernels.compiled import compiled, inlined
from riskrank.kernels.order import longest_query
from riskrank.kernels.positional import FAR, FAST
from riskrank.kernels.state import Query


def sum_of_gains(gains, discounts, norm, work):  # noqa: ARG001 (the signature of all measures)
    """The value of a positional measure."""
    total = 0.0
    for r in range(len(gains)):
        total += gains[r] * discounts[r]
    return total * norm


def swapped_gains(a, b, gains, discounts, norm, work):  # noqa: ARG001 (the same)
    """The change of a positional measure when ranks a and b are swapped."""
    return (gains[b] - gains[a]) * (discounts[a] - discounts[b]) * norm


@cache
def ranked_values(value, tied_value=None):
    """The kernel for the values of a measure; with `tied_value`, on average over the orders of tied documents."""
    value = inlined(value, **FAST)
    averages_ties = tied_value is not None
    tied_value = inlined(tied_value, **FAST) if averages_ties else None

    def values_of(queries, scores, order, measure, values):
        longest = longest_query(queries, order.offsets)
        gains, ends = np.empty(longest), np.empty(longest, np.int64)
        work = np.empty((measure.work_rows, longest + 1))
        for q in queries:
            begin, n, norm = order.offsets[q], order.offsets[q + 1] - order.offsets[q], measure.norm[q]
            positions = order.positions[order.starts[q] : order.starts[q + 1]]
            for r in range(n):
                gains[r] = measure.gains[begin + positions[r]]
            if norm == 0.0:
                values[q] = 0.0
            elif averages_ties and _find_ties(scores[begin : begin + n], positions, gains, ends):
                values[q] = tied_value(gains[:n], ends, measure.discounts, norm, work)
            else:
                values[q] = value(gains[:n], measure.discounts, norm, work)

    return compiled(values_of, **FAST)


@compiled
def _find_ties(scores, positions, gains, ends):
    """Where the tie of each rank ends; and has any of them different gains?"""
    n, matters = len(positions), False
    ends[n - 1] = n
    for r in range(n - 2, -1, -1):
        is_tied = scores[positions[r]] == scores[positions[r + 1]]
        ends[r] = ends[r + 1] if is_tied else r + 1
        matters |= is_tied and gains[r] != gains[r + 1]
    return matters


@cache
def ranked_gradients(value, delta_of, target, by_gain, with_churn):
    """The kernel for a measure and a target.

    With churn, the target also gets the change of the Kendall distance to the baseline's ranking, and the
    order that a pair is pushed into is the one that the target prefers.
    """
    value = inlined(value, **FAST)
    delta_of = inlined(delta_of, **FAST)
    target = inlined(target, **FAST)

    def gradients(queries, scores, order, measure, preference, target_state, options, out):
        offsets, starts, positions, discounts = order.offsets, order.starts, order.positions, measure.discounts
        sigma, longest = options.sigma, longest_query(queries, order.offsets)
        s, e, g = np.empty(longest), np.empty(longest), np.empty(longest)
        work = np.empty((measure.work_rows, longest + 1))
        gradient, hessian = np.empty(longest), np.empty(longest)
        wanted_rank = np.empty(longest, np.int32)
        above, so_far = np.empty(longest, np.int32), np.empty(longest, np.int32)
        tree = np.empty(longest + 1, np.int32)
        for q in queries:
            a, n, norm = offsets[q], offsets[q + 1] - offsets[q], measure.norm[q]
            out.gradient[a : a + n] = 0.0
            out.hessian[a : a + n] = 0.0
            if n < 2 or (norm == 0.0 and not with_churn):
                continue
            top = scores[a + positions[starts[q]]]
            for r in range(n):
                i = a + positions[starts[q] + r]
                s[r] = scores[i] - top
                g[r] = measure.gains[i]
                gradient[r] = 0.0
                hessian[r] = 0.0
                if with_churn:
                    wanted_rank[r] = preference[i]
            spread = -s[n - 1]
            is_wide = sigma * spread > FAR
            for r in range(n):
                e[r] = math.exp(max(sigma * s[r], -FAR))
            floor, slope = (0.01, 1.0) if options.is_normalised and spread > 0.0 else (1.0, 0.0)
            value(g[:n], discounts, norm, work)  # fills `work`, which the deltas need
            query = Query(target_state.effectiveness[q], target_state.baseline[q], target_state.state[q])
            pairs = 0.5 * n * (n - 1)
            if with_churn:
                _standing(wanted_rank, n, above, tree)
                so_far[:n] = 0
            size = 0.0
            for upper in range(min(n, options.depth)):
                between = 0  # over the documents between the two: how the upper one's preference compares
                for lower in range(upper + 1, n):
                    delta = delta_of(upper, lower, g[:n], discounts, norm, work) if g[upper] != g[lower] else 0.0
                    if with_churn:
                        sign = 1 if wanted_rank[lower] > wanted_rank[upper] else -1
                        of_lower = above[lower] - so_far[lower] - sign
                        nearer = of_lower - between + sign
                        between += 1 if wanted_rank[upper] > wanted_rank[lower] else -1
                        so_far[lower] += sign
                        worth = target(delta, -nearer / pairs, query, target_state.training)
                        is_lower_better = worth > 0.0
                    else:
                        if delta == 0.0:
                            continue
                        worth = target(delta, query, target_state.training)
                        is_lower_better = delta > 0.0
                    if is_wide:
                        share = 1.0 / (1.0 + math.exp(min(max(sigma * (s[lower] - s[upper]), -FAR), FAR)))
                    else:
                        share = e[upper] / (e[upper] + e[lower])
                    rho = share if is_lower_better else 1.0 - share
                    per_weight = rho / (floor + slope * (s[upper] - s[lower]))
                    pair = worth * per_weight
                    bend = abs(pair) * (1.0 - rho)
                    gradient[lower] += pair
                    gradient[upper] -= pair
                    hessian[lower] += bend
                    hessian[upper] += bend
                    size += abs(delta) * per_weight if by_gain else abs(pair)
            scale = sigma
            if options.is_normalised and size > 0.0:
                scale *= math.log2(1.0 + 2.0 * sigma * size) / (2.0 * sigma * size)
            for r in range(n):
                i = a + positions[starts[q] + r]
                out.gradient[i] = -scale * gradient[r]
                out.hessian[i] = scale * sigma * hessian[r]

    return compiled(gradients, **FAST)


@compiled
def kendall_distances(queries, order, preference, distances):
    """The share of pairs of each query that stand in another order than `preference` has them.

    `preference` has a number per document: the higher within its query, the further up the baseline ranks it.
    """
    longest = longest_query(queries, order.offsets)
    wanted_rank, above = np.empty(longest, np.int32), np.empty(longest, np.int32)
    tree = np.empty(longest + 1, np.int32)
    for q in queries:
        begin, n = order.offsets[q], order.offsets[q + 1] - order.offsets[q]
        for r in range(n):
            wanted_rank[r] = preference[begin + order.positions[order.starts[q] + r]]
        _standing(wanted_rank, n, above, tree)
        wrong = 0
        for r in range(n):
            wrong += (above[r] + r) // 2  # documents above that are preferred less
        distances[q] = wrong / (0.5 * n * (n - 1)) if n > 1 else 0.0


@njit(nogil=True)
def _standing(preference, n, above, tree):
    """For each rank: how many documents above it are preferred less, minus how many more (`preference`: 0 to n − 1).

    Counted with a Fenwick tree, in n log n steps.
    """
    tree[: n + 1] = 0
    for r in range(n):
        less = 0
        i = preference[r]
        while i > 0:
            less += tree[i]
            i -= i & -i
        above[r] = 2 * less - r
        i = preference[r] + 1
        while i <= n:
            tree[i] += 1
            i += i & -i
