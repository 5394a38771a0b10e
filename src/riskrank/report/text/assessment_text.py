"""Assessments as aligned text."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from riskrank.errors import one_line
from riskrank.report.text.cells import change_cells, change_titles, effect_cells, picked, risk_cells
from riskrank.report.text.formatting import aligned, number, p_text, signed
from riskrank.report.text.wording import footnotes, meaning
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
    titles = {
        "system": "system", "effectiveness": assessment.scores.measure, "gain": "gain", "risk": "risk",
        "reward": "reward", "outcomes": "W/L/T", "large": ">20 %", "cvar": "CVaR", "geometric_mean": "GM",
        **change_titles(assessment),
    }  # fmt: skip
    lines = []
    for system in assessment.systems:
        name = one_line(system.system, limit=40) + (" (baseline)" if system.is_baseline else "")
        lines.append({"system": name, **effect_cells(system), **change_cells(system)})
        if system.intervals:
            lines.append(_effect_intervals(system))
    return aligned(list(titles.values()), [picked(titles, cells) for cells in lines])


def risk_table(assessment: Assessment) -> str:
    """Risk at each alpha, a line per system."""
    titles = {
        "alpha": "α", "system": "system", "urisk": "URisk", "se": "SE", "trisk": "TRisk", "p": "p", "mark": "",
        "holm": "p Holm", "bh": "p BH", "zrisk": "ZRisk", "georisk": "GeoRisk", "verdict": "verdict",
    }  # fmt: skip
    lines = []
    for i in range(len(assessment.alphas)):
        for k, system in enumerate(assessment.systems):
            at = system.at[i]
            cells = {"system": one_line(system.system, limit=40), **risk_cells(assessment, system, at)}
            if k:
                cells["alpha"] = ""
            if at.verdict == "undefined" and not system.is_baseline:
                cells["verdict"] = f"undefined: {at.reason}"
            lines.append(cells)
            if system.intervals and not system.is_baseline:
                lines.append(_risk_intervals(system, at.alpha))
    return aligned(list(titles.values()), [picked(titles, cells) for cells in lines], left=("system", "verdict", ""))


def topics_table(assessment: Assessment, *, alpha: float) -> str:
    """Every topic of every system, worst first."""
    parts = []
    for system in assessment.systems:
        if system.is_baseline:
            continue
        scores = assessment.scores[system.system]
        explored = assessment.explore(system.system, alpha=alpha)
        delta = difference(scores, assessment.baseline_scores)
        tested = ["p", "p Holm", "p BH"]
        header = ["topic", "score", "baseline", "change", "T_R", *tested, "T_J", *tested]
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


def _effect_intervals(system: SystemSummary) -> dict[str, str]:
    means = {name: _interval(system, name) for name in ("effectiveness", "geometric_mean")}
    if system.is_baseline:
        return means
    return {
        **means, **{name: _interval(system, name) for name in ("gain", "risk", "reward", "cvar")},
        "outcomes": f"{_interval(system, 'losses', 0)} L", "large": _interval(system, "large_losses", 0),
    }  # fmt: skip


def _risk_intervals(system: SystemSummary, alpha: float) -> dict[str, str]:
    digits = {"urisk": 3, "trisk": 2, "zrisk": 2, "georisk": 3}
    return {name: _interval(system, at_alpha(name, alpha), n) for name, n in digits.items()}


def _interval(system: SystemSummary, name: str, digits: int = 3) -> str:
    low, high = system.intervals.get(name, (math.nan, math.nan))
    return f"[{low:.{digits}f}, {high:.{digits}f}]".replace("-", "−")


def _heading(text: str, bold: bool) -> str:
    return f"\x1b[1m{text}\x1b[0m" if bold else text
