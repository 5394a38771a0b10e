"""The columns of the table of clicks, page by page and slowly, as Bennett et al. 2015 (§3.1) define them."""

from __future__ import annotations

import math

import numpy as np
from scipy import stats


def ranking(scores):
    """Documents by falling score; those with equal scores stay as they are."""
    return sorted(range(len(scores)), key=lambda i: (-scores[i], i))


def average_precision(labels, order):
    n_relevant, precisions = 0, []
    for place, document in enumerate(order, start=1):
        if labels[document] > 0:
            n_relevant += 1
            precisions.append(n_relevant / place)
    return sum(precisions) / len(precisions) if precisions else 0.0


def kendall_tau(order, other):
    """NaN for a page of one document."""
    if len(order) < 2:
        return math.nan
    places = [[each.index(document) for document in range(len(each))] for each in (order, other)]
    return float(stats.kendalltau(*places).statistic)


def ndcg(labels, order):
    """With gains 2^label − 1 of the first ten."""
    best = sorted(labels, reverse=True)
    own, ideal = (
        sum((2**label - 1) / math.log2(place + 1) for place, label in enumerate(each[:10], start=1))
        for each in ([labels[document] for document in order], best)
    )
    return own / ideal if ideal > 0 else 0.0


class PlainPages:
    """What one model does, on each page."""

    def __init__(self, data, shown, scores):
        self.values, self.before, self.taus, self.is_reranked, self.ndcg_changes = [], [], [], [], []
        for start, end in zip(data.query_offsets[:-1], data.query_offsets[1:], strict=True):
            labels = data.labels[start:end].tolist()
            old, new = (ranking(np.asarray(each, dtype=np.float64)[start:end].tolist()) for each in (shown, scores))
            self.values.append(average_precision(labels, new))
            self.before.append(average_precision(labels, old))
            self.taus.append(kendall_tau(new, old))
            self.is_reranked.append(new != old)
            self.ndcg_changes.append(ndcg(labels, new) - ndcg(labels, old))

    @property
    def changes(self):
        return [new - old for new, old in zip(self.values, self.before, strict=True)]

    @property
    def loss(self):
        return sum(max(0.0, -change) for change in self.changes) / len(self.changes)

    def columns(self, full):
        """All columns; `full`: the pages of Standard Gain."""
        n, gain, full_gain = len(self.values), np.mean(self.changes), np.mean(full.changes)
        known = [tau for tau in self.taus if not math.isnan(tau)]
        moved = [
            tau for tau, is_moved in zip(self.taus, self.is_reranked, strict=True) if is_moved and not math.isnan(tau)
        ]
        return {
            "n": n,
            "effectiveness": np.mean(self.values),
            "gain": gain,
            "gain_per_reranked": sum(self.changes) / sum(self.is_reranked) if any(self.is_reranked) else math.nan,
            "reranked": sum(self.is_reranked) / n,
            "risk_share": self.loss / full.loss if full.loss > 0 else math.nan,
            "gain_share": gain / full_gain if full_gain > 0 else math.nan,
            "kendall_tau": np.mean(known) if known else math.nan,
            "kendall_tau_reranked": np.mean(moved) if moved else math.nan,
            "p_value": stats.ttest_rel(self.values, self.before).pvalue if np.ptp(self.changes) > 0 else math.nan,
        }
