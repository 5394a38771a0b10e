"""Dinçer, Macdonald, Ounis: Risk-Sensitive Evaluation and Learning to Rank using Multiple Baselines. SIGIR 2016.

The worked example (Tables 3 to 5, Figures 1 and 2) is here; runs of TREC 2012 are in
`dincer.track_2016` (Table 6) and `dincer.curves_2016` (Figure 3), learning to rank (Table 7) in `dincer.learning_2016`.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from riskrank.papers.data_folders import MSLR, TREC_2012
from riskrank.papers.dincer.curves_2016 import figure_3
from riskrank.papers.dincer.learning_2016 import table_7, table_7_seconds
from riskrank.papers.dincer.track import track_seconds
from riskrank.papers.dincer.track_2016 import RUNS, table_6
from riskrank.papers.outcome import (
    Claim,
    FigureSeries,
    Outcome,
    PaperFigure,
    PaperNumber,
    PaperRow,
    PaperTable,
    on_paper_data,
)
from riskrank.papers.paper import Equation, Experiment, Paper, Workplace
from riskrank.papers.verdicts import exactly
from riskrank.risk.georisk import georisk
from riskrank.risk.zrisk import z_scores, zrisk

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.typing import Floats

# Table 3: systems s1 … s8 × topics t1 … t5; then the row sums, the row means, and the column sums and means.
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
SUMS = (1.5, 1.5, 1.5, 1.25, 1.5, 1.5, 1.4009, 1.5738)
MEANS = (0.3, 0.3, 0.3, 0.25, 0.3, 0.3, 0.2802, 0.3148)
TOPIC_SUMS = (2.1460, 2.2123, 2.3449, 2.4776, 2.5440, 11.7248)
TOPIC_MEANS = (0.2683, 0.2765, 0.2931, 0.3097, 0.3180)
SYSTEMS = tuple(f"s{i + 1}" for i in range(len(MATRIX)))
TOPICS = tuple(f"t{j + 1}" for j in range(MATRIX.shape[1]))
TWO_RUNS = "the paper's scores of DFalah121A and irra12c"
EXAMPLE = "the paper's example, 8 systems on 5 topics"

# Table 4: z of each topic and ZRisk at α = 0, for s_k with s1 as the only baseline and for s1 with s_k.
TABLE_4 = {
    2: ((0.3689, 0.2000, 0.0000, -0.1690, -0.2858, 0.1141), (-0.3689, -0.2000, 0.0000, 0.1690, 0.2858, -0.1141)),
    3: ((0.2988, 0.1581, 0.0000, -0.1225, -0.1917, 0.1427), (-0.2988, -0.1581, 0.0000, 0.1225, 0.1917, -0.1427)),
    4: ((0.3077, 0.1599, 0.0000, -0.1209, -0.1884, 0.1583), (-0.2809, -0.1460, 0.0000, 0.1103, 0.1720, -0.1445)),
    5: ((0.3689, 0.0000, 0.0845, -0.2739, -0.1088, 0.0708), (-0.3689, 0.0000, -0.0845, 0.2739, 0.1088, -0.0708)),
    6: ((0.2121, 0.2739, -0.1000, 0.0000, -0.2858, 0.1002), (-0.2121, -0.2739, 0.1000, 0.0000, 0.2858, -0.1002)),
    7: ((0.2799, 0.1422, 0.0000, -0.1057, -0.1669, 0.1496), (-0.2705, -0.1374, 0.0000, 0.1021, 0.1613, -0.1446)),
    8: ((0.2792, 0.1445, -0.0001, -0.1097, -0.1732, 0.1408), (-0.2860, -0.1480, 0.0001, 0.1123, 0.1774, -0.1442)),
}

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


def table_3(_work: Workplace) -> Outcome:
    """Sums and means of the example's rows and columns; its scores are the input."""
    rows = [
        PaperRow(system, (*(f"{x:.4f}" for x in scores), PaperNumber(float(scores.sum()), total, 4),
                          PaperNumber(float(scores.mean()), mean, 4)))
        for system, scores, total, mean in zip(SYSTEMS, MATRIX, SUMS, MEANS, strict=True)
    ]  # fmt: skip
    totals = [*MATRIX.sum(axis=0), MATRIX.sum()]
    rounded = 2 * np.array([1, 1, 1, 1, 1, 5])  # how many of the scores in each sum are
    sums = (
        PaperNumber(float(ours), printed, 4, 0.00005 * (1 + n))
        for ours, printed, n in zip(totals, TOPIC_SUMS, rounded, strict=True)
    )
    rows.append(PaperRow("T_j", (*sums, None)))
    rows.append(PaperRow("mean", (*_beside(MATRIX.mean(axis=0), TOPIC_MEANS, 4), None, None)))
    note = "the scores of s7 and s8 are printed rounded: sums of topics agree within half a digit for each"
    table = PaperTable("Example data matrix", "system", (*TOPICS, "S_i", "mean"), tuple(rows), note)
    return Outcome(EXAMPLE, tables=(table,))


def figure_1(_work: Workplace) -> Outcome:
    """The performance profiles of the example systems, and what the text says of them."""
    series = tuple(
        FigureSeries(name, tuple(map(float, range(1, 6))), tuple(scores.tolist()))
        for name, scores in zip(SYSTEMS, MATRIX, strict=True)
    )
    steps, mean = np.diff(MATRIX, axis=1), np.diff(MATRIX.mean(axis=0))
    claims = (
        Claim(
            "s1 rises over the topics and s2 falls, at the same mean",
            exactly(bool((steps[0] > 0).all() and (steps[1] < 0).all() and MATRIX[0].mean() == MATRIX[1].mean())),
            f"steps of s1 from {steps[0].min():+.2f}, of s2 up to {steps[1].max():+.2f}; means {MATRIX[0].mean():.4f}",
        ),
        Claim("s3 and s4 are constant", exactly(bool((steps[2:4] == 0).all())), "all steps are 0"),
        Claim(
            "s5 and s6 alternate, one above where the other is below",
            exactly(bool((np.sign(steps[4]) == [-1, 1, -1, 1]).all() and (np.sign(steps[5]) == [1, -1, 1, -1]).all())),
            f"s5 {_listed(MATRIX[4])}; s6 {_listed(MATRIX[5])}",
        ),
        Claim(
            "s7 and s8 have the shape of the topics' means",
            exactly(bool((np.sign(steps[6:]) == np.sign(mean)).all())),
            f"correlation {np.corrcoef(MATRIX[6], MATRIX.mean(axis=0))[0, 1]:.4f} "
            f"and {np.corrcoef(MATRIX[7], MATRIX.mean(axis=0))[0, 1]:.4f}",
        ),
    )
    means = PaperTable(
        "Means of the profiles, as Table 3 has them", "system", ("mean",),
        tuple(PaperRow(name, _beside([scores.mean()], [mean], 4))
              for name, scores, mean in zip(SYSTEMS, MATRIX, MEANS, strict=True)),
    )  # fmt: skip
    figure = PaperFigure("Performance profiles", "topic", "score", series)
    return Outcome(EXAMPLE, tables=(means,), figures=(figure,), claims=on_paper_data(claims))


def table_4(_work: Workplace) -> Outcome:
    """z and ZRisk at α = 0 of two systems at a time."""
    rows = []
    for k, printed in TABLE_4.items():
        pair = MATRIX[[k - 1, 0]]
        z, risk = z_scores(pair), zrisk(pair, alpha=0)
        for i, name in enumerate((f"s{k} vs. s1", f"s1 vs. s{k}")):
            rows.append(PaperRow(name, _beside([*z[i], risk[i]], printed[i], 4)))
    against = {k: float(zrisk(MATRIX[[k - 1, 0]], alpha=0)[0]) for k in TABLE_4}
    claim = Claim(
        "Against s1 alone, s4 is the least risky, although s3, s7 and s8 are more effective with profiles like its own",
        exactly(max(against, key=against.__getitem__) == 4),
        "ZRisk " + ", ".join(f"s{k} {value:.4f}" for k, value in against.items()),
    )
    swapped = {k: float(zrisk(MATRIX[[k - 1, 0]], alpha=0).sum()) for k in TABLE_4 if MEANS[k - 1] == MEANS[0]}
    only_sign = Claim(
        "Of systems with the mean of s1, only the sign of ZRisk changes when the baseline is swapped",
        exactly(max(map(abs, swapped.values())) < 1e-12),
        f"{', '.join(f's{k}' for k in swapped)}: sums of both are 0",
    )
    table = PaperTable("A single baseline, α = 0", "systems", (*TOPICS, "ZRisk"), tuple(rows))
    return Outcome(EXAMPLE, tables=(table,), claims=on_paper_data((claim, only_sign)))


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
    most = {alpha: [float(z) for z, _ in ours[alpha]] for alpha in (1, 5, 10)}
    claims = (
        Claim(
            "With losses weighing more, s7 and s8 are the least risky and s1 the most",
            exactly(all({6, 7} == set(np.argsort(z)[-2:].tolist()) and np.argmin(z) == 0 for z in most.values())),
            "; ".join(f"α = {alpha}: s7 {z[6]:.3f}, s8 {z[7]:.3f}, s1 {z[0]:.3f}" for alpha, z in most.items()),
        ),
        Claim(
            "With several baselines s4 is no longer less risky than s7 and s8",
            exactly(all(z[3] < min(z[6], z[7]) for z in most.values())),
            "; ".join(f"α = {alpha}: s4 {z[3]:.3f}, s7 {z[6]:.3f}, s8 {z[7]:.3f}" for alpha, z in most.items()),
        ),
        Claim(
            "ZRisk calls s3 riskier than s4, GeoRisk does not",
            exactly(bool(ours[5][2][0] < ours[5][3][0] and ours[5][2][1] > ours[5][3][1])),
            f"α = 5: ZRisk {ours[5][2][0]:.3f} against {ours[5][3][0]:.3f}, "
            f"GeoRisk {ours[5][2][1]:.3f} against {ours[5][3][1]:.3f}",
        ),
    )
    table = PaperTable("ZRisk and GeoRisk", "system", columns, tuple(rows))
    return Outcome(EXAMPLE, tables=(table,), claims=on_paper_data(claims))


def figure_2(_work: Workplace) -> Outcome:
    """GeoRisk of the example systems as α grows from 0 to 10."""
    alphas = range(11)
    curves = np.array([georisk(MATRIX, alpha=alpha) for alpha in alphas])
    series = tuple(
        FigureSeries(name, tuple(map(float, alphas)), tuple(curves[:, i].tolist())) for i, name in enumerate(SYSTEMS)
    )
    lost = 1 - curves[-1] / curves[0]
    falling, level = [0, 1, 4, 5], [2, 3, 6, 7]
    claim = Claim(
        "The curves of s1, s2, s5 and s6 slope downward; those of s3, s4, s7 and s8 are nearly level",
        exactly(bool(lost[falling].min() > 2 * lost[level].max())),
        "GeoRisk lost from α = 0 to 10: " + ", ".join(f"{name} {x:.0%}" for name, x in zip(SYSTEMS, lost, strict=True)),
    )
    known = PaperTable(
        "Points of the curves that Table 5 has", "system", tuple(f"α={alpha}" for alpha in TABLE_5),
        tuple(PaperRow(name, _beside(curves[list(TABLE_5), i], [TABLE_5[alpha][i][1] for alpha in TABLE_5], 3))
              for i, name in enumerate(SYSTEMS)),
    )  # fmt: skip
    figure = PaperFigure("GeoRisk as α grows", "α", "GeoRisk", series)
    return Outcome(EXAMPLE, tables=(known,), figures=(figure,), claims=on_paper_data((claim,)))


def _beside(ours: Sequence[float] | Floats, printed: Sequence[float], digits: int) -> tuple[PaperNumber, ...]:
    return tuple(PaperNumber(float(a), b, digits) for a, b in zip(ours, printed, strict=True))


def _listed(numbers: Floats) -> str:
    return ", ".join(f"{number:.2f}" for number in numbers)


PAPER = Paper(
    key="dincer2016",
    authors="Dinçer, Macdonald, Ounis",
    title="Risk-Sensitive Evaluation and Learning to Rank using Multiple Baselines",
    venue="SIGIR 2016",
    experiments=(
        Experiment("table-3", "sums and means of the example systems", table_3),
        Experiment("figure-1", "performance profiles of the example systems", figure_1),
        Experiment("table-4", "ZRisk with a single baseline", table_4),
        Experiment("table-5", "ZRisk and GeoRisk of the example systems", table_5),
        Experiment("figure-2", "GeoRisk of the example systems as α grows", figure_2),
        Experiment(
            "table-6",
            "risk of the top TREC 2012 runs by every measure",
            table_6,
            TREC_2012,
            partial(track_seconds, RUNS),
            not_public=TWO_RUNS,
        ),
        Experiment(
            "figure-3",
            "GeoRisk of the top TREC 2012 runs as α grows",
            figure_3,
            TREC_2012,
            partial(track_seconds, RUNS),
            not_public=TWO_RUNS,
        ),
        Experiment("table-7", "learning to rank with several baselines", table_7, MSLR, table_7_seconds),
    ),
    equations=(
        Equation("1", "URisk", "riskrank.risk.urisk:urisk"),
        Equation("2", "TRisk", "riskrank.risk.trisk:trisk"),
        Equation("3", "mean of the systems on a topic", "riskrank.risk.combined_baseline:within_topic"),
        Equation("4", "G², the χ² statistic", "riskrank.risk.zrisk:g_squared"),
        Equation("5", "expected effectiveness", "riskrank.risk.zrisk:expectations"),
        Equation("6", "ZRisk", "riskrank.risk.zrisk:zrisk"),
        Equation("7", "GeoRisk", "riskrank.risk.georisk:georisk"),
        Equation("8", "G² of two systems", "riskrank.risk.zrisk:g_squared"),
        Equation("9", "U-CRO", "riskrank.objectives.ucro:UCRO"),
        Equation("10", "α′ of T-SARO and T-FARO", "riskrank.objectives.saro:Adaptive"),
        Equation("§6", "T-SARO", "riskrank.objectives.saro:SARO"),
        Equation("§6", "T-FARO and T*-FARO", "riskrank.objectives.faro:FARO"),
        Equation("§6", "GeoRisk as an objective", "riskrank.objectives.georisk:GeoRisk"),
    ),
    without_numbers="Table 1 compares measures in words, Table 2 is the layout of a matrix",
)
