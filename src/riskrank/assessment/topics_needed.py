"""How many topics it takes to see a gain, for each system of an assessment."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from riskrank.errors import ParameterError
from riskrank.progress import Progress
from riskrank.risk.inference.power import check_level, powers

if TYPE_CHECKING:
    from riskrank.assessment.assessment import Assessment

EFFECTS = (0.01, 0.02, 0.05)
MANY_SYSTEMS = 10  # take seconds, and a progress bar


@dataclass(frozen=True)
class TopicsNeeded:
    """For one system: the topics needed to see gains of some sizes in 4 of 5 cases, at α = 0.

    `n_topics` has an entry for each effect, None where a million are too few; `smallest_gain` is seen as often with the
    topics that there are. Where changes do not differ nothing is known: no entries, and NaN.
    """

    system: str
    n_topics: dict[float, int | None]
    smallest_gain: float

    def row(self) -> dict[str, Any]:
        """Plain values, with a column for each effect."""
        needed = {f"n_topics_{effect:g}": self.n_topics.get(effect) for effect in EFFECTS}
        smallest = None if math.isnan(self.smallest_gain) else self.smallest_gain
        return {"system": self.system, **needed, "smallest_gain": smallest}


def topics_needed(assessment: Assessment) -> list[TopicsNeeded]:
    """For every system but the baseline, by the level of the assessment, not corrected for many systems."""
    check_level(assessment.level)
    compared = [system.system for system in assessment.systems if not system.is_baseline]
    rows = []
    with Progress("simulating", len(compared), show=None if len(compared) > MANY_SYSTEMS else False) as progress:
        for i, system in enumerate(compared):
            rows.append(_needed(assessment, system))
            progress.update(i + 1)
    return rows


def _needed(assessment: Assessment, system: str) -> TopicsNeeded:
    scores, baseline = assessment.scores[system], assessment.baseline_scores
    try:
        weights = assessment.scores.relative_weights
        needed = powers(scores, baseline, effects=EFFECTS, level=assessment.level, weights=weights)
    except ParameterError:
        return TopicsNeeded(system, {}, math.nan)
    return TopicsNeeded(system, {each.effect: each.n_topics for each in needed}, needed[0].smallest_effect)
