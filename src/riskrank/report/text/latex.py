"""Assessments as a LaTeX table (booktabs)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from riskrank.report.findings.words import one_sentence
from riskrank.report.text.wording import footnotes, heading, significance_mark

if TYPE_CHECKING:
    from riskrank.assessment.assessment import Assessment
    from riskrank.report.table import Table

_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "_": r"\_",
    "%": r"\%", "−": "$-$", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "α": r"$\alpha$", "β": r"$\beta$", "τ": r"$\tau$",
}  # fmt: skip


def latex_table(assessment: Assessment) -> str:
    """One line per system: effect, then URisk, TRisk and GeoRisk at each alpha."""
    alphas = assessment.alphas
    plain = [escape(assessment.scores.measure), "Gain", "Risk", "Reward", "W/L", r"$>$20\,\%"]
    groups = [rf"\multicolumn{{3}}{{c}}{{$\alpha={a:g}$}}" for a in alphas]
    names = " & ".join(["URisk", "TRisk", "GeoRisk"] * len(alphas))
    rules = "".join(rf"\cmidrule(lr){{{8 + 3 * i}-{10 + 3 * i}}}" for i in range(len(alphas)))
    notes = [f"Caution: {caution}" for caution in assessment.cautions] + footnotes(assessment)
    lines = [
        r"% needs \usepackage{booktabs}",
        *(f"% {one_sentence(note)}" for note in (heading(assessment), *notes)),
        rf"\begin{{tabular}}{{l{'r' * (6 + 3 * len(alphas))}}}",
        r"\toprule",
        " & ".join([*[""] * 7, *groups]) + r" \\",
        rules,
        f"System & {' & '.join(plain)} & {names} \\\\",
        r"\midrule",
    ]
    for system in assessment.systems:
        cells = [escape(system.system), _latex_number(system.effectiveness)]
        if system.is_baseline:
            cells += ["--"] * 5
        else:
            cells += [_latex_number(system.gain), _latex_number(system.risk), _latex_number(system.reward)]
            cells += [f"{system.wins}/{system.losses}", str(system.large_losses)]
        for at in system.at:
            mark = significance_mark(at, assessment)
            tested = [_latex_number(at.urisk), _latex_number(at.trisk, 3) + (f"$^{{{mark}}}$" if mark else "")]
            cells += [*(["--", "--"] if system.is_baseline else tested), _latex_number(at.georisk)]
        lines.append(" & ".join(cells) + r" \\")
    lines += [r"\bottomrule", r"\end{tabular}"]
    return "\n".join(lines) + "\n"


def plain_latex(table: Table) -> str:
    """A table of text as it is, words flush left."""
    sides = "".join("l" if i == 0 or i in table.words else "r" for i in range(len(table.header)))
    rows = [" & ".join(map(escape, row)) + r" \\" for row in (table.header, *table.rows)]
    lines = [r"% needs \usepackage{booktabs}", rf"\begin{{tabular}}{{{sides}}}", r"\toprule", rows[0], r"\midrule"]
    return "\n".join([*lines, *rows[1:], r"\bottomrule", r"\end{tabular}"]) + "\n"


def escape(text: str) -> str:
    """User text, safe in LaTeX.

    >>> print(escape("bm25_k1=0.9 & 50%"))
    bm25\\_k1=0.9 \\& 50\\%
    """
    return "".join(_SPECIAL.get(c, c) for c in text if c.isprintable())


def _latex_number(value: float, digits: int = 4) -> str:
    if math.isnan(value):
        return "--"
    text = f"{value:.{digits}f}"
    return f"${text}$" if value < 0 else text
