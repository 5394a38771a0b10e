"""What the models of a sweep are shown to gain as losses weigh more."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riskrank.assessment.significance import significance_of, tested_alphas
from riskrank.report.findings.sweep_findings import LEVEL, expected_changes
from riskrank.report.page.plots.verdict_marks import verdict_classes
from riskrank.risk.inference.mirror_shift import MirrorShift

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.assessment.significance import Significance
    from riskrank.tradeoff.operating_point import OperatingPoint
    from riskrank.tradeoff.sweep import Sweep
    from riskrank.typing import Floats


def model_significance(sweep: Sweep) -> Significance:
    """Of all models on the test queries, after Holm's correction."""
    return _significance(sweep.test.delta)


def model_verdicts(significance: Significance) -> list[str]:
    """Of the gain: what losses that weigh as much as wins are shown to leave."""
    return verdict_classes(significance, 0.0)


def point_verdict(point: OperatingPoint, verdicts: Sequence[str]) -> str:
    """A coin changes nothing about what its model is shown to be; with a predictor, the point is tested by itself."""
    if point.index is not None and point.predictor is None:
        return verdicts[point.index]
    return model_verdicts(_significance(expected_changes(point)[None]))[0]


def _significance(delta: Floats) -> Significance:
    """Of changes, models × queries."""
    alphas = tested_alphas([0.0], len(delta))
    p_values = [[mirror.p_value(alpha) for alpha in alphas] for mirror in map(MirrorShift, delta)]
    return significance_of(
        np.array(p_values),
        alphas,
        risk=np.maximum(0, -delta).mean(axis=1),
        reward=np.maximum(0, delta).mean(axis=1),
        correction="holm",
        level=LEVEL,
    )
