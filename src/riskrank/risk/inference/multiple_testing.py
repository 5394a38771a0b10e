"""p-values corrected for having looked at many."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from riskrank.typing import Floats, Integers


def holm(p_values: ArrayLike) -> Floats:
    """Holm 1979: controls the chance of any false finding. NaN are not tests and stay NaN.

    >>> holm([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    """
    p, order, ranked = _ranked(p_values)
    count = len(ranked)
    adjusted = np.maximum.accumulate(ranked * (count - np.arange(count)))
    return _restored(p, order, adjusted)


def benjamini_hochberg(p_values: ArrayLike) -> Floats:
    """Benjamini and Hochberg 1995: controls the share of false findings. NaN are not tests and stay NaN.

    >>> benjamini_hochberg([0.01, 0.04, 0.03])
    array([0.03, 0.04, 0.04])
    """
    p, order, ranked = _ranked(p_values)
    count = len(ranked)
    raised = ranked * count / np.arange(1, count + 1)
    adjusted = np.minimum.accumulate(raised[::-1])[::-1]
    return _restored(p, order, adjusted)


def _ranked(p_values: ArrayLike) -> tuple[Floats, Integers, Floats]:
    p = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(p, kind="stable")[: int((~np.isnan(p)).sum())]  # NaN sort last
    return p, order, p[order]


def _restored(p: Floats, order: Integers, adjusted: Floats) -> Floats:
    result = np.full(p.shape, np.nan)
    result[order] = np.minimum(adjusted, 1.0)
    return result


CORRECTIONS: dict[str, Callable[[ArrayLike], Floats]] = {"holm": holm, "bh": benjamini_hochberg, "none": np.asarray}
