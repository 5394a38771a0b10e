"""The findings of a history of gates: how many passed, how the limits were used, and whether losses creep in."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from riskrank.assessment.gating.gate_trends import limit_trends, long_runs, measures_of
from riskrank.report.findings.digits import Digits, share_text, times_text
from riskrank.report.findings.words import Word, Words, counted, joined, short_name, words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.assessment.gating.gate_history import GateHistory
    from riskrank.assessment.gating.gate_trends import LimitTrend, LongRun
    from riskrank.assessment.gating.past_gates import PastCheck, PastGate
    from riskrank.report.findings.words import Role

CHECKS = {
    "missing": "without results",
    "hurt": "topics hurt",
    "severe": "severe losses",
    "loss": "largest loss",
    "risk": "mean loss",
    "urisk": "URisk",
    "trisk": "TRisk",
    "significance": "significant loss",
    "gain": "mean change",
    "worse": "not worse",
    "protected": "protected topics",
}
DIGITS = Digits(3)
NOT_CHECKED = "not checked"
NOT_SURELY = ", but not surely: it passed"
OVER = "over"  # infinitely: a limit of 0 that is not kept
LEAST_TIMES = 1.1  # below, a share in percent tells more
WHAT_A_SUM_IS = (
    "The sum is of changes that were measured one by one, perhaps on different topics: it says how far the ranking may "
    "have drifted, but is no measurement. For one, hold each candidate against a pinned release, too (--against)."
)
WHAT_IS_ASSUMED = "That each release was held against the one before it is assumed: their names do not say so."


@dataclass(frozen=True)
class TrendFinding:
    """A limit in words: whose it is, how much of it was used at first, at most and now."""

    trend: LimitTrend
    name: str
    first: str
    most: str
    now: str

    @property
    def title(self) -> str:
        """The name, as it begins a sentence."""
        return self.name[:1].upper() + self.name[1:]

    @property
    def words(self) -> Words:
        """How much of it was used."""
        if not self.is_checked:
            return words(f"{of_limit(self.first)} at first, {self._at_most}, ", Word(NOT_CHECKED, "strong"), " now")
        if len(self.trend.known) == 1:
            return words(self.used)
        most = "" if self.most == self.now else f", {self._at_most}"
        return words(f"{of_limit(self.first)} at first, ", self.used_now, f" now{most}")

    @property
    def _at_most(self) -> str:
        return "over it at worst" if self.most == OVER else f"at most {self.most}"

    @property
    def used(self) -> Word:
        """How much of the limit is used now; where that is over it and yet broke nothing, why."""
        unsure = "" if self.is_broken or not self.is_over else NOT_SURELY
        return Word(f"{of_limit(self.now)}{unsure}", "loss" if self.is_broken else "strong")

    @property
    def used_now(self) -> Word:
        """The same where the limit was named before; what is over it is said in full."""
        return self.used if self.is_over else Word(self.now, "strong")

    @property
    def is_checked(self) -> bool:
        """Did the last release have this limit?"""
        return not math.isnan(self.trend.uses[-1])

    @property
    def now_rounded(self) -> float:
        """What is used now, as far as it is written."""
        return round(self.trend.known[-1], 2)

    @property
    def is_over(self) -> bool:
        """Is more than the limit used now?"""
        return self.is_checked and self.trend.known[-1] > 1

    @property
    def is_broken(self) -> bool:
        """Did the last release break it?"""
        return self.trend.broken[-1]


@dataclass(frozen=True)
class ReleaseFinding:
    """A release in a line: when, its name, whether it passed, what it gained, and the limit it used most of."""

    date: str
    label: str
    passed: bool
    gain: str
    use: str
    check: str


@dataclass(frozen=True)
class HistoryFindings:
    """What is said first, what releases changed together, and then every limit and release, in order of time."""

    headline: Words
    drift: Words
    notes: tuple[str, ...]
    trends: tuple[TrendFinding, ...]
    releases: tuple[ReleaseFinding, ...]


def history_findings(history: GateHistory) -> HistoryFindings:
    """What is said of a history."""
    limits, runs = limit_trends(history), long_runs(history)
    names = _Names(len(measures_of(history)) > 1, len({each.baseline for each in limits}) > 1)
    trends = tuple(_trend(each, names) for each in limits)
    notes = [WHAT_A_SUM_IS] if any(run.how in ("chain", "assumed") for run in runs) else []
    notes += [WHAT_IS_ASSUMED] if any(run.how == "assumed" for run in runs) else []
    return HistoryFindings(
        joined(_passed(history.gates), _tightest(trends)),
        joined(*map(_drift, runs)),
        tuple(notes),
        trends,
        tuple(map(_release, history.gates)),
    )


def use_text(use: float) -> str:
    """How much of a limit is used: a share of it, or how many times as much.

    >>> use_text(0.321), use_text(1.04), use_text(3.333), use_text(math.inf), use_text(math.nan)
    ('32%', '104%', '3.3 times', 'over', '–')
    """
    if math.isinf(use):
        return OVER
    return times_text(use, "limit").removesuffix(" the limit") if use >= LEAST_TIMES else share_text(use)


def of_limit(used: str) -> str:
    """The same in a sentence."""
    return f"{used} of the limit" if used.endswith("%") else f"{used} the limit"


def _passed(gates: Sequence[PastGate]) -> Words:
    n_gates, n_passed = len(gates), sum(gate.passed for gate in gates)
    if not n_gates:
        return words("There are no releases yet.")
    releases = counted(n_gates, "release")
    if n_gates == 1:
        return words(f"{releases}, which {'passed' if n_passed else 'failed'}.")
    if n_passed == n_gates:
        return words(f"{releases}, all passed.")
    return words(f"{releases}, {n_passed:,} passed." if n_passed else f"{releases}, none passed.")


def _tightest(trends: Sequence[TrendFinding]) -> Words:
    """How the limit was used of which most is used now; segments that were over, but not surely, broke none."""
    now = [each for each in trends if each.is_checked and (each.is_broken or not each.is_over)]
    if not now:
        return ()
    worst = max(now, key=lambda each: (each.now_rounded, not each.trend.segment))
    if len(worst.trend.known) == 1:
        return words(f"{worst.title}: ", worst.used, ".")
    if worst.first == worst.now:
        return words(f"{worst.title}: ", worst.used, ", as at first.")
    return words(f"{worst.title}: {of_limit(worst.first)} at first, ", worst.used_now, " now.")


def _drift(run: LongRun) -> Words:
    """What all releases changed; where it is more than any single one lost, that too."""
    measure, baseline, digits = short_name(run.measure), short_name(run.baseline), _digits(run)
    role: Role = "gain" if run.total > 0 else "loss"
    single = f", though no single release lost more than {digits.size(run.largest_loss)}" if run.is_creeping else ""
    if not run.baseline:
        row = " in a row" if run.how == "chain" else ""
        start = f"The changes of {counted(len(run.steps), 'release')}{row} add up to "
        return words(start, Word(digits.gain(run.total), role), f" {measure}{single}.")
    size = digits.size(run.total)
    start = (
        f"Against {baseline} {measure}"
        if run.how == "pinned"
        else f"Since the first release, {measure} against {baseline}"
    )
    if not float(size):
        return words(f"{start} did not change{single}.")
    return words(f"{start} {'rose' if run.total > 0 else 'fell'} by ", Word(size, role), f"{single}.")


def _digits(run: LongRun) -> Digits:
    """So many that the largest loss of a single release is not 0."""
    loss = run.largest_loss
    return next((each for each in map(Digits, (3, 4)) if float(each.size(loss)) or not loss), Digits(5))


class _Names(NamedTuple):
    """What names of limits must say to be told apart."""

    has_measure: bool
    has_baseline: bool


def _trend(trend: LimitTrend, names: _Names) -> TrendFinding:
    known = trend.known
    parts = [
        _check_name(trend.check),
        f"in {short_name(trend.segment)}" if trend.segment else "",
        f"by {short_name(trend.measure)}" if names.has_measure else "",
        f"against {short_name(trend.baseline)}" if names.has_baseline and trend.baseline else "",
    ]
    name = " ".join(part for part in parts if part)
    now = NOT_CHECKED if math.isnan(trend.uses[-1]) else use_text(known[-1])
    return TrendFinding(trend, name, use_text(known[0]), use_text(max(known)), now)


def _release(gate: PastGate) -> ReleaseFinding:
    """The comparison that fails, or else the first, says what was gained."""
    date, label = gate.time.date().isoformat(), short_name(gate.label)
    if not gate.comparisons:
        return ReleaseFinding(date, label, gate.passed, "–", "–", "")
    shown = next((c for c in gate.comparisons if any(not check.holds for check in c.checks)), gate.comparisons[0])
    checks = [check for compared in gate.comparisons for check in compared.checks]
    broken = [check for check in checks if not check.holds]
    kept = [check for check in checks if not check.use > 1]  # a segment may be over its limit, but not surely
    worst = max(broken or kept, key=_use_and_scope, default=None)
    if worst is None or (worst.holds and math.isnan(worst.use)):
        return ReleaseFinding(date, label, gate.passed, DIGITS.gain(shown.gain), "–", "")
    segment = f" in {short_name(worst.segment)}" if worst.segment else ""
    name = _check_name(worst.name) + segment
    return ReleaseFinding(date, label, gate.passed, DIGITS.gain(shown.gain), use_text(worst.use), name)


def _check_name(name: str) -> str:
    return CHECKS.get(name) or short_name(name)


def _use_and_scope(check: PastCheck) -> tuple[float, bool]:
    """By how much of a limit is used, as far as it is written; then those of all topics."""
    return (-1.0 if math.isnan(check.use) else round(check.use, 2)), not check.segment
