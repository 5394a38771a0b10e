"""Risk budgets: may this system replace its baseline?"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np

from riskrank.errors import ParameterError
from riskrank.risk.outcomes import risk as mean_loss
from riskrank.risk.paired import checked_alpha, difference, paired
from riskrank.risk.trisk import trisk

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


SLACK = 1e-12  # a loss of exactly 0.3 keeps a limit of 0.3, whatever its last bit says


@dataclass(frozen=True, kw_only=True)
class Budget:
    """Limits on what a candidate may lose; those left None are not checked.

    `max_risk`: mean loss. `min_urisk`, `min_trisk`: URisk and TRisk at `alpha`. `max_hurt`: share of topics
    that lose more than `tolerance`. `max_loss`: loss of any single topic. With no limit at all, the candidate must
    show no significant loss: TRisk at `alpha` must not lie significantly below 0.
    """

    alpha: float = 0.0
    max_risk: float | None = None
    min_urisk: float | None = None
    min_trisk: float | None = None
    max_hurt: float | None = None
    max_loss: float | None = None
    tolerance: float = 0.0
    level: float = 0.05

    def __post_init__(self) -> None:
        checked_alpha(self.alpha)
        for item in fields(self):
            value = getattr(self, item.name)
            if value is not None and not np.isfinite(value):
                raise ParameterError(f"{item.name} must be a finite number, got {value!r}.")
        for name in ("max_risk", "max_hurt", "max_loss", "tolerance"):
            if (getattr(self, name) or 0) < 0:
                raise ParameterError(f"{name} must be at least 0, got {getattr(self, name)!r}.")
        if self.max_hurt is not None and self.max_hurt > 1:
            raise ParameterError(f"max_hurt is a share of topics, from 0 to 1, got {self.max_hurt!r}.")

    @property
    def is_empty(self) -> bool:
        """Is no limit set?"""
        limits = (self.max_risk, self.min_urisk, self.min_trisk, self.max_hurt, self.max_loss)
        return all(limit is None for limit in limits)


@dataclass(frozen=True)
class Check:
    """One limit: its name, the limit, the value found, and whether it holds; `topics` broke it, worst first."""

    name: str
    limit: float
    value: float
    holds: bool
    words: str
    topics: tuple[int, ...]


def check_budget(system: ArrayLike, baseline: ArrayLike, budget: Budget) -> list[Check]:
    """Check each limit of a budget.

    >>> checks = check_budget([0.6, 0.1], [0.5, 0.4], Budget(max_risk=0.1))
    >>> checks[0].holds, round(checks[0].value, 3), checks[0].topics
    (False, 0.15, (1,))
    """
    m, b = paired(system, baseline)
    delta = difference(m, b)
    if not len(delta) or np.isnan(delta).any():
        raise ParameterError("a budget needs at least one topic and no NaN.")
    worst_first = np.argsort(delta, kind="stable")
    hurt = worst_first[delta[worst_first] < 0]
    checks: list[Check] = []

    def add(name: str, limit: float, value: float, holds: bool, words: str, topics: NDArray[np.int64]) -> None:
        checks.append(Check(name, limit, float(value), bool(holds), words, () if holds else tuple(topics.tolist())))

    if budget.max_risk is not None:
        risk = mean_loss(m, b)
        add(
            "risk",
            budget.max_risk,
            risk,
            risk <= budget.max_risk + SLACK,
            f"risk {risk:.4f}, at most {budget.max_risk:g}",
            hurt,
        )
    tested = trisk(m, b, alpha=budget.alpha, level=budget.level)
    at = f"at α = {budget.alpha:g}"
    if budget.min_urisk is not None:
        words = f"URisk {tested.urisk:.4f} {at}, at least {budget.min_urisk:g}"
        add("urisk", budget.min_urisk, tested.urisk, tested.urisk >= budget.min_urisk - SLACK, words, hurt)
    if budget.min_trisk is not None or budget.is_empty:
        limit = -tested.critical_value if budget.min_trisk is None else budget.min_trisk
        if len(delta) < 2:
            raise ParameterError(f"TRisk cannot be checked: {tested.reason}.")
        # Without variation the test has no statistic, but the direction is certain.
        value = (
            tested.statistic if not tested.reason else float(np.sign(tested.urisk)) * np.inf if tested.urisk else 0.0
        )
        shown = f"{tested.statistic:.3f}" if not tested.reason else f"undefined ({tested.reason})"
        words = f"TRisk {shown} {at}, at least {limit:.3f}"
        if budget.is_empty:
            words += f" (no significant loss at p ≤ {budget.level:g})"
        add("trisk", limit, tested.statistic, value >= limit - SLACK, words, hurt)
    if budget.max_hurt is not None:
        too_much = worst_first[delta[worst_first] < -budget.tolerance - SLACK]
        share = len(too_much) / len(delta)
        words = f"{len(too_much)} of {len(delta)} topics hurt ({share:.1%}), at most {budget.max_hurt:.1%}"
        if budget.tolerance:
            words += f" may lose more than {budget.tolerance:g}"
        add("hurt", budget.max_hurt, share, share <= budget.max_hurt + SLACK, words, too_much)
    if budget.max_loss is not None:
        loss = float(np.maximum(0.0, -delta).max())
        words = f"largest loss of a topic {loss:.4f}, at most {budget.max_loss:g}"
        add(
            "loss",
            budget.max_loss,
            loss,
            loss <= budget.max_loss + SLACK,
            words,
            hurt[-delta[hurt] > budget.max_loss + SLACK],
        )
    return checks
