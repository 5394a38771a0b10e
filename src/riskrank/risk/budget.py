"""Risk budgets: may this system replace its baseline?"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from riskrank.errors import ParameterError
from riskrank.parameters import any_number, between, inside, share
from riskrank.risk.outcomes import risk as mean_loss
from riskrank.risk.paired import checked_alpha, difference, paired
from riskrank.risk.trisk import TRisk, trisk

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from riskrank.typing import Floats, Integers


SLACK = 1e-12  # a loss of exactly 0.3 keeps a limit of 0.3, whatever its last bit says


@dataclass(frozen=True, kw_only=True)
class Budget:
    """Limits on what a candidate may lose; those left None are not checked.

    With no limit at all, the candidate must show no significant loss of URisk at `alpha`.

    Parameters
    ----------
    alpha
        Losses weigh 1 + alpha in URisk and TRisk.
    max_risk
        Limit on the mean loss per topic.
    min_urisk, min_trisk
        Least URisk and TRisk at `alpha`.
    max_hurt
        Limit on the share of topics that lose more than `tolerance`.
    max_loss
        Limit on the loss of any single topic.
    tolerance
        A topic counts as hurt when it loses more than this.
    level
        Significance level of the check without limits.
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
        inside("level", self.level, 0, 1)
        for name in ("max_risk", "max_loss", "tolerance"):
            if getattr(self, name) is not None:
                between(name, getattr(self, name), 0, math.inf)
        for name in ("min_urisk", "min_trisk"):
            if getattr(self, name) is not None:
                any_number(name, getattr(self, name))
        if self.max_hurt is not None:
            share("max_hurt", self.max_hurt)

    @property
    def is_empty(self) -> bool:
        """Is no limit set?"""
        limits = (self.max_risk, self.min_urisk, self.min_trisk, self.max_hurt, self.max_loss)
        return all(limit is None for limit in limits)


@dataclass(frozen=True)
class Check:
    """One limit of a budget: its name, the limit, the value, and whether it holds; `topics` broke it, worst first.

    `alpha` is that of URisk and TRisk. Where no limit was set (NaN), TRisk's test decides, by `p_value`.
    """

    name: str
    limit: float
    value: float
    holds: bool
    words: str
    topics: tuple[int, ...]
    alpha: float = 0.0
    p_value: float = math.nan


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
    tested = trisk(m, b, alpha=budget.alpha, level=budget.level)
    checks = []
    if budget.max_risk is not None:
        checks.append(_check_risk(mean_loss(m, b), budget.max_risk, hurt))
    if budget.min_urisk is not None:
        checks.append(_check_urisk(tested, budget.alpha, budget.min_urisk, hurt))
    if budget.min_trisk is not None or budget.is_empty:
        checks.append(_check_trisk(tested, budget, hurt))
    if budget.max_hurt is not None:
        checks.append(_check_hurt(delta, budget.max_hurt, budget.tolerance, hurt))
    if budget.max_loss is not None:
        checks.append(_check_loss(delta, budget.max_loss, hurt))
    return checks


def _check_risk(risk: float, limit: float, hurt: Integers) -> Check:
    return _new_check("risk", limit, risk, risk <= limit + SLACK, f"risk {risk:.4f}, at most {limit:g}", hurt)


def _check_urisk(tested: TRisk, alpha: float, limit: float, hurt: Integers) -> Check:
    words = f"URisk {tested.urisk:.4f} at α = {alpha:g}, at least {limit:g}"
    check = _new_check("urisk", limit, tested.urisk, tested.urisk >= limit - SLACK, words, hurt)
    return replace(check, alpha=alpha)


def _check_trisk(tested: TRisk, budget: Budget, hurt: Integers) -> Check:
    if math.isnan(tested.critical_value):
        raise ParameterError(f"TRisk cannot be checked: {tested.reason}.")
    value, shown = tested.statistic, f"{tested.statistic:.3f}"
    if math.isnan(value):  # without variation the test has no statistic, but the direction is certain
        value = math.copysign(math.inf, tested.urisk) if tested.urisk else 0.0
        shown = f"undefined ({tested.reason})"
    words = f"TRisk {shown} at α = {budget.alpha:g}"
    if budget.min_trisk is not None:
        limit, holds = budget.min_trisk, value >= budget.min_trisk - SLACK
        words += f", at least {limit:.3f}"
    else:
        limit, holds = math.nan, tested.verdict != "significant loss"  # there is none: the test decides
        known = tested.reason if tested.reason and holds else _p_text(tested.p_mirror)
        words += f" ({'no' if holds else 'a'} significant loss: {known})"
    p_value = tested.p_mirror if budget.min_trisk is None else math.nan
    check = _new_check("trisk", limit, tested.statistic, holds, words, hurt)
    return replace(check, alpha=budget.alpha, p_value=p_value)


def _p_text(p: float) -> str:
    return "p < 0.0001" if p < 0.0001 else f"p = {p:.4f}"


def _check_hurt(delta: Floats, limit: float, tolerance: float, hurt: Integers) -> Check:
    too_much = hurt[delta[hurt] < -tolerance - SLACK]
    value = len(too_much) / len(delta)
    words = f"{len(too_much)} of {len(delta)} topics hurt ({value:.1%}), at most {limit:.1%}"
    if tolerance:
        words += f" may lose more than {tolerance:g}"
    return _new_check("hurt", limit, value, value <= limit + SLACK, words, too_much)


def _check_loss(delta: Floats, limit: float, hurt: Integers) -> Check:
    loss = max(0.0, -float(delta.min()))
    words = f"largest loss of a topic {loss:.4f}, at most {limit:g}"
    return _new_check("loss", limit, loss, loss <= limit + SLACK, words, hurt[-delta[hurt] > limit + SLACK])


def _new_check(name: str, limit: float, value: float, holds: bool, words: str, topics: Integers) -> Check:
    return Check(name, limit, value, holds, words, () if holds else tuple(topics.tolist()))
