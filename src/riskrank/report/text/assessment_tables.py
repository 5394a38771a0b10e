"""All numbers of an assessment as aligned text."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from riskrank.errors import one_line, p_text
from riskrank.report.findings.assessment_findings import findings
from riskrank.report.findings.words import one_sentence, words
from riskrank.report.text.cells import change_cells, change_titles, effect_cells, picked, risk_cells
from riskrank.report.text.formatting import aligned, decimals, signed
from riskrank.report.text.terminal import paragraph, style
from riskrank.report.text.wording import footnotes, heading, meaning
from riskrank.risk.intervals import at_alpha
from riskrank.risk.paired import difference

if TYPE_CHECKING:
    from collections.abc import Iterable

    from riskrank.assessment.assessment import Assessment, SystemSummary


EXPLORED = (
    "T_R: the {unit}'s change, losses weighing 1 + α, in standard deviations; T_J: its distance to the mean of all, "
    "which stands out beyond ±2; p: is it like the others?"
)


def assessment_tables(assessment: Assessment, *, bold: bool = False, t_test: bool = False) -> str:
    """What spoils the comparison, the two tables, what they mean, and the notes.

    `bold` marks headings for a terminal. `t_test` adds the p-values of the paper.
    """
    warned = _lines(f"Caution: {one_sentence(caution)}" for caution in assessment.cautions)
    parts = [
        _title(one_line(heading(assessment)), bold),
        *([warned] if warned else []),
        paragraph(findings(assessment).whole, styled=bold),
        effect_table(assessment),
        _title("Risk as losses weigh 1 + α", bold),
        risk_table(assessment, t_test=t_test),
        _title("What it means", bold),
        _lines(f"{one_line(s.system)} {meaning(assessment, s)}" for s in assessment.systems),
        _lines(footnotes(assessment)),
    ]
    return "\n\n".join(parts)


def _lines(sentences: Iterable[str]) -> str:
    return "\n".join(paragraph(words(sentence)) for sentence in sentences)


def effect_table(assessment: Assessment) -> str:
    """Effectiveness and outcomes, a line per system."""
    titles = {
        "system": "system", "effectiveness": one_line(assessment.scores.measure, limit=40), "gain": "gain",
        "risk": "risk", "reward": "reward", "outcomes": "W/L/T", "large": ">20%", "cvar": "CVaR",
        "geometric_mean": "GM", **change_titles(assessment),
    }  # fmt: skip
    lines = []
    for system in assessment.systems:
        name = one_line(system.system, limit=40) + (" (baseline)" if system.is_baseline else "")
        lines.append({"system": name, **effect_cells(system), **change_cells(system)})
        if system.intervals:
            lines.append(_effect_intervals(system))
    return aligned(list(titles.values()), [picked(titles, cells) for cells in lines])


def risk_table(assessment: Assessment, *, t_test: bool = False) -> str:
    """Risk at each alpha, a line per system."""
    titles = {
        "alpha": "α", "system": "system", "urisk": "URisk", "se": "SE", "trisk": "TRisk",
        **({"t": "p (t)"} if t_test else {}), "p": "p", "mark": "", "holm": "p Holm", "bh": "p BH", "zrisk": "ZRisk",
        "georisk": "GeoRisk", "verdict": "verdict",
    }  # fmt: skip
    lines = []
    for i in range(len(assessment.alphas)):
        for k, system in enumerate(assessment.systems):
            at = system.at[i]
            cells = {"system": one_line(system.system, limit=40), **risk_cells(assessment, system, at)}
            if k:
                cells["alpha"] = ""
            if at.reason and not system.is_baseline and not at.verdict.startswith("significant"):
                cells["verdict"] = f"{at.verdict}: {at.reason}"
            lines.append(cells)
            if system.intervals:
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
        header = [assessment.scores.unit, "score", "baseline", "change", "T_R", "T_J", "p", "p Holm", "p BH"]
        rows = []
        for j in delta.argsort(kind="stable").tolist():
            row = [one_line(assessment.scores.topics[j], limit=40), decimals(scores[j])]
            row += [decimals(assessment.baseline_scores[j]), signed(delta[j])]
            row += [signed(explored.t_r[j], 2), signed(explored.t_j[j], 2)]
            row += [p_text(p[j]) for p in (explored.p_value, explored.p_holm, explored.p_bh)]
            rows.append(row)
        title = f"{one_line(system.system)}, α = {alpha:g}, worst {assessment.scores.units} first"
        parts.append(f"{title}\n\n{aligned(header, rows, left=header[:1])}")
    return "\n\n".join([*parts, _lines([EXPLORED.format(unit=assessment.scores.unit)])] if parts else [])


def _effect_intervals(system: SystemSummary) -> dict[str, str]:
    means = {name: _interval(system, name) for name in ("effectiveness", "geometric_mean")}
    if system.is_baseline:
        return means
    return {
        **means, **{name: _interval(system, name) for name in ("gain", "risk", "reward", "cvar")},
        "outcomes": f"{_interval(system, 'losses', 0)} L", "large": _interval(system, "large_losses", 0),
    }  # fmt: skip


def _risk_intervals(system: SystemSummary, alpha: float) -> dict[str, str]:
    names = ("georisk",) if system.is_baseline else ("urisk", "georisk")
    return {name: _interval(system, at_alpha(name, alpha)) for name in names}


def _interval(system: SystemSummary, name: str, digits: int = 3) -> str:
    low, high = system.intervals.get(name, (math.nan, math.nan))
    if math.isnan(low):
        return "none"
    return f"[{low:.{digits}f}, {high:.{digits}f}]".replace("-", "−")


def _title(text: str, bold: bool) -> str:
    return style(text, "strong" if bold else "")
