"""What the JSON of a gate holds; read at run time, so without future annotations."""

import math
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Literal

from riskrank.assessment.gating.budgets.accepted_losses import AcceptedLoss
from riskrank.data.effectiveness import LARGEST_SCORE, Unit
from riskrank.errors import ParameterError
from riskrank.files.records import Count, Limits, Number, Words
from riskrank.risk.budget.budget import Budget
from riskrank.risk.budget.check import CheckName, Sureness
from riskrank.typing import AggregateName

PathText = Annotated[str, Words(r"[^\x00]*", "a path")]
Score = Annotated[float, Limits(-LARGEST_SCORE, LARGEST_SCORE)]


@dataclass(frozen=True)
class CheckRecord:
    """One limit of a budget, checked; `topics` broke it."""

    name: CheckName
    limit: Number
    value: Number
    holds: bool
    words: str
    topics: tuple[str, ...]
    alpha: Number = 0.0
    beyond: Number = 0.0
    p_value: Number = math.nan
    interval: tuple[Number, Number] = (math.nan, math.nan)
    confidence: Number = math.nan
    sureness: Sureness | None = None
    n_needed: Count | None = None
    count: Count | None = None


@dataclass(frozen=True)
class SegmentRecord:
    """Some topics and their checks."""

    name: str
    topics: tuple[str, ...]
    has_budget: bool
    pooled: tuple[str, ...]
    unchecked: str
    checks: tuple[CheckRecord, ...]


@dataclass(frozen=True)
class BrokenTopicRecord:
    """A topic that broke a limit."""

    has_more: ClassVar[bool] = True

    topic: str
    n_unjudged: Count


@dataclass(frozen=True)
class ComparisonRecord:
    """A candidate against a baseline by a measure."""

    has_more: ClassVar[bool] = True

    candidate: str
    baseline: str
    measure: str
    has_default_limits: bool
    gain: Score
    gain_interval: tuple[Number, Number]
    budget: Budget
    checks: tuple[CheckRecord, ...]
    segments: tuple[SegmentRecord, ...]
    accepted: tuple[AcceptedLoss, ...]
    broken_topics: tuple[BrokenTopicRecord, ...]
    unit: Unit
    description: str
    topics: tuple[str, ...]
    candidate_scores: list[Score]
    baseline_scores: list[Score]
    not_accepted: tuple[AcceptedLoss, ...] = ()
    n_effective: Annotated[float, Limits(0, 2**53)] | None = None
    without_segment: tuple[str, ...] = ()
    aggregate: AggregateName = "mean"
    topics_without_relevant: tuple[str, ...] = ()
    missing_topics: dict[str, tuple[str, ...]] = field(default_factory=dict)
    ties_at_cutoff: dict[str, Count] = field(default_factory=dict)
    dropped_topics: tuple[str, ...] = ()
    left_out_without_relevant: tuple[str, ...] = ()
    unjudged: dict[str, Number] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not len(self.candidate_scores) == len(self.baseline_scores) == len(self.topics):
            raise ParameterError(f"scores: must be {len(self.topics)} of each system, one for each topic.")
        checks = [*self.checks, *(check for segment in self.segments for check in segment.checks)]
        named = [*(check.topics for check in checks), *(segment.topics for segment in self.segments)]
        named.append(self.without_segment)
        if not set(self.topics).issuperset(topic for topics in named for topic in topics):
            raise ParameterError("topics of checks and segments must be among the topics.")


@dataclass(frozen=True)
class KeyLineRecord:
    """The line on which a key of a budget file stands, or the head of a table."""

    key: tuple[str, ...]
    line: Annotated[int, Limits(1, 2**31)]


@dataclass(frozen=True)
class BudgetFileRecord:
    """The budget file, for formats that point to a line of it."""

    path: PathText
    lines: tuple[KeyLineRecord, ...]


@dataclass(frozen=True)
class GateRecord:
    """A gate."""

    has_more: ClassVar[bool] = True

    format: Literal["riskrank gate"]
    version: Annotated[int, Limits(2, 2)]
    comparisons: tuple[ComparisonRecord, ...]
    budget_file: BudgetFileRecord | None = None
    judgments_path: PathText = ""
