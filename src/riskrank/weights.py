"""How much queries and documents count: weights, checked and relative to each other, and means by them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from riskrank.errors import ParameterError, counted, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from riskrank.typing import Floats


def checked_weights(
    weights: ArrayLike, count: int, *, unit: str = "topic", names: Sequence[str] = (), may_all_be_0: bool = False
) -> Floats:
    """Finite numbers from 0, one for each of `count` units; messages may call these by `names`.

    Not all of them are 0, unless there are other units elsewhere and they `may_all_be_0`.

    >>> checked_weights([3, 0, 1], 3)
    array([3., 0., 1.])
    """
    try:
        values = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError):
        raise ParameterError(f"weights must be numbers from 0, one for each {unit}.", "weights") from None
    if values.shape != (count,):
        got = str(len(values)) if values.ndim == 1 else f"shape {values.shape}"
        raise ParameterError(f"{counted(count, unit)} need as many weights, got {got}.", "weights")
    wrong = np.flatnonzero(~((values >= 0) & (values < np.inf)))
    if len(wrong):
        which = quoted(names[wrong[0]]) if len(names) else f"{wrong[0] + 1}"
        raise ParameterError(f"weights must be numbers from 0, got {values[wrong[0]]:g} for {unit} {which}.", "weights")
    if count and not may_all_be_0 and not values.any():
        raise ParameterError(f"weights must not all be 0: no {unit} would count.", "weights")
    return values


def relative_weights(weights: Floats | None) -> Floats | None:
    """Brought to a mean of 1; None where all are equal, so that results are those without weights to the last bit.

    >>> relative_weights(np.array([3.0, 0.0])), relative_weights(np.array([7.0, 7.0]))
    (array([2., 0.]), None)
    """
    if weights is None or not len(weights) or (weights == weights[0]).all():
        return None
    shares = weights / weights.max()  # so that no sum overflows
    return np.asarray(shares / shares.mean())


def weighted_mean(values: Floats, weights: Floats | None) -> Floats:
    """Over the last axis; without weights the plain mean, and NaN, without a warning, of no values.

    >>> weighted_mean(np.array([0.5, 0.1]), np.array([3.0, 1.0])).round(3)
    np.float64(0.4)
    """
    if values.shape[-1] == 0:
        return np.full(values.shape[:-1], np.nan)
    if weights is None:
        return np.asarray(values.mean(axis=-1))
    return np.asarray((values * weights).sum(axis=-1) / weights.sum())


def weighted_deviation(values: Floats, weights: Floats | None) -> float:
    """The sample standard deviation: Σ w (x − x̄)² / Σ w, times c / (c − 1); 0 of a single value.

    c counts the values that have weight.

    >>> round(weighted_deviation(np.array([0.5, 0.1]), np.array([3.0, 1.0])), 4)
    0.2449
    """
    count = len(values) if weights is None else n_counting(weights)
    if count < 2:
        return 0.0
    if weights is None:
        return float(values.std(ddof=1))
    away = np.square(values - weighted_mean(values, weights))
    return math.sqrt(float(weighted_mean(away, weights)) * count / (count - 1))


def weighted_error(values: Floats, weights: Floats | None) -> Floats:
    r"""The standard error of the weighted mean over the last axis; NaN for fewer than two values.

    .. math:: SE^2 = \frac{c}{c - 1} \sum_q w_q^2 (x_q - \bar x_w)^2 \Big/ \Big(\sum_q w_q\Big)^2

    That of a ratio of sums over topics, drawn with the weights that they have (Hájek 1971). A topic of weight 2 is
    not two topics: it would take two to tell as much; one of weight 0 is none, and c does not count it. Without weights
    it is s / √c.

    >>> weighted_error(np.array([0.5, 0.1, 0.3]), np.array([2.0, 1.0, 1.0])).round(4)
    np.float64(0.1205)
    """
    count = values.shape[-1] if weights is None else n_counting(weights)
    if count < 2:
        return np.full(values.shape[:-1], np.nan)
    if weights is None:
        return np.asarray(values.std(axis=-1, ddof=1) / np.sqrt(count))
    away = weights * (values - weighted_mean(values, weights)[..., None])
    return np.asarray(np.sqrt(np.square(away).sum(axis=-1) * count / (count - 1)) / weights.sum())


def n_counting(weights: Floats) -> int:
    """How many units have any weight.

    >>> n_counting(np.array([2.0, 0.0, 0.5]))
    2
    """
    return int(np.count_nonzero(weights))


def effective_number(weights: Floats) -> float:
    """How many units of equal weight would tell as much: (Σ w)² / Σ w² (Kish 1965).

    >>> effective_number(np.array([1.0, 1.0, 0.0])), round(effective_number(np.array([8.0, 1.0, 1.0])), 2)
    (2.0, 1.52)
    """
    shares = weights / weights.max()
    return float(shares.sum() ** 2 / np.square(shares).sum())


def said_of_weights(weights: Floats, units: str) -> str:
    """How much weighted units tell, in words.

    >>> said_of_weights(np.array([8.0, 1.0, 1.0]), "topics")
    '3 topics count as 1.5'
    """
    number = f"{effective_number(weights):,.1f}"
    return f"{len(weights):,} {units} count as {number.removesuffix('.0')}"
