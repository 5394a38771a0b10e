"""Gates that are spoken of."""

from __future__ import annotations

import riskrank as rr
from riskrank.report.findings.gate_findings import gate_findings

from .changes import OLD, changes

NEW = OLD + changes((30, 0.1), (10, -0.08))  # risk 0.8 / 40 = 0.02, gain 2.2 / 40 = 0.055, a quarter hurt
SCORES = rr.Effectiveness.from_rows({"old": OLD, "new": NEW}, measure="AP")


def compared(scores=SCORES, candidate="new", baseline="old", **options):
    (comparison,) = rr.gate(scores, candidate, baseline, **options).comparisons
    return comparison


def said(**options):
    return gate_findings(compared(**options))


def weighted_gate(weights, **budget):
    scores = rr.Effectiveness.from_rows({"old": [0.5] * 4, "new": [0.1, 0.6, 0.6, 0.6]}, measure="AP")
    return rr.gate(scores, "new", "old", weights=dict(zip(scores.topics, weights, strict=True)), **budget)
