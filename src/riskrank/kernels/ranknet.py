"""RankNet's gradients in time that grows with the documents of a query, not with their pairs.

The gradient of a document with score x is a sum of 1 / (1 + e^{sigma (x − s_j)}) over the other documents: a smooth
function of x. On an interval of length 2 / sigma it is a polynomial of degree 15 up to 13 digits (its poles are
pi / sigma away, so Chebyshev's series falls like 6.4^−n). So each sum is computed at 16 points of every such interval
that holds documents, and interpolated at the documents.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from riskrank.kernels.compiled import compiled
from riskrank.kernels.order import longest_query
from riskrank.kernels.positional import FAR, FAST

POINTS = 16  # of an interval
WIDTH = 2.0  # of an interval, in units of 1 / sigma
LEAST = 40  # documents; fewer are added up as they are
LARGE = 1e150  # a product that another factor, at most e^FAR, does not make infinite

_ANGLES = np.pi * (np.arange(POINTS) + 0.5) / POINTS
NODES = np.cos(_ANGLES)
TO_SERIES = 2.0 / POINTS * np.cos(np.outer(np.arange(POINTS), _ANGLES))
TO_SERIES[0] *= 0.5


class GroupWork(NamedTuple):
    """Scratch space by slot: scores, and where the group of equal labels begins and ends."""

    scores: Any
    exponentials: Any  # of sigma × the score, relative to a score in the middle
    begins: Any
    ends: Any


class Range(NamedTuple):
    """Slots from `first`, below `last`."""

    first: int
    last: int


class Grid(NamedTuple):
    """The intervals that a query's scores span; is it too wide for ratios of exponentials?"""

    bottom: float
    n_intervals: int
    sigma: float
    is_wide: bool


class Sums(NamedTuple):
    """Sums by slot, and their derivatives."""

    total: Any
    slope: Any


@compiled(**FAST)
def ranknet_gradients(queries, scores, offsets, slots, sigma, out):
    """Gradients and hessians over all pairs of different labels; documents have slots by label, best first."""
    work, sums = _group_work(longest_query(queries, offsets))
    for q in queries:
        a, n = offsets[q], offsets[q + 1] - offsets[q]
        grid = _fill_slots(a, n, scores, slots, sigma, work)
        sums.total[:n] = 0.0
        sums.slope[:n] = 0.0
        everyone = Range(0, n)
        is_long = _is_worth(n, grid.n_intervals, n)
        if is_long:  # over all documents, less those over each document's own group
            _interpolate(work.scores, everyone, everyone, grid, False, 1.0, sums)
        p = 0
        while p < n:
            group = Range(work.begins[p], work.ends[p])
            if not is_long:
                _add_up(work, group, Range(0, group.first), grid, 1.0, sums)
                _add_up(work, group, Range(group.last, n), grid, 1.0, sums)
            elif _is_worth(group.last - group.first, grid.n_intervals, n):
                _interpolate(work.scores, group, group, grid, False, -1.0, sums)
            else:
                _add_up(work, group, group, grid, -1.0, sums)
            p = group.last
        for i in range(n):
            p = slots.slot[a + i]
            out.gradient[a + i] = -sigma * (sums.total[p] - work.begins[p])  # each better document pulls by 1 less
            out.hessian[a + i] = sigma * sigma * sums.slope[p]


@compiled(**FAST)
def ranknet_costs(queries, scores, offsets, slots, sigma, costs):
    """The cross entropy of each query: log(1 + e^{−sigma (s_i − s_j)}) for each pair of a better i and a worse j."""
    work, sums = _group_work(longest_query(queries, offsets))
    for q in queries:
        a, n = offsets[q], offsets[q + 1] - offsets[q]
        grid = _fill_slots(a, n, scores, slots, sigma, work)
        cost = sums.total
        cost[:n] = 0.0
        p = 0
        while p < n:
            group = Range(work.begins[p], work.ends[p])
            if _is_worth(group.last - group.first, grid.n_intervals, n):
                _interpolate(work.scores, Range(0, group.first), group, grid, True, 1.0, sums)
            else:
                for i in range(group.first):
                    cost[i] += _cost_over(i, group, work, grid)
            p = group.last
        costs[q] = cost[:n].sum()


@compiled
def _group_work(longest):
    """Space for a query of at most so many documents."""
    begins, ends = np.empty(longest, np.int64), np.empty(longest, np.int64)
    return GroupWork(np.empty(longest), np.empty(longest), begins, ends), Sums(np.empty(longest), np.empty(longest))


@compiled
def _fill_slots(a, n, scores, slots, sigma, work):
    """Put the scores and groups of equal labels of a query into their slots; the intervals that they span."""
    top, bottom = -np.inf, np.inf
    for i in range(n):
        p = slots.slot[a + i]
        work.scores[p], work.begins[p], work.ends[p] = scores[a + i], slots.better[a + i], slots.worse[a + i]
        top, bottom = max(top, scores[a + i]), min(bottom, scores[a + i])
    is_wide = sigma * (top - bottom) > FAR
    if not is_wide:
        for p in range(n):
            work.exponentials[p] = math.exp(sigma * (work.scores[p] - 0.5 * (top + bottom)))
    return Grid(bottom, int(min((top - bottom) * sigma / WIDTH, 1e6)) + 1, sigma, is_wide)


@compiled
def _is_worth(documents, n_intervals, n):
    """Is interpolating a sum over this many documents cheaper than adding it up at each of n?"""
    return documents > LEAST and n > 2 * POINTS * min(n_intervals, n)


@compiled(**FAST)
def _add_up(work, at, over, grid, sign, sums):
    """Add the sums over the documents of a range to those of another."""
    scores, exponentials = work.scores, work.exponentials
    for p in range(at.first, at.last):
        total, slope = 0.0, 0.0
        if grid.is_wide:
            for j in range(over.first, over.last):
                share = 1.0 / (1.0 + math.exp(min(max(grid.sigma * (scores[p] - scores[j]), -FAR), FAR)))
                total += share
                slope += share * (1.0 - share)
        else:
            own = exponentials[p]
            for j in range(np.uint64(over.first), np.uint64(over.last)):  # unsigned, to be vectorised
                inverse = 1.0 / (own + exponentials[j])
                total += exponentials[j] * inverse
                slope += exponentials[j] * inverse * own * inverse
        sums.total[p] += sign * total
        sums.slope[p] += sign * slope


@compiled(**FAST)
def _cost_over(i, over, work, grid):
    """The sum of log(1 + e^{−sigma (s_i − s_j)}) over the documents of a range; several factors make one logarithm."""
    total, product = 0.0, 1.0
    for j in range(over.first, over.last):
        if grid.is_wide:
            x = grid.sigma * (work.scores[j] - work.scores[i])
            total += max(x, 0.0) + math.log1p(math.exp(-abs(x)))
        else:
            product *= 1.0 + work.exponentials[j] / work.exponentials[i]
            if product > LARGE:
                total += math.log(product)
                product = 1.0
    return total + math.log(product)


@compiled(**FAST)
def _interpolate(scores, at, over, grid, of_cost, sign, sums):
    """The same by interpolation; or instead, `of_cost`, the sums of log(1 + e^{−sigma (x − s_j)})."""
    width = WIDTH / grid.sigma
    is_needed = np.zeros(grid.n_intervals, np.uint8)
    for p in range(at.first, at.last):
        is_needed[min(int((scores[p] - grid.bottom) / width), grid.n_intervals - 1)] = 1
    totals, slopes = np.empty((grid.n_intervals, POINTS)), np.empty((grid.n_intervals, POINTS))
    ratio = np.empty(over.last - over.first)
    for k in range(grid.n_intervals):
        if is_needed[k] == 1:
            centre = grid.bottom + (k + 0.5) * width
            for j in range(over.first, over.last):
                ratio[j - over.first] = math.exp(min(max(grid.sigma * (centre - scores[j]), -FAR), FAR))
            _series(ratio, of_cost, totals[k], slopes[k])
    for p in range(at.first, at.last):
        k = min(int((scores[p] - grid.bottom) / width), grid.n_intervals - 1)
        x = 2.0 * ((scores[p] - grid.bottom) / width - k) - 1.0
        t1, t2, b1, b2 = 0.0, 0.0, 0.0, 0.0
        for c in range(POINTS - 1, 0, -1):  # Clenshaw's sum
            t1, t2 = 2.0 * x * t1 - t2 + totals[k, c], t1
            b1, b2 = 2.0 * x * b1 - b2 + slopes[k, c], b1
        sums.total[p] += sign * (x * t1 - t2 + totals[k, 0])
        sums.slope[p] += sign * (x * b1 - b2 + slopes[k, 0])


@compiled(**FAST)
def _series(ratio, of_cost, totals, slopes):
    """Chebyshev's series of the sums on one interval, from their values at its points."""
    values, derivatives = np.empty(POINTS), np.empty(POINTS)
    for m in range(POINTS):
        growth = math.exp(0.5 * WIDTH * NODES[m])
        total, slope = 0.0, 0.0
        if of_cost:
            for j in range(len(ratio)):
                total += math.log1p(1.0 / (growth * ratio[j]))
        else:
            for j in range(len(ratio)):
                share = 1.0 / (1.0 + growth * ratio[j])
                total += share
                slope += share * (1.0 - share)
        values[m], derivatives[m] = total, slope
    for c in range(POINTS):
        total, slope = 0.0, 0.0
        for m in range(POINTS):
            total += TO_SERIES[c, m] * values[m]
            slope += TO_SERIES[c, m] * derivatives[m]
        totals[c], slopes[c] = total, slope
