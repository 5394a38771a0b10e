"""Objectives by the book, slowly: every pair of every query is swapped for real and everything is computed anew.

Written from the definitions alone. A query's documents are ranked by score, ties in the order of the data; measures see
the labels in that order.
"""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
from scipy.special import expit, ndtr

NOISE = 1e-12  # two evaluations of the same value differ by less


def exponential(label):
    return 2.0**label - 1.0


def linear(label):
    return label


def table(gains):
    return lambda label: gains.get(label, label)


def dcg(gain, *, is_normalised):
    def value(labels, cutoff, highest):
        def discounted(gains):
            return math.fsum(g / math.log2(1 + rank) for rank, g in enumerate(gains[:cutoff], start=1))

        gains = [gain(label) for label in labels]
        if not is_normalised:
            return discounted(gains)
        ideal = discounted(sorted(gains, reverse=True))
        return discounted(gains) / ideal if ideal > 0 else 0.0

    return value


def average_precision(rel):
    def value(labels, cutoff, highest):
        relevant = [label >= rel for label in labels]
        precisions = [sum(relevant[:rank]) / rank for rank in range(1, len(labels) + 1) if relevant[rank - 1]]
        ranks = [rank for rank in range(1, len(labels) + 1) if relevant[rank - 1]]
        kept = [p for p, rank in zip(precisions, ranks, strict=True) if cutoff is None or rank <= cutoff]
        return math.fsum(kept) / sum(relevant) if any(relevant) else 0.0

    return value


def reciprocal_rank(labels, cutoff, highest):
    for rank, label in enumerate(labels[:cutoff], start=1):
        if label >= 1:
            return 1 / rank
    return 0.0


def expected_reciprocal_rank(labels, cutoff, highest):
    value, reached = 0.0, 1.0
    for rank, label in enumerate(labels[:cutoff], start=1):
        goes_on = 2.0**-highest * (2.0**highest - 2.0**label + 1)
        value += reached * (1 - goes_on) / rank
        reached *= goes_on
    return value


def precision(labels, cutoff, highest):
    return sum(label >= 1 for label in labels[:cutoff]) / cutoff


def recall(labels, cutoff, highest):
    relevant = sum(label >= 1 for label in labels)
    return sum(label >= 1 for label in labels[:cutoff]) / relevant if relevant else 0.0


def success(labels, cutoff, highest):
    return float(any(label >= 1 for label in labels[:cutoff]))


def rank_biased_precision(p, rel):
    def value(labels, cutoff, highest):
        gains = [label / max(highest, 1e-300) if rel is None else float(label >= rel) for label in labels[:cutoff]]
        return (1 - p) * math.fsum(gain * p ** (rank - 1) for rank, gain in enumerate(gains, start=1))

    return value


def pair_accuracy(labels, cutoff, highest):
    above = np.asarray(labels)[:, None] - np.asarray(labels)[None, :]
    is_pair = np.triu(above != 0)
    return float((is_pair & (above > 0)).sum() / is_pair.sum()) if is_pair.any() else 0.0


MEASURES = {
    "nDCG": (dcg(exponential, is_normalised=True), None),
    "nDCG@5": (dcg(exponential, is_normalised=True), 5),
    "nDCG(dcg='log2')@5": (dcg(linear, is_normalised=True), 5),
    "nDCG(gains={0:1,1:3,2:2,3:8})@5": (dcg(table({0: 1, 1: 3, 2: 2, 3: 8}), is_normalised=True), 5),
    "DCG@5": (dcg(exponential, is_normalised=False), 5),
    "AP": (average_precision(1), None),
    "AP@4": (average_precision(1), 4),
    "AP(rel=2)": (average_precision(2), None),
    "RR": (reciprocal_rank, None),
    "RR@3": (reciprocal_rank, 3),
    "ERR": (expected_reciprocal_rank, None),
    "ERR@5": (expected_reciprocal_rank, 5),
    "P@5": (precision, 5),
    "R@5": (recall, 5),
    "WTA": (success, 1),
    "Success@3": (success, 3),
    "RBP": (rank_biased_precision(0.8, None), None),
    "RBP(p=0.5,rel=2)@4": (rank_biased_precision(0.5, 2), 4),
    "PairAccuracy": (pair_accuracy, None),
}
DEEPENED = ("nDCG", "DCG", "ERR")  # graded and discounted: trained at the depth of the truncation


def measure(text, data, truncation=None):
    """A function from a query's labels, in the order of its ranking, to the measure; labels below 0 count as 0."""
    function, cutoff = MEASURES[text]
    if truncation is not None and cutoff is not None and text.startswith(DEEPENED):
        cutoff = max(cutoff, truncation)
    highest = max(0.0, *data.labels)
    if text.startswith("ERR"):
        highest = max(4.0, highest)  # the usual scale ends at 4
    return lambda labels: function([max(label, 0.0) for label in labels], cutoff, highest)


def ranking(scores):
    return sorted(range(len(scores)), key=lambda i: -scores[i])  # sorted is stable


def queries(data):
    return [slice(a, b) for a, b in zip(data.query_offsets[:-1], data.query_offsets[1:], strict=True)]


def values(value, data, scores):
    """The measure of each query."""
    return np.array([value(data.labels[q][ranking(scores[q])]) for q in queries(data)])


def kendall_distance(order, other):
    """The share of pairs that stand in the other order."""
    place = {document: rank for rank, document in enumerate(other)}
    pairs = list(combinations(order, 2))
    return sum(place[i] > place[j] for i, j in pairs) / len(pairs)


def gain(model, baselines, **_):
    return lambda q, after: after - model[q]


def ranknet(model, baselines, **_):
    return lambda q, after: np.sign(after - model[q])


def urisk(model, baselines, *, alpha, **_):
    baseline = baselines.mean(axis=0)

    def tradeoff(d):
        return d if d >= 0 else (1 + alpha) * d

    return lambda q, after: tradeoff(after - baseline[q]) - tradeoff(model[q] - baseline[q])


def ucro(model, baselines, *, alpha, **_):
    baseline = baselines.mean(axis=0)
    return lambda q, after: (after - model[q]) * (1 if after >= baseline[q] - NOISE else 1 + alpha)


def alpha_of_queries(model, baselines, alpha, standardise):
    d = model - baselines.mean(axis=0)
    x = np.array([each if each >= 0 else (1 + alpha) * each for each in d])
    deviation = math.sqrt(sum((x - x.mean()) ** 2) / (len(x) - 1))
    t = x / (deviation / math.sqrt(len(x))) if standardise == "error" else d / deviation
    return (1 - ndtr(t)) * alpha


def saro(model, baselines, *, alpha, standardise="deviation", **_):
    alphas = alpha_of_queries(model, baselines, alpha, standardise)
    return lambda q, after: urisk(model, baselines, alpha=alphas[q])(q, after)


def faro(model, baselines, *, alpha, standardise="deviation", **_):
    alphas = alpha_of_queries(model, baselines, alpha, standardise)
    return lambda q, after: (1 + alphas[q]) * (after - model[q])


def deviation_from_expectation(x, row, column, total):
    expected = row * column / total if total > 0 else 0.0
    return (x - expected) / math.sqrt(expected) if expected > 0 else 0.0


def georisk_of(row, z, alpha):
    zrisk = sum(each if each > 0 else (1 + alpha) * each for each in z)
    return math.sqrt(row / len(z) * ndtr(zrisk / len(z)))


def georisk_parts(model, baselines):
    """S, T, N and the z of each query, the model being one more row beside the baselines."""
    columns = baselines.sum(axis=0) + model
    row, total = model.sum(), columns.sum()
    return (
        row,
        columns,
        total,
        [deviation_from_expectation(x, row, t, total) for x, t in zip(model, columns, strict=True)],
    )


def georisk(model, baselines, *, alpha, is_scaled=False, **_):
    """Only the z of the query is computed anew, in a matrix where its effectiveness is replaced."""
    row, columns, total, z = georisk_parts(model, baselines)
    before = georisk_of(row, z, alpha)
    zrisk = sum(each if each > 0 else (1 + alpha) * each for each in z)
    # With a normalisation, a change of GeoRisk is worth what a change of the model's sum would be at constant Φ.
    scale = 2 * len(model) * before / ndtr(zrisk / len(model)) if is_scaled else 1.0

    def change(q, after):
        delta = after - model[q]
        anew = deviation_from_expectation(after, row + delta, columns[q] + delta, total + delta)
        return scale * (georisk_of(row + delta, [*z[:q], anew, *z[q + 1 :]], alpha) - before)

    return change


def cvar(model, baselines, *, alpha, share=0.1, **_):
    """Mean gain − alpha · (v + mean excess over v / share), v being the loss that a share of queries reaches."""
    baseline = baselines.mean(axis=0)
    losses = sorted(np.maximum(0.0, baseline - model), reverse=True)
    v = losses[math.ceil(share * len(losses) - 1e-9) - 1] if share < 1 else 0.0

    def worth(effectiveness, b):
        return effectiveness - b - alpha / share * max(max(0.0, b - effectiveness) - v, 0.0)

    return lambda q, after: worth(after, baseline[q]) - worth(model[q], baseline[q])


TARGETS = {
    "Gain": gain,
    "RankNet": ranknet,
    "URisk": urisk,
    "UCRO": ucro,
    "SARO": saro,
    "FARO": faro,
    "TStarFARO": faro,
    "GeoRisk": georisk,
    "CVaR": cvar,
    "Churn": gain,  # and the distance, below
}


def gradients(
    data, scores, baselines, *, value, target, alpha=1.0, truncation=None, sigma=1.0, normalise="none", **options
):
    """Gradient and hessian of each document. `baselines`: scores, a row each; `target`: a name or a function."""
    weigh = TARGETS.get(target, target)
    model = values(value, data, scores)
    of_baselines = np.array([values(value, data, each) for each in baselines]).reshape(len(baselines), len(model))
    weigh = weigh(model, of_baselines, alpha=alpha, is_scaled=normalise != "none", **options)
    gradient, hessian = np.zeros(len(scores)), np.zeros(len(scores))
    for number, q in enumerate(queries(data)):
        labels, s = data.labels[q], scores[q]
        order = ranking(s)
        preferred = ranking(baselines[0][q]) if target == "Churn" else None
        lambdas, curvature, size = np.zeros(len(s)), np.zeros(len(s)), 0.0
        for a, b in combinations(range(len(s)), 2):
            if truncation is not None and a >= truncation:
                break
            swapped = list(order)
            swapped[a], swapped[b] = order[b], order[a]
            after = value(labels[swapped])
            delta = after - model[number]
            if abs(delta) < NOISE:
                delta, after = 0.0, model[number]
            change = weigh(number, after)
            if preferred is not None:
                change -= alpha * (kendall_distance(swapped, preferred) - kendall_distance(order, preferred))
            if change == 0:
                continue
            above, below = (order[b], order[a]) if change > 0 else (order[a], order[b])
            rho = expit(-sigma * (s[above] - s[below]))
            nearness = 1.0
            if normalise != "none" and min(s) < max(s):
                nearness = 1 / (0.01 + abs(s[above] - s[below]))
            weight = abs(change) * nearness
            lambdas[above] += sigma * rho * weight
            lambdas[below] -= sigma * rho * weight
            curvature[above] += sigma**2 * rho * (1 - rho) * weight
            curvature[below] += sigma**2 * rho * (1 - rho) * weight
            size += 2 * sigma * rho * nearness * abs(delta if normalise == "gain" else change)
        scale = math.log2(1 + size) / size if normalise != "none" and size > 0 else 1.0
        gradient[q], hessian[q] = -scale * lambdas, scale * curvature
    return gradient, hessian
