"""Small nets trained query by query: forward, the pairs' gradients, back, and a step of plain descent, all compiled.

With a few hundred weights and one query per update, a library of nets spends its time on calls, not on arithmetic. The
arithmetic here is in the precision of the weights, like that of such a library.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from riskrank.kernels.compiled import compiled
from riskrank.kernels.order import longest_query
from riskrank.kernels.positional import FAST

BLOCK = 64  # documents that are scored together, so that their units fill vectors


class NetWeights(NamedTuple):
    """Of a net with one hidden layer of tanh units; of a linear net, that layer has no units."""

    hidden: Any  # units × features
    hidden_bias: Any
    last: Any  # a number per unit, or per feature of a linear net
    last_bias: Any  # an array of one number


class QueryRows(NamedTuple):
    """The documents of all queries: query q has the rows ``offsets[q]:offsets[q + 1]``."""

    offsets: Any
    features: Any
    start: Any  # scores that those of the net are added to


class Scales(NamedTuple):
    """How features are standardised: (x − shift) × scale, some on a logarithmic scale, no farther than `farthest`."""

    shift: Any
    scale: Any
    is_log: Any
    farthest: float


@cache
def net_epoch(*kernels):
    """An epoch's updates, one for each query, where `kernels` in turn find the gradients of a query's scores.

    It tells whether all scores were finite, and ends at the first that is not.
    """
    find_gradients = in_turn(*kernels)

    def epoch(queries, rows, rate, weights, scores, gradient, arguments):
        longest = longest_query(queries, rows.offsets)
        units = np.empty((longest, len(weights.hidden_bias)), weights.last.dtype)
        change = NetWeights(
            np.empty_like(weights.hidden), np.empty_like(weights.hidden_bias),
            np.empty_like(weights.last), np.empty_like(weights.last_bias),
        )  # fmt: skip
        for k in range(len(queries)):
            a, b = rows.offsets[queries[k]], rows.offsets[queries[k] + 1]
            features = rows.features[a:b]
            forward(features, weights, units, scores[a:b])
            for i in range(a, b):
                if not math.isfinite(scores[i]):
                    return False
                scores[i] += rows.start[i]
            find_gradients(queries[k : k + 1], scores, arguments)
            _backward(features, gradient[a:b], units, weights, change)
            _descend(rate, weights, change)
        return True

    return compiled(epoch, **FAST)


@cache
def in_turn(first, *others):
    """A loop that calls several, each with the same queries and scores, and further arguments of its own."""
    if not others:

        def alone(queries, scores, arguments):
            first(queries, scores, *arguments[0])

        return compiled(alone)
    rest = in_turn(*others)

    def both(queries, scores, arguments):
        first(queries, scores, *arguments[0])
        rest(queries, scores, arguments[1:])

    return compiled(both)


@compiled(**FAST)
def forward(features, weights, units, scores):
    """The scores of documents, and the values of their hidden units."""
    n, n_features, n_units = len(features), features.shape[1], len(weights.hidden_bias)
    for i in range(n):
        for u in range(n_units):
            inner = weights.hidden_bias[u]
            for f in range(n_features):
                inner += weights.hidden[u, f] * features[i, f]
            units[i, u] = inner
    _tanh(units[:n].reshape(n * n_units))
    inputs = units if n_units else features
    for i in range(n):
        total = weights.last_bias[0]
        for k in range(len(weights.last)):
            total += weights.last[k] * inputs[i, k]
        scores[i] = total


@compiled(**FAST)
def _tanh(values):
    """The hyperbolic tangent of each, to 14 digits, by operations that a processor does on several at once.

    With m(x) = e^x − 1, it is m(2x) / (m(2x) + 2), and m(2x) = m(x) (m(x) + 2), six times from a series that 14 terms
    suffice for.
    """
    for i in range(len(values)):
        x = min(max(np.float64(values[i]), -20.0), 20.0) / 32.0
        series = 1.0
        for k in range(14, 1, -1):
            series = 1.0 + series * x / k
        m = x * series
        for _ in range(6):
            m *= m + 2.0
        values[i] = m / (m + 2.0)


@compiled(**FAST)
def _backward(features, gradient, units, weights, change):
    """The gradient of the weights, from those of documents whose hidden units have these values, which it replaces."""
    n, n_units = len(features), len(weights.hidden_bias)
    change.last_bias[0] = 0
    for i in range(n):
        change.last_bias[0] += weights.last.dtype.type(gradient[i])
    if n_units == 0:
        _add_up(gradient.reshape((n, 1)), features, change.last.reshape((1, len(change.last))))
        return
    _add_up(gradient.reshape((n, 1)), units[:n], change.last.reshape((1, n_units)))
    change.hidden_bias[:] = 0
    for i in range(n):
        pull = weights.last.dtype.type(gradient[i])
        for u in range(n_units):
            units[i, u] = pull * weights.last[u] * (1 - units[i, u] * units[i, u])
            change.hidden_bias[u] += units[i, u]
    _add_up(units[:n], features, change.hidden)


@compiled(**FAST)
def _add_up(outputs, inputs, out):
    """For every output and input, the sum of their products over documents."""
    out[:] = 0
    for i in range(len(inputs)):
        for u in range(outputs.shape[1]):
            pull = out.dtype.type(outputs[i, u])
            for f in range(inputs.shape[1]):
                out[u, f] += pull * inputs[i, f]


@compiled(**FAST)
def _descend(rate, weights, change):
    """A step against the gradient."""
    step = weights.last.dtype.type(rate)
    for u in range(len(weights.hidden_bias)):
        for f in range(weights.hidden.shape[1]):
            weights.hidden[u, f] -= step * change.hidden[u, f]
        weights.hidden_bias[u] -= step * change.hidden_bias[u]
    for k in range(len(weights.last)):
        weights.last[k] -= step * change.last[k]
    weights.last_bias[0] -= step * change.last_bias[0]


@compiled(**FAST)
def net_scores(features, scales, weights, scores):
    """The scores of documents by their features as they are, all in the precision of the weights."""
    x = np.empty((BLOCK, features.shape[1]), weights.last.dtype)
    units = np.empty((BLOCK, len(weights.hidden_bias)), weights.last.dtype)
    for begin in range(0, len(features), BLOCK):
        end = min(begin + BLOCK, len(features))
        for i in range(begin, end):
            _standardise(features[i], scales, x[i - begin])
        forward(x[: end - begin], weights, units, scores[begin:end])


@compiled(**FAST)
def _standardise(features, scales, out):
    """The features of a document; missing ones become 0."""
    for f in range(len(features)):
        value = out.dtype.type(features[f])
        if scales.is_log[f]:
            value = math.copysign(math.log1p(abs(value)), value)
        value = (value - scales.shift[f]) * scales.scale[f]
        out[f] = 0.0 if math.isnan(value) else min(max(value, -scales.farthest), scales.farthest)
