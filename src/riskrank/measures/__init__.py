"""Effectiveness measures, one per file; importing this package registers them."""

from riskrank.measures import (
    ap,
    bpref,
    dcg,
    err,
    geometric_mean,
    ndcg,
    pair_accuracy,
    precision,
    rbp,
    recall,
    rr,
    success,
)
from riskrank.measures.measure import MEASURES, Measure, parse_measure, register

__all__ = ["MEASURES", "Measure", "parse_measure", "register"]

_ = (ap, bpref, dcg, err, geometric_mean, ndcg, pair_accuracy, precision, rbp, recall, rr, success)
