"""Assessments as tables and words in HTML, for where charts cannot be had."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from riskrank.report.findings.assessment_findings import findings
from riskrank.report.findings.words import plain
from riskrank.report.page.document import asset, render
from riskrank.report.table import Table
from riskrank.report.text.cells import effect_cells, picked, risk_cells
from riskrank.report.text.wording import footnotes, heading, meaning

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.assessment.assessment import Assessment
    from riskrank.report.table import TitledTable


@dataclass(frozen=True)
class PlainPart:
    """What is said of an assessment without charts."""

    heading: str
    cautions: Sequence[str]
    verdict: str
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


def _part(assessment: Assessment) -> PlainPart:
    return PlainPart(
        heading=heading(assessment),
        cautions=assessment.cautions,
        verdict=plain(findings(assessment).whole),
        meanings=[(system.system, meaning(assessment, system)) for system in assessment.systems],
        tables=[_effect(assessment), _risk(assessment)],
        notes=footnotes(assessment),
    )


def _effect(assessment: Assessment) -> Table:
    titles = {
        "system": "system", "effectiveness": assessment.scores.measure, "gain": "gain", "risk": "risk",
        "reward": "reward", "wins": "wins", "losses": "losses", "ties": "ties", "large": ">20 %", "cvar": "CVaR",
    }  # fmt: skip
    rows = [picked(titles, {"system": s.system, **effect_cells(s)}) for s in assessment.systems]
    return Table(list(titles.values()), rows)


def _risk(assessment: Assessment) -> Table:
    titles = {
        "system": "system", "alpha": "α", "urisk": "URisk", "trisk": "TRisk", "p": "p", "holm": "p Holm", "bh": "p BH",
        "zrisk": "ZRisk", "georisk": "GeoRisk", "verdict": "verdict",
    }  # fmt: skip
    rows = []
    for at, system in ((system.at[i], system) for i in range(len(assessment.alphas)) for system in assessment.systems):
        cells = {"system": system.system, **risk_cells(assessment, system, at)}
        if not system.is_baseline:
            cells["trisk"] += cells["mark"]
            cells["verdict"] = f"{at.verdict} {at.reason}".strip()
        rows.append(picked(titles, cells))
    return Table(list(titles.values()), rows)
