"""The findings of a gate: whether the candidate may replace its baseline, and how sure each check is."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from riskrank.errors import listing
from riskrank.report.findings.check_findings import SHARES, check_finding, digits_beside, times_over
from riskrank.report.findings.digits import Digits
from riskrank.report.findings.gate_remarks import gate_remarks
from riskrank.report.findings.words import Word, Words, all_of, counted, short_name, words
from riskrank.risk.intervals import USUAL_CONFIDENCE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.assessment.gating.comparison import Comparison
    from riskrank.assessment.gating.gate_result import GateResult
    from riskrank.assessment.gating.segments import Segment
    from riskrank.report.findings.check_findings import CheckFinding
    from riskrank.risk.budget.check import Check
    from riskrank.risk.intervals import Interval

MOST_POOLED = 3  # segments that are named


@dataclass(frozen=True)
class SegmentFinding:
    """A segment in words: its name, how many topics it has, its checks, and what is to know of them."""

    name: str
    size: str
    checks: tuple[CheckFinding, ...]
    note: str

    @property
    def holds(self) -> bool:
        """Do all its checks hold?"""
        return all(each.check.holds for each in self.checks)


@dataclass(frozen=True)
class GateFindings:
    """The verdict, the check that decides it, all checks and segments (broken ones first), and what is gained.

    `remarks` are sentences on what else to know: default limits, topics needed, accepted losses, unjudged documents.
    """

    headline: Words
    decisive: str
    checks: tuple[CheckFinding, ...]
    segments: tuple[SegmentFinding, ...]
    gain: Words
    remarks: tuple[str, ...]


def gate_findings(compared: Comparison) -> GateFindings:
    """What is said of a comparison."""
    checks = _sorted([check_finding(compared, check) for check in compared.checks])
    return GateFindings(
        _headline(compared),
        _decisive(checks[0]) if checks else "",
        checks,
        tuple(sorted((_segment(compared, each) for each in compared.segments), key=lambda each: each.holds)),
        _gained(compared.gain, compared.gain_interval),
        tuple(gate_remarks(compared, checks)),
    )


def overall(result: GateResult) -> str:
    """What is said of several comparisons; nothing of one."""
    n_compared, n_failed = len(result.comparisons), sum(not each.passed for each in result.comparisons)
    if n_compared == 1:
        return ""
    if not n_failed:
        return f"{all_of(n_compared)} comparisons pass"
    return f"{n_failed} of {n_compared} comparisons {'fails' if n_failed == 1 else 'fail'}"


@dataclass(frozen=True)
class WouldPass:
    """Which use of the candidate is expected to keep the limit on the mean loss."""

    heading: str
    sentence: str
    budget: str


def would_pass(compared: Comparison) -> WouldPass | None:
    """On a share of topics, gain and mean loss are that share of theirs; None where that would help nothing."""
    broken = {check.name: check for check in compared.checks if not check.holds}
    risk = broken.get("risk")
    share = 0.0 if risk is None else _rounded_down(risk.limit / risk.value)
    if risk is None or not 0 < share < 1 or compared.gain <= 0:
        return None
    digits, unit, units = digits_beside(risk.limit), compared.scores.unit, compared.scores.units
    sentence = (
        f"Used on {_in_tenths(share)} of {units}, drawn at random, {short_name(compared.candidate)} is "
        f"expected to lose {digits.score(share * risk.value)} per {unit} and to gain "
        f"{digits.gain(share * compared.gain)}."
    )
    if "loss" in broken:
        sentence += f" Single {units} could still lose more than {broken['loss'].limit:g}."
    heading = "What would pass" if len(broken) == 1 else "What would pass the check of mean loss"
    return WouldPass(heading, sentence, f"{risk.limit:g}")


def _rounded_down(share: float) -> float:
    """To whole percent, small ones to a tenth of it: what is written keeps the limit."""
    steps = 100 if share >= 0.1 else 1000
    return math.floor(share * steps + 1e-9) / steps


def _sorted(checks: Sequence[CheckFinding]) -> tuple[CheckFinding, ...]:
    """Broken ones first, then the tightest."""
    return tuple(sorted(checks, key=lambda each: (each.check.holds, -_tightness(each.check))))


def _headline(compared: Comparison) -> Words:
    candidate, baseline = (short_name(name) for name in (compared.candidate, compared.baseline))
    checks = [each.check for each in compared.named_checks()]
    n_checks, n_broken = len(checks), sum(not check.holds for check in checks)
    verdict = words(Word(candidate, "strong"), f" {'must not' if n_broken else 'may'} replace {baseline}")
    if n_checks == 1:
        return verdict
    if n_broken:
        return words(verdict, f": {n_broken} of {n_checks} checks {'fails' if n_broken == 1 else 'fail'}")
    return words(verdict, f": {all_of(n_checks)} checks hold")


def _decisive(finding: CheckFinding) -> str:
    """The worst of the broken checks, or the tightest of those that hold."""
    check = finding.check
    if check.name in ("significance", "missing", "protected"):
        return finding.sentence
    within = f"the limit is {finding.limit.removeprefix('at most ').removeprefix('at least ')}"
    bound = within if check.holds else times_over(check) or f"and must be {finding.limit}"
    if check.name in SHARES:
        return f"{finding.name[0].upper()}{finding.name[1:]}: {finding.value}, {bound}."
    return f"Its {finding.name.replace(', α', ' at α')} is {finding.value}, {bound}."


def _tightness(check: Check) -> float:
    """Above 1 where a limit is broken."""
    if check.name == "protected" and check.holds:  # there is nothing to be near to
        return 0.0
    if check.is_upper:
        return check.value / check.limit if check.limit else math.inf if check.value else 1.0
    if math.isnan(check.limit):
        return math.inf if not check.holds else 0.0
    if check.limit < 0:
        return check.value / check.limit
    return check.limit / check.value if check.value > 0 else math.inf


def _segment(compared: Comparison, segment: Segment) -> SegmentFinding:
    size = counted(len(segment.positions), compared.scores.unit)
    checks = _sorted([check_finding(compared, check) for check in segment.checks])
    if segment.pooled:
        size += f" of {listing(segment.pooled, limit=MOST_POOLED)}"
    if not checks:
        return SegmentFinding(short_name(segment.name), size, (), segment.unchecked)
    unsure = [each for each in checks if each.check.holds and each.check.sureness == "over, not surely"]
    passes = all(each.check.holds for each in checks)
    note = f"passes, not surely over: {unsure[0].name} {unsure[0].value}" if unsure and passes else ""
    return SegmentFinding(short_name(segment.name), size, checks, note)


def _gained(gain: float, interval: Interval) -> Words:
    digits = Digits(3)
    known = digits.bracketed(interval, USUAL_CONFIDENCE)
    size = digits.gain(gain)
    if size.startswith("+"):
        return words("It gains ", Word(size, "gain"), f" on average{known}.")
    if size.startswith("−"):
        return words("It loses ", Word(digits.size(gain), "loss"), f" on average{known}.")
    return words(f"On average it changes nothing{known}.")


def _in_tenths(share: float) -> str:
    """Percent to a tenth, which whole ones do not show."""
    text = f"{100 * share:.1f}".removesuffix(".0")
    return f"{text}%"
