"""A gate: may a candidate replace its baseline?"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from riskrank.assessment.scored_systems import ScoredSystems, score_systems
from riskrank.data.effectiveness import Effectiveness
from riskrank.data.names import is_score_matrix, system_name
from riskrank.data.trec.runs import Run, is_run_dict
from riskrank.errors import AlignmentError, ParameterError, quoted
from riskrank.rendered import Rendered, shown_as, written
from riskrank.risk.budget import Budget, Check, check_budget

if TYPE_CHECKING:
    from collections.abc import Iterable

    from riskrank.typing import JudgmentsLike, MatrixRows, MeasureLike, Missing, PathLike, SystemLike


class BrokenTopic(NamedTuple):
    """A topic that broke a budget, with its scores."""

    topic: str
    score: float
    baseline: float

    @property
    def change(self) -> float:
        """What the candidate changes."""
        return self.score - self.baseline


@dataclass(frozen=True, repr=False)
class GateResult(Rendered):
    """A candidate against its baseline, and the checks of its budget; `scored` has the runs that its page shows."""

    scores: Effectiveness
    candidate: str
    baseline: str
    checks: tuple[Check, ...]
    scored: ScoredSystems | None = field(default=None, compare=False)

    view = "gate"

    @property
    def passes(self) -> bool:
        """Do all checks hold?"""
        return all(check.holds for check in self.checks)

    @property
    def broken_topics(self) -> tuple[BrokenTopic, ...]:
        """The topics that broke the budget, worst first."""
        return self._topics({position for check in self.checks for position in check.topics})

    def topics_of(self, check: Check) -> tuple[BrokenTopic, ...]:
        """The topics that broke one of the checks, worst first."""
        return self._topics(check.topics)

    def _topics(self, positions: Iterable[int]) -> tuple[BrokenTopic, ...]:
        candidate, baseline = self.scores[self.candidate], self.scores[self.baseline]
        topics = [
            BrokenTopic(self.scores.topics[t], float(candidate[t]), float(baseline[t])) for t in sorted(positions)
        ]
        return tuple(sorted(topics, key=lambda topic: topic.change))

    def to_json(self, path: PathLike | None = None) -> str | None:
        """Write all of it as JSON to `path`, or return it without one."""
        return written(shown_as(self, "json"), path)

    def to_junit(self, path: PathLike | None = None) -> str | None:
        """Write JUnit XML to `path`, or return it without one: a test case for each check."""
        return written(shown_as(self, "junit"), path)

    def github_annotations(self, *, limit: int = 20) -> str:
        """Workflow commands that GitHub shows beside a run; of the broken topics, the worst `limit`."""
        return shown_as(self, "github_annotations", limit=limit)


def gate(
    judgments: JudgmentsLike | Effectiveness,
    candidate: SystemLike | Mapping[str, SystemLike],
    baseline: SystemLike | Mapping[str, SystemLike],
    measure: MeasureLike | None = None,
    *,
    alpha: float | None = None,
    max_risk: float | None = None,
    min_urisk: float | None = None,
    min_trisk: float | None = None,
    max_hurt: float | None = None,
    max_loss: float | None = None,
    tolerance: float = 0.0,
    level: float = 0.05,
    missing: Missing | None = None,
    rows: MatrixRows = "auto",
    zero_based: bool = False,
) -> GateResult:
    """May a candidate replace its baseline? Its losses are checked by a budget of risk.

    Parameters
    ----------
    judgments
        What `evaluate` takes; or scores that are there already, as an `Effectiveness` or a CSV, TSV or Parquet file of
        systems × topics.
    candidate, baseline
        A run or scores, as `evaluate` takes them, or ``{name: run}`` to name it; of given scores, a system's name.
    measure
        The measure that counts, by default nDCG@10.
    alpha, max_risk, min_urisk, min_trisk, max_hurt, max_loss, tolerance, level
        The limits of `riskrank.risk.Budget`. Without any, TRisk at `alpha` must show no significant loss.
    missing
        What becomes of topics that a run lacks, as for `evaluate`. By default they score zero, but a baseline that
        lacks any is refused.
    rows, zero_based
        How a file of scores and a LETOR file are read, as by `read_scores` and `read_letor`.

    >>> from riskrank import Effectiveness
    >>> scores = Effectiveness.from_rows({"old": [0.5, 0.4, 0.3], "new": [0.6, 0.1, 0.9]})
    >>> gate(scores, "new", "old", max_risk=0.05).passes
    False
    """
    budget = Budget(
        alpha=0.0 if alpha is None else alpha, max_risk=max_risk, min_urisk=min_urisk, min_trisk=min_trisk,
        max_hurt=max_hurt, max_loss=max_loss, tolerance=tolerance, level=level,
    )  # fmt: skip
    _check_effective(budget, is_weighted=alpha is not None)
    systems, name, base = _pair(judgments, candidate, baseline)
    scored = score_systems(
        judgments, systems, [] if measure is None else [measure], missing=missing or "zero", rows=rows,
        zero_based=zero_based,
    )  # fmt: skip
    scores = scored.first
    _check_comparable(scores, base, name, strict=missing is None)
    return GateResult(scores, name, base, tuple(check_budget(scores[name], scores[base], budget)), scored)


def _pair(
    judgments: JudgmentsLike | Effectiveness,
    candidate: SystemLike | Mapping[str, SystemLike],
    baseline: SystemLike | Mapping[str, SystemLike],
) -> tuple[dict[str, SystemLike], str, str]:
    """The systems that are to be scored (none where scores are given), and the names of candidate and baseline."""
    is_score_file = isinstance(judgments, str | os.PathLike) and is_score_matrix(judgments)
    if is_score_file or isinstance(judgments, Effectiveness):
        if not (isinstance(candidate, str) and isinstance(baseline, str)):
            raise ParameterError("where scores are given, candidate and baseline are names of systems in them.")
        return {}, candidate, baseline
    pair = dict([_named_system(baseline, "baseline"), _named_system(candidate, "candidate")])
    if len(pair) < 2:
        name = quoted(next(iter(pair)))
        raise AlignmentError(f"candidate and baseline are both named {name}. Name them: {{'old': …}}, {{'new': …}}.")
    base, name = pair
    return pair, name, base


def _named_system(system: Any, otherwise: str) -> tuple[str, SystemLike]:
    """A system with its name: the given one, the run's, the file's, or `otherwise`."""
    if isinstance(system, Mapping) and len(system) == 1 and not is_run_dict(system):
        ((name, named),) = system.items()
        return name, named
    if isinstance(system, str | os.PathLike):
        return system_name(system), system
    return (system.name if isinstance(system, Run) else otherwise), system


def _check_effective(budget: Budget, *, is_weighted: bool) -> None:
    """Refuse options that change nothing: whoever gave them expects something else."""
    if is_weighted and budget.min_urisk is None and budget.min_trisk is None and not budget.is_empty:
        raise ParameterError(
            "alpha has no effect on these limits: it weighs losses in URisk and TRisk. "
            "Add min_urisk= or min_trisk=, or leave it out.",
            "alpha",
        )
    if budget.tolerance and budget.max_hurt is None:
        raise ParameterError("tolerance needs max_hurt.", "tolerance", "max_hurt")


def _check_comparable(scores: Effectiveness, baseline: str, candidate: str, *, strict: bool) -> None:
    """Refuse input on which a gate would say nothing, or pass whatever comes."""
    lacking = scores.missing.get(baseline, ())
    if strict and lacking:
        raise AlignmentError(
            f"baseline {quoted(baseline)} lacks {len(lacking)} of {len(scores.topics)} topics "
            f"(first: {quoted(lacking[0])}), on which any candidate passes. "
            "Complete it, or pass missing='zero' or missing='intersect'."
        )
    if not scores[baseline].any() and not scores[candidate].any():
        raise AlignmentError("both systems score 0 on every topic. Do their document ids match the judgments?")
