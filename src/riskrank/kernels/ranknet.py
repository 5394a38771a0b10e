"""RankNet's forces in time that grows with the documents of a query, not with their pairs.

The force on a document with score x is a sum of 1 / (1 + e^{sigma (x − s_j)}) over the other documents: a smooth
function of x. On an interval of length 2 / sigma it is a polynomial of degree 15 up to 13 digits (its poles are
pi / sigma away, so Chebyshev's series falls like 6.4^−n). So each sum is computed at 16 points of every such interval
that holds documents, and interpolated at the documents.
"""

from __future__ import annotations

import math

import numpy as np

from riskrank.kernels.compiled import compiled
from riskrank.kernels.positional import FAR, FAST

POINTS = 16  # of an interval
WIDTH = 2.0  # of an interval, in units of 1 / sigma
LEAST = 40  # documents; fewer are added up as they are

_ANGLES = np.pi * (np.arange(POINTS) + 0.5) / POINTS
NODES = np.cos(_ANGLES)
TO_SERIES = 2.0 / POINTS * np.cos(np.outer(np.arange(POINTS), _ANGLES))
TO_SERIES[0] *= 0.5


@compiled(fastmath=FAST, error_model="numpy")
def ranknet_forces(queries, offsets, scores, place, better, worse, sigma, gradient, hessian):
    """Forces and curvatures over all pairs of different labels; documents are laid out as `place` says, best first."""
    longest = 0
    for q in queries:
        longest = max(longest, offsets[q + 1] - offsets[q])
    s, force, curve = np.empty(longest), np.empty(longest), np.empty(longest)
    begins, ends = np.empty(longest, np.int64), np.empty(longest, np.int64)
    for q in queries:
        a, n = offsets[q], offsets[q + 1] - offsets[q]
        bottom, intervals = _lay_out(a, n, scores, place, better, worse, sigma, s, begins, ends)
        force[:n] = 0.0
        curve[:n] = 0.0
        is_long = _is_worth(n, intervals, n)
        if is_long:  # over all documents, less those over each document's own group
            _interpolate(s, 0, n, 0, n, bottom, intervals, sigma, False, 1.0, force, curve)
        p = 0
        while p < n:
            begin, end = begins[p], ends[p]
            if not is_long:
                _sum(s, begin, end, 0, begin, sigma, 1.0, force, curve)
                _sum(s, begin, end, end, n, sigma, 1.0, force, curve)
            elif _is_worth(end - begin, intervals, n):
                _interpolate(s, begin, end, begin, end, bottom, intervals, sigma, False, -1.0, force, curve)
            else:
                _sum(s, begin, end, begin, end, sigma, -1.0, force, curve)
            p = end
        for i in range(n):
            p = place[a + i]
            gradient[a + i] = -sigma * (force[p] - begins[p])  # each better document pulls by 1 less
            hessian[a + i] = sigma * sigma * curve[p]


@compiled(fastmath=FAST, error_model="numpy")
def ranknet_costs(queries, offsets, scores, place, better, worse, sigma, costs):
    """The cross entropy of each query: log(1 + e^{−sigma (s_i − s_j)}) for each pair of a better i and a worse j."""
    longest = 0
    for q in queries:
        longest = max(longest, offsets[q + 1] - offsets[q])
    s, cost, unused = np.empty(longest), np.empty(longest), np.empty(longest)
    begins, ends = np.empty(longest, np.int64), np.empty(longest, np.int64)
    for q in queries:
        a, n = offsets[q], offsets[q + 1] - offsets[q]
        bottom, intervals = _lay_out(a, n, scores, place, better, worse, sigma, s, begins, ends)
        cost[:n] = 0.0
        p = 0
        while p < n:
            begin, end = begins[p], ends[p]
            if _is_worth(end - begin, intervals, n):
                _interpolate(s, 0, begin, begin, end, bottom, intervals, sigma, True, 1.0, cost, unused)
            else:
                for i in range(begin):
                    for j in range(begin, end):
                        x = sigma * (s[j] - s[i])
                        cost[i] += max(x, 0.0) + math.log1p(math.exp(-abs(x)))
            p = end
        costs[q] = cost[:n].sum()


@compiled
def _lay_out(a, n, scores, place, better, worse, sigma, s, begins, ends):
    """Put scores and groups of equal labels in their places; the lowest score, and how many intervals they span."""
    top, bottom = -np.inf, np.inf
    for i in range(n):
        p = place[a + i]
        s[p], begins[p], ends[p] = scores[a + i], better[a + i], worse[a + i]
        top, bottom = max(top, scores[a + i]), min(bottom, scores[a + i])
    return bottom, int(min((top - bottom) * sigma / WIDTH, 1e6)) + 1


@compiled
def _is_worth(documents, intervals, n):
    """Is interpolating a sum over so many documents cheaper than adding it up at each of n?"""
    return documents > LEAST and n > 2 * POINTS * min(intervals, n)


@compiled(fastmath=FAST, error_model="numpy")
def _sum(s, begin, end, first, last, sigma, sign, force, curve):
    """Add the sums over the documents from `first` to `last` to the documents from `begin` to `end`."""
    for p in range(begin, end):
        total, bend = 0.0, 0.0
        for j in range(first, last):
            share = 1.0 / (1.0 + math.exp(min(max(sigma * (s[p] - s[j]), -FAR), FAR)))
            total += share
            bend += share * (1.0 - share)
        force[p] += sign * total
        curve[p] += sign * bend


@compiled(fastmath=FAST, error_model="numpy")
def _interpolate(s, begin, end, first, last, bottom, intervals, sigma, of_cost, sign, force, curve):
    """The same by interpolation; or instead, `of_cost`, the sums of log(1 + e^{−sigma (x − s_j)})."""
    width = WIDTH / sigma
    is_needed = np.zeros(intervals, np.uint8)
    for p in range(begin, end):
        is_needed[min(int((s[p] - bottom) / width), intervals - 1)] = 1
    totals, bends = np.empty((intervals, POINTS)), np.empty((intervals, POINTS))
    ratio = np.empty(last - first)
    sums, curves = np.empty(POINTS), np.empty(POINTS)
    for k in range(intervals):
        if is_needed[k] == 0:
            continue
        centre = bottom + (k + 0.5) * width
        for j in range(first, last):
            ratio[j - first] = math.exp(min(max(sigma * (centre - s[j]), -FAR), FAR))
        for m in range(POINTS):
            growth = math.exp(0.5 * WIDTH * NODES[m])
            total, bend = 0.0, 0.0
            if of_cost:
                for j in range(last - first):
                    total += math.log1p(1.0 / (growth * ratio[j]))
            else:
                for j in range(last - first):
                    share = 1.0 / (1.0 + growth * ratio[j])
                    total += share
                    bend += share * (1.0 - share)
            sums[m], curves[m] = total, bend
        for c in range(POINTS):
            total, bend = 0.0, 0.0
            for m in range(POINTS):
                total += TO_SERIES[c, m] * sums[m]
                bend += TO_SERIES[c, m] * curves[m]
            totals[k, c], bends[k, c] = total, bend
    for p in range(begin, end):
        k = min(int((s[p] - bottom) / width), intervals - 1)
        x = 2.0 * ((s[p] - bottom) / width - k) - 1.0
        t1, t2, b1, b2 = 0.0, 0.0, 0.0, 0.0
        for c in range(POINTS - 1, 0, -1):  # Clenshaw's sum
            t1, t2 = 2.0 * x * t1 - t2 + totals[k, c], t1
            b1, b2 = 2.0 * x * b1 - b2 + bends[k, c], b1
        force[p] += sign * (x * t1 - t2 + totals[k, 0])
        curve[p] += sign * (x * b1 - b2 + bends[k, 0])
