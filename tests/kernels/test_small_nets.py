"""Small nets trained by a compiled loop, against the same updates written with NumPy."""

from __future__ import annotations

import numpy as np
import pytest

import riskrank as rr
from riskrank.kernels.small_nets import NetWeights, QueryRows, Scales, net_epoch, net_scores
from riskrank.objectives.on_data.bound_objective import BoundObjective

RANKNET = rr.RankNet(truncation=None, normalise=False)
LAMBDARANK = rr.Gain("nDCG@10", truncation=1_000_000, normalise=False)
OBJECTIVES = {"RankNet": RANKNET, "LambdaRank": LAMBDARANK, "AP": rr.Gain("AP")}


def queries_of_many_sizes():
    rng = np.random.default_rng(3)
    sizes = [5, 1, 3, 90, 7, 20]
    labels = rng.choice([0, 0, 1, 2, 4], sum(sizes))
    return rr.RankingData.from_arrays(rng.normal(size=(sum(sizes), 6)), labels, group=sizes)


def random_weights(n_units, n_features=6, dtype=np.float64):
    rng = np.random.default_rng(n_units)
    shapes = [(n_units, n_features), (n_units,), (n_units or n_features,), (1,)]
    return NetWeights(*(rng.normal(size=shape).astype(dtype) for shape in shapes))


def scored(features, weights):
    units = np.tanh(features @ weights.hidden.T + weights.hidden_bias) if len(weights.hidden) else features
    return units @ weights.last + weights.last_bias, units


def updated(features, gradient, rate, weights):
    """The weights after a step against the gradient of the scores."""
    _, units = scored(features, weights)
    last = weights.last - rate * gradient @ units
    last_bias = weights.last_bias - rate * gradient.sum()
    if not len(weights.hidden):
        return weights._replace(last=last, last_bias=last_bias)
    slopes = gradient[:, None] * weights.last * (1 - units**2)
    hidden, hidden_bias = weights.hidden - rate * slopes.T @ features, weights.hidden_bias - rate * slopes.sum(axis=0)
    return NetWeights(hidden, hidden_bias, last, last_bias)


@pytest.mark.parametrize("starts_elsewhere", [False, True])
@pytest.mark.parametrize("n_units", [0, 1, 4, 10])
@pytest.mark.parametrize("objective", OBJECTIVES.values(), ids=OBJECTIVES)
def test_an_epoch_makes_the_updates_of_its_queries_in_turn(objective, n_units, starts_elsewhere):
    data, rate = queries_of_many_sizes(), 0.02
    features = data.features.astype(np.float64)
    start = np.random.default_rng(0).normal(size=len(features)) if starts_elsewhere else np.zeros(len(features))
    order = np.array([3, 0, 5, 2, 1, 4])
    bound = BoundObjective(objective, data, n_threads=1)
    first = scored(features, random_weights(n_units))[0] + start

    expected, scores, values = random_weights(n_units), first.copy(), bound.query_values(first)
    state = bound.target_state(values)
    for q in order:
        rows = slice(data.query_offsets[q], data.query_offsets[q + 1])
        scores[rows] = scored(features[rows], expected)[0] + start[rows]
        gradient = bound.batch_gradients(scores, np.array([q]), values, state).gradient[rows]
        expected = updated(features[rows], gradient, rate, expected)

    weights, found, seen = random_weights(n_units), first.copy(), bound.query_values(first)
    calls, gradients = bound.batch_calls(seen, bound.target_state(seen))
    rows = QueryRows(data.query_offsets, features, start)
    arguments = tuple(call.arguments for call in calls)
    epoch = net_epoch(*(call.kernel for call in calls))
    assert epoch(order, rows, rate, weights, found, gradients.gradient, arguments)
    for one, other in zip(weights, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(found, scores, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(seen.reported, values.reported, rtol=1e-12)
    assert max(np.abs(a - b).max() for a, b in zip(weights, random_weights(n_units), strict=True) if a.size) > 1e-3


def test_an_epoch_ends_where_scores_are_not_finite():
    data = queries_of_many_sizes()
    bound = BoundObjective(RANKNET, data, n_threads=1)
    weights, scores = random_weights(4), np.zeros(data.n_documents)
    values = bound.query_values(scores)
    calls, gradients = bound.batch_calls(values, bound.target_state(values))
    rows = QueryRows(data.query_offsets, data.features.astype(np.float64), scores.copy())
    epoch = net_epoch(*(call.kernel for call in calls))
    arguments = tuple(call.arguments for call in calls)
    assert not epoch(np.arange(6), rows, 1e308, weights, scores, gradients.gradient, arguments)


@pytest.mark.parametrize("n_units", [0, 10])
@pytest.mark.parametrize("n_documents", [1, 64, 131])
def test_documents_are_scored_by_their_standardised_features(n_documents, n_units):
    rng = np.random.default_rng(n_documents)
    features = (3 * rng.standard_cauchy(size=(n_documents, 6))).astype(np.float32)
    features[0, 2] = np.nan
    is_log = np.array([0, 1, 0, 0, 1, 0], np.uint8)
    scales = Scales(rng.normal(size=6), np.array([1.0, 2.0, 0.5, 0.0, 1.0, 1.0]), is_log, 8.0)
    exact = features.astype(np.float64)
    known = np.where(is_log, np.sign(exact) * np.log1p(np.abs(exact)), exact)
    standard = np.clip(np.nan_to_num((known - scales.shift) * scales.scale), -8, 8)
    out = np.empty(n_documents)
    net_scores(features, scales, random_weights(n_units), out)
    np.testing.assert_allclose(out, scored(standard, random_weights(n_units))[0], rtol=1e-12, atol=1e-12)


def test_units_are_hyperbolic_tangents_near_0_and_far_out():
    x = np.concatenate([-np.logspace(-12, 3, 40), [0.0], np.logspace(-12, 3, 40)])
    weights = NetWeights(np.ones((1, 1)), np.zeros(1), np.ones(1), np.zeros(1))
    out = np.empty(len(x))
    net_scores(x[:, None], Scales(np.zeros(1), np.ones(1), np.zeros(1, np.uint8), np.inf), weights, out)
    np.testing.assert_allclose(out, np.tanh(x), rtol=1e-14)
