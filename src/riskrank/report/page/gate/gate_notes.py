"""How the checks of a gate were computed."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from riskrank.errors import one_line
from riskrank.report.findings.digits import percent
from riskrank.report.findings.gate_findings import CONFIDENCE
from riskrank.report.page.method_notes import topic_definition

if TYPE_CHECKING:
    from riskrank.assessment.gate import GateResult
    from riskrank.risk.budget import Check

INVERTED = "Interval: the values that the mirror-shift bootstrap’s test does not reject."


def gate_definitions(result: GateResult) -> list[tuple[str, str]]:
    """What was checked, and what decides."""
    scores = result.scores
    return [
        (scores.measure, f"{scores.description or 'Scores as given'}."),
        *(_definition(check, scores.unit) for check in result.checks),
        ("Pass or fail", f"The values alone decide; {percent(CONFIDENCE)} intervals say how sure a check is."),
        ("Gain", f"Mean change per {scores.unit} against {one_line(result.baseline)}. {INVERTED}"),
        topic_definition(scores.unit),
        ("Exit code", "0 pass, 1 fail, 2 bad input."),
    ]


def _definition(check: Check, unit: str) -> tuple[str, str]:
    weight = f"losses weigh 1 + α = {1 + check.alpha:g}"
    if check.name == "risk":
        return "Mean loss (risk)", f"Mean of max(0, baseline − candidate) per {unit}. {INVERTED}"
    if check.name == "loss":
        return "Largest loss", f"Of any single {unit}. It has no interval: a larger one may always come."
    if check.name == "hurt":
        return "Hurt", f"Below the baseline: {check.words}. Interval: Wilson’s."
    if check.name == "urisk":
        return "URisk", f"Mean change per {unit}; {weight}. {INVERTED}"
    tested = "" if math.isnan(check.p_value) else " No limit was set: the mirror-shift bootstrap’s test decides."
    return "TRisk", f"URisk divided by its standard error; {weight}.{tested}"
