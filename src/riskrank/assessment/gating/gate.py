"""A gate: may a candidate replace its baseline?"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from riskrank.assessment.gating.budgets.gate_budget import INHERITED, GateBudget
from riskrank.assessment.gating.comparison import Comparison
from riskrank.assessment.gating.gate_result import GateResult
from riskrank.assessment.gating.segments import CheckedSegments, group_topics
from riskrank.assessment.gating.unjudged import unjudged_only_in
from riskrank.assessment.scored_systems import score_systems
from riskrank.data.effectiveness import Effectiveness
from riskrank.data.names import is_score_matrix, system_name
from riskrank.data.tables.topic_columns import read_topic_numbers, read_topic_texts
from riskrank.data.trec.runs import Run, is_run_dict
from riskrank.errors import AlignmentError, ParameterError, counted, first_duplicate, listing, nearest, quoted
from riskrank.measures.measure import Measure
from riskrank.risk.budget.budget import DEFAULT_BUDGET, Budget
from riskrank.risk.budget.check import Check
from riskrank.risk.budget.check_budget import check_budget
from riskrank.risk.budget.weighted_changes import WeightedChanges
from riskrank.risk.inference.mirror_shift import GAIN

if TYPE_CHECKING:
    from datetime import date

    from riskrank.assessment.gating.budgets.accepted_losses import AcceptedLoss
    from riskrank.assessment.gating.segments import Segment
    from riskrank.assessment.scored_systems import ScoredSystems
    from riskrank.typing import (
        Floats,
        JudgmentsLike,
        LimitOptions,
        MatrixRows,
        MeasureLike,
        Missing,
        PathLike,
        SystemLike,
        TopicColumnLike,
    )

    Contenders = SystemLike | Mapping[str, SystemLike] | Sequence[PathLike]

CONFIDENCE = 0.95  # of the interval of the gain


def gate(
    judgments: JudgmentsLike | Effectiveness,
    candidate: Contenders,
    baseline: Contenders,
    measure: MeasureLike | Sequence[MeasureLike] | None = None,
    *,
    budget: GateBudget | Budget | PathLike | None = None,
    segments: TopicColumnLike | None = None,
    weights: TopicColumnLike | None = None,
    must_not_break: Sequence[str] | None = None,
    accepted: Sequence[AcceptedLoss] | None = None,
    today: date | None = None,
    missing: Missing | None = None,
    rows: MatrixRows = "auto",
    zero_based: bool = False,
    **limits: Unpack[LimitOptions],
) -> GateResult:
    """May a candidate replace its baseline? Its losses are checked by a budget of risk.

    Parameters
    ----------
    judgments
        What `evaluate` takes; or scores that are there already, as an `Effectiveness` or a CSV, TSV or Parquet file of
        systems × topics.
    candidate, baseline
        A run or scores, as `evaluate` takes them; ``{name: run}`` to name it, or several; of given scores, the names of
        systems. Every candidate is held against every baseline.
    measure
        The measure that counts, by default nDCG@10, or several, each with checks of its own.
    budget
        A budget file (docs/gate.md), or what it would say. Other parameters come before it.
    segments, weights, must_not_break, accepted
        As in `GateBudget`.
    today
        The day on which accepted losses may have expired.
    missing
        What becomes of topics that a run lacks, as for `evaluate`. By default a candidate that lacks any fails, and a
        baseline that lacks any is refused.
    rows, zero_based
        How a file of scores and a LETOR file are read, as by `read_scores` and `read_letor`.
    limits
        Those of `riskrank.risk.Budget`: ``max_hurt=0.1, max_loss=0.3``. Without any, those of `DEFAULT_BUDGET`.

    >>> from riskrank import Effectiveness
    >>> scores = Effectiveness.from_rows({"old": [0.5, 0.4, 0.3], "new": [0.6, 0.1, 0.9]})
    >>> gate(scores, "new", "old", max_risk=0.05).passed
    False
    """
    terms = _terms(budget, {name: value for name, value in limits.items() if value is not None})
    terms = _with_topics(terms, segments, weights, must_not_break, accepted)
    _check_days(terms, today or datetime.now(UTC).date())
    systems, candidates, baselines = _contenders(judgments, candidate, baseline)
    wanted = [measure] if isinstance(measure, str | Measure) else list(measure or terms.measures)
    scored = score_systems(judgments, systems, wanted, missing=missing or "zero", rows=rows, zero_based=zero_based)
    compared = _Comparing.by(terms, scored, refuses_gaps=missing is None).all(candidates, baselines)
    judgments_path = os.fspath(judgments) if isinstance(judgments, str | os.PathLike) else ""
    return GateResult(compared, scored, terms.lines, judgments_path)


@dataclass(frozen=True)
class _Comparing:
    """What all comparisons share; `refuses_gaps`: runs must answer all topics."""

    scored: ScoredSystems
    terms: GateBudget
    segment_of: Mapping[str, str]
    weight_of: Mapping[str, float]
    refuses_gaps: bool

    @classmethod
    def by(cls, terms: GateBudget, scored: ScoredSystems, *, refuses_gaps: bool) -> _Comparing:
        """What a budget says of topics, read and checked."""
        known = scored.first.topics
        for topic in terms.must_not_break:
            if topic not in known:
                problem = AlignmentError(f"must_not_break: no topic {quoted(topic)}.{nearest(topic, known)}")
                raise terms.located(problem, "must_not_break")
        for position, loss in enumerate(terms.accepted):
            if loss.topic not in known:
                problem = AlignmentError(f"accepted: no topic {quoted(loss.topic)}.{nearest(loss.topic, known)}")
                raise terms.located(problem, "accepted", position, "topic")
        if terms.by_segment and terms.segments is None:
            name = next(iter(terms.by_segment))
            raise terms.located(ParameterError("limits of a segment need segments=.", "segments"), "segment", name)
        segment_of = {} if terms.segments is None else read_topic_texts(terms.segments)
        weight_of = {} if terms.weights is None else read_topic_numbers(terms.weights)
        lacking = [topic for topic in known if topic not in weight_of]
        if terms.weights is not None and lacking:
            raise AlignmentError(
                f"weights: {len(lacking)} of {len(known)} topics have none: {listing(lacking, limit=3)}."
            )
        return cls(scored, terms, segment_of, weight_of, refuses_gaps)

    def all(self, candidates: Sequence[str], baselines: Sequence[str]) -> tuple[Comparison, ...]:
        """Each candidate against each baseline by each measure."""
        scores = self.scored.scores.values()
        return tuple(self.compare(each, new, old) for new in candidates for old in baselines for each in scores)

    def compare(self, scores: Effectiveness, candidate: str, baseline: str) -> Comparison:
        """One candidate against one baseline by one measure."""
        _check_comparable(scores, baseline, candidate, refuses_gaps=self.refuses_gaps)
        system, base, limits = scores[candidate], scores[baseline], self.terms.limits_for(scores.measure)
        weights = np.array([self.weight_of[topic] for topic in scores.topics]) if self.weight_of else None
        changes = WeightedChanges.of(system, base, weights)
        accepted = self._accepted(scores, changes.delta)
        is_accepted = np.isin(scores.topics, [each.topic for each in accepted])
        checks = [
            *(_missing_check(scores, candidate) if self.refuses_gaps else ()),
            *check_budget(system, base, limits, weights=weights, accepted=is_accepted, unit=scores.unit),
            *self._protected_check(scores, changes.delta),
        ]
        segments: tuple[Segment, ...] = ()
        if self.segment_of:
            fewest, own = self.terms.fewest_in_segment, self.terms.by_segment
            self._check_segments(scores)
            groups = group_topics(scores.topics, self.segment_of, fewest=fewest, own=list(own))
            checking = CheckedSegments(system, base, limits, own, weights, is_accepted, fewest, scores.unit)
            segments = checking.segments(groups)
        comparison = Comparison(
            scores, candidate, baseline, limits, tuple(checks), segments, accepted,
            has_default_limits=self.terms.own_limits(scores.measure).is_empty, gain=float(changes.weighted.mean()),
            gain_interval=changes.interval(GAIN, CONFIDENCE),
        )  # fmt: skip
        broken = [topic.topic for topic in comparison.broken_topics]
        unjudged = unjudged_only_in(self.scored, candidate, baseline, broken, measure=scores.measure)
        return replace(comparison, unjudged=unjudged)

    def _check_segments(self, scores: Effectiveness) -> None:
        """Refuse limits of a segment that no topic is in."""
        known = {self.segment_of.get(topic, "") for topic in scores.topics} - {""}
        for name in self.terms.by_segment:
            if name not in known:
                problem = AlignmentError(f"segment {quoted(name)} has no {scores.unit}.{nearest(name, known)}")
                raise self.terms.located(problem, "segment", name)

    def _accepted(self, scores: Effectiveness, delta: Floats) -> tuple[AcceptedLoss, ...]:
        """The losses that are there and were accepted."""
        change = dict(zip(scores.topics, delta.tolist(), strict=True))
        return tuple(each for each in self.terms.accepted if each.covers(change.get(each.topic, 0.0)))

    def _protected_check(self, scores: Effectiveness, delta: Floats) -> list[Check]:
        """Topics that may not lose anything, accepted or not."""
        if not self.terms.must_not_break:
            return []
        is_lost = np.isin(scores.topics, self.terms.must_not_break) & (delta < 0)
        positions = np.flatnonzero(is_lost)
        worst_first = positions[np.argsort(delta[positions], kind="stable")]
        n_protected = len(set(self.terms.must_not_break))
        words = f"{len(worst_first)} of {counted(n_protected, scores.unit)} that must not break"
        topics = tuple(worst_first.tolist())
        return [Check("protected", 0.0, float(len(topics)), not topics, f"{words}: at most none", topics)]


def _missing_check(scores: Effectiveness, candidate: str) -> list[Check]:
    """A candidate that lacks topics fails."""
    lacking = scores.missing.get(candidate, ())
    if not lacking:
        return []
    words = f"no results for {len(lacking)} of {counted(len(scores.topics), scores.unit)}: {listing(lacking, limit=5)}"
    positions = np.flatnonzero(np.isin(scores.topics, lacking))
    return [Check("missing", 0.0, float(len(lacking)), False, words, tuple(positions.tolist()))]


def _check_days(terms: GateBudget, today: date) -> None:
    for position, loss in enumerate(terms.accepted):
        try:
            loss.check_day(today)
        except ParameterError as error:
            raise terms.located(error, "accepted", position, "until") from None


def _terms(budget: GateBudget | Budget | PathLike | None, limits: dict[str, Any]) -> GateBudget:
    """What the gate goes by; limits that are given one by one come before those of `budget`."""
    if isinstance(budget, GateBudget | Budget | None):
        terms = GateBudget(limits=budget) if isinstance(budget, Budget) else budget or GateBudget()
    else:
        from riskrank.assessment.gating.budgets.budget_file import read_budget

        terms = read_budget(budget)
    if not limits:
        return terms
    combined = replace(terms.limits, **limits)
    if not combined.is_empty and "alpha" in limits and not combined.is_weighted:
        raise ParameterError(
            "alpha has no effect on these limits: it weighs losses in URisk and TRisk. "
            "Add min_urisk= or min_trisk=, or leave it out.",
            "alpha",
        )
    if combined.is_empty and "alpha" in limits:  # of the default limits
        combined = replace(DEFAULT_BUDGET, **limits)
    return replace(
        terms,
        limits=combined,
        by_measure={name: _overruled(each, limits) for name, each in terms.by_measure.items()},
        by_segment={name: _overruled(each, limits, INHERITED) for name, each in terms.by_segment.items()},
    )


def _overruled(budget: Budget, limits: dict[str, Any], names: Sequence[str] = ()) -> Budget:
    """A budget with the limits (or some of them) that were given instead; a tolerance only where it has an effect."""
    given = {name: value for name, value in limits.items() if not names or name in names}
    if budget.max_hurt is None and "max_hurt" not in given:
        given.pop("tolerance", None)
    if budget.max_severe is None and "max_severe" not in given:
        given.pop("severe_loss", None)
    return replace(budget, **given)


def _topic_names(topics: Sequence[str]) -> tuple[str, ...]:
    if isinstance(topics, str):
        raise ParameterError("must_not_break must be a list of topics, got one text.", "must_not_break")
    return tuple(map(str, topics))


def _with_topics(
    terms: GateBudget,
    segments: TopicColumnLike | None,
    weights: TopicColumnLike | None,
    must_not_break: Sequence[str] | None,
    accepted: Sequence[AcceptedLoss] | None,
) -> GateBudget:
    """A budget, with what else is said of topics."""
    return replace(
        terms,
        segments=terms.segments if segments is None else segments,
        weights=terms.weights if weights is None else weights,
        must_not_break=terms.must_not_break if must_not_break is None else _topic_names(must_not_break),
        accepted=terms.accepted if accepted is None else tuple(accepted),
    )


def _contenders(
    judgments: JudgmentsLike | Effectiveness, candidate: Contenders, baseline: Contenders
) -> tuple[dict[str, SystemLike], list[str], list[str]]:
    """The systems that are to be scored (none where scores are given), and the names of candidates and baselines."""
    is_score_file = isinstance(judgments, str | os.PathLike) and is_score_matrix(judgments)
    if is_score_file or isinstance(judgments, Effectiveness):
        return {}, _system_names(candidate), _system_names(baseline)
    old, new = _named(baseline, "baseline"), _named(candidate, "candidate")
    for name in old.keys() & new.keys():
        if old[name] is not new[name] and not _is_same_path(old[name], new[name]):
            raise AlignmentError(
                f"candidate and baseline are both named {quoted(name)}. Name them: {{'old': …}}, {{'new': …}}."
            )
    return {**old, **new}, list(new), list(old)


def _system_names(given: Contenders) -> list[str]:
    names: list[Any] = [given] if isinstance(given, str) else list(given) if isinstance(given, list | tuple) else [None]
    if not all(isinstance(name, str) for name in names):
        raise ParameterError("where scores are given, candidate and baseline are names of systems in them.")
    return names


def _is_same_path(system: Any, other: Any) -> bool:
    return isinstance(system, str | os.PathLike) and isinstance(other, str | os.PathLike) and str(system) == str(other)


def _named(systems: Any, otherwise: str) -> dict[str, SystemLike]:
    """Systems by name: the given one, the run's, the file's, or `otherwise`."""
    if isinstance(systems, Mapping) and not is_run_dict(systems):
        return dict(systems)
    if (
        isinstance(systems, list | tuple)
        and systems
        and all(isinstance(each, str | os.PathLike | Run) for each in systems)
    ):
        named = [pair for each in systems for pair in _named(each, otherwise).items()]
        twice = first_duplicate([name for name, _ in named])
        if twice is not None:
            raise AlignmentError(f"two systems are named {quoted(twice)}. Give names: {{'a': …, 'b': …}}.")
        return dict(named)
    if isinstance(systems, str | os.PathLike):
        return {system_name(systems): systems}
    return {systems.name if isinstance(systems, Run) else otherwise: systems}


def _check_comparable(scores: Effectiveness, baseline: str, candidate: str, *, refuses_gaps: bool) -> None:
    """Refuse input on which a gate would say nothing, or pass whatever comes."""
    lacking = scores.missing.get(baseline, ())
    if refuses_gaps and lacking:
        raise AlignmentError(
            f"baseline {quoted(baseline)} lacks {len(lacking)} of {len(scores.topics)} topics "
            f"(first: {quoted(lacking[0])}), on which any candidate passes. "
            "Complete it, or pass missing='zero' or missing='intersect'."
        )
    if not scores[baseline].any() and not scores[candidate].any():
        raise AlignmentError("both systems score 0 on every topic. Do their document ids match the judgments?")
