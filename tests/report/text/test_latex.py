"""Tables for papers."""

from __future__ import annotations

import pytest

import riskrank as rr
from riskrank.report.table import Table
from riskrank.report.text.latex import escape, latex_table, plain_latex

ROWS = {"old": [0.5, 0.4, 0.3, 0.6], "new": [0.6, 0.1, 0.9, 0.6], "same": [0.5, 0.4, 0.3, 0.6]}


def assessed(rows, **options):
    return rr.assess(rr.Effectiveness.from_rows(rows, measure="AP"), next(iter(rows)), **options)


def test_latex_has_as_many_cells_as_columns():
    lines = latex_table(assessed(ROWS, alphas=(0, 5))).splitlines()
    (begin,) = [line for line in lines if line.startswith(r"\begin")]
    columns = begin.count("r") - "\\begin{tabular}".count("r") + 1
    rows = [line for line in lines if line.endswith(r"\\")]
    assert all(row.count(" & ") + 1 + (2 * row.count("multicolumn")) == columns for row in rows)


def test_a_line_per_system():
    lines = latex_table(assessed(ROWS, alphas=(1,))).splitlines()
    assert lines[0] == r"% needs \usepackage{booktabs}"
    assert any(line.startswith("new & 0.5500 & 0.1000 & 0.0750 & 0.1750 & 2/1 & 1 & 0.0250 & ") for line in lines)
    assert any(line.startswith("old & 0.4500 & -- & -- & -- & -- & -- & -- & -- & ") for line in lines)


def test_what_spoils_the_comparison_is_a_comment():
    assert "% Caution: 4 topics cannot show anything" in latex_table(assessed(ROWS))


def test_user_text_is_escaped():
    text = latex_table(assessed({'<b>"&_%\\': [0.1, 0.2], "b\n": [0.3, 0.1]}))
    assert r'\textless{}b\textgreater{}"\&\_\%\textbackslash{}' in text


@pytest.mark.parametrize(("text", "escaped"), [("−0.1", "$-$0.1"), ("a\tb", "ab"), ("x^2~y#1", None)])
def test_signs_that_latex_reads(text, escaped):
    assert escape(text) == (escaped or r"x\textasciicircum{}2\textasciitilde{}y\#1")


def test_any_table():
    table = Table(["system", "p", "verdict"], [["a_b", "<0.01", "significant gain"]], words=[2])
    lines = plain_latex(table).splitlines()
    assert lines[1] == r"\begin{tabular}{lrl}"
    assert lines[5] == r"a\_b & \textless{}0.01 & significant gain \\"
