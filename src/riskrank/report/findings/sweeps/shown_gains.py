"""Which gains of a sweep are shown to be there, on the test queries."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riskrank.risk.paired import difference

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


def leading_model(sweep: Sweep) -> int:
    """The model that is looked at where none was chosen.

    It is the last of the first series that surely risks less than the reference model and is not shown to gain less;
    without any, the most careful one.
    """
    models, reference, test = sweep.members(sweep.series[0]), sweep.reference_model, sweep.test
    leading = [i for i in models if is_cheaper(test, i, reference)]
    return leading[-1] if leading else models[-1]


def is_cheaper(test: JudgedQueries, model: int, other: int) -> bool:
    """Is a model shown to risk less than another one, and not to gain less?"""
    return risks_less(test, model, other) and not gains_less(test, model, other)


def risks_less(test: JudgedQueries, model: int, other: int) -> bool:
    """Is a model's mean loss shown to be smaller than another one's?"""
    lost = np.maximum(0.0, -test.changes[[model, other]])
    saved = lost[1] - lost[0]
    return bool(test.weigh(saved).mean() > 0) and is_significant(test, saved)


def gains_less(test: JudgedQueries, model: int, other: int) -> bool:
    """Is a model's gain shown to be smaller than another one's?"""
    change = difference(test.values[model], test.values[other])
    return bool(test.weigh(change).mean() < 0) and is_significant(test, change)


def beats_random_use(sweep: Sweep, model: int) -> bool:
    """Is a model shown to gain more than the reference model that is used at random, as often as gives its risk?

    What decides is g − g₀ r/r₀, with its linearisation by query (delta method): r/r₀ varies with the queries, too.
    """
    test, reference = sweep.test, sweep.reference_model
    lost = np.maximum(0.0, -test.changes)
    share, rate = test.risk[model] / test.risk[reference], test.gain[reference] / test.risk[reference]
    kept, random = (test.changes[i] - rate * lost[i] for i in (model, reference))
    margin = difference(kept, share * random)
    return bool(test.weigh(margin).mean() > 0) and is_significant(test, margin)


def is_gain(point: OperatingPoint) -> bool:
    """Is a point that has a model shown to gain on the test queries?"""
    return point.gain > 0 and is_significant(point.sweep.test, expected_changes(point))


def is_significant(queries: JudgedQueries, changes: Floats) -> bool:
    """Is the mean of what queries change by, by itself?"""
    return bool(queries.mirror(changes).p_value(0.0) <= LEVEL)
