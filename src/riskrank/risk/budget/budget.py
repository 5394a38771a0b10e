"""A risk budget: what a candidate may lose."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace

from riskrank.errors import ParameterError
from riskrank.parameters import any_number, between, boolean, inside, share
from riskrank.risk.paired import checked_alpha

SEVERE_LOSS = 0.3  # less than what the only relevant document loses from the first rank to the second, by nDCG


NOTHING_SET = (
    "no_significant_loss = false sets no limit, so the default ones would be checked, a significant loss among them. "
    "Set a limit beside it, or leave it out."
)


@dataclass(frozen=True, kw_only=True)
class Budget:
    """Limits on what a candidate may lose; those left None are not checked.

    Parameters
    ----------
    alpha
        Losses weigh 1 + alpha in URisk, in TRisk and in the test of a significant loss: twice, unless said otherwise.
    max_hurt, tolerance
        Limit on the share of topics that are hurt: that lose more than the tolerance.
    max_severe, severe_loss
        Limit on the share of topics whose loss is severe: more than `severe_loss`.
    max_loss
        Limit on the loss of any single topic.
    max_risk
        Limit on the mean loss per topic.
    min_urisk, min_trisk
        Least URisk and TRisk at `alpha`.
    min_gain
        Least mean change.
    max_worse
        Non-inferiority: the mean is at most this much worse than the baseline's, with confidence 1 − `level`.
    no_significant_loss
        URisk at `alpha` must not be significantly below 0.
    level
        Of tests; intervals have the confidence 1 − `level`.
    strict
        A check holds only if it surely does: where its whole interval keeps the limit.
    """

    alpha: float = 1.0
    max_hurt: float | None = None
    tolerance: float = 0.0
    max_severe: float | None = None
    severe_loss: float = SEVERE_LOSS
    max_loss: float | None = None
    max_risk: float | None = None
    min_urisk: float | None = None
    min_trisk: float | None = None
    min_gain: float | None = None
    max_worse: float | None = None
    no_significant_loss: bool = False
    level: float = 0.05
    strict: bool = False

    def __post_init__(self) -> None:
        checked_alpha(self.alpha)
        inside("level", self.level, 0, 1)
        for name in ("max_risk", "max_loss", "max_worse", "tolerance", "severe_loss"):
            if getattr(self, name) is not None:
                between(name, getattr(self, name), 0, math.inf)
        for name in ("min_urisk", "min_trisk", "min_gain"):
            if getattr(self, name) is not None:
                any_number(name, getattr(self, name))
        for name in ("max_hurt", "max_severe"):
            if getattr(self, name) is not None:
                share(name, getattr(self, name))
        boolean("no_significant_loss", self.no_significant_loss)
        boolean("strict", self.strict)
        if self.tolerance and self.max_hurt is None:
            raise ParameterError("tolerance needs max_hurt.", "tolerance", "max_hurt")
        if self.severe_loss != SEVERE_LOSS and self.max_severe is None:
            raise ParameterError("severe_loss needs max_severe.", "severe_loss", "max_severe")

    @property
    def is_empty(self) -> bool:
        """Is no limit set?"""
        limits = [getattr(self, each.name) for each in fields(self) if each.name.startswith(("max_", "min_"))]
        return all(limit is None for limit in limits) and not self.no_significant_loss

    @property
    def is_weighted(self) -> bool:
        """Does any limit depend on `alpha`?"""
        return self.no_significant_loss or self.min_urisk is not None or self.min_trisk is not None

    def or_default(self) -> Budget:
        """This budget or, where it has no limit, the default limits with its alpha, level and strictness."""
        if not self.is_empty:
            return self
        return replace(DEFAULT_BUDGET, alpha=self.alpha, level=self.level, strict=self.strict)


DEFAULT_BUDGET = Budget(max_hurt=0.2, tolerance=0.05, max_severe=0.02, min_urisk=-0.01, no_significant_loss=True)
