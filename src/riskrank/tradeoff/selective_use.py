"""Selective use of a model: what it gains and risks when a predictor of the query says where to use it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypedDict

import numpy as np

from riskrank.parameters import one_of
from riskrank.tradeoff.curves import area
from riskrank.typing import SIDES

if TYPE_CHECKING:
    from riskrank.tradeoff.judged_queries import JudgedQueries
    from riskrank.typing import Booleans, Floats, SideName


class SelectiveCurve(TypedDict):
    """For each threshold: the share of queries that the model ranks, its risk and gain, and the share re-ranked."""

    predictor: str
    apply: SideName
    threshold: Floats
    share: Floats
    risk: Floats
    gain: Floats
    reranked: Floats


def uses(predicted: Floats, thresholds: Floats, side: SideName) -> Booleans:
    """Thresholds × queries: is the model used?"""
    one_of("apply", side, SIDES)
    return predicted > thresholds[:, None] if side == "above" else predicted < thresholds[:, None]


def selective_curve(
    judged: JudgedQueries, model: int, predictor: str, thresholds: Floats, side: SideName
) -> SelectiveCurve:
    """A model used only on one side of each threshold of a predictor, else the baseline."""
    delta, reranked = judged.weighted_changes[model], judged.weigh(judged.is_reranked[model])
    use = uses(judged.predictors[predictor], thresholds, side)
    return {
        "predictor": predictor,
        "apply": side,
        "threshold": thresholds,
        "share": judged.weigh(use).mean(axis=1),
        "risk": (use * np.maximum(0.0, -delta)).mean(axis=1),
        "gain": (use * delta).mean(axis=1),
        "reranked": (use * reranked).mean(axis=1),
    }


def better_side(judged: JudgedQueries, model: int, predictor: str, thresholds: Floats) -> SideName:
    """The side with the larger area, or the better best point where the model used everywhere gains nothing."""
    whole = {"reference_cost": float(judged.risk[model]), "reference_gain": float(judged.gain[model])}

    def merit(side: SideName) -> tuple[float, float]:
        curve = selective_curve(judged, model, predictor, thresholds, side)
        value = area(curve["risk"], curve["gain"], **whole)
        return (-1.0 if math.isnan(value) else value, float(curve["gain"].max()))

    return max(SIDES, key=merit)
