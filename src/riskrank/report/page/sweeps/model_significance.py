"""What the models of a sweep are shown to gain as losses weigh more."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riskrank.assessment.significance import significance_of, tested_alphas
from riskrank.report.findings.sweeps.shown_gains import LEVEL, expected_changes
from riskrank.report.page.plots.verdict_marks import verdict_classes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.assessment.significance import Significance
    from riskrank.tradeoff.judged_queries import JudgedQueries
    from riskrank.tradeoff.operating_point import OperatingPoint
    from riskrank.tradeoff.sweep import Sweep
    from riskrank.typing import Floats


def model_significance(sweep: Sweep) -> Significance:
    """Of all models on the test queries, after Holm's correction."""
    return _significance(sweep.test, sweep.test.changes)


def model_verdicts(significance: Significance) -> list[str]:
    """Of the gain: what losses that weigh as much as wins are shown to leave."""
    return verdict_classes(significance, 0.0)


def point_verdict(point: OperatingPoint, verdicts: Sequence[str]) -> str:
    """A coin changes nothing about what its model is shown to be; with a predictor, the point is tested by itself."""
    if point.index is not None and point.predictor is None:
        return verdicts[point.index]
    return model_verdicts(_significance(point.sweep.test, expected_changes(point)[None]))[0]


def _significance(queries: JudgedQueries, changes: Floats) -> Significance:
    """Of changes, models × queries."""
    alphas, weighted = tested_alphas([0.0], len(changes)), queries.weigh(changes)
    p_values = [[mirror.p_value(alpha) for alpha in alphas] for mirror in map(queries.mirror, changes)]
    return significance_of(
        np.array(p_values),
        alphas,
        risk=np.maximum(0, -weighted).mean(axis=1),
        reward=np.maximum(0, weighted).mean(axis=1),
        correction="holm",
        level=LEVEL,
    )
