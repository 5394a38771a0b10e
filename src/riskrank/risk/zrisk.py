"""ZRisk: risk against the whole population of systems."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riskrank.errors import ParameterError
from riskrank.risk.paired import checked_alpha

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from riskrank.data.effectiveness import Effectiveness
    from riskrank.typing import Floats


ROWS_AT_ONCE = 64  # keeps temporaries small enough for the cache


def zrisk(matrix: ArrayLike | Effectiveness, *, alpha: float) -> Floats:
    r"""Sum of a system's standardised deviations from expectation, negative ones weighted 1 + alpha.

    .. math:: Z_i = \sum_{z_{ij} > 0} z_{ij} + (1 + \alpha) \sum_{z_{ij} < 0} z_{ij} ,\quad
        z_{ij} = \frac{x_{ij} - e_{ij}}{\sqrt{e_{ij}}} ,\quad e_{ij} = \frac{S_i T_j}{N}

    over a matrix of systems × topics with row sums S, column sums T and total N; z is 0 where e is 0. Dinçer
    et al. 2016, Eq. 4–6. One value per system. Departures: none.

    >>> zrisk([[0.1, 0.3], [0.2, 0.2]], alpha=0).round(4)
    array([-0.0291,  0.0291])
    """
    above, below = deviations(checked_matrix(matrix))
    return above + (1 + checked_alpha(alpha)) * below


def deviations(matrix: Floats) -> tuple[Floats, Floats]:
    """Each system's sums of positive and of negative z; they serve every alpha."""
    systems, topics = matrix.sum(axis=1), matrix.sum(axis=0)
    total = systems.sum()
    above, below = np.zeros(len(matrix)), np.zeros(len(matrix))
    if total == 0:
        return above, below
    share = topics / total
    for start in range(0, len(matrix), ROWS_AT_ONCE):
        rows = slice(start, start + ROWS_AT_ONCE)
        expected = systems[rows, None] * share
        z = matrix[rows] - expected
        np.sqrt(expected, out=expected)
        np.divide(z, expected, out=z, where=expected > 0)
        z[expected == 0] = 0
        above[rows] = np.maximum(z, 0).sum(axis=1)
        below[rows] = np.minimum(z, 0).sum(axis=1)
    return above, below


def checked_matrix(matrix: ArrayLike | Effectiveness) -> Floats:
    """A matrix of effectiveness, systems × topics, without negative numbers."""
    if hasattr(matrix, "columns"):
        raise ParameterError("pass the array of systems × topics (Effectiveness.matrix), not a frame.")
    values = np.asarray(getattr(matrix, "matrix", matrix), dtype=np.float64)
    if np.isinf(values).any():
        raise ParameterError("ZRisk and GeoRisk need finite effectiveness.")
    if values.ndim != 2:
        raise ParameterError(f"the matrix must be systems × topics, got shape {values.shape}.")
    if (values < 0).any():
        raise ParameterError("ZRisk and GeoRisk need effectiveness from 0 up, got a negative number.")
    return values
