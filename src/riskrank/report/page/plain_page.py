"""Assessments as tables and words in HTML, for where charts cannot be had."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from riskrank.report.page.rendering import asset, render
from riskrank.report.table import Table
from riskrank.report.text.formatting import number, p_text, signed
from riskrank.report.text.wording import footnotes, heading, meaning, significance

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.assessment.assessment import Assessment
    from riskrank.report.table import TitledTable


@dataclass(frozen=True)
class PlainPart:
    """What is said of an assessment without charts."""

    heading: str
    meanings: Sequence[tuple[str, str]]  # of each system, in words
    tables: Sequence[Table]
    notes: Sequence[str]


def plain_page(
    assessments: Sequence[Assessment], *, words: Sequence[str] = (), tables: Sequence[TitledTable] = ()
) -> str:
    """A self-contained page; `words` and `tables` come first."""
    parts = [_part(assessment) for assessment in assessments]
    values = {"style": asset("plain.css"), "words": words, "tables": tables, "parts": parts}
    return render("plain_page.html", values) + "\n"


def plain_part(assessment: Assessment) -> str:
    """An assessment on a page of somebody else's, with its own style."""
    return render("plain_part.html", {"style": asset("plain.css"), "part": _part(assessment)})


def _part(assessment: Assessment) -> PlainPart:
    return PlainPart(
        heading=heading(assessment),
        meanings=[(system.system, meaning(assessment, system)) for system in assessment.systems],
        tables=[_effect(assessment), _risk(assessment)],
        notes=footnotes(assessment),
    )


def _effect(assessment: Assessment) -> Table:
    measure = assessment.scores.measure
    header = ["system", measure, "gain", "risk", "reward", "wins", "losses", "ties", ">20 %", "CVaR"]
    rows = []
    for s in assessment.systems:
        effect = [
            signed(s.gain), number(s.risk), number(s.reward), str(s.wins), str(s.losses), str(s.ties),
            str(s.large_losses), number(s.cvar),
        ]  # fmt: skip
        rows.append([s.system, number(s.effectiveness), *([""] * len(effect) if s.is_baseline else effect)])
    return Table(header, rows)


def _risk(assessment: Assessment) -> Table:
    header = ["system", "α", "URisk", "TRisk", "p", "p Holm", "p BH", "ZRisk", "GeoRisk", "verdict"]
    rows = []
    for i, alpha in enumerate(assessment.alphas):
        for s in assessment.systems:
            at = s.at[i]
            mark = significance(at.p_value, at.p_holm, assessment.level)
            tested = [
                signed(at.urisk), signed(at.trisk, 3) + mark, p_text(at.p_value), p_text(at.p_holm), p_text(at.p_bh),
            ]  # fmt: skip
            verdict = "baseline" if s.is_baseline else f"{at.verdict} {at.reason}".strip()
            cells = [""] * len(tested) if s.is_baseline else tested
            rows.append([s.system, f"{alpha:g}", *cells, number(at.zrisk, 3), number(at.georisk), verdict])
    return Table(header, rows)
