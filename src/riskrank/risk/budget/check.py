"""One limit of a budget, checked."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from riskrank.risk.intervals import Interval

CheckName = Literal[
    "missing", "hurt", "severe", "loss", "risk", "urisk", "trisk", "significance", "gain", "worse", "protected"
]
Sureness = Literal["clearly over", "over, not surely", "within, not surely", "surely within", "not known"]
SLACK = 1e-12  # a loss of exactly 0.3 keeps a limit of 0.3, whatever its last bit says
LOWER_LIMITS: tuple[CheckName, ...] = ("urisk", "trisk", "gain", "worse", "significance")
UNKNOWN: tuple[float, float] = (math.nan, math.nan)


@dataclass(frozen=True)
class Check:
    """One limit of a budget: its name, the limit, the value, and whether it holds; `topics` broke it, worst first.

    `beyond` is the loss from which topics count (hurt, severe), `alpha` that of URisk, TRisk and significance; where a
    test decides there is no limit (NaN) but a `p_value`. `interval` has the `confidence`; `sureness` is what it says,
    None where the value alone can decide (the largest loss, tests, protected topics). If it is not sure, `n_needed`
    topics would make it so, were the value to stay what it is; None where a million would not. `count` is how many
    topics a share stands for.
    """

    name: CheckName
    limit: float
    value: float
    holds: bool
    words: str
    topics: tuple[int, ...]
    alpha: float = 0.0
    beyond: float = 0.0
    p_value: float = math.nan
    interval: Interval = UNKNOWN
    confidence: float = math.nan
    sureness: Sureness | None = None
    n_needed: int | None = None
    count: int | None = None

    @property
    def is_upper(self) -> bool:
        """Is the limit the most that the value may be, rather than the least?"""
        return self.name not in LOWER_LIMITS

    @property
    def is_sure(self) -> bool:
        """Would other topics like these most likely say the same?"""
        return self.sureness in (None, "surely within", "clearly over")


def keeps(value: float, limit: float, *, is_upper: bool) -> bool:
    """Is a value within its limit?"""
    return value <= limit + SLACK if is_upper else value >= limit - SLACK


def sureness_of(value: float, limit: float, interval: Interval, *, is_upper: bool) -> Sureness:
    """What an interval says of a limit.

    >>> sureness_of(0.02, 0.03, (0.01, 0.04), is_upper=True)
    'within, not surely'
    """
    if math.isnan(interval[0]) or math.isnan(interval[1]):
        return "not known"
    ends_kept = [keeps(end, limit, is_upper=is_upper) for end in interval]
    if keeps(value, limit, is_upper=is_upper):
        return "surely within" if all(ends_kept) else "within, not surely"
    return "over, not surely" if any(ends_kept) else "clearly over"
