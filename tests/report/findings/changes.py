"""Systems made of known changes against a baseline, so that what is said of them can be worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

import riskrank as rr

if TYPE_CHECKING:
    from riskrank.assessment.assessment import Assessment

N_TOPICS = 40
OLD = np.full(N_TOPICS, 0.5)


def changes(*parts: tuple[int, float]) -> np.ndarray:
    """So many topics that change by so much, one kind after the other; the rest do not change."""
    row = [change for count, change in parts for _ in range(count)]
    return np.array(row + [0.0] * (N_TOPICS - len(row)))


def assessed(systems: dict[str, np.ndarray], *, unit: str = "topic", **options) -> Assessment:
    """All against a baseline that scores 0.5 on every topic."""
    rows = {"old": OLD, **{name: OLD + change for name, change in systems.items()}}
    scores = rr.Effectiveness.from_rows(rows, topics=[f"t{i}" for i in range(N_TOPICS)], measure="AP")
    return rr.assess(replace(scores, unit=unit), "old", **{"alphas": (0, 1, 5), **options})


def interval(assessment: Assessment, system: str, n_decimals: int = 3) -> str:
    """As sentences have it."""
    low, high = (f"{limit:+.{n_decimals}f}".replace("-", "−") for limit in assessment[system].gain_interval)
    return f"(95% interval {low} to {high})"
