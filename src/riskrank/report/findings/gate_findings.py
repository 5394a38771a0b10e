"""The findings of a gate: whether the candidate may replace its baseline, and how sure each check is."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from riskrank.report.findings.digits import FEWEST_DIGITS, MOST_DIGITS, Digits, percent, times_text
from riskrank.report.findings.words import Word, Words, all_of, counted, short_name, words
from riskrank.risk.inference.shares import wilson
from riskrank.risk.intervals import at_alpha, intervals
from riskrank.risk.paired import difference, mean

if TYPE_CHECKING:
    from riskrank.assessment.gate import GateResult
    from riskrank.risk.budget import Check
    from riskrank.risk.intervals import Interval

CONFIDENCE = 0.95
UNKNOWN = (math.nan, math.nan)


@dataclass(frozen=True)
class CheckFinding:
    """A check in words: what was measured, its limit, and how sure it is; `interval` is NaN where there is none."""

    check: Check
    name: str
    value: str
    limit: str
    interval: Interval
    note: str  # in a table
    sentence: str  # on its own


@dataclass(frozen=True)
class GateFindings:
    """The verdict, the check that decides it, all checks (broken ones first, then the tightest), and what is gained."""

    headline: Words
    decisive: str
    checks: tuple[CheckFinding, ...]
    gain: Words


def gate_findings(result: GateResult) -> GateFindings:
    """What is said of a gate."""
    candidate, baseline = result.scores[result.candidate], result.scores[result.baseline]
    alphas = [check.alpha for check in result.checks if check.name == "urisk"]
    known = intervals(candidate, baseline, alphas=alphas, confidence=CONFIDENCE)
    checks = [_checked(result, check, known) for check in result.checks]
    checks.sort(key=lambda each: (each.check.holds, -_tightness(each.check)))
    gain = _gained(_mean_gain(result), known["gain"])
    return GateFindings(_headline(result), _decisive(checks[0]), tuple(checks), gain)


@dataclass(frozen=True)
class WouldPass:
    """Which use of the candidate is expected to keep the limit on the mean loss."""

    heading: str
    sentence: str
    budget: str


def would_pass(result: GateResult) -> WouldPass | None:
    """On a share of topics, gain and mean loss are that share of theirs; None where that would help nothing."""
    broken = {check.name: check for check in result.checks if not check.holds}
    risk, gain = broken.get("risk"), _mean_gain(result)
    share = 0.0 if risk is None else _rounded_down(risk.limit / risk.value)
    if risk is None or not share or gain <= 0:
        return None
    digits, unit, units = _digits(risk.limit), result.scores.unit, result.scores.units
    sentence = (
        f"Used on {_in_tenths(share)} of {units}, drawn at random, {short_name(result.candidate)} is "
        f"expected to lose {digits.score(share * risk.value)} per {unit} and to gain {digits.gain(share * gain)}."
    )
    if "loss" in broken:
        sentence += f" Single {units} could still lose more than {broken['loss'].limit:g}."
    heading = "What would pass" if len(broken) == 1 else "What would pass the check of mean loss"
    return WouldPass(heading, sentence, f"{risk.limit:g}")


def _rounded_down(share: float) -> float:
    """To whole percent, small ones to a tenth of it: what is written keeps the limit."""
    steps = 100 if share >= 0.1 else 1000
    return math.floor(share * steps + 1e-9) / steps


def _mean_gain(result: GateResult) -> float:
    change = difference(result.scores[result.candidate], result.scores[result.baseline])
    return float(mean(change[None])[0])


def _headline(result: GateResult) -> Words:
    candidate, baseline = (short_name(name) for name in (result.candidate, result.baseline))
    n_checks, n_broken = len(result.checks), sum(not check.holds for check in result.checks)
    verdict = words(Word(candidate, "strong"), f" may {'not ' if n_broken else ''}replace {baseline}")
    if n_checks == 1:
        return verdict
    if n_broken:
        return words(verdict, f": {n_broken} of {n_checks} checks {'fails' if n_broken == 1 else 'fail'}")
    return words(verdict, f": {all_of(n_checks)} checks hold")


def _decisive(finding: CheckFinding) -> str:
    """The worst of the broken checks, or the tightest of those that hold."""
    check, times = finding.check, _times(finding.check)
    if check.name == "trisk" and math.isnan(check.limit):
        return f"{finding.note[0].upper()}{finding.note[1:]}."
    bound = finding.limit if check.holds else times or finding.limit
    if check.name == "hurt":
        return f"{finding.name.capitalize()}: {finding.value}, {bound}."
    return f"Its {finding.name.replace(', α', ' at α')} is {finding.value}, {bound}."


def _times(check: Check) -> str:
    """How far over its limit a loss is."""
    has_ratio = check.name in ("risk", "hurt", "loss") and check.limit > 0
    return times_text(check.value / check.limit, "limit") if has_ratio else ""


def _tightness(check: Check) -> float:
    """Above 1 where a limit is broken."""
    if check.name in ("risk", "hurt", "loss"):
        return check.value / check.limit if check.limit else math.inf if check.value else 1.0
    if math.isnan(check.limit):
        return math.inf if not check.holds else 0.0
    if check.limit < 0:
        return check.value / check.limit
    return check.limit / check.value if check.value > 0 else math.inf


def _checked(result: GateResult, check: Check, known: dict[str, Interval]) -> CheckFinding:
    if check.name == "hurt":
        return _hurt_check(result, check)
    if check.name == "trisk":
        return _trisk_check(check)
    digits = _digits(check.limit)
    if check.name == "loss":
        n_over, scores = len(check.topics), result.scores
        over = f"{counted(n_over, scores.unit)} {'loses' if n_over == 1 else 'lose'} more"
        note = f"no {scores.unit} loses more" if check.holds else over
        return _finding(check, "largest loss", digits.score(check.value), f"at most {check.limit:g}", note, f"{note}.")
    if check.name == "urisk":
        value, limit = digits.gain(check.value), f"at least {check.limit:g}".replace("-", "−")
        interval, form = known[at_alpha("urisk", check.alpha)], digits.gain
        name = f"URisk, α = {check.alpha:g}"
        is_sure = interval[0] >= check.limit if check.holds else interval[1] < check.limit
    else:
        value, limit = digits.score(check.value), f"at most {check.limit:g}"
        interval, form = known["risk"], digits.score
        name = "mean loss"
        is_sure = interval[1] <= check.limit if check.holds else interval[0] > check.limit
    limits = "" if math.isnan(interval[0]) else f"{form(interval[0])} to {form(interval[1])}"
    return _finding(check, name, value, limit, *_sureness(check, limits, is_sure), interval=interval)


def _hurt_check(result: GateResult, check: Check) -> CheckFinding:
    n_topics = len(result.scores.topics)
    count = round(check.value * n_topics)
    interval = wilson(count, n_topics, CONFIDENCE)
    is_sure = interval[1] <= check.limit if check.holds else interval[0] > check.limit
    limits = f"{interval[0]:.0%} to {interval[1]:.0%}"
    value, limit = f"{count:,} ({_in_tenths(check.value)})", f"at most {_in_tenths(check.limit)}"
    name = f"{result.scores.units} hurt"
    return _finding(check, name, value, limit, *_sureness(check, limits, is_sure), interval=interval)


def _trisk_check(check: Check) -> CheckFinding:
    name = f"TRisk, α = {check.alpha:g}"
    value = "undefined" if math.isnan(check.value) else Digits(3).gain(check.value)
    if not math.isnan(check.limit):
        return _finding(check, name, value, f"at least {check.limit:g}".replace("-", "−"), "", "")
    p = "p < 0.0001" if check.p_value < 0.0001 else f"p = {check.p_value:.4f}"
    is_tested = check.value < 0 and not math.isnan(check.p_value)
    note = f"{'no' if check.holds else 'a'} significant loss{f', {p}' if is_tested else ''}"
    return _finding(check, name, value, "", note, f"{note}.")


def _sureness(check: Check, limits: str, is_sure: bool) -> tuple[str, str]:
    """How sure a check is, for a table and as a sentence; the value alone decides."""
    times = "" if check.holds else _times(check).removesuffix(" the limit")
    if not limits:
        return times, f"{times} the limit." if times else ""
    interval = f"{percent(CONFIDENCE)} interval"
    sureness = "unsure" if not is_sure else "surely" if check.holds else "clearly"
    note = f"{times or sureness}; {interval} {limits}"
    if check.holds:
        return note, (
            f"Surely within: so is the whole {interval}, {limits}."
            if is_sure
            else f"Within, but not surely: the {interval}, {limits}, reaches over the limit."
        )
    start = f"{times} the limit. " if times else ""
    if is_sure:
        return note, f"{start}Clearly over: the whole {interval}, {limits}, lies beyond it."
    return note, f"{start}Over, but not surely: the {interval}, {limits}, reaches within it."


def _finding(
    check: Check, name: str, value: str, limit: str, note: str, sentence: str, *, interval: Interval = UNKNOWN
) -> CheckFinding:
    return CheckFinding(check, name, value, limit, interval, note, sentence[:1].upper() + sentence[1:])


def _gained(gain: float, interval: Interval) -> Words:
    digits = Digits(3)
    limits = digits.interval(interval)
    known = f" ({percent(CONFIDENCE)} interval {limits})" if limits else ""
    size = digits.gain(gain)
    if size.startswith("+"):
        return words("It gains ", Word(size, "gain"), f" on average{known}.")
    if size.startswith("−"):
        return words("It loses ", Word(digits.size(gain), "loss"), f" on average{known}.")
    return words(f"On average it changes nothing{known}.")


def _digits(limit: float) -> Digits:
    """One decimal more than the limit has, and at least three."""
    text = f"{limit:.10f}".rstrip("0").partition(".")[2]
    return Digits(min(max(len(text) + 1, FEWEST_DIGITS), MOST_DIGITS))


def _in_tenths(share: float) -> str:
    """Percent to a tenth, which whole ones do not show."""
    text = f"{100 * share:.1f}".removesuffix(".0")
    return f"{text}%"
