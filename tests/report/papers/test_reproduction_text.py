"""Experiments in a terminal."""

from __future__ import annotations

import numpy as np

from riskrank.papers.outcome import Claim, FigureSeries, Outcome, PaperFigure, PaperNumber, PaperRow, PaperTable
from riskrank.papers.paper import Experiment
from riskrank.papers.verdicts import mean_margin
from riskrank.report.papers.reproduction_text import claim_legend, outcome_text

OUTCOME = Outcome(
    "made-up data",
    tables=(
        PaperTable(
            "Risk", "system", ("URisk", "TRisk", "note"),
            (
                PaperRow("a", (PaperNumber(0.1234, 0.123), PaperNumber(-1.5, 2.0, digits=1), "x")),
                PaperRow("b", (PaperNumber(0.5), PaperNumber(2.0, 1.0, digits=1, why_not="other runs"), None)),
            ),
        ),
    ),
    figures=(PaperFigure("Curve", "α", "TRisk", (FigureSeries("a", (0.0, 1.0), (1.0, 0.5)),)),),
    claims=(
        Claim("a gains more", "holds", "0.2 > 0.1"),
        Claim("b is safer", "does not hold", "0.3 > 0.1", on_paper_data=True),
    ),
    departures=("fewer trees",),
)  # fmt: skip


def test_ours_stand_above_the_papers():
    experiment = Experiment("table-1", "What each system risks", lambda _: OUTCOME)
    assert (
        outcome_text(experiment, OUTCOME)
        == """\
table-1: does not hold (1 of 2 numbers agree, 1 of 2 claims hold, 1 does not)
What each system risks, on made-up data.

Risk
system          URisk  TRisk  note
a       ours   0.123✓  −1.5✗     x
        paper  0.123    2.0
b       ours   0.500    2.0
        paper           1.0
✓ agrees with the printed number below it, ✗ does not
Not compared: other runs.

Curve: 1 curve of 2 points, drawn on the page.

✓ holds, ✗ does not hold.
✓ a gains more: 0.2 > 0.1
✗ b is safer: 0.3 > 0.1

Departure: fewer trees"""
    )


def test_the_legend_tells_the_signs_that_there_are():
    computed, left_open = Claim("a", "holds", "2 > 1"), Claim("b", "undecided", "other scores than the paper's")
    estimated = Claim.estimated("c", mean_margin(np.linspace(-0.1, 0.3, 50)), "+0.1")
    assert claim_legend(Outcome("d", claims=(computed,))) == "✓ holds, ✗ does not hold"
    assert claim_legend(Outcome("d", claims=(computed, left_open))) == "✓ holds, ✗ does not hold, ? undecided"
    assert claim_legend(Outcome("d", claims=(estimated,))).startswith("✓ holds, ✗ does not hold; the 95 % interval")
