"""The card of a method: its model, and what that does to the test pages, with Standard Gain's numbers beside them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from riskrank.report.findings.click_findings import NAMES, gain_interval
from riskrank.report.findings.digits import risk_text, share_text
from riskrank.report.findings.points import points_between, points_text
from riskrank.report.page.sweeps.point_card import CardLine
from riskrank.tradeoff.clicks.click_table import STANDARD

if TYPE_CHECKING:
    from riskrank.report.findings.digits import Digits
    from riskrank.report.page.clicks.methods import Method
    from riskrank.tradeoff.clicks.click_table import Standings


@dataclass(frozen=True)
class MethodCard:
    """From top to bottom."""

    number: int
    kind: str
    title: str
    lines: list[CardLine]
    verdict: str
    notes: list[str]


def method_card(method: Method, standard: Method, measure: str, digits: Digits, standings: Standings) -> MethodCard:
    """Of one method, which has no standing if it is Standard Gain."""
    row, own, standing = method.row, method.is_standard, standings.by_method.get(method.name)

    def beside(text: str) -> str:
        return "" if own else f"({text})"

    gain, per_page = digits.gain(row.gain), digits.gain(standard.row.gain_per_reranked)
    lines = [
        CardLine("Parameters", row.parameter),
        CardLine(
            f"Gain in {NAMES.get(measure, measure)}",
            gain,
            digits.interval(gain_interval(row)),
            method.verdict if method.verdict in ("gain", "loss") else "open",
        ),
        CardLine("Gain per page moved", digits.gain(row.gain_per_reranked), beside(per_page)),
        CardLine("Mean loss", risk_text(method.risk), beside(risk_text(standard.risk))),
        CardLine("Pages re-ranked", f"{row.reranked:.0%}", beside(f"{standard.row.reranked:.0%}")),
        CardLine("Pages hurt", f"{method.n_hurt:,} of {row.n:,}", beside(f"{standard.n_hurt:,}")),
    ]
    if not own and not math.isnan(row.gain_share):
        lines.append(CardLine("Gain kept", share_text(row.gain_share), points_text(method.points)))
    if standing is not None and standings.is_fresh and not math.isnan(row.gain_share):
        points = points_text(points_between(standing.gain_kept, standing.at_random))
        lines.append(CardLine("Validation pages", share_text(standing.gain_kept), points))
    return MethodCard(
        number=method.number,
        kind=_kind(method, standings),
        title=method.name,
        lines=lines,
        verdict=method.verdict,
        notes=_notes(method),
    )


def _kind(method: Method, standings: Standings) -> str:
    if method.name == standings.leader:
        return f"Leads on {standings.pages if standings.is_fresh else 'these pages'}"
    return "Learns from clicks alone" if method.is_standard else "Method"


def _notes(method: Method) -> list[str]:
    said = [] if method.is_standard else [f"In brackets: {STANDARD}."]
    return [*said, *([f"The same model is {' and '.join(method.also)}."] if method.also else [])]
