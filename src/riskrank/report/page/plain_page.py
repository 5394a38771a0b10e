"""Assessments as tables and words in HTML. User text is escaped."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from riskrank.errors import one_line
from riskrank.report.text.assessment_text import number, p_text, signed
from riskrank.report.text.wording import footnotes, meaning, significance

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.assessment.assessment import Assessment

_STYLE = """
.riskrank { font: 15px/1.45 system-ui, sans-serif; max-width: 70rem; margin: 0 auto; padding: 1rem; }
.riskrank table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: .5rem 0 1.25rem; }
.riskrank th, .riskrank td { padding: .2rem .7rem; text-align: right; border-bottom: 1px solid #8884; }
.riskrank th:first-child, .riskrank td:first-child, .riskrank .words { text-align: left; }
.riskrank .scroll { overflow-x: auto; }
.riskrank small { opacity: .75; }
"""


def escape(text: object) -> str:
    """User text, safe in HTML: markup escaped, control characters made visible."""
    return html.escape(one_line(str(text), limit=2000))


def plain_page(assessments: Sequence[Assessment], *, words: Sequence[str] = (), before: str = "") -> str:
    """A page of tables and words, for where charts cannot be had; `before`: markup that comes first."""
    said = "".join(f"<p>{escape(text)}</p>" for text in words)
    lead = f'<div class="riskrank">{said}{before}</div>' if said or before else ""
    sections = "\n".join(body(assessment, style=False) for assessment in assessments)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><title>riskrank</title>'
        f"<style>:root {{ color-scheme: light dark; }}{_STYLE}</style></head><body>\n{lead}{sections}\n</body></html>\n"
    )


def body(assessment: Assessment, *, style: bool = True) -> str:
    """The tables and what they mean."""
    scores = assessment.scores
    title = f"{scores.measure} against {assessment.baseline}, {len(scores.topics):,} topics"
    words = [f"<li><b>{escape(s.system)}</b> {escape(meaning(assessment, s))}</li>" for s in assessment.systems]
    notes = [f"<br>{escape(note)}" for note in footnotes(assessment)]
    return (
        (f"<style>{_STYLE}</style>" if style else "")
        + f'<div class="riskrank"><h2>{escape(title)}</h2><ul>{"".join(words)}</ul>'
        + f'<div class="scroll">{_effect(assessment)}</div><div class="scroll">{_risk(assessment)}</div>'
        + f"<small>{''.join(notes)}</small></div>"
    )


def _effect(assessment: Assessment) -> str:
    header = [
        "system",
        assessment.scores.measure,
        "gain",
        "risk",
        "reward",
        "wins",
        "losses",
        "ties",
        ">20 %",
        "CVaR",
    ]
    rows = []
    for s in assessment.systems:
        effect = [
            signed(s.gain),
            number(s.risk),
            number(s.reward),
            s.wins,
            s.losses,
            s.ties,
            s.large_losses,
            number(s.cvar),
        ]
        rows.append([s.system, number(s.effectiveness), *([""] * 8 if s.is_baseline else map(str, effect))])
    return _table(header, rows)


def _risk(assessment: Assessment) -> str:
    header = ["system", "α", "URisk", "TRisk", "p", "p Holm", "p BH", "ZRisk", "GeoRisk", "verdict"]
    rows = []
    for i, alpha in enumerate(assessment.alphas):
        for s in assessment.systems:
            at = s.at[i]
            mark = significance(at.p_value, at.p_holm, assessment.level)
            tested = [
                signed(at.urisk),
                signed(at.trisk, 3) + mark,
                p_text(at.p_value),
                p_text(at.p_holm),
                p_text(at.p_bh),
            ]
            verdict = "baseline" if s.is_baseline else f"{at.verdict} {at.reason}".strip()
            cells = [""] * 5 if s.is_baseline else tested
            rows.append([s.system, f"{alpha:g}", *cells, number(at.zrisk, 3), number(at.georisk), verdict])
    return _table(header, rows)


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f"<th>{escape(cell)}</th>" for cell in header)
    lines = ["<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows]
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"
