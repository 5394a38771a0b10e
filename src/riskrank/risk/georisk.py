"""GeoRisk: effectiveness and risk in one number."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from riskrank.parameters import inside
from riskrank.risk.inference.student_t import critical_value, exponentials
from riskrank.risk.paired import checked_alpha
from riskrank.risk.zrisk import checked_matrix, counting_topics, deviations, expectations, row_sums
from riskrank.weights import effective_number

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from riskrank.data.effectiveness import Effectiveness
    from riskrank.typing import Floats


def georisk(
    matrix: ArrayLike | Effectiveness,
    *,
    alpha: float,
    population: ArrayLike | None = None,
    weights: ArrayLike | None = None,
) -> Floats:
    r"""Geometric mean of a system's mean effectiveness and its ZRisk, brought into [0, 1].

    .. math:: GeoRisk_i = \sqrt{\frac{S_i}{c} \, \Phi\!\left(\frac{Z_i}{c}\right)}

    over a matrix of systems × topics. Dinçer et al. 2016, Eq. 7. One value per system. Departures: none. `population`
    is that of `z_scores`, `weights` are those of `zrisk`: whole ones give the GeoRisk of repeated topics.

    >>> georisk([[0.1, 0.3], [0.2, 0.2]], alpha=5).round(4)
    array([0.2713, 0.2853])
    """
    values, known = counting_topics(checked_matrix(matrix), weights)
    above, below = deviations(values, population, known)
    return combined(row_sums(values, known), above + (1 + checked_alpha(alpha)) * below, values.shape[1])


def georisk_intervals(
    matrix: ArrayLike | Effectiveness,
    *,
    alpha: float,
    confidence: float = 0.95,
    population: ArrayLike | None = None,
    weights: ArrayLike | None = None,
) -> Floats:
    """Intervals for GeoRisk over topics like these, with these systems as the population: systems × (low, high).

    The infinitesimal jackknife gives the standard error of log GeoRisk, how much a little more weight on one topic
    would change it; the interval is Student's t on that scale. docs/risk.md says how often it covers. With `weights`,
    t has the degrees of freedom of as many topics of equal weight.

    >>> georisk_intervals([[0.1, 0.3, 0.2], [0.2, 0.2, 0.3]], alpha=1).round(2)
    array([[0.17, 0.57],
           [0.24, 0.46]])
    """
    values, known = counting_topics(checked_matrix(matrix), weights)
    inside("confidence", confidence, 0, 1)
    weight, n_topics = 1 + checked_alpha(alpha), values.shape[1]
    limits = np.full((len(values), 2), np.nan)
    n_effective = n_topics if known is None else effective_number(known)
    if n_effective < 2:
        return limits
    reach = critical_value(1 - confidence, n_effective - 1)
    for i in np.flatnonzero(values.any(axis=1)).tolist():
        row = values[i]
        (expected,) = expectations(values, slice(i, i + 1), population, known)
        error, center = _log_error(row, expected, weight, np.ones(n_topics) if known is None else known)
        limits[i] = exponentials(center - reach * error, center + reach * error)
    return np.minimum(limits, 1.0) if (values <= 1).all() else limits


def _log_error(row: Floats, expected: Floats, weight: float, weights: Floats) -> tuple[float, float]:
    """The standard error of the logarithm of one system's GeoRisk, and that logarithm; NaN where GeoRisk is 0."""
    n_topics, total = len(row), (weights * row).sum()
    is_expected = expected > 0
    root = np.sqrt(np.where(is_expected, expected, 1.0))
    z = np.where(is_expected, (row - expected) / root, 0.0)
    slope = np.where(z < 0, weight, 1.0)
    mean_z = float((weights * slope * z).mean())
    # More weight on a topic adds its z, and moves the expectations of all topics by its own surprise.
    moved = (weights * np.where(is_expected, -slope * (row + expected) / (2 * root), 0.0)).sum() / total
    of_z = slope * z + (row - expected) * moved
    cdf, density = NormalDist().cdf(mean_z), NormalDist().pdf(mean_z)
    if cdf == 0:
        return math.nan, math.nan
    influence = (row / total + density / cdf * of_z / n_topics) / 2
    squares = np.square(weights * (influence - (weights * influence).mean())).sum()
    return math.sqrt(squares * n_topics / (n_topics - 1)), math.log(math.sqrt(total / n_topics * cdf))


def combined(sums: Floats, z: Floats, n_topics: int) -> Floats:
    """GeoRisk from row sums and ZRisk."""
    if n_topics == 0:
        return np.full(np.shape(sums), np.nan)
    return np.sqrt(sums / n_topics * normal_cdf(z / n_topics))


def normal_cdf(x: Floats) -> Floats:
    """Φ, the standard normal distribution function.

    >>> normal_cdf(np.array([-1.96, 0.0])).round(4)
    array([0.025, 0.5  ])
    """
    flat = [0.5 * math.erfc(-value / math.sqrt(2)) for value in np.ravel(x).tolist()]
    return np.array(flat).reshape(np.shape(x))
