"""Intervals for what a system is by itself: its effectiveness, and how far its rankings are from the baseline's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riskrank.data.effectiveness import GEOMETRIC_FLOOR, LARGEST_SCORE
from riskrank.risk.inference.shares import wilson
from riskrank.risk.inference.student_t import exponentials, mean_interval

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from riskrank.assessment.rank_changes import RankChange
    from riskrank.risk.intervals import Interval
    from riskrank.typing import Floats


def system_intervals(
    scores: Floats, aggregate: str, confidence: float, change: RankChange | None, weights: Floats | None = None
) -> dict[str, Interval]:
    """By column name: Student's t for means, geometric ones on the logarithmic scale, Wilson's for shares."""
    scores = np.where(np.abs(scores) <= LARGEST_SCORE, scores, np.nan)
    logarithms = np.log(np.maximum(scores, GEOMETRIC_FLOOR))
    geometric = _bounded(exponentials(*mean_interval(logarithms, confidence, weights)), scores)
    named = {"geometric_mean": geometric}
    arithmetic = _bounded(mean_interval(scores, confidence, weights), scores)
    named["effectiveness"] = geometric if aggregate == "geometric" else arithmetic
    if change is not None:
        low, high = mean_interval(_known_values(change.tau_per_topic), confidence)
        named["kendall_tau"] = (max(low, -1.0), min(high, 1.0))
        reranked = _known_values(change.is_reranked)
        named["reranked"] = wilson(int(reranked.sum()), len(reranked), confidence)
    return named


def _bounded(interval: Interval, scores: Floats) -> Interval:
    """Of a mean, which lies between 0 and 1 where all scores do."""
    low, high = interval
    return (max(low, 0.0), min(high, 1.0)) if ((scores >= 0) & (scores <= 1)).all() else interval


def _known_values(values: ArrayLike) -> Floats:
    numbers = np.asarray(values, dtype=np.float64)
    return numbers[~np.isnan(numbers)]
