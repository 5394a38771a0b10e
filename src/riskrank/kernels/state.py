"""What a target sees: the query whose swap it weighs, and the state of all queries together."""

from __future__ import annotations

from typing import NamedTuple


class Query(NamedTuple):
    """A query under the current scores: its effectiveness, the baseline's, and a number of the target's own."""

    effectiveness: float
    baseline: float
    state: float


class Run(NamedTuple):
    """All queries under the current scores; d is effectiveness minus the baseline's."""

    alpha: float
    n_queries: float
    mean_difference: float  # of d
    deviation: float  # the sample standard deviation of d
