"""The measures that come with riskrank, one per file; importing this package registers them."""

from riskrank.measures.standard import (
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

__all__ = [
    "ap",
    "bpref",
    "dcg",
    "err",
    "geometric_mean",
    "ndcg",
    "pair_accuracy",
    "precision",
    "rbp",
    "recall",
    "rr",
    "success",
]
