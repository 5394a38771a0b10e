"""GeoRisk: effectiveness and risk in one number."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from riskrank.risk.paired import checked_alpha
from riskrank.risk.zrisk import checked_matrix, deviations

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from riskrank.data.effectiveness import Effectiveness
    from riskrank.typing import Floats


def georisk(matrix: ArrayLike | Effectiveness, *, alpha: float) -> Floats:
    r"""Geometric mean of a system's mean effectiveness and its ZRisk, brought into [0, 1].

    .. math:: GeoRisk_i = \sqrt{\frac{S_i}{c} \, \Phi\!\left(\frac{Z_i}{c}\right)}

    over a matrix of systems × topics. Dinçer et al. 2016, Eq. 7. One value per system. Departures: none.

    >>> georisk([[0.1, 0.3], [0.2, 0.2]], alpha=5).round(4)
    array([0.2713, 0.2853])
    """
    values = checked_matrix(matrix)
    above, below = deviations(values)
    return combined(values.sum(axis=1), above + (1 + checked_alpha(alpha)) * below, values.shape[1])


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
