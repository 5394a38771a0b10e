"""Gradients for measures that add up gain × discount: nDCG, DCG, P, R, RBP, WTA.

A swap of two documents changes such a measure by (difference of gains) × (difference of discounts), so the pair loop
is a straight line. Each query's documents have slots by gain: all that are better than a given one, and all that are
worse, are then contiguous, and the loop needs no branch. Every group of equal gains begins at a multiple of `LANES`
slots, so that loops consist of whole vectors; the padding between counts as seen before.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from riskrank.kernels.compiled import compiled, inlined
from riskrank.kernels.state import Query

FAST = {"fastmath": {"reassoc", "contract", "arcp", "nsz"}, "error_model": "numpy"}  # infinities and NaN stay
FAR = 300.0  # beyond e^±300 a pair's gradient is nothing, and e^300 squared is still a double
LANES = 8  # two vectors of four doubles, which is how the loop over pairs is unrolled
NOWHERE = 2.0**40  # the rank of a document below all that were ranked


class Work(NamedTuple):
    """Scratch space with a number per slot of the longest query."""

    score: Any  # below the best one's
    exponential: Any  # of sigma × score
    discount: Any
    rank: Any
    gradient: Any
    hessian: Any


class Document(NamedTuple):
    """The ranked document whose pairs are gone through."""

    rank: int
    score: float
    exponential: float
    gain: float
    discount: float


class Spacing(NamedTuple):
    """Pairs are divided by floor + slope × the difference of their scores."""

    floor: float
    slope: float


@compiled(**FAST)
def positional_values(queries, scores, order, measure, averages_ties, values):
    """The measure of each query, in its order or on average over the orders of documents with tied scores."""
    for q in queries:
        total = 0.0
        first = order.starts[q]
        for r in range(order.starts[q + 1] - first):
            total += measure.gains[order.offsets[q] + order.positions[first + r]] * measure.discounts[r]
        if averages_ties:
            total += _change_by_ties(q, scores, order, measure)
        values[q] = total * measure.norm[q]


@compiled(error_model="numpy", no_cpython_wrapper=True)
def _change_by_ties(q, scores, order, measure):
    """What Σ gain × discount changes if tied documents share the mean of their gains."""
    a, n, first = order.offsets[q], order.offsets[q + 1] - order.offsets[q], order.starts[q]
    ranks = order.starts[q + 1] - first
    change, begin, above = 0.0, np.int64(0), scores[a + order.positions[first]]
    for end in range(1, ranks + 1):
        here = scores[a + order.positions[first + end]] if end < ranks else math.nan
        if here != above:
            if end > begin + 1 or end == ranks < n:
                change += _change_by_tie(begin, end, above, scores[a : a + n], order.positions[first:], measure, a)
            begin = end
        above = here
    return change


@compiled(error_model="numpy", no_cpython_wrapper=True)
def _change_by_tie(begin, end, score, scores, positions, measure, a):
    """The same by the tie at some ranks; if they are the last that are known, it may go on below."""
    size = 0
    for i in range(len(scores)):
        size += scores[i] == score
    if size == 1:
        return 0.0
    gains, discounts, counted = 0.0, 0.0, 0.0
    lowest, highest = math.inf, -math.inf
    for i in range(len(scores)):
        if scores[i] == score:
            gains += measure.gains[a + i]
            lowest, highest = min(lowest, measure.gains[a + i]), max(highest, measure.gains[a + i])
    for r in range(begin, end):
        discounts += measure.discounts[r]
        counted += measure.gains[a + positions[r]] * measure.discounts[r]
    return gains / size * discounts - counted if lowest < highest else 0.0


@cache
def positional_gradients(target, by_gain):
    """The kernel for a target; `by_gain`: normalise by the gradients that the bare measure would have given."""
    target = inlined(target, **FAST)

    @njit(nogil=True, **FAST, inline="always")  # a call would pass 60 numbers
    def add_pairs(first, last, is_better, document, spacing, state, gains, work):
        query, training = state
        rank, score, exponential, gain, discount = document
        floor, slope = spacing
        scores, exponentials, discounts, ranks, gradient, hessian = work
        pull, curvature, size = 0.0, 0.0, 0.0
        for j in range(np.uint64(first), np.uint64(last)):  # unsigned: negative indices would hinder vectorising
            apart = floor + slope * abs(score - scores[j])
            inverse = 1.0 / ((exponential + exponentials[j]) * apart)
            # By labels; rho = loser / (loser + winner).
            loser, winner = (exponential, exponentials[j]) if is_better else (exponentials[j], exponential)
            delta = (gains[j] - gain) * (discount - discounts[j])
            share = loser * inverse if ranks[j] > rank else 0.0  # rho / apart; pairs of two ranked ones count once
            pair = target(delta, query, training) * share
            bend = abs(pair) * (winner * inverse * apart)
            gradient[j] += pair
            hessian[j] += bend
            pull += pair
            curvature += bend
            if by_gain:
                size += abs(delta) * share
        if not by_gain:
            size = abs(pull)  # all of one sign
        return pull, curvature, size

    def gradients(queries, scores, order, measure, slots, target_state, options, out):
        offsets, starts, positions = order.offsets, order.starts, order.positions
        begins, slot, sigma = slots.begins, slots.slot, options.sigma
        longest = 0
        for q in queries:
            longest = max(longest, begins[q + 1] - begins[q])
        s, e, d = np.zeros(longest), np.ones(longest), np.empty(longest)
        rank, gradient, hessian = np.empty(longest), np.empty(longest), np.empty(longest)
        work = Work(s, e, d, rank, gradient, hessian)
        for q in queries:
            a, n, m = offsets[q], offsets[q + 1] - offsets[q], begins[q + 1] - begins[q]
            norm = measure.norm[q]
            if norm == 0.0:
                out.gradient[a : a + n] = 0.0
                out.hessian[a : a + n] = 0.0
                continue
            for p in range(m):
                d[p] = 0.0
                rank[p] = -1.0
                gradient[p] = 0.0
                hessian[p] = 0.0
            top = scores[a + positions[starts[q]]]
            bottom = top
            for i in range(n):
                p = slot[a + i]
                bottom = min(bottom, scores[a + i])
                s[p] = scores[a + i] - top
                rank[p] = NOWHERE
            is_wide = sigma * (top - bottom) > FAR
            if not is_wide:
                for i in range(n):
                    e[slot[a + i]] = math.exp(sigma * (scores[a + i] - top))
            spacing = Spacing(0.01, 1.0) if options.is_normalised and bottom < top else Spacing(1.0, 0.0)
            ranks = starts[q + 1] - starts[q]
            for r in range(ranks):
                p = slot[a + positions[starts[q] + r]]
                rank[p] = r
                d[p] = measure.discounts[r] * norm
            g = slots.gains[begins[q] : begins[q + 1]]
            query = Query(target_state.effectiveness[q], target_state.baseline[q], target_state.state[q])
            state = (query, target_state.training)
            size = 0.0
            for r in range(min(ranks, options.depth)):
                i = a + positions[starts[q] + r]
                p = slot[i]
                if is_wide:  # relative to this document, so that nothing underflows near it
                    for j in range(m):
                        e[j] = math.exp(min(max(sigma * (s[j] - s[p]), -FAR), FAR))
                document = Document(r, s[p], e[p], g[p], d[p])
                g1, h1, z1 = add_pairs(0, slots.better[i], True, document, spacing, state, g, work)
                g2, h2, z2 = add_pairs(slots.worse[i], m, False, document, spacing, state, g, work)
                gradient[p] -= g1 + g2
                hessian[p] += h1 + h2
                size += z1 + z2
            scale = sigma
            if options.is_normalised and size > 0.0:
                scale *= math.log2(1.0 + 2.0 * sigma * size) / (2.0 * sigma * size)
            for i in range(n):
                p = slot[a + i]
                out.gradient[a + i] = -scale * gradient[p]
                out.hessian[a + i] = scale * sigma * hessian[p]

    return compiled(gradients, **FAST)
