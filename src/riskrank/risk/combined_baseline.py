"""A baseline made of several systems."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.errors import ParameterError, nearest

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from riskrank.typing import Floats

COMBINATIONS: dict[str, Callable[..., Any]] = {"mean": np.mean, "median": np.median, "max": np.max}


def within_topic(matrix: ArrayLike, how: str) -> Floats:
    """The mean, median or max of several systems on each topic (the mean: Dinçer et al. 2016, Eq. 3).

    >>> within_topic([[0.1, 0.4], [0.3, 0.2]], "mean").round(3)
    array([0.2, 0.3])
    """
    if how not in COMBINATIONS:
        raise ParameterError(
            f"a combined baseline is one of {', '.join(COMBINATIONS)}, got {how!r}.{nearest(how, COMBINATIONS)}"
        )
    values = np.atleast_2d(np.asarray(matrix, dtype=np.float64))
    if values.shape[0] == 0:
        raise ParameterError("a combined baseline needs at least one system.")
    return np.asarray(COMBINATIONS[how](values, axis=0), dtype=np.float64)
