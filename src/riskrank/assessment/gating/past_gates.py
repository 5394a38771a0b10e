"""Gates as they were, as the lines of a history hold them; read at run time, so without future annotations."""

import math
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, ClassVar, Literal

from riskrank.data.effectiveness import LARGEST_SCORE
from riskrank.errors import ParameterError
from riskrank.files.records import Count, Limits, Number
from riskrank.risk.budget.check import LOWER_LIMITS, keeps

LISTS = ("protected", "missing")  # checks of topics by name


@dataclass(frozen=True)
class PastCheck:
    """A check as it was."""

    has_more: ClassVar[bool] = True

    name: str
    segment: str
    value: Number
    limit: Number
    holds: bool

    def __post_init__(self) -> None:
        _check_scores(self.value, self.limit)

    @property
    def use(self) -> float:
        """The share of the limit that was used: of upper limits value over limit, of lower ones the same below 0.

        A limit of 0 is not used at all, or infinitely; so is any limit by a value that is undefined (TRisk without
        variation). Lists of topics, tests and lower limits above 0 have no use: NaN.
        """
        is_upper, is_undefined = self.name not in LOWER_LIMITS, math.isnan(self.value)
        if self.name in LISTS or not (self.limit >= 0 if is_upper else self.limit <= 0):
            return math.nan
        is_kept = self.holds if is_undefined else keeps(self.value, self.limit, is_upper=is_upper)
        if is_undefined or not self.limit:
            return 0.0 if is_kept else math.inf
        use = max(0.0, self.value / self.limit)
        return min(use, 1.0) if is_kept else use


@dataclass(frozen=True)
class PastComparison:
    """A candidate against a baseline by a measure, as it was; by the means of both, one knows them again."""

    has_more: ClassVar[bool] = True

    candidate: str
    baseline: str
    measure: str
    gain: Number
    n_topics: Count
    checks: tuple[PastCheck, ...]
    candidate_mean: Number
    baseline_mean: Number

    def __post_init__(self) -> None:
        _check_scores(self.gain, self.candidate_mean, self.baseline_mean)


@dataclass(frozen=True)
class PastGate:
    """One verdict: when, what the release was called, and how it went."""

    has_more: ClassVar[bool] = True

    time: datetime
    label: str
    passed: bool
    comparisons: tuple[PastComparison, ...]


@dataclass(frozen=True, kw_only=True)
class PastGateRecord(PastGate):
    """A line of a gate's history."""

    format: Literal["riskrank gate history"]
    version: Annotated[int, Limits(1, 1)] = 1


def _check_scores(*numbers: float) -> None:
    for number in numbers:
        if abs(number) > LARGEST_SCORE:
            raise ParameterError(f"{number:g} is no score.")
