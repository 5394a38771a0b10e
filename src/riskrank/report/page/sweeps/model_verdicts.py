"""What the gain of each model of a sweep is shown to be."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from riskrank.report.findings.sweep_findings import LEVEL
from riskrank.risk.inference.mirror_shift import MirrorShift
from riskrank.risk.inference.multiple_testing import holm

if TYPE_CHECKING:
    from riskrank.tradeoff.sweep import Sweep


def model_verdicts(sweep: Sweep) -> list[str]:
    """After Holm's correction, as the style sheet calls it: gain, loss, open, or none without a test."""
    delta = sweep.test.delta
    corrected = holm([MirrorShift(each).p_value(0.0) for each in delta])
    return [
        "none" if math.isnan(p) else "open" if p > LEVEL else "gain" if change.mean() > 0 else "loss"
        for p, change in zip(corrected.tolist(), delta, strict=True)
    ]
