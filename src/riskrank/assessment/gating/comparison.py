"""One candidate against one baseline by one measure, with its checks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from riskrank.assessment.gating.budgets.accepted_losses import AcceptedLoss
    from riskrank.assessment.gating.segments import Segment
    from riskrank.data.effectiveness import Effectiveness
    from riskrank.risk.budget.budget import Budget
    from riskrank.risk.budget.check import Check
    from riskrank.risk.intervals import Interval


class BrokenTopic(NamedTuple):
    """A topic that broke a budget, with its scores.

    `n_unjudged` of the candidate's first documents were never judged, though all of the baseline's were: what looks
    like a loss may be none. It is protected where it must not break; `accepted` is what it might have lost.
    """

    topic: str
    score: float
    baseline: float
    n_unjudged: int = 0
    is_protected: bool = False
    accepted: float | None = None

    @property
    def change(self) -> float:
        """What the candidate changes."""
        return self.score - self.baseline


class NamedCheck(NamedTuple):
    """A check, and whose it is; the segment is empty for all topics."""

    comparison: Comparison
    segment: str
    check: Check


@dataclass(frozen=True, eq=False)
class Comparison:
    """One candidate against one baseline by one measure: the checks of all topics, then those of segments.

    `scores` are those of both systems alone. `has_default_limits`: none were given. `accepted` are the losses that were
    known; those `not_accepted` were, too, but are larger than that, or of topics that must not break. `unjudged` are
    the candidate's documents that nobody judged, by topic, where all of the baseline's were. Where there are segments,
    `without_segment` are topics that have none. Where topics have weights, they tell as much as `n_effective` topics of
    equal weight.
    """

    scores: Effectiveness
    candidate: str
    baseline: str
    budget: Budget
    checks: tuple[Check, ...]
    segments: tuple[Segment, ...] = ()
    accepted: tuple[AcceptedLoss, ...] = ()
    not_accepted: tuple[AcceptedLoss, ...] = ()
    unjudged: Mapping[str, int] = field(default_factory=dict)
    has_default_limits: bool = False
    gain: float = 0.0
    gain_interval: Interval = (0.0, 0.0)
    n_effective: float | None = None
    without_segment: tuple[str, ...] = ()

    @property
    def measure(self) -> str:
        """The measure's name."""
        return self.scores.measure

    @property
    def passed(self) -> bool:
        """Do all checks hold, those of segments too?"""
        return all(each.check.holds for each in self.named_checks())

    def named_checks(self) -> Iterator[NamedCheck]:
        """Every check, of all topics first."""
        yield from (NamedCheck(self, "", check) for check in self.checks)
        for segment in self.segments:
            yield from (NamedCheck(self, segment.name, check) for check in segment.checks)

    @property
    def broken_topics(self) -> tuple[BrokenTopic, ...]:
        """The topics that broke the budget: those that must not break, then the others, worst first."""
        return self._topics({position for each in self.named_checks() for position in each.check.topics})

    def topics_of(self, check: Check) -> tuple[BrokenTopic, ...]:
        """The topics that broke one of the checks, worst first."""
        return self._topics(check.topics)

    def _topics(self, positions: Iterable[int]) -> tuple[BrokenTopic, ...]:
        candidate, baseline = self.scores[self.candidate], self.scores[self.baseline]
        protected = {t for check in self.checks if check.name == "protected" for t in check.topics}
        at_most = {each.topic: each.at_most for each in self.not_accepted}
        topics = []
        for t in sorted(positions):
            name = self.scores.topics[t]
            n_unjudged = self.unjudged.get(name, 0)
            scores = float(candidate[t]), float(baseline[t])
            accepted = None if t in protected else at_most.get(name)
            topics.append(BrokenTopic(name, *scores, n_unjudged, t in protected, accepted))
        return tuple(sorted(topics, key=lambda topic: (not topic.is_protected, topic.change)))
