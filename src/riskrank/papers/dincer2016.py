"""Dinçer, Macdonald, Ounis: Risk-Sensitive Evaluation and Learning to Rank using Multiple Baselines. SIGIR 2016."""

from __future__ import annotations

import numpy as np

from riskrank.papers.outcome import Outcome, PaperNumber, PaperRow, PaperTable
from riskrank.papers.paper import Equation, Experiment, Paper, Workplace
from riskrank.risk.georisk import georisk
from riskrank.risk.zrisk import zrisk

# Table 3: systems s1 … s8 × topics t1 … t5, as printed.
MATRIX = np.array(
    [
        [0.0500, 0.1500, 0.3000, 0.4500, 0.5500],
        [0.4000, 0.3500, 0.3000, 0.2500, 0.2000],
        [0.3000, 0.3000, 0.3000, 0.3000, 0.3000],
        [0.2500, 0.2500, 0.2500, 0.2500, 0.2500],
        [0.4000, 0.1500, 0.4000, 0.1500, 0.4000],
        [0.2000, 0.4500, 0.2000, 0.4500, 0.2000],
        [0.2542, 0.2629, 0.2802, 0.2975, 0.3061],
        [0.2918, 0.2994, 0.3147, 0.3301, 0.3378],
    ]
)
SYSTEMS = tuple(f"s{i + 1}" for i in range(len(MATRIX)))
EXAMPLE = "the paper's example, 8 systems on 5 topics"

# Table 5: α → (ZRisk, GeoRisk) of each system.
TABLE_5 = {
    0: [(-0.049, 0.386), (0.026, 0.388), (0.006, 0.387), (0.005, 0.354),
        (0.006, 0.387), (0.005, 0.387), (-0.001, 0.374), (0.001, 0.397)],
    1: [(-0.727, 0.364), (-0.312, 0.378), (-0.069, 0.385), (-0.063, 0.352),
        (-0.541, 0.370), (-0.539, 0.370), (-0.008, 0.374), (-0.010, 0.396)],
    5: [(-3.442, 0.271), (-1.668, 0.333), (-0.368, 0.376), (-0.336, 0.344),
        (-2.727, 0.296), (-2.718, 0.297), (-0.036, 0.373), (-0.052, 0.395)],
    10: [(-6.835, 0.160), (-3.362, 0.274), (-0.742, 0.364), (-0.677, 0.334),
         (-5.460, 0.203), (-5.442, 0.204), (-0.072, 0.372), (-0.106, 0.393)],
}  # fmt: skip


def table_5(_work: Workplace) -> Outcome:
    """ZRisk and GeoRisk at four α; the population is all eight systems."""
    ours = {
        alpha: list(zip(zrisk(MATRIX, alpha=alpha), georisk(MATRIX, alpha=alpha), strict=True)) for alpha in TABLE_5
    }
    rows = [
        PaperRow(
            system,
            tuple(PaperNumber(float(ours[alpha][i][k]), TABLE_5[alpha][i][k]) for alpha in TABLE_5 for k in range(2)),
        )
        for i, system in enumerate(SYSTEMS)
    ]
    columns = tuple(f"{name} α={alpha}" for alpha in TABLE_5 for name in ("ZRisk", "GeoRisk"))
    return Outcome(EXAMPLE, tables=(PaperTable("ZRisk and GeoRisk", "system", columns, tuple(rows)),))


PAPER = Paper(
    key="dincer2016",
    authors="Dinçer, Macdonald, Ounis",
    title="Risk-Sensitive Evaluation and Learning to Rank using Multiple Baselines",
    venue="SIGIR 2016",
    experiments=(Experiment("table-5", "ZRisk and GeoRisk of the example systems", table_5),),
    equations=(
        Equation("10", "ZRisk", "riskrank.risk.zrisk:zrisk"),
        Equation("11", "GeoRisk", "riskrank.risk.georisk:georisk"),
    ),
)
