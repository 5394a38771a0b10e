"""Forces on documents for measures that add up gain × discount: nDCG, DCG, P, R, RBP, WTA.

A swap of two documents changes such a measure by (difference of gains) × (difference of discounts), so the pair loop
is a straight sweep. Each query's documents are laid out by gain: all that are better than a given one, and all
that are worse, are then contiguous, and the sweep needs no branch. Every group of equal gains begins at a multiple of
`LANES` places, so that sweeps consist of whole vectors; the empty places between count as seen before.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from numba import njit

from riskrank.kernels.compiled import compiled, inlined, specialised
from riskrank.kernels.state import Query

FAST = {"reassoc", "contract", "arcp", "nsz"}  # infinities and NaN keep their meaning
FAR = 300.0  # beyond e^±300 a pair's force is nothing, and e^300 squared is still a double
LANES = 8  # two vectors of four doubles, which is how the sweep is unrolled
NOWHERE = 2.0**40  # the rank of a document below all that were ranked


@compiled(fastmath=FAST, error_model="numpy")
def positional_values(queries, offsets, gains, norm, discounts, starts, ranked, values):
    """The measure of each query."""
    for q in queries:
        total = 0.0
        for r in range(starts[q + 1] - starts[q]):
            total += gains[offsets[q] + ranked[starts[q] + r]] * discounts[r]
        values[q] = total * norm[q]


@cache
def positional_forces(target, by_gain):
    """The kernel for a target; `by_gain`: normalise by the forces that the bare measure would have given."""
    target = inlined(target, fastmath=FAST, error_model="numpy")

    @njit(nogil=True, fastmath=FAST, error_model="numpy", inline="always")  # a call passes 60 numbers
    def sweep(first, last, better, r, s_i, e_i, g_i, d_i, floor, slope, query, run, s, e, g, d, rank, force, curve):
        pull, curvature, size = 0.0, 0.0, 0.0
        for j in range(np.uint64(first), np.uint64(last)):  # unsigned: negative indices would hinder vectorising
            apart = floor + slope * abs(s_i - s[j])
            inverse = 1.0 / ((e_i + e[j]) * apart)
            loser, winner = (e_i, e[j]) if better else (e[j], e_i)  # by labels; rho = loser / (loser + winner)
            delta = (g[j] - g_i) * (d_i - d[j])
            share = loser * inverse if rank[j] > r else 0.0  # rho / apart; pairs of two ranked documents count once
            pair = target(delta, query, run) * share
            bend = abs(pair) * (winner * inverse * apart)
            force[j] += pair
            curve[j] += bend
            pull += pair
            curvature += bend
            if by_gain:
                size += abs(delta) * share
        if not by_gain:
            size = abs(pull)  # all of one sign
        return pull, curvature, size

    def forces(
        queries, offsets, scores, places, place, better, worse, gains, norm, discounts, starts, ranked, depth,
        values, baseline, state, run, sigma, normalise, gradient, hessian,
    ):  # fmt: skip
        longest = 0
        for q in queries:
            longest = max(longest, places[q + 1] - places[q])
        s, e, d = np.zeros(longest), np.ones(longest), np.empty(longest)
        rank, force, curve = np.empty(longest), np.empty(longest), np.empty(longest)
        for q in queries:
            a, n, m = offsets[q], offsets[q + 1] - offsets[q], places[q + 1] - places[q]
            if norm[q] == 0.0:
                gradient[a : a + n] = 0.0
                hessian[a : a + n] = 0.0
                continue
            for p in range(m):
                d[p] = 0.0
                rank[p] = -1.0
                force[p] = 0.0
                curve[p] = 0.0
            top = scores[a + ranked[starts[q]]]
            bottom = top
            for i in range(n):
                p = place[a + i]
                bottom = min(bottom, scores[a + i])
                s[p] = scores[a + i] - top
                rank[p] = NOWHERE
            is_wide = sigma * (top - bottom) > FAR
            if not is_wide:
                for i in range(n):
                    e[place[a + i]] = math.exp(sigma * (scores[a + i] - top))
            floor, slope = (0.01, 1.0) if normalise and bottom < top else (1.0, 0.0)
            ranks = starts[q + 1] - starts[q]
            for r in range(ranks):
                p = place[a + ranked[starts[q] + r]]
                rank[p] = r
                d[p] = discounts[r] * norm[q]
            g = gains[places[q] : places[q + 1]]
            query = Query(values[q], baseline[q], state[q])
            size = 0.0
            for r in range(min(ranks, depth)):
                i = a + ranked[starts[q] + r]
                p = place[i]
                if is_wide:  # relative to this document, so that nothing underflows near it
                    for j in range(m):
                        e[j] = math.exp(min(max(sigma * (s[j] - s[p]), -FAR), FAR))
                f1, c1, z1 = sweep(
                    0, better[i], True, r, s[p], e[p], g[p], d[p], floor, slope, query, run,
                    s, e, g, d, rank, force, curve,
                )  # fmt: skip
                f2, c2, z2 = sweep(
                    worse[i], m, False, r, s[p], e[p], g[p], d[p], floor, slope, query, run,
                    s, e, g, d, rank, force, curve,
                )  # fmt: skip
                force[p] -= f1 + f2
                curve[p] += c1 + c2
                size += z1 + z2
            scale = sigma
            if normalise and size > 0.0:
                scale *= math.log2(1.0 + 2.0 * sigma * size) / (2.0 * sigma * size)
            for i in range(n):
                p = place[a + i]
                gradient[a + i] = -scale * force[p]
                hessian[a + i] = scale * sigma * curve[p]

    return specialised(forces, forces, target, by_gain, fastmath=FAST, error_model="numpy")
