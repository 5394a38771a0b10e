"""How many topics it takes to see a gain, in words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from riskrank.errors import ParameterError, one_line
from riskrank.report.text.formatting import aligned
from riskrank.risk.inference.power import power

if TYPE_CHECKING:
    from riskrank.assessment.assessment import Assessment

EFFECTS = (0.01, 0.02, 0.05)


def power_text(assessment: Assessment) -> str:
    """For each system: the topics needed to see gains of some sizes, and the smallest gain that these topics show."""
    count, wanted = len(assessment.scores.topics), "in 4 of 5 cases"
    rows = []
    for system in assessment.systems:
        if system.is_baseline:
            continue
        scores = assessment.scores[system.system]
        name = one_line(system.system, limit=40)
        try:
            needed = [power(scores, assessment.baseline_scores, effect=e, level=assessment.level) for e in EFFECTS]
        except ParameterError:
            rows.append([name, *["–"] * (len(EFFECTS) + 1)])
            continue
        topics = ["over 1,000,000" if each.n_topics is None else f"{each.n_topics:,}" for each in needed]
        smallest = needed[0].smallest_effect
        rows.append([name, *topics, "–" if math.isnan(smallest) else f"{smallest:.3f}"])
    header = ["system", *(f"+{effect:g}" for effect in EFFECTS), f"seen with {count:,}"]
    return (
        f"Topics needed to see a gain {wanted} (α = 0, p ≤ {assessment.level:g}, not corrected for many systems), and "
        f"the smallest gain that {count:,} topics show as often\n\n{aligned(header, rows, left=('system',))}"
    )
