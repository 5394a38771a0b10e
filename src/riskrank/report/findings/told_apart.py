"""Which systems can be told apart: the guard against reading too much into first place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riskrank.report.findings.assessment_findings import FEW_SYSTEMS, rivals
from riskrank.risk.inference.multiple_testing import holm
from riskrank.risk.trisk import trisk

if TYPE_CHECKING:
    from riskrank.assessment.assessment import Assessment, SystemSummary


def not_told_apart(assessment: Assessment, system: SystemSummary) -> list[str]:
    """The systems whose gain is not shown to differ from this one's, by paired tests after Holm's correction.

    That is no proof that they are equal. Of few systems, whose intervals are all drawn, nothing is said.
    """
    others = [each.system for each in rivals(assessment) if each is not system]
    if len(others) < FEW_SYSTEMS:
        return []
    scores = assessment.scores
    tests = [trisk(scores[other], scores[system.system], alpha=0, level=assessment.level) for other in others]
    corrected = holm([test.p_mirror for test in tests])
    return [other for other, p in zip(others, corrected.tolist(), strict=True) if not p <= assessment.level]


def told_apart_sentence(assessment: Assessment, system: SystemSummary) -> str:
    """How many there are; empty where there are none."""
    count = len(not_told_apart(assessment, system))
    if not count:
        return ""
    return f"{'1 system' if count == 1 else f'{count} systems'} cannot be told apart from {system.system}."
