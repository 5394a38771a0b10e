"""What a gate says: comparisons with their checks."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from riskrank.rendered import Rendered, shown_as, written

if TYPE_CHECKING:
    from collections.abc import Iterator

    from riskrank.assessment.gating.budgets.key_lines import KeyLines
    from riskrank.assessment.gating.comparison import BrokenTopic, Comparison, NamedCheck
    from riskrank.assessment.scored_systems import ScoredSystems
    from riskrank.data.effectiveness import Effectiveness
    from riskrank.risk.budget.check import Check
    from riskrank.typing import PathLike


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
        """Of the comparison: the topics that broke the budget, worst first, after those that must not break."""
        return self.comparison.broken_topics

    def topics_of(self, check: Check) -> tuple[BrokenTopic, ...]:
        """The topics that broke one of the checks, worst first."""
        owner = next((each.comparison for each in self.named_checks() if each.check is check), self.comparison)
        return owner.topics_of(check)

    def to_json(self, path: PathLike | None = None) -> str | None:
        """Write all of it as JSON to `path`, or return it without one; `from_json` reads it back."""
        from riskrank.assessment.gating.gate_json import SavedGate, gate_to_json

        return written(gate_to_json(SavedGate(self.comparisons, self.budget_lines, self.judgments_path)), path)

    @classmethod
    def from_json(cls, source: PathLike) -> GateResult:
        """What `to_json` wrote, from a file or its text; the runs are not in it."""
        from riskrank.assessment.gating.gate_json import read_gate_json

        saved = read_gate_json(source)
        return cls(saved.comparisons, budget_lines=saved.budget_lines, judgments_path=saved.judgments_path)

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
