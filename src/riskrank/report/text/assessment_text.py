"""Assessments as aligned text."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from riskrank.errors import one_line
from riskrank.report.text.formatting import aligned, number, optional, p_text, signed
from riskrank.report.text.wording import footnotes, meaning, significance
from riskrank.risk.inference.bootstrap import at_alpha
from riskrank.risk.paired import difference

if TYPE_CHECKING:
    from riskrank.assessment.assessment import Assessment, SystemSummary


def assessment_text(assessment: Assessment, *, bold: bool = False) -> str:
    """The two tables, what they mean, and the notes. `bold` marks headings for a terminal."""
    scores = assessment.scores
    title = f"{scores.measure} against {one_line(assessment.baseline)}, {len(scores.topics):,} topics"
    parts = [
        _heading(title, bold),
        effect_table(assessment),
        _heading("Risk as losses weigh 1 + α", bold),
        risk_table(assessment),
        _heading("What it means", bold),
        "\n".join(f"{one_line(s.system)} {meaning(assessment, s)}" for s in assessment.systems),
        "\n".join(footnotes(assessment)),
    ]
    return "\n\n".join(parts)


def effect_table(assessment: Assessment) -> str:
    """Effectiveness and outcomes, a line per system."""
    header = ["system", assessment.scores.measure, "gain", "risk", "reward", "W/L/T", ">20 %", "CVaR", "GM"]
    with_changes = any(system.kendall_tau is not None for system in assessment.systems)
    if with_changes:
        header += ["τ", "re-ranked"]
    rows = []
    for system in assessment.systems:
        name = one_line(system.system, limit=40)
        if system.is_baseline:
            row = [
                f"{name} (baseline)",
                number(system.effectiveness),
                *[""] * 6,
                number(system.geometric_mean),
            ]
        else:
            row = [
                name,
                number(system.effectiveness),
                signed(system.gain),
                number(system.risk),
                number(system.reward),
                f"{system.wins}/{system.losses}/{system.ties}",
                str(system.large_losses),
                number(system.cvar),
                number(system.geometric_mean),
            ]
        if with_changes:
            row += [optional(system.kendall_tau, "{:.3f}"), optional(system.reranked, "{:.0%}")]
        rows.append(row)
        if system.intervals:
            rows.append(_interval_row(system, len(header)))
    return aligned(header, rows)


def risk_table(assessment: Assessment) -> str:
    """Risk at each alpha, a line per system."""
    header = ["α", "system", "URisk", "SE", "TRisk", "p", "", "p Holm", "p BH", "ZRisk", "GeoRisk", "verdict"]
    rows = []
    for i, alpha in enumerate(assessment.alphas):
        for k, system in enumerate(assessment.systems):
            at = system.at[i]
            lead = [f"{alpha:g}" if k == 0 else "", one_line(system.system, limit=40)]
            tail = [number(at.zrisk, 3), number(at.georisk)]
            if system.is_baseline:
                rows.append([*lead, *[""] * 7, *tail, "baseline"])
                continue
            rows.append(
                [
                    *lead,
                    signed(at.urisk),
                    number(at.standard_error),
                    signed(at.trisk, 3),
                    p_text(at.p_value),
                    significance(at.p_value, at.p_holm, assessment.level),
                    p_text(at.p_holm),
                    p_text(at.p_bh),
                    *tail,
                    at.verdict if at.verdict != "undefined" else f"undefined: {at.reason}",
                ]
            )
            if system.intervals:
                rows.append(_risk_interval_row(system, alpha))
    return aligned(header, rows, left=("system", "verdict", ""))


def topics_table(assessment: Assessment, *, alpha: float) -> str:
    """Every topic of every system, worst first."""
    parts = []
    for system in assessment.systems:
        if system.is_baseline:
            continue
        scores = assessment.scores[system.system]
        explored = assessment.explore(system.system, alpha=alpha)
        delta = difference(scores, assessment.baseline_scores)
        header = [
            "topic",
            "score",
            "baseline",
            "change",
            "T_R",
            "p",
            "p Holm",
            "p BH",
            "T_J",
            "p",
            "p Holm",
            "p BH",
        ]
        rows = []
        for j in delta.argsort(kind="stable").tolist():
            row = [one_line(assessment.scores.topics[j], limit=40), number(scores[j])]
            row += [number(assessment.baseline_scores[j]), signed(delta[j])]
            for tests in (explored.t_r, explored.t_j):
                row += [
                    signed(tests.statistic[j], 2),
                    *(p_text(p[j]) for p in (tests.p_value, tests.p_holm, tests.p_bh)),
                ]
            rows.append(row)
        parts.append(
            f"{one_line(system.system)}, α = {alpha:g}, worst topics first\n\n{aligned(header, rows, left=('topic',))}"
        )
    return "\n\n".join(parts)


def _interval_row(system: SystemSummary, width: int) -> list[str]:
    def pair(name: str, form: str = "{:.3f}") -> str:
        low, high = system.intervals[name]
        return f"[{form.format(low)}, {form.format(high)}]".replace("-", "−")

    row = ["", pair("effectiveness")]
    if system.is_baseline:
        row += [""] * 6
    else:
        row += [pair("gain"), pair("risk"), pair("reward")]
        row += [pair("losses", "{:.0f}") + " L", pair("large_losses", "{:.0f}"), pair("cvar")]
    row.append(pair("geometric_mean"))
    return row + [""] * (width - len(row))


def _risk_interval_row(system: SystemSummary, alpha: float) -> list[str]:
    def pair(name: str, digits: int) -> str:
        low, high = system.intervals.get(at_alpha(name, alpha), (math.nan, math.nan))
        return f"[{low:.{digits}f}, {high:.{digits}f}]".replace("-", "−")

    return [
        "",
        "",
        pair("urisk", 3),
        "",
        pair("trisk", 2),
        *[""] * 4,
        pair("zrisk", 2),
        pair("georisk", 3),
        "",
    ]


def _heading(text: str, bold: bool) -> str:
    return f"\x1b[1m{text}\x1b[0m" if bold else text
