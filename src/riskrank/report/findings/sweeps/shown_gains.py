"""Which gains of a sweep are shown to be there, on the test queries."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from riskrank.tradeoff.judged_queries import JudgedQueries
    from riskrank.tradeoff.operating_point import OperatingPoint
    from riskrank.tradeoff.sweep import Sweep
    from riskrank.typing import Floats

LEVEL = 0.05


def expected_changes(point: OperatingPoint) -> Floats:
    """What each test query is expected to change by at a point that has a model.

    A coin that uses the model with probability p counts by its expectation, p × change: both rankings of a test query
    are known, so the mean over all queries to come is estimated without tossing it, and the interval of that mean is p
    times the model's. What some queries show once the coin has fallen varies more, by p (1 − p) × change² each.
    """
    test = point.sweep.test
    return np.asarray(point.share_used(test) * np.asarray(test.changes[point.index]).ravel())


def has_gain(sweep: Sweep) -> bool:
    """Is the reference model shown to gain? Shares of a gain that could be chance would be noise."""
    reference, test = sweep.reference_model, sweep.test
    return bool(test.gain[reference] > 0) and is_significant(test, test.changes[reference])


def is_gain(point: OperatingPoint) -> bool:
    """Is a point that has a model shown to gain on the test queries?"""
    return point.gain > 0 and is_significant(point.sweep.test, expected_changes(point))


def is_significant(queries: JudgedQueries, changes: Floats) -> bool:
    """Is the mean of what queries change by, by itself?"""
    return bool(queries.mirror(changes).p_value(0.0) <= LEVEL)
