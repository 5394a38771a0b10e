"""What the JSON of an assessment holds; read at run time, so without ``from __future__ import annotations``."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal, Self

from riskrank.data.effectiveness import Unit
from riskrank.errors import ParameterError, listing
from riskrank.files.records import Count, Limits, Number, decode
from riskrank.risk.trisk import Verdict
from riskrank.typing import AggregateName, CorrectionName, JsonValue

TestName = Literal["mirror-shift", "t"]
FORMER_VERDICTS = {"real reward": "significant gain", "real risk": "significant loss"}  # files may hold these words


@dataclass(frozen=True)
class AtAlpha:
    """A system's risk at one weight of losses.

    `p_value` is that of the paper, by Student's t. `p_mirror` holds with few topics (in files of former versions it is
    the other one); `p_holm` and `p_bh` correct it for the systems compared, and the verdict goes by the correction of
    the assessment.
    """

    alpha: float
    urisk: Number
    standard_error: Number
    trisk: Number
    p_value: Number
    p_holm: Number
    p_bh: Number
    verdict: Verdict
    reason: str
    zrisk: Number
    georisk: Number
    p_mirror: Number

    def p_corrected(self, correction: CorrectionName) -> float:
        """The p-value that a verdict goes by."""
        return {"holm": self.p_holm, "bh": self.p_bh, "none": self.p_mirror}[correction]

    @classmethod
    def from_dict(cls, content: dict[str, Any]) -> Self:
        """From plain values, None for NaN."""
        return decode(cls, _alpha_of_today(content), cls.__name__)


@dataclass(frozen=True)
class SystemSummary:
    """One system against the baseline; `intervals` by column name, if asked for.

    `gain_interval` belongs to the test of the gain: it excludes 0 where p ≤ the level, not corrected. `p_grid` has p at
    each alpha of the assessment's grid.
    """

    system: str
    is_baseline: bool
    effectiveness: Number
    geometric_mean: Number
    gain: Number
    risk: Number
    reward: Number
    wins: Count
    losses: Count
    ties: Count
    large_losses: Count
    cvar: Number
    worst_loss: Number
    worst_topic: str | None
    at: tuple[AtAlpha, ...]
    kendall_tau: float | None = None
    reranked: float | None = None
    intervals: Mapping[str, tuple[Number, Number]] = field(default_factory=dict)
    gain_interval: tuple[Number, Number] = (math.nan, math.nan)
    p_grid: tuple[Number, ...] = ()

    @classmethod
    def from_dict(cls, content: dict[str, Any]) -> Self:
        """From plain values, None for NaN where nothing else is meant by it."""
        return decode(cls, _system_of_today(content), cls.__name__)

    def at_alpha(self, alpha: float) -> AtAlpha:
        """The risk at one of the alphas of the assessment."""
        for at in self.at:
            if at.alpha == alpha:
                return at
        raise ParameterError(f"alpha {alpha:g} was not assessed, only {listing(f'{at.alpha:g}' for at in self.at)}.")


@dataclass(frozen=True)
class AssessmentRecord:
    """An assessment; what it lacks of this is what files of former versions lack."""

    has_more: ClassVar[bool] = True

    measure: str
    description: str
    aggregate: AggregateName
    baseline: str
    alphas: tuple[float, ...]
    level: Annotated[float, Limits(0, 1)]
    cvar_share: Annotated[float, Limits(0, 1)]
    confidence: float | None
    systems: tuple[SystemSummary, ...]
    topics: tuple[str, ...]
    topics_without_relevant: tuple[str, ...]
    missing_topics: dict[str, tuple[str, ...]]
    ties_at_cutoff: dict[str, Count]
    dropped_topics: tuple[str, ...]
    scores: dict[str, list[Number]]
    baseline_scores: list[Number]
    unjudged: dict[str, Number] = field(default_factory=dict)
    left_out_without_relevant: tuple[str, ...] = ()
    unit: Unit = "topic"
    correction: CorrectionName = "none"
    population: tuple[str, ...] | None = None
    test: TestName = "t"
    grid: tuple[float, ...] | None = None
    baseline_systems: tuple[str, ...] | None = None
    weights: list[Annotated[float, Limits(0, 1e300)]] | None = None
    n_effective: float | None = None
    topics_without_weight: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.weights is not None and (len(self.weights) != len(self.topics) or not any(self.weights)):
            raise ParameterError(f"weights: must be {len(self.topics)}, one for each topic, and not all 0.")
        if any(len(row) != len(self.topics) for row in (self.baseline_scores, *self.scores.values())):
            raise ParameterError(f"scores: must be {len(self.topics)} of each system, one for each topic.")
        if not 0 < self.level < 1:
            raise ParameterError(f"level must lie between 0 and 1, got {self.level!r}.", "level")


def assessment_of_today(content: JsonValue) -> JsonValue:
    """What a file says, in the words of today."""
    if not isinstance(content, dict) or not isinstance(content.get("systems"), list):
        return content
    return {**content, "systems": [_system_of_today(each) for each in content["systems"]]}


def _system_of_today(content: JsonValue) -> JsonValue:
    if not isinstance(content, dict) or not isinstance(content.get("at"), list):
        return content
    at = [_alpha_of_today(each) for each in content["at"]]
    p_values = [each.get("p_mirror") if isinstance(each, dict) else None for each in at]
    return {"p_grid": p_values, **content, "at": at}


def _alpha_of_today(content: JsonValue) -> JsonValue:
    if not isinstance(content, dict):
        return content
    verdict = content.get("verdict")
    known = FORMER_VERDICTS.get(verdict, verdict) if isinstance(verdict, str) else verdict
    return {"p_mirror": content.get("p_value"), **content, "verdict": known}
