"""The effectiveness of systems on some queries after others, as one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riskrank.data.effectiveness import Effectiveness

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.typing import Floats


def joined_effectiveness(parts: Sequence[Effectiveness], weights: Floats | None = None) -> Effectiveness:
    """One measure of the same systems on different queries; all agree on what does not depend on queries."""
    first = parts[0]
    ties: dict[str, int] = {}
    missing: dict[str, tuple[str, ...]] = {}
    for part in parts:
        for system, count in part.ties_at_cutoff.items():
            ties[system] = ties.get(system, 0) + count
        for system, topics in part.missing.items():
            missing[system] = (*missing.get(system, ()), *topics)
    return Effectiveness(
        first.measure,
        first.systems,
        tuple(topic for part in parts for topic in part.topics),
        np.concatenate([part.matrix for part in parts], axis=1),
        description=first.description,
        aggregate=first.aggregate,
        without_relevant=tuple(topic for part in parts for topic in part.without_relevant),
        missing=missing,
        ties_at_cutoff=ties,
        unit=first.unit,
        weights=weights,
    )
