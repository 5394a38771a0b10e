"""GeoRisk of every system, as losses weigh more."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riskrank.errors import ParameterError
from riskrank.parameters import positive
from riskrank.report.charts.catalogue import ChartKind
from riskrank.report.charts.sources import as_assessment
from riskrank.report.charts.style import HEIGHT, MOST_SERIES, WIDTH, alt, chart_of, colour, named, tip
from riskrank.risk.georisk import combined
from riskrank.risk.zrisk import deviations

if TYPE_CHECKING:
    from riskrank.assessment.assessment import Assessment
    from riskrank.tradeoff.sweep import Sweep


def georisk(source: Assessment | Sweep, *, largest_alpha: float = 20.0) -> alt.Chart:
    """GeoRisk of every system as losses weigh more (Dinçer et al. 2016, Fig. 3)."""
    assessment = as_assessment(source)
    matrix = assessment.scores.matrix
    if not (np.isfinite(matrix) & (matrix >= 0)).all():
        raise ParameterError("GeoRisk needs finite scores from 0 up.")
    positive("largest_alpha", largest_alpha)
    above, below = deviations(matrix, assessment.is_member)
    rows = []
    for alpha in np.linspace(0, largest_alpha, 41).tolist():
        values = combined(matrix.sum(axis=1), above + (1 + alpha) * below, matrix.shape[1])
        for system, value in zip(assessment.scores.systems, values.tolist(), strict=True):
            rows.append({"alpha": alpha, "georisk": value, "system": named(system)})
    own = {named(system.system) for system in assessment.systems if system.is_baseline}
    # The baseline comes last, so that the others' colours are as in the other charts.
    names = [name for name in map(named, assessment.scores.systems) if name not in own]
    near = alt.selection_point(fields=["system"], on="pointerover", empty=len(names) <= MOST_SERIES)
    lines: alt.Chart = (
        chart_of(rows)
        .mark_line()
        .encode(
            alt.X("alpha:Q", title="α").scale(nice=False),
            alt.Y("georisk:Q", title="GeoRisk").scale(zero=False),
            colour([*names, *own], "system", quiet=own),
            opacity=alt.condition(near, alt.value(1), alt.value(0.35)),
            tooltip=["system:N", tip("alpha", ".1f"), tip("georisk", ".4f")],
        )
        .add_params(near)
        .properties(width=WIDTH, height=HEIGHT - 40)
    )
    return lines


GEORISK = ChartKind(georisk)
