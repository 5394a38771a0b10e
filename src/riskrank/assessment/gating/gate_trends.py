"""What many gates say together: how much of each limit was used, and what all releases changed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.assessment.gating.gate_history import GateHistory
    from riskrank.assessment.gating.past_gates import PastComparison, PastGate

How = Literal["pinned", "one baseline", "chain", "assumed"]
SAME_MEAN = 1e-9


@dataclass(frozen=True)
class LimitTrend:
    """How much of a limit each release used, NaN where there was no such check; the largest use of all candidates.

    `broken`: which releases broke it. A segment may be over a limit without breaking it, where that is not sure; a
    strict gate may break one that is kept. `baseline` is the one that most releases were held against; empty where
    each had another.
    """

    measure: str
    baseline: str
    segment: str
    check: str
    uses: tuple[float, ...]
    broken: tuple[bool, ...]

    @property
    def known(self) -> list[float]:
        """The uses, from the first release that had the check."""
        return [use for use in self.uses if not math.isnan(use)]


@dataclass(frozen=True)
class LongRun:
    """What the releases together changed by a measure, in `total`, and each of them by itself, in `steps`.

    Where each release was held against the one before it (a chain), the total is the sum of measured changes, perhaps
    on different topics; that is assumed where every gate has another baseline that no gate has as a candidate. Where a
    `baseline` is in all of them, nothing is added up: beside a chain (pinned), the total is the last gain over it;
    alone (one baseline), the last gain over it less the first.
    """

    measure: str
    baseline: str
    total: float
    steps: tuple[float, ...]
    how: How

    @property
    def largest_loss(self) -> float:
        """Of a single release."""
        return max(0.0, -min(self.steps))

    @property
    def is_creeping(self) -> bool:
        """Is more lost than any single release lost?"""
        return len(self.steps) > 1 and -self.total > self.largest_loss + SAME_MEAN


def limit_trends(history: GateHistory) -> tuple[LimitTrend, ...]:
    """The limits that can be used up, those of all topics first, in the order of their checks."""
    pinned = {measure: _usual_baselines(history.gates, measure) for measure in measures_of(history)}
    uses: dict[tuple[str, str, str, str], list[float]] = {}
    broken: dict[tuple[str, str, str, str], list[bool]] = {}
    for number, gate in enumerate(history.gates):
        for each in gate.comparisons:
            baseline = each.baseline if each.baseline in pinned[each.measure] else ""
            for check in each.checks:
                key = (each.measure, baseline, check.segment, check.name)
                row = uses.setdefault(key, [math.nan] * len(history.gates))
                row[number] = max(check.use, row[number]) if not math.isnan(row[number]) else check.use
                broken.setdefault(key, [False] * len(history.gates))[number] |= not check.holds
    trends = [LimitTrend(*key, tuple(row), tuple(broken[key])) for key, row in uses.items()]
    return tuple(sorted((each for each in trends if each.known), key=lambda each: bool(each.segment)))


def long_runs(history: GateHistory) -> tuple[LongRun, ...]:
    """Of each measure what all releases that passed changed, where that can be known."""
    runs = [_long_run(history.gates, measure) for measure in measures_of(history)]
    return tuple(run for run in runs if run is not None)


def measures_of(history: GateHistory) -> tuple[str, ...]:
    """All measures, in the order in which they came."""
    return tuple(dict.fromkeys(each.measure for gate in history.gates for each in gate.comparisons))


def _usual_baselines(gates: Sequence[PastGate], measure: str) -> set[str]:
    """Those of the last gate that most gates have."""
    names = [{each.baseline for each in gate.comparisons if each.measure == measure} for gate in gates]
    having = [each for each in names if each]
    return {name for name in having[-1] if 2 * sum(name in each for each in having) > len(having)}


def _long_run(gates: Sequence[PastGate], measure: str) -> LongRun | None:
    judged = [
        _Release(gate.label, gate.passed, [each for each in gate.comparisons if each.measure == measure])
        for gate in gates
    ]
    passed = [each for each in judged if each.passed and each.compared]
    if len(passed) < 2:
        return None
    steps = tuple(each.gain for each in _chain(judged[: judged.index(passed[-1]) + 1]))
    against = _unchanged_baseline(passed)
    if against and len(steps) > 1:
        return LongRun(measure, against[-1].baseline, against[-1].gain, steps, "pinned")
    if against:
        gains = [each.gain for each in against]
        changes = tuple(after - before for before, after in pairwise(gains))
        return LongRun(measure, against[-1].baseline, gains[-1] - gains[0], changes, "one baseline")
    if len(steps) > 1:
        return LongRun(measure, "", sum(steps), steps, "chain")
    first = [each.compared[0] for each in passed]
    if len({each.baseline for each in first}) < len(first):
        return None
    return LongRun(measure, "", sum(each.gain for each in first), tuple(each.gain for each in first), "assumed")


class _Release(NamedTuple):
    label: str
    passed: bool
    compared: list[PastComparison]


def _chain(releases: Sequence[_Release]) -> list[PastComparison]:
    """The longest row of releases, up to the last, each of which was held against the one before it.

    One that failed is in it, too, where it was released nevertheless.
    """
    chains = []
    for last in releases[-1].compared:
        chain = [last]
        for release in reversed(releases[:-1]):
            before = [each for each in release.compared if _became(each, release.label, chain[0])]
            chain[:0] = before[:1]
        chains.append(chain)
    return max(chains, key=len)


def _became(before: PastComparison, label: str, later: PastComparison) -> bool:
    """Was a candidate the baseline of a later gate, by its name or label, or by its mean?"""
    if _is_same(before.candidate_mean, before.baseline_mean):
        return False  # it changed nothing: one cannot tell which of both it was
    is_named = later.baseline in (before.candidate, label) and later.baseline != before.baseline
    is_equal = before.n_topics == later.n_topics and _is_same(before.candidate_mean, later.baseline_mean)
    return is_named or is_equal


def _unchanged_baseline(releases: Sequence[_Release]) -> list[PastComparison]:
    """The comparisons with a baseline that all releases have and whose mean never changed; the last such one."""
    for last in reversed(releases[-1].compared):
        pinned = [next((each for each in row.compared if each.baseline == last.baseline), None) for row in releases]
        rows = [each for each in pinned if each is not None]
        if len(rows) == len(releases) and all(_is_same(each.baseline_mean, last.baseline_mean) for each in rows):
            return rows
    return []


def _is_same(mean: float, other: float) -> bool:
    return abs(mean - other) <= SAME_MEAN
