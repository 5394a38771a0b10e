"""How the checks of a gate were computed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riskrank.errors import one_line
from riskrank.report.page.method_notes import topic_definition

if TYPE_CHECKING:
    from riskrank.assessment.gating.comparison import Comparison
    from riskrank.risk.budget.check import Check

INVERTED = "Interval: the values that the mirror-shift bootstrap’s test does not reject."
SEGMENTS = (
    "Limits of its own decide by their values. The limits of all topics a segment breaks only where that is sure: its "
    "whole interval lies beyond, at a confidence corrected for the number of segments."
)


def gate_definitions(compared: Comparison) -> list[tuple[str, str]]:
    """What was checked, and what decides."""
    scores, budget = compared.scores, compared.budget
    decides = (
        "A check must surely hold: its whole interval keeps the limit."
        if budget.strict
        else "The values alone decide; intervals say how sure a check is."
    )
    terms = [
        (scores.measure, f"{scores.description or 'Scores as given'}."),
        *(_definition(check, scores.unit) for check in compared.checks),
        ("Pass or fail", decides),
        ("Gain", f"Mean change per {scores.unit} against {one_line(compared.baseline)}. {INVERTED}"),
        topic_definition(scores.unit),
        ("Exit code", "0 pass, 1 fail, 2 bad input."),
    ]
    return [*terms, ("Segments", SEGMENTS)] if compared.segments else terms


def _definition(check: Check, unit: str) -> tuple[str, str]:
    weight = f"losses weigh 1 + α = {1 + check.alpha:g}"
    beyond, more = (f" by {word} {check.beyond:g}" if check.beyond else "" for word in ("over", "more than"))
    return {
        "missing": ("Without results", f"The candidate has no documents for a {unit} that the baseline answers."),
        "hurt": (f"Hurt{beyond}", f"Below the baseline{more}. Interval: Wilson’s."),
        "severe": (f"Hurt{beyond}", f"A severe loss: below the baseline{more}. Interval: Wilson’s."),
        "loss": ("Largest loss", f"Of any single {unit}. It has no interval: a larger one may always come."),
        "risk": ("Mean loss (risk)", f"Mean of max(0, baseline − candidate) per {unit}. {INVERTED}"),
        "urisk": ("URisk", f"Mean change per {unit}; {weight}. {INVERTED}"),
        "trisk": ("TRisk", f"URisk divided by its standard error; {weight}."),
        "significance": ("Significant loss", f"URisk below 0 by the mirror-shift bootstrap’s test; {weight}."),
        "gain": ("Mean change", f"Per {unit}, losses and wins alike. {INVERTED}"),
        "worse": ("Not worse", "What the mean change is at least, one-sided, by the mirror-shift bootstrap’s test."),
        "protected": ("Protected", f"A {unit} on the list must not lose anything."),
    }[check.name]
