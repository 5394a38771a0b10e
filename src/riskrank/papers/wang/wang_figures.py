"""The figures of Wang et al. 2012, with the paper's axes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riskrank.papers.outcome import FigureSeries, PaperFigure
from riskrank.papers.wang.wang_claims import hull_end
from riskrank.tradeoff.curves import N_BINS, near_optimal_hull

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

    from riskrank.papers.wang.wang_protocol import Study
    from riskrank.tradeoff.selective_use import SelectiveCurve
    from riskrank.typing import Floats

MOST_STEPS = 100  # of Figure 4


def histogram_figure(study: Study, title: str, alphas: Sequence[float]) -> PaperFigure:
    """Figures 1 and 3: queries by their relative change in steps of 10 %, without the spike from 0 to 10 %."""
    series = []
    for k, alpha in enumerate(alphas):
        changes = study.sweep.helped_hurt(study.sweep.find(alpha))
        shown = [(low, count) for low, count in zip(changes.lower, changes.count, strict=True) if low != 0]
        beside = 10 * (k + 1) / (len(alphas) + 1)  # bars of a bucket stand side by side
        series.append(
            FigureSeries(
                f"α = {alpha}", tuple(100 * low + beside for low, _ in shown), tuple(float(n) for _, n in shown),
                kind="bars",
            )
        )  # fmt: skip
    note = "Changes from 0 to 10 % are left out, as in the paper; 100 % and more stand together."
    return PaperFigure(title, "change against the baseline, %", "queries", tuple(series), note=note)


def tradeoff_figure(study: Study, title: str) -> PaperFigure:
    """Figure 2: gain against risk, in hundredths."""
    test, reference = study.sweep.test, study.sweep.reference_model
    risk, gain = float(test.risk[reference]), float(test.gain[reference])
    selective = selective_curve_of(study)
    hull = hull_of(study)
    top = max(gain, float(test.gain.max()))
    lines = {
        "risk-sensitive": (test.risk, test.gain),
        f"selective ({study.predictor})": (selective["risk"], selective["gain"]),
        "near-optimal hull": hull,
        "proportional reduction": (np.array([0, risk]), np.array([0, gain])),
        "break even (T = 0, α = 1)": (np.array([0, min(risk, top)]), np.array([0, min(risk, top)])),
    }
    series = tuple(
        FigureSeries(name, tuple((100 * x).tolist()), tuple((100 * y).tolist())) for name, (x, y) in lines.items()
    )
    return PaperFigure(title, "risk", f"gain in {study.sweep.measure}", series)


def selective_curve_of(study: Study) -> SelectiveCurve:
    """The model for gain alone, used where the predictor is low (§5.3)."""
    return study.sweep.selective(study.predictor, apply="below")


def has_no_thresholds(study: Study) -> bool:
    """Is the predictor the same for all queries? The text score of LETOR's files is: they scale it within a query."""
    curve = selective_curve_of(study)
    return len(set(zip(curve["risk"], curve["gain"], strict=True)) - {(0.0, 0.0)}) < 2


def hull_of(study: Study) -> tuple[Floats, Floats]:
    """Models up to the end of the segment of α, and from the last by coin to the baseline (§5.7)."""
    sweep = study.sweep
    alphas = [setting.value for setting in sweep.settings]
    return near_optimal_hull(alphas, sweep.test.risk, sweep.test.gain, hull_end(study))


def learning_figure(study: Study, title: str) -> PaperFigure:
    """Figure 4: effectiveness on validation queries, the mean over folds."""
    series = []
    for i, setting in enumerate(study.sweep.settings):
        curve = study.sweep.learning_curve(i)[:MOST_STEPS]
        series.append(FigureSeries(setting.value_label, tuple(range(1, len(curve) + 1)), tuple(curve.tolist())))
    return PaperFigure(title, "iterations", f"{study.sweep.measure}, validation", tuple(series))


def bins_figure(bins: pl.DataFrame, title: str) -> PaperFigure:
    """Figure 5: the share of queries in each bin of the Kendall distance to the baseline's ranking."""
    alphas = bins["alpha"].unique(maintain_order=True).to_list()
    series = tuple(
        FigureSeries(f"α = {alpha:g}", tuple(range(N_BINS)), tuple(100 * share for share in in_bins(bins, alpha)))
        for alpha in alphas
    )
    return PaperFigure(title, "Kendall bin", "queries, %", series)


def in_bins(bins: pl.DataFrame, alpha: float, column: str = "share") -> list[float]:
    """A column of each bin at an α."""
    return [float(value) for value in bins.filter(bins["alpha"] == alpha)[column].to_list()]
