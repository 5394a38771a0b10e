"""Which models of a sweep are shown to fit a budget, and by which queries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riskrank.report.findings.words import counted
from riskrank.tradeoff.risk_control.guarantee import held_out_queries

if TYPE_CHECKING:
    from riskrank.tradeoff.operating_point import OperatingPoint
    from riskrank.tradeoff.sweep import Sweep


def budget_states(point: OperatingPoint) -> list[str]:
    """Is each model, used always, shown to fit the budget? Empty without a guarantee."""
    if point.control is None:
        return [""] * len(point.sweep)
    budget = point.control.budget
    return [
        "fits" if i in point.safe else "over" if lost > budget else "unclear"
        for i, lost in enumerate(model_losses(point))
    ]


def model_losses(point: OperatingPoint) -> list[float]:
    """What each model, used always, loses on the queries that test a budget; or the share that it hurts too much."""
    losses: list[float] = held_out_queries(point.sweep)[1].losses(point.hurt_beyond).mean(axis=1).tolist()
    return losses


def point_loss(point: OperatingPoint) -> float:
    """The same of a point that has a model."""
    held_out = held_out_queries(point.sweep)[1]
    return float((point.share_used(held_out) * held_out.losses(point.hurt_beyond)[point.index]).mean())


def tested_queries(point: OperatingPoint) -> str:
    """The queries that a guarantee was tested on.

    They are named by what they are, as test queries are.
    """
    n_queries = 0 if point.control is None else point.control.n_queries
    return counted(n_queries, f"{held_out_queries(point.sweep)[0]} query")


def controlled(point: OperatingPoint) -> str:
    """What a guarantee bounds."""
    return "mean loss" if point.hurt_beyond is None else f"share that loses more than {point.hurt_beyond:g}"


def not_shown_to_fit(sweep: Sweep, point: OperatingPoint | None) -> list[int]:
    """Models that are within the budget on test queries, but not shown to be by the queries that test it."""
    if point is None or point.control is None:
        return []
    within = sweep.test.losses(point.hurt_beyond).mean(axis=1) <= point.control.budget
    return [i for i, state in enumerate(budget_states(point)) if within[i] and state != "fits"]
