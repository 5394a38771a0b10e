"""The findings of a gate: whether the candidate may replace its baseline, and how sure each check is."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from riskrank.report.findings.digits import FEWEST_DIGITS, MOST_DIGITS, Digits, percent, times_text, two_digits
from riskrank.report.findings.words import Word, Words, all_of, counted, listed, one_sentence, short_name, words
from riskrank.risk.budget.check import SLACK, keeps
from riskrank.risk.intervals import USUAL_CONFIDENCE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.assessment.gating.comparison import BrokenTopic, Comparison
    from riskrank.assessment.gating.gate_result import GateResult
    from riskrank.assessment.gating.segments import Segment
    from riskrank.risk.budget.check import Check
    from riskrank.risk.intervals import Interval

MOST_NAMED = 5
SHARES = ("hurt", "severe")
JUST_OVER = "just over the limit"


@dataclass(frozen=True)
class CheckFinding:
    """A check in words: what was measured, its limit, and how sure it is."""

    check: Check
    name: str
    value: str
    limit: str
    note: str  # in a table
    sentence: str  # on its own

    @property
    def short(self) -> str:
        """In a list of several."""
        return f"{self.name}: {self.value}{f', {self.limit}' if self.limit else ''}"


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
        tuple(_remarks(compared, checks)),
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
    digits, unit, units = _digits(risk.limit), compared.scores.unit, compared.scores.units
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
    verdict = words(Word(candidate, "strong"), f" may {'not ' if n_broken else ''}replace {baseline}")
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
    bound = finding.limit if check.holds else _times(check) or f"and must be {finding.limit}"
    if check.name in SHARES:
        return f"{finding.name[0].upper()}{finding.name[1:]}: {finding.value}, {bound}."
    return f"Its {finding.name.replace(', α', ' at α')} is {finding.value}, {bound}."


def _times(check: Check) -> str:
    """How far over its limit a loss is."""
    if not check.is_upper or check.limit <= 0 or keeps(check.value, check.limit, is_upper=True):
        return ""
    ratio = check.value / check.limit
    return times_text(ratio, "limit") if round(ratio, 1) > 1 else JUST_OVER


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


def check_finding(compared: Comparison, check: Check) -> CheckFinding:
    """A check in words."""
    if check.name in SHARES:
        return _share_finding(compared, check)
    if check.name in ("missing", "protected"):
        return _listed_finding(compared, check)
    if check.name == "significance":
        return _significance_finding(check)
    digits = _digits(check.limit, check.value)
    limit = f"at {'most' if check.is_upper else 'least'} {check.limit:g}".replace("-", "−")
    if check.name == "loss":
        n_over, scores = len(check.topics), compared.scores
        over = f"{counted(n_over, scores.unit)} {'loses' if n_over == 1 else 'lose'} more"
        note = f"no {scores.unit} loses more" if check.holds else over
        return _finding(check, "largest loss", digits.score(check.value), limit, note, f"{note}.")
    if check.name == "trisk":
        value = "undefined" if math.isnan(check.value) else Digits(3).gain(check.value)
        return _finding(check, f"TRisk, α = {check.alpha:g}", value, limit, "", "")
    if check.name == "worse":
        note = f"least mean change with {percent(check.confidence)} confidence"
        sentence = f"With {percent(check.confidence)} confidence the mean change is at least this."
        return _finding(check, "not worse", digits.gain(check.value), limit, note, sentence)
    form = digits.score if check.name == "risk" else digits.gain
    names = {"risk": "mean loss", "urisk": f"URisk, α = {check.alpha:g}", "gain": "mean change"}
    interval = "" if math.isnan(check.interval[0]) else " to ".join(map(form, check.interval))
    return _finding(check, names[check.name], form(check.value), limit, *_sureness(check, interval))


def _share_finding(compared: Comparison, check: Check) -> CheckFinding:
    name = f"hurt by over {check.beyond:g}" if check.beyond else f"{compared.scores.units} hurt"
    low, high = check.interval
    n_decimals = 0 if high == low or high - low >= 0.02 else 1 if high - low >= 0.002 else 2
    interval = "" if math.isnan(low) else f"{low:.{n_decimals}%} to {high:.{n_decimals}%}"
    share = _percent_apart(check.value, check.limit)
    value = share if check.count is None else f"{check.count:,} ({share})"
    return _finding(check, name, value, f"at most {percent(check.limit)}", *_sureness(check, interval))


def _listed_finding(compared: Comparison, check: Check) -> CheckFinding:
    """Topics that have no results, or that must not break."""
    scores = compared.scores
    names = [scores.topics[position] for position in check.topics]
    more = f" and {len(names) - MOST_NAMED:,} more" if len(names) > MOST_NAMED else ""
    note = ", ".join(short_name(name) for name in names[:MOST_NAMED]) + more
    if check.name == "missing":
        what = f"{scores.units} without results"
        sentence = f"{counted(len(names), scores.unit)} without results: {note}."
    else:
        what = f"protected {scores.units} hurt"
        are = "is" if len(names) == 1 else "are"
        hurt = f"{counted(len(names), scores.unit)} that must not break {are} hurt: {note}."
        sentence = hurt if names else f"No {scores.unit} that must not break lost anything."
    return _finding(check, what, f"{len(names):,}", "none allowed", note, sentence)


def _significance_finding(check: Check) -> CheckFinding:
    known = check.words.partition(": ")[2]  # a p-value, or why there is none
    if not known.startswith("p "):
        return _finding(check, "significant loss", "not tested", "", known, f"Not tested: {known}.")
    note = f"α = {check.alpha:g}{f', {known}' if check.value < 0 else ''}"
    sentence = f"{'No' if check.holds else 'A'} significant loss at {note}."
    return _finding(check, "significant loss", "no" if check.holds else "yes", "", note, sentence)


def _sureness(check: Check, limits: str) -> tuple[str, str]:
    """How sure a check is, for a table and as a sentence; the value alone decides, unless the gate is strict."""
    far = _times(check)
    times, start = far.removesuffix(" the limit"), f"{far}. " if far else ""
    if not limits:
        unknown = "too few changes to be sure" if check.sureness == "not known" else ""
        note = "; ".join(each for each in (times, unknown) if each)
        return note, f"{start}{f'{unknown.capitalize()}.' if unknown else ''}".strip()
    interval = f"{percent(check.confidence)} interval"
    over, clearly = (
        (f"{start}Over", f"{start}Clearly over") if far != JUST_OVER else (JUST_OVER, f"{JUST_OVER}, clearly")
    )
    sure = "surely" if check.sureness == "surely within" else times if far not in ("", JUST_OVER) else "clearly"
    unsure = "unsure" if check.holds or check.sureness != "within, not surely" else "unsure (strict)"
    return f"{sure if check.is_sure else unsure}; {interval} {limits}", {
        "surely within": f"Surely within: so is the whole {interval}, {limits}.",
        "within, not surely": (
            f"Within, but not surely: the {interval}, {limits}, reaches beyond the limit."
            f"{'' if check.holds else ' The gate is strict.'}"
        ),
        "over, not surely": f"{over}, but not surely: the {interval}, {limits}, reaches within it.",
        "clearly over": f"{clearly}: the whole {interval}, {limits}, lies beyond it.",
    }.get(check.sureness or "", "")


def _finding(check: Check, name: str, value: str, limit: str, note: str, sentence: str) -> CheckFinding:
    return CheckFinding(check, name, value, limit, note, sentence[:1].upper() + sentence[1:])


def _segment(compared: Comparison, segment: Segment) -> SegmentFinding:
    size = counted(len(segment.positions), compared.scores.unit)
    checks = _sorted([check_finding(compared, check) for check in segment.checks])
    if segment.pooled:
        size += f" of {counted(len(segment.pooled), 'segment')}"
    if not checks:
        return SegmentFinding(short_name(segment.name), size, (), segment.unchecked)
    unsure = [each for each in checks if each.check.holds and each.check.sureness == "over, not surely"]
    return SegmentFinding(
        short_name(segment.name), size, checks, f"{unsure[0].name}: over its limit, but not surely" if unsure else ""
    )


def _remarks(compared: Comparison, checks: Sequence[CheckFinding]) -> list[str]:
    said = []
    if (compared.scores[compared.candidate] == compared.scores[compared.baseline]).all():
        said.append(f"They are equal on every {compared.scores.unit}: are they the same run?")
    said += weighing(compared)
    if compared.passed:  # else they are in the table of what broke
        said += _largest_losses(compared)
    if compared.has_default_limits:
        said.append("No limit was given: these are the default ones (docs/gate.md).")
    needed = [each for each in checks if each.check.n_needed]
    if needed:
        first, *rest = [f"{two_digits(each.check.n_needed or 0):,}{{}} for {each.name}" for each in needed]
        parts = [first.format(f" {compared.scores.units}"), *(each.format("") for each in rest)]
        said.append(f"To be sure, it takes about {listed(parts)}.")
    for loss in compared.accepted:
        change = _change(compared, loss.topic)
        reason = one_sentence(loss.reason)
        said.append(f"Accepted: {short_name(loss.topic)} {Digits(3).gain(change)} until {loss.until}: {reason}")
    for loss in compared.not_accepted:
        change = _change(compared, loss.topic)
        why = "since it must not break" if loss.covers(change) else f"which is more than {loss.at_most:g}"
        said.append(f"Not accepted: {short_name(loss.topic)} {Digits(3).gain(change)}, {why}.")
    broken = [topic for topic in compared.broken_topics if topic.n_unjudged]
    if broken:
        names = listed([f"{short_name(topic.topic)} ({topic.n_unjudged})" for topic in broken[:MOST_NAMED]])
        more = f", and {len(broken) - MOST_NAMED:,} more" if len(broken) > MOST_NAMED else ""
        said.append(
            f"Perhaps no loss, but documents that nobody judged, among the first of {short_name(compared.candidate)} "
            f"only: {names}{more}. Judge them."
        )
    return said


def topics_compared(compared: Comparison) -> str:
    """How many topics were compared, and whether some count more than others."""
    scores = compared.scores
    is_weighted = compared.n_effective is not None
    return counted(len(scores.topics), f"weighted {scores.unit}" if is_weighted else scores.unit)


def weighing(compared: Comparison) -> list[str]:
    """A sentence on weights, where topics have any."""
    n_effective, scores = compared.n_effective, compared.scores
    if n_effective is None:
        return []
    if math.isclose(n_effective, len(scores.topics)):
        return [f"All {scores.units} have the same weight."]
    known = f"{n_effective:,.0f}" if n_effective >= 10 else f"{n_effective:.1f}"
    count = f"{len(scores.topics):,} {scores.units} tell as much as {known} of equal weight"
    return [f"Shares and means are weighted: {count}."]


def _largest_losses(compared: Comparison) -> list[str]:
    """A sentence that names them, if there are any."""
    changes = compared.scores[compared.candidate] - compared.scores[compared.baseline]
    digits = Digits(3)
    worst = [i for i in changes.argsort(kind="stable").tolist()[:3] if digits.gain(changes[i]).startswith("−")]
    names = [f"{short_name(compared.scores.topics[i])} {digits.gain(changes[i])}" for i in worst]
    return [f"It loses most on {listed(names)}."] if names else []


def topic_note(topic: BrokenTopic) -> str:
    """What tells a topic from others that lose, if anything does.

    >>> from riskrank.assessment.gating.comparison import BrokenTopic
    >>> topic_note(BrokenTopic("q", 0.1, 0.5, accepted=0.2))
    'accepted only up to 0.2'
    """
    if topic.is_protected:
        return "must not break"
    return "" if topic.accepted is None else f"accepted only up to {topic.accepted:g}"


def _change(compared: Comparison, topic: str) -> float:
    at = compared.scores.topics.index(topic)
    return float(compared.scores[compared.candidate][at] - compared.scores[compared.baseline][at])


def _gained(gain: float, interval: Interval) -> Words:
    digits = Digits(3)
    known = digits.bracketed(interval, USUAL_CONFIDENCE)
    size = digits.gain(gain)
    if size.startswith("+"):
        return words("It gains ", Word(size, "gain"), f" on average{known}.")
    if size.startswith("−"):
        return words("It loses ", Word(digits.size(gain), "loss"), f" on average{known}.")
    return words(f"On average it changes nothing{known}.")


def _digits(limit: float, value: float = math.nan) -> Digits:
    """One decimal more than the limit has, and at least three; more, where a value would look like its limit."""
    text = f"{limit:.10f}".rstrip("0").partition(".")[2]
    fewest = min(max(len(text) + 1, FEWEST_DIGITS), MOST_DIGITS)
    apart = (n for n in range(fewest, MOST_DIGITS + 1) if abs(value - limit) < SLACK or round(value, n) != limit)
    return Digits(next(apart, MOST_DIGITS))


def _percent_apart(share: float, limit: float) -> str:
    """A share in percent to a tenth, or as exactly as it takes to tell it from 0 and from its limit.

    >>> _percent_apart(0.25, 0.2), _percent_apart(0.0001, 0.02), _percent_apart(0.20004, 0.2)
    ('25%', '0.01%', '20.004%')
    """
    for n in range(1, MOST_DIGITS):
        shown = round(100 * share, n)
        if shown not in (0, round(100 * limit, 9)) or share in (0, limit):
            break
    return f"{shown:.{n}f}".rstrip("0").removesuffix(".") + "%"


def _in_tenths(share: float) -> str:
    """Percent to a tenth, which whole ones do not show."""
    text = f"{100 * share:.1f}".removesuffix(".0")
    return f"{text}%"
