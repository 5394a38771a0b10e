"""ZRisk: risk against the whole population of systems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from riskrank.data.effectiveness import LARGEST_SCORE
from riskrank.errors import ParameterError
from riskrank.risk.inference.chi_square import chi_square_p
from riskrank.risk.paired import checked_alpha, topic_weights
from riskrank.weights import relative_weights

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import ArrayLike

    from riskrank.data.effectiveness import Effectiveness
    from riskrank.typing import Floats


ROWS_AT_ONCE = 64  # keeps temporaries small enough for the cache


def zrisk(
    matrix: ArrayLike | Effectiveness,
    *,
    alpha: float,
    population: ArrayLike | None = None,
    weights: ArrayLike | None = None,
) -> Floats:
    r"""Sum of a system's standardised deviations from expectation, negative ones weighted 1 + alpha.

    .. math:: Z_i = \sum_{z_{ij} > 0} z_{ij} + (1 + \alpha) \sum_{z_{ij} < 0} z_{ij} ,\quad
        z_{ij} = \frac{x_{ij} - e_{ij}}{\sqrt{e_{ij}}} ,\quad e_{ij} = \frac{S_i T_j}{N}

    over a matrix of systems × topics with row sums S, column sums T and total N; z is 0 where e is 0. Dinçer
    et al. 2016, Eq. 4–6. One value per system. Departures: none. `population` is that of `z_scores`. With `weights` of
    topics, w with a mean of 1, topics stand there as often as w says: S and N are sums of w x, T is not weighted, and Z
    sums w z. One of weight 0 is not there.

    >>> zrisk([[0.1, 0.3], [0.2, 0.2]], alpha=0).round(4)
    array([-0.0291,  0.0291])
    """
    values, known = counting_topics(checked_matrix(matrix), weights)
    above, below = deviations(values, population, known)
    return above + (1 + checked_alpha(alpha)) * below


def z_scores(matrix: ArrayLike | Effectiveness, *, population: ArrayLike | None = None) -> Floats:
    """z_ij, the standardised deviation of each system on each topic from what its mean and the topic's ease let expect.

    `population` says of each system whether it belongs to those that expectations come from (all, if not given). One
    that does not is compared with them and itself.

    >>> z_scores([[0.1, 0.3], [0.2, 0.2]]).round(4)
    array([[-0.1291,  0.1   ],
           [ 0.1291, -0.1   ]])
    """
    values = checked_matrix(matrix)
    return np.concatenate([z for _, z in _z_by_rows(values, population)] or [np.empty_like(values)])


def deviations(
    matrix: Floats, population: ArrayLike | None = None, weights: Floats | None = None
) -> tuple[Floats, Floats]:
    """Each system's sums of positive and of negative z; they serve every alpha."""
    above, below = np.zeros(len(matrix)), np.zeros(len(matrix))
    for rows, of_topics in _z_by_rows(matrix, population, weights):
        z = of_topics if weights is None else weights * of_topics
        above[rows] = np.maximum(z, 0).sum(axis=1)
        below[rows] = np.minimum(z, 0).sum(axis=1)
    return above, below


def _z_by_rows(
    matrix: Floats, population: ArrayLike | None, weights: Floats | None = None
) -> Iterator[tuple[slice, Floats]]:
    """Few systems at a time, so that temporaries stay small."""
    for start in range(0, len(matrix), ROWS_AT_ONCE):
        rows = slice(start, start + ROWS_AT_ONCE)
        expected = expectations(matrix, rows, population, weights)
        z = matrix[rows] - expected
        np.sqrt(expected, out=expected)
        np.divide(z, expected, out=z, where=expected > 0)
        z[expected == 0] = 0
        yield rows, z


def expectations(
    matrix: Floats, rows: slice, population: ArrayLike | None = None, weights: Floats | None = None
) -> Floats:
    """e_ij of some systems: their sums times the topics' shares in the population."""
    members = np.ones(len(matrix), bool) if population is None else np.asarray(population, dtype=bool)
    if members.shape != (len(matrix),) or not members.any():
        raise ParameterError(f"population must say of each of {len(matrix)} systems whether it belongs, and some must.")
    some = matrix[rows]
    topics = np.where(members[rows, None], 0.0, some) + matrix[members].sum(axis=0)
    total = row_sums(topics, weights)[:, None]
    shares = np.zeros_like(topics)
    np.divide(topics, total, out=shares, where=total != 0)
    return np.asarray(row_sums(some, weights)[:, None] * shares)


def row_sums(matrix: Floats, weights: Floats | None) -> Floats:
    """S: the sum over topics, each as often as its weight says."""
    return np.asarray(matrix.sum(axis=1) if weights is None else (matrix * weights).sum(axis=1))


@dataclass(frozen=True)
class GSquared:
    """Pearson's statistic of a matrix, with its degrees of freedom, chi-square p-value, and the z that it sums."""

    statistic: float
    degrees_of_freedom: int
    p_value: float
    z: Floats


def g_squared(matrix: ArrayLike | Effectiveness) -> GSquared:
    r"""Do systems share one profile over topics?

    .. math:: G^2 = \sum_{ij} z_{ij}^2 , \quad \chi^2 \text{ with } (r - 1)(c - 1) \text{ degrees of freedom}

    Dinçer et al. 2016, Eq. 4 and 8. Departures: none. Scores between 0 and 1 are not counts, for which the chi-square
    distribution is meant: their deviations are much smaller, and the p-value is close to 1 for any set of systems. Take
    G² as a description, not as a test.

    >>> result = g_squared([[0.1, 0.3], [0.2, 0.2]])
    >>> round(result.statistic, 4), result.degrees_of_freedom, round(result.p_value, 4)
    (0.0533, 1, 0.8174)
    """
    values = checked_matrix(matrix)
    z = z_scores(values)
    statistic, freedom = float(np.square(z).sum()), max(len(values) - 1, 0) * max(values.shape[1] - 1, 0)
    return GSquared(statistic, freedom, chi_square_p(statistic, freedom) if freedom else np.nan, z)


def counting_topics(matrix: Floats, weights: ArrayLike | None) -> tuple[Floats, Floats | None]:
    """The columns of topics that have weight, and their weights with a mean of 1; None where all count the same."""
    known = topic_weights(weights, matrix.shape[1])
    if known is None:
        return matrix, None
    return matrix[:, known > 0], relative_weights(known[known > 0])


def checked_matrix(matrix: ArrayLike | Effectiveness) -> Floats:
    """A matrix of effectiveness, systems × topics, without negative numbers."""
    if hasattr(matrix, "columns"):
        raise ParameterError("pass the array of systems × topics (Effectiveness.matrix), not a frame.")
    values = np.asarray(getattr(matrix, "matrix", matrix), dtype=np.float64)
    if (np.abs(values) > LARGEST_SCORE).any():
        raise ParameterError(f"ZRisk and GeoRisk need finite effectiveness, at most {LARGEST_SCORE:g}.")
    if values.ndim != 2:
        raise ParameterError(f"the matrix must be systems × topics, got shape {values.shape}.")
    if (values < 0).any():
        raise ParameterError("ZRisk and GeoRisk need effectiveness from 0 up, got a negative number.")
    return values
