"""Where boosting starts: at nothing, or at the baseline's own scores, so that the first model has no risk at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riskrank.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.data.baseline_scores import BaselineScores
    from riskrank.data.ranking_data import RankingData


def start_scale(baselines: Sequence[BaselineScores], data: RankingData, spread: float) -> float:
    """The factor that gives the one baseline's scores a mean standard deviation of `spread` within queries."""
    if len(baselines) != 1:
        raise ParameterError(f"start='baseline' needs exactly one baseline, got {len(baselines)}.")
    scores = baselines[0].finite_among(data)
    query = data.query_numbers
    sizes = np.diff(data.query_offsets)
    mean = np.bincount(query, weights=scores, minlength=len(sizes)) / sizes
    variance = np.bincount(query, weights=(scores - mean[query]) ** 2, minlength=len(sizes)) / sizes
    deviation = data.everywhere(np.sqrt(variance)).mean()
    if deviation == 0:
        raise ParameterError("start='baseline' needs a baseline that tells documents apart; all its scores are equal.")
    return float(spread / deviation)
