"""Forces on documents for any measure that can say what a swap of two ranks does: AP, RR, ERR, own ones.

Rankings are known in full here. It also serves churn, where a swap has a second effect: it brings the ranking nearer to
the baseline's or farther from it, and then pairs of equally good documents count too.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from numba import njit

from riskrank.kernels.compiled import compiled, inlined, specialised
from riskrank.kernels.positional import FAR, FAST
from riskrank.kernels.state import Query

OPTIONS = {"fastmath": FAST, "error_model": "numpy"}


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
def ranked_values(prepare):
    """The kernel for the values of a measure."""
    prepare = inlined(prepare, **OPTIONS)

    def values_of(queries, offsets, gains, norm, discounts, starts, ranked, rows, values):
        longest = 0
        for q in queries:
            longest = max(longest, offsets[q + 1] - offsets[q])
        g, work = np.empty(longest), np.empty((rows, longest + 1))
        for q in queries:
            n = offsets[q + 1] - offsets[q]
            for r in range(n):
                g[r] = gains[offsets[q] + ranked[starts[q] + r]]
            values[q] = prepare(g[:n], discounts, norm[q], work) if norm[q] != 0.0 else 0.0

    return specialised(values_of, values_of, prepare, **OPTIONS)


@cache
def ranked_forces(prepare, change, target, by_gain, with_churn):
    """The kernel for a measure and a target.

    With churn, the target also gets the change of the Kendall distance to the baseline's ranking, and the
    order that a pair is pushed into is the one that the target prefers.
    """
    prepare = inlined(prepare, **OPTIONS)
    change = inlined(change, **OPTIONS)
    target = inlined(target, **OPTIONS)

    def forces(
        queries, offsets, scores, gains, norm, discounts, starts, ranked, preference, depth, rows,
        values, baseline, state, run, sigma, normalise, gradient, hessian,
    ):  # fmt: skip
        longest = 0
        for q in queries:
            longest = max(longest, offsets[q + 1] - offsets[q])
        s, e, g, work = np.empty(longest), np.empty(longest), np.empty(longest), np.empty((rows, longest + 1))
        force, curve = np.empty(longest), np.empty(longest)
        liked = np.empty(longest, np.int32)
        above, so_far = np.empty(longest, np.int32), np.empty(longest, np.int32)
        tree = np.empty(longest + 1, np.int32)
        for q in queries:
            a, n = offsets[q], offsets[q + 1] - offsets[q]
            gradient[a : a + n] = 0.0
            hessian[a : a + n] = 0.0
            if n < 2 or (norm[q] == 0.0 and not with_churn):
                continue
            top = scores[a + ranked[starts[q]]]
            for r in range(n):
                i = a + ranked[starts[q] + r]
                s[r] = scores[i] - top
                g[r] = gains[i]
                force[r] = 0.0
                curve[r] = 0.0
                if with_churn:
                    liked[r] = preference[i]
            spread = -s[n - 1]
            is_wide = sigma * spread > FAR
            for r in range(n):
                e[r] = math.exp(max(sigma * s[r], -FAR))
            floor, slope = (0.01, 1.0) if normalise and spread > 0.0 else (1.0, 0.0)
            prepare(g[:n], discounts, norm[q], work)
            query = Query(values[q], baseline[q], state[q])
            pairs = 0.5 * n * (n - 1)
            if with_churn:
                _standing(liked, n, above, tree)
                so_far[:n] = 0
            size = 0.0
            for upper in range(min(n, depth)):
                between = 0  # over the documents between the two: how the upper one's preference compares
                for lower in range(upper + 1, n):
                    delta = change(upper, lower, g[:n], discounts, norm[q], work) if g[upper] != g[lower] else 0.0
                    if with_churn:
                        order = 1 if liked[lower] > liked[upper] else -1
                        of_lower = above[lower] - so_far[lower] - order
                        nearer = of_lower - between + order
                        between += 1 if liked[upper] > liked[lower] else -1
                        so_far[lower] += order
                        wanted = target(delta, -nearer / pairs, query, run)
                        is_lower_better = wanted > 0.0
                    else:
                        if delta == 0.0:
                            continue
                        wanted = target(delta, query, run)
                        is_lower_better = delta > 0.0
                    if is_wide:
                        share = 1.0 / (1.0 + math.exp(min(max(sigma * (s[lower] - s[upper]), -FAR), FAR)))
                    else:
                        share = e[upper] / (e[upper] + e[lower])
                    rho = share if is_lower_better else 1.0 - share
                    per_weight = rho / (floor + slope * (s[upper] - s[lower]))
                    pair = wanted * per_weight
                    bend = abs(pair) * (1.0 - rho)
                    force[lower] += pair
                    force[upper] -= pair
                    curve[lower] += bend
                    curve[upper] += bend
                    size += abs(delta) * per_weight if by_gain else abs(pair)
            scale = sigma
            if normalise and size > 0.0:
                scale *= math.log2(1.0 + 2.0 * sigma * size) / (2.0 * sigma * size)
            for r in range(n):
                i = a + ranked[starts[q] + r]
                gradient[i] = -scale * force[r]
                hessian[i] = scale * sigma * curve[r]

    return specialised(forces, forces, prepare, change, target, by_gain, with_churn, **OPTIONS)


@compiled
def kendall_distances(queries, offsets, starts, ranked, preference, distances):
    """The share of pairs of each query that stand in the other order than `preference` has them."""
    longest = 0
    for q in queries:
        longest = max(longest, offsets[q + 1] - offsets[q])
    liked, above = np.empty(longest, np.int32), np.empty(longest, np.int32)
    tree = np.empty(longest + 1, np.int32)
    for q in queries:
        n = offsets[q + 1] - offsets[q]
        for r in range(n):
            liked[r] = preference[offsets[q] + ranked[starts[q] + r]]
        _standing(liked, n, above, tree)
        wrong = 0
        for r in range(n):
            wrong += (above[r] + r) // 2  # documents above that are liked less
        distances[q] = wrong / (0.5 * n * (n - 1)) if n > 1 else 0.0


@njit(nogil=True)
def _standing(liked, n, above, tree):
    """For each rank: how many documents above it are liked less, minus how many more, as in `liked` (0 to n − 1).

    Counted with a Fenwick tree, in n log n steps.
    """
    tree[: n + 1] = 0
    for r in range(n):
        less = 0
        i = liked[r]
        while i > 0:
            less += tree[i]
            i -= i & -i
        above[r] = 2 * less - r
        i = liked[r] + 1
        while i <= n:
            tree[i] += 1
            i += i & -i
