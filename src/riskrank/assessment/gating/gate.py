"""A gate: may a candidate replace its baseline?"""

from __future__ import annotations

import inspect
import os
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any, Unpack

from riskrank.assessment.gating.budgets.gate_budget import INHERITED, GateBudget
from riskrank.assessment.gating.budgets.limit_reach import check_reach
from riskrank.assessment.gating.comparing import Comparing
from riskrank.assessment.gating.gate_result import GateResult
from riskrank.assessment.scored_systems import DEFAULT_MEASURE, score_systems
from riskrank.data.effectiveness import Effectiveness
from riskrank.data.names import is_score_matrix, system_name
from riskrank.data.tables.document_tables import document_columns_error
from riskrank.data.trec.runs import Run, is_run_dict
from riskrank.errors import AlignmentError, ParameterError, first_duplicate, listing, nearest, quoted
from riskrank.measures.measure import Measure
from riskrank.risk.budget.budget import DEFAULT_BUDGET, NOTHING_SET, Budget

if TYPE_CHECKING:
    from riskrank.assessment.gating.budgets.accepted_losses import AcceptedLoss
    from riskrank.assessment.scored_systems import ScoredSystems
    from riskrank.typing import (
        JudgmentsLike,
        LimitOptions,
        MatrixRows,
        MeasureLike,
        Missing,
        PathLike,
        SystemLike,
        TopicColumnLike,
        WithoutRelevant,
    )

    Contenders = SystemLike | Mapping[str, SystemLike] | Sequence[PathLike]


def gate(
    judgments: JudgmentsLike | Effectiveness,
    candidate: Contenders,
    baseline: Contenders,
    measure: MeasureLike | Sequence[MeasureLike] | None = None,
    *,
    budget: GateBudget | Budget | PathLike | None = None,
    segments: TopicColumnLike | None = None,
    weights: TopicColumnLike | None = None,
    must_not_break: Sequence[str] | PathLike | None = None,
    accepted: Sequence[AcceptedLoss] | None = None,
    today: date | None = None,
    without_relevant: WithoutRelevant | None = None,
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
    segments, weights, must_not_break, accepted, without_relevant
        As in `GateBudget`.
    today
        The day on which accepted losses may have expired.
    missing
        Topics that a run lacks, as for `evaluate`. By default such a candidate fails, and such a baseline is refused.
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
    terms = _with_topics(terms, segments, weights, must_not_break, accepted, without_relevant)
    _check_days(terms, datetime.now(UTC).date() if today is None else today)
    systems, candidates, baselines = _contenders(judgments, candidate, baseline)
    wanted = _measures(measure) or terms.measures
    if systems:  # of given scores, nobody knows how large they can be
        check_reach(terms, wanted or [DEFAULT_MEASURE], given=limits)
    scored = score_systems(judgments, systems, wanted, missing=missing or "zero", rows=rows, zero_based=zero_based)
    scored = scored.with_relevant() if terms.without_relevant == "drop" else scored
    _check_measured({} if measure else terms.by_measure, scored)  # who names measures leaves out the others
    comparing = Comparing.by(terms, scored, refuses_gaps=missing is None, paths=_paths(systems))
    return GateResult(comparing.all(candidates, baselines), scored, terms.lines, _path(judgments))


def _check_days(terms: GateBudget, today: date) -> None:
    if type(today) is not date:
        raise ParameterError(f"today must be a date, got {type(today).__name__}.", "today")
    for position, loss in enumerate(terms.accepted):
        try:
            loss.check_day(today)
        except ParameterError as error:
            raise terms.located(error, "accepted", position, "until") from None


def _measures(given: MeasureLike | Sequence[MeasureLike] | None) -> Sequence[MeasureLike]:
    """One or several, or none."""
    if isinstance(given, str | Measure):
        return [given]
    if not isinstance(given, Sequence | None):
        raise ParameterError(f"measure must be a measure or a list of them, got {type(given).__name__}.", "measure")
    return given or []


def _check_measured(by_measure: Mapping[str, Budget], scored: ScoredSystems) -> None:
    """Refuse limits of a measure that is not computed."""
    measured = [each.measure for each in scored.scores.values()]
    for name in by_measure:
        if name not in measured:
            raise ParameterError(
                f"limits of {quoted(name)} check nothing: only {listing(measured)} is measured.", "measure"
            )


def _terms(budget: GateBudget | Budget | PathLike | None, limits: dict[str, Any]) -> GateBudget:
    """What the gate goes by; limits that are given one by one come before those of `budget`."""
    known = [each.name for each in fields(Budget)]
    for name in limits.keys() - set(known):
        parameters = [*known, *inspect.signature(gate).parameters]
        raise ParameterError(f"gate has no parameter {quoted(name)}.{nearest(name, parameters)}", name)
    terms = _budget(budget)
    if not limits:
        return terms
    combined = replace(terms.limits, **limits)
    if combined.is_empty and "no_significant_loss" in limits:
        raise ParameterError(NOTHING_SET.replace("false", "False"), "no_significant_loss")
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


def _budget(budget: object) -> GateBudget:
    if isinstance(budget, str | os.PathLike):
        from riskrank.assessment.gating.budgets.budget_file import read_budget

        return read_budget(budget)
    if isinstance(budget, Budget):
        return GateBudget(limits=budget)
    if not isinstance(budget, GateBudget | None):
        kinds = "the path of a budget file, a GateBudget or a Budget"
        raise ParameterError(f"budget must be {kinds}, got {type(budget).__name__}.", "budget")
    return budget or GateBudget()


def _with_topics(
    terms: GateBudget,
    segments: TopicColumnLike | None,
    weights: TopicColumnLike | None,
    must_not_break: Sequence[str] | PathLike | None,
    accepted: Sequence[AcceptedLoss] | None,
    without_relevant: WithoutRelevant | None,
) -> GateBudget:
    """A budget, with what else is said of topics; the files that it names itself must be there."""
    files = {"segments": segments, "weights": weights, "must_not_break": must_not_break}
    terms.check_files(name for name, given in files.items() if given is None)
    said: dict[str, Any] = {**files, "accepted": accepted, "without_relevant": without_relevant}
    return replace(terms, **{name: value for name, value in said.items() if value is not None})


def _contenders(
    judgments: JudgmentsLike | Effectiveness, candidate: Contenders, baseline: Contenders
) -> tuple[dict[str, SystemLike], list[str], list[str]]:
    """The systems that are to be scored (none where scores are given), and the names of candidates and baselines."""
    for role, given in (("candidate", candidate), ("baseline", baseline)):
        if isinstance(given, Mapping | list | tuple) and not given:
            raise ParameterError(f"a gate needs a {role}.", role)
    is_score_file = isinstance(judgments, str | os.PathLike) and is_score_matrix(judgments)
    if is_score_file or isinstance(judgments, Effectiveness):
        new_names, old_names = _system_names(candidate), _system_names(baseline)
        if isinstance(judgments, str | os.PathLike) and all(map(os.path.isfile, (judgments, *new_names, *old_names))):
            raise document_columns_error(judgments, "grade")
        return {}, new_names, old_names
    old, new = _named(baseline, "baseline"), _named(candidate, "candidate")
    for name in old.keys() & new.keys():
        if old[name] is not new[name] and not _is_same_path(old[name], new[name]):
            raise AlignmentError(
                f"candidate and baseline are both named {quoted(name)}. Name them: {{'old': …}}, {{'new': …}}."
            )
    return {**old, **new}, list(new), list(old)


def _path(judgments: object) -> str:
    return os.fspath(judgments) if isinstance(judgments, str | os.PathLike) else ""


def _paths(systems: Mapping[str, SystemLike]) -> dict[str, str]:
    """The files of systems that are called by them; what came through a pipe has another name."""
    files = {name: os.fspath(each) for name, each in systems.items() if isinstance(each, str | os.PathLike)}
    return {name: path for name, path in files.items() if system_name(path) == name}


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
