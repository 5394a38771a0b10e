"""Limits that a measure cannot reach: they would pass, or stop, whatever comes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from riskrank.errors import ParameterError
from riskrank.measures.parse import parse_measure

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from riskrank.assessment.gating.budgets.gate_budget import GateBudget
    from riskrank.risk.budget.budget import Budget
    from riskrank.typing import MeasureLike

LOSSES = ("max_loss", "max_risk", "max_worse", "tolerance", "severe_loss")


def check_reach(terms: GateBudget, measures: Sequence[MeasureLike], *, given: Collection[str]) -> None:
    """Refuse limits beyond what a measure can change, at their line of the file, unless they were `given` instead."""
    for measure in map(parse_measure, measures):
        name, largest = str(measure), measure.inner.largest
        tables = [(("measure", name) if name in terms.by_measure else ("limits",), terms.own_limits(name))]
        tables += [(("segment", segment), limits) for segment, limits in terms.by_segment.items()]
        for table, limits in tables:
            key, problem = _out_of_reach(limits, largest)
            if key:
                reach = f"{name} is from 0 to {largest:g}"
                error = ParameterError(f"{key} = {getattr(limits, key):g} {problem}: {reach}.", key)
                raise error if key in given and table[0] != "segment" else terms.located(error, *table, key)


def _out_of_reach(limits: Budget, largest: float) -> tuple[str, str]:
    """The first limit that no candidate can come to, and what it does."""
    least = {"min_gain": -largest, "min_urisk": -(1 + limits.alpha) * largest}
    for key in (*LOSSES, *least):
        value = getattr(limits, key)
        if value is None or math.isinf(largest):
            continue
        if value > largest and key in least:
            return key, "stops everything"
        if value > largest or value < least.get(key, -math.inf):
            return key, "checks nothing"
    return "", ""
