"""What a gate says: comparisons with their checks."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from riskrank.rendered import Rendered, shown_as, written

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from riskrank.assessment.gating.accepted_losses import AcceptedLoss
    from riskrank.assessment.gating.key_lines import KeyLines
    from riskrank.assessment.gating.segments import Segment
    from riskrank.assessment.scored_systems import ScoredSystems
    from riskrank.data.effectiveness import Effectiveness
    from riskrank.risk.budget.budget import Budget
    from riskrank.risk.budget.check import Check
    from riskrank.risk.intervals import Interval
    from riskrank.typing import PathLike


class BrokenTopic(NamedTuple):
    """A topic that broke a budget, with its scores.

    `n_unjudged` of the candidate's first documents were never judged, though all of the baseline's were: what looks
    like a loss may be none.
    """

    topic: str
    score: float
    baseline: float
    n_unjudged: int = 0

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

    `accepted` are the losses that were known, `unjudged` the candidate's documents that nobody judged, by topic, where
    all of the baseline's were.
    """

    scores: Effectiveness
    candidate: str
    baseline: str
    budget: Budget
    checks: tuple[Check, ...]
    segments: tuple[Segment, ...] = ()
    accepted: tuple[AcceptedLoss, ...] = ()
    unjudged: Mapping[str, int] = field(default_factory=dict)
    gain: float = 0.0
    gain_interval: Interval = (0.0, 0.0)

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
        """The topics that broke the budget, worst first."""
        return self._topics({position for each in self.named_checks() for position in each.check.topics})

    def topics_of(self, check: Check) -> tuple[BrokenTopic, ...]:
        """The topics that broke one of the checks, worst first."""
        return self._topics(check.topics)

    def _topics(self, positions: Iterable[int]) -> tuple[BrokenTopic, ...]:
        candidate, baseline = self.scores[self.candidate], self.scores[self.baseline]
        topics = []
        for t in sorted(positions):
            name = self.scores.topics[t]
            topics.append(BrokenTopic(name, float(candidate[t]), float(baseline[t]), self.unjudged.get(name, 0)))
        return tuple(sorted(topics, key=lambda topic: topic.change))


@dataclass(frozen=True, repr=False, eq=False)
class GateResult(Rendered):
    """Candidates against their baselines, and the checks of their budget; `scored` has the runs that its page shows.

    `budget_lines` are those of the budget file and `judgments_path` is where judgments are, for formats that point to a
    line of a file; without files, there are none.

    There is a comparison for each candidate, baseline and measure. What is said of *the* comparison (`candidate`,
    `scores`, `broken_topics` …) is of the first one that fails, or else of the first.
    """

    comparisons: tuple[Comparison, ...]
    scored: ScoredSystems | None = field(default=None, compare=False)
    budget_lines: KeyLines | None = field(default=None, compare=False)
    judgments_path: str = field(default="", compare=False)

    view = "gate"

    @property
    def passed(self) -> bool:
        """Do all checks of all comparisons hold?"""
        return all(each.passed for each in self.comparisons)

    @property
    def passes(self) -> bool:
        """Deprecated: `passed`."""
        warnings.warn("GateResult.passes is called passed.", DeprecationWarning, stacklevel=2)
        return self.passed

    @property
    def checks(self) -> tuple[Check, ...]:
        """Every check, also of segments."""
        return tuple(each.check for each in self.named_checks())

    def named_checks(self) -> Iterator[NamedCheck]:
        """Every check, with whose it is."""
        for comparison in self.comparisons:
            yield from comparison.named_checks()

    @property
    def comparison(self) -> Comparison:
        """The first that fails, or else the first."""
        return next((each for each in self.comparisons if not each.passed), self.comparisons[0])

    @property
    def scores(self) -> Effectiveness:
        """Of the comparison."""
        return self.comparison.scores

    @property
    def candidate(self) -> str:
        """Of the comparison."""
        return self.comparison.candidate

    @property
    def baseline(self) -> str:
        """Of the comparison."""
        return self.comparison.baseline

    @property
    def broken_topics(self) -> tuple[BrokenTopic, ...]:
        """Of the comparison: the topics that broke the budget, worst first."""
        return self.comparison.broken_topics

    def topics_of(self, check: Check) -> tuple[BrokenTopic, ...]:
        """The topics that broke one of the checks, worst first."""
        owner = next((each.comparison for each in self.named_checks() if each.check is check), self.comparison)
        return owner.topics_of(check)

    def to_json(self, path: PathLike | None = None) -> str | None:
        """Write all of it as JSON to `path`, or return it without one; `from_json` reads it back."""
        from riskrank.assessment.gating.gate_json import gate_json

        return written(gate_json(self), path)

    @classmethod
    def from_json(cls, source: PathLike) -> GateResult:
        """What `to_json` wrote, from a file or its text."""
        from riskrank.assessment.gating.gate_json import read_gate

        return read_gate(source)

    def to_junit(self, path: PathLike | None = None) -> str | None:
        """Write JUnit XML to `path`, or return it without one: a test case for each check."""
        return written(shown_as(self, "junit"), path)

    def to_sarif(self, path: PathLike | None = None) -> str | None:
        """Write SARIF 2.1 to `path`, or return it without one: a result for each broken check and topic."""
        return written(shown_as(self, "sarif"), path)

    def to_gitlab(self, path: PathLike | None = None) -> str | None:
        """Write GitLab's code-quality JSON to `path`, or return it without one."""
        return written(shown_as(self, "gitlab"), path)

    def to_markdown(self, path: PathLike | None = None) -> str | None:
        """Write Markdown to `path`, or return it without one: the checklist, for a job's summary or a pull request."""
        return written(shown_as(self, "markdown"), path)

    def github_annotations(self) -> str:
        """Workflow commands that GitHub shows beside a run; it shows 10 of a kind, so the last one counts the rest."""
        return shown_as(self, "github_annotations")
