"""The findings of a check: what was measured, against which limit, and how sure that is."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from riskrank.errors import listing
from riskrank.report.findings.digits import FEWEST_DIGITS, MOST_DIGITS, Digits, percent, times_text
from riskrank.report.findings.words import counted
from riskrank.risk.budget.check import SLACK, keeps

if TYPE_CHECKING:
    from riskrank.assessment.gating.comparison import Comparison
    from riskrank.risk.budget.check import Check

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


def check_finding(compared: Comparison, check: Check) -> CheckFinding:
    """A check in words."""
    if check.name in SHARES:
        return _share_finding(compared, check)
    if check.name in ("missing", "protected"):
        return _listed_finding(compared, check)
    if check.name == "significance":
        return _significance_finding(check)
    digits = digits_beside(check.limit, check.value)
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
    n_effective = compared.n_effective
    is_weighted = n_effective is not None and not math.isclose(n_effective, len(compared.scores.topics))
    value = share if check.count is None else f"{check.count:,} ({share}{' by weight' if is_weighted else ''})"
    return _finding(check, name, value, f"at most {percent(check.limit)}", *_sureness(check, interval))


def _listed_finding(compared: Comparison, check: Check) -> CheckFinding:
    """Topics that have no results, or that must not break."""
    scores = compared.scores
    names = [scores.topics[position] for position in check.topics]
    note = listing(names, limit=MOST_NAMED)
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
    far = times_over(check)
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


def times_over(check: Check) -> str:
    """How far over its limit a loss is."""
    if not check.is_upper or check.limit <= 0 or keeps(check.value, check.limit, is_upper=True):
        return ""
    ratio = check.value / check.limit
    return times_text(ratio, "limit") if round(ratio, 1) > 1 else JUST_OVER


def digits_beside(limit: float, value: float = math.nan) -> Digits:
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
