"""The findings of a sweep over clicks: the method that keeps most of the gain for the pages that it moves."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from riskrank.report.findings.digits import Digits, digits_for
from riskrank.report.findings.points import points_between
from riskrank.report.findings.sweeps.model_words import if_losses_weigh_double, kept_text
from riskrank.report.findings.words import Word, Words, counted, joined, words
from riskrank.risk.inference.multiple_testing import holm
from riskrank.risk.inference.student_t import critical_value
from riskrank.tradeoff.clicks.click_table import NEAR, PARITY, RISK, STANDARD

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from riskrank.report.findings.words import Role
    from riskrank.risk.intervals import Interval
    from riskrank.tradeoff.clicks.click_table import ClickRow, Standings

LEVEL = 0.05
NAMES = {"AP": "MAP"}  # the mean over pages has a name of its own


@dataclass(frozen=True)
class ClickFindings:
    """What is said first, and beside it."""

    headline: Words
    beside: Words
    digits: Digits


def click_findings(rows: Sequence[ClickRow], measure: str, standings: Standings) -> ClickFindings:
    """What is said of chosen models, and of their `standings` where they were chosen."""
    by_method = {row.method: row for row in rows}
    full, digits = by_method[STANDARD], digits_for(row.standard_error for row in rows)
    best = by_method.get(standings.leader or "")
    if not is_shown_to_gain(full):
        return ClickFindings(*_without_gain(rows, measure, digits, standings.leader), digits)
    if best is None:
        moves = f" and re-ranks {full.reranked:.0%} of the pages."
        headline = words("Use ", Word(STANDARD, "strong"), ": it ", _gains(full, measure, digits), moves)
        alone = "There is no other model."
        if len(rows) > 1:
            alone = f"No other method is seen to keep more of it than {STANDARD} on as many pages, drawn at random."
        return ClickFindings(headline, words(alone), digits)
    moves = f" and re-ranks {best.reranked:.0%} of the pages instead of {full.reranked:.0%}."
    risk = "" if math.isnan(best.risk_share) else f" with {best.risk_share:.0%} of the risk of {STANDARD}"
    told = f"{risk}, which learns from clicks alone" if risk else ""
    hurts = _hurts(best)
    gained = words("It ", _gains(best, measure, digits), told, words(", and", hurts) if hurts else "", ".")
    chosen = joined(words(_why_it_leads(best.method, standings)), words(_ahead_on_test(best, by_method)))
    beside = joined(gained, _if_losses_weigh_double(best, rows, digits), chosen)
    name = Word(best.method, "strong")
    advised = words("Use ", name, ": it ") if is_shown_to_gain(best) else words(name, " ")
    return ClickFindings(words(advised, kept_text(best.gain_share, STANDARD), moves), beside, digits)


def _why_it_leads(leader: str, standings: Standings) -> str:
    """What it keeps where methods are chosen, and the next one that keeps more than a coin.

    The risk-sensitive models that only stand beside another method are no next one: the first screen has none of them.
    """
    own = standings.by_method[leader]
    points = points_between(own.gain_kept, own.at_random)
    said = (
        f"It leads on {standings.pages}: {own.gain_kept:.0%} of the gain there, "
        f"{counted(points or 0, 'point')} more than {STANDARD} on as many random pages"
    )
    others = [
        (each.above, method, points_between(each.gain_kept, each.at_random))
        for method, each in standings.by_method.items()
        if each.above > 0 and each.model != own.model and method not in (PARITY, NEAR)
    ]
    _, following, points = max(others, default=(0.0, "", None))
    return f"{said}; {following} is next with {points}." if points else f"{said}."


def _ahead_on_test(best: ClickRow, by_method: Mapping[str, ClickRow]) -> str:
    """The method that is as far above Standard Gain, or farther, on the test pages."""
    full = by_method[STANDARD]
    points = {
        method: points_between(row.gain_share, row.reranked / full.reranked) or 0
        for method, row in by_method.items()
        if method not in (STANDARD, PARITY, NEAR) and 0 < row.reranked <= full.reranked
    }
    own = points.pop(best.method, None)
    ahead = max(points, key=points.__getitem__, default=None)
    if own is None or ahead is None or points[ahead] < own:
        return ""
    return f"On the test pages it is {counted(own, 'point')} ahead, {ahead} {points[ahead]}."


def gain_interval(row: ClickRow) -> Interval:
    """Of a model's gain, by Student's t: pages are many, and counted batch by batch."""
    if math.isnan(row.standard_error) or row.n < 2:
        return math.nan, math.nan
    half = critical_value(LEVEL, row.n - 1) * row.standard_error
    return row.gain - half, row.gain + half


def is_shown_to_gain(row: ClickRow) -> bool:
    """Is a model shown to gain? Shares of a gain that could be chance would be noise."""
    low, _ = gain_interval(row)
    return row.gain > 0 and (math.isnan(low) or low > 0)


def shares_of_gain(rows: Sequence[ClickRow]) -> list[float]:
    """What each model keeps of Standard Gain's gain; NaN where that is not shown to be one."""
    is_known = is_shown_to_gain(next(row for row in rows if row.method == STANDARD))
    return [row.gain_share if is_known else math.nan for row in rows]


def _without_gain(rows: Sequence[ClickRow], measure: str, digits: Digits, leader: str | None) -> tuple[Words, Words]:
    """That Standard Gain is not shown to gain, and which method is, corrected for their number (Holm)."""
    full = next(row for row in rows if row.method == STANDARD)
    others = [row for row in rows if row is not full]
    of_standard = words(f"{STANDARD} gains nothing on these pages: there is nothing to keep.")
    if full.gain > 0:
        of_standard = words(f"The gain of {STANDARD} could be chance: it ", _gains(full, measure, digits), ".")
    corrected = holm([row.p_value for row in others]).tolist() if others else []
    gaining = [row for row, p in zip(others, corrected, strict=True) if p <= LEVEL and row.gain > 0]
    if not gaining:
        return of_standard, words("No other method is shown to gain." if others and full.gain > 0 else "")
    best = max(gaining, key=lambda row: (row.method == leader, row.gain))
    moves = f" and re-ranks {best.reranked:.0%} of the pages."
    headline = words("Use ", Word(best.method, "strong"), ": it ", _gains(best, measure, digits), moves)
    hurts = _hurts(best)
    return headline, joined(
        words("It", hurts, ".") if hurts else (), _if_losses_weigh_double(best, rows, digits), of_standard
    )


def _if_losses_weigh_double(row: ClickRow, rows: Sequence[ClickRow], digits: Digits) -> Words:
    known = [each for each in rows if not math.isnan(each.risk)]
    if not known:
        return ()
    is_every = len(rows) > 1 and all(each.risk > each.gain for each in rows)
    most = max(known, key=lambda each: each.gain - each.risk)
    method = RISK if most.method in (PARITY, NEAR) else most.method  # they only stand beside another method
    best = f"{method} with {most.parameter}", most.gain - most.risk
    return if_losses_weigh_double(row.gain, row.risk, digits, is_every=is_every, who="method", best=best)


def _hurts(row: ClickRow) -> Words:
    """How many of the pages lose."""
    return () if math.isnan(row.hurt) else words(" hurts ", Word(f"{row.hurt:.1%}", "loss"), " of all pages")


def _gains(row: ClickRow, measure: str, digits: Digits) -> Words:
    limits = digits.interval(gain_interval(row))
    known = f" (95% interval {limits})" if limits else ""
    name = NAMES.get(measure, measure)
    if digits.gain(row.gain).startswith("−"):
        return words("loses ", Word(digits.size(row.gain), "loss"), f" {name} against the order shown", known)
    role: Role = "gain" if is_shown_to_gain(row) else ""
    return words("gains ", Word(digits.gain(row.gain), role), f" {name} over the order shown", known)
