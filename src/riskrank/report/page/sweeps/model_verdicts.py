"""What the gain of each model of a sweep is shown to be."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from riskrank.report.findings.sweep_findings import LEVEL, expected_changes
from riskrank.risk.inference.mirror_shift import MirrorShift
from riskrank.risk.inference.multiple_testing import holm

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.tradeoff.operating_point import OperatingPoint
    from riskrank.tradeoff.sweep import Sweep


def model_verdicts(sweep: Sweep) -> list[str]:
    """After Holm's correction, as the style sheet calls it: gain, loss, open, or none without a test."""
    delta = sweep.test.delta
    corrected = holm([MirrorShift(each).p_value(0.0) for each in delta])
    return [_verdict(p, float(change.mean())) for p, change in zip(corrected.tolist(), delta, strict=True)]


def point_verdict(point: OperatingPoint, verdicts: Sequence[str]) -> str:
    """A coin changes nothing about what its model is shown to be; with a predictor, the point is tested by itself."""
    if point.index is not None and point.predictor is None:
        return verdicts[point.index]
    changes = expected_changes(point)
    return _verdict(MirrorShift(changes).p_value(0.0), float(changes.mean()))


def _verdict(p_value: float, gain: float) -> str:
    return "none" if math.isnan(p_value) else "open" if p_value > LEVEL else "gain" if gain > 0 else "loss"
