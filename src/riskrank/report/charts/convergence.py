"""Effectiveness as training goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riskrank.report.charts.catalogue import ChartKind
from riskrank.report.charts.sources import as_sweep
from riskrank.report.charts.style import HEIGHT, WIDTH, alt, chart_of, colour, layered, named
from riskrank.report.thinned import thinned

if TYPE_CHECKING:
    from riskrank.assessment.assessment import Assessment
    from riskrank.tradeoff.sweep import Sweep

MOST_STEPS = 400  # of a curve


def convergence(source: Assessment | Sweep) -> alt.LayerChart:
    """Effectiveness after each step, and where 95 % of the last gain over the baseline is reached.

    Wang et al. 2012, Fig. 4.
    """
    sweep = as_sweep(source, "convergence")
    converged = sweep.convergence
    rows, marks = [], []
    for i, setting in enumerate(sweep.settings):
        name = named(setting.label)
        curve = sweep.learning_curve(i)
        rows += [
            {"step": k + 1, "effectiveness": float(curve[k]), "system": name}
            for k in thinned(len(curve), MOST_STEPS).tolist()
            if np.isfinite(curve[k])
        ]
        reached = converged[i]
        if np.isfinite(reached) and len(curve):
            at = min(round(reached), len(curve))
            marks.append({"step": reached, "effectiveness": float(curve[at - 1]), "system": name})
    names = [named(setting.label) for setting in sweep.settings]
    x = alt.X("step:Q", title=sweep.unit).axis(tickMinStep=1)
    y = alt.Y("effectiveness:Q", title=f"{sweep.measure}, validation").scale(zero=False)
    lines = chart_of(rows).mark_line().encode(x, y, colour(names, "system"))
    dots = (
        chart_of(marks)
        .mark_point(filled=True, size=60)
        .encode(x, y, colour(names, "system"), tooltip=["system:N", alt.Tooltip("step:Q", title="95% reached after")])
    )
    return layered(lines, dots).properties(width=WIDTH, height=HEIGHT - 60)


CONVERGENCE = ChartKind(convergence)
