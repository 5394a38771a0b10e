"""A system and its baseline, topic by topic: the ground that every risk measure stands on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.errors import ParameterError
from riskrank.parameters import within

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from riskrank.typing import Floats


ROUNDING = 8 * np.finfo(np.float64).eps
LARGEST_ALPHA = 1e9


def paired(system: ArrayLike, baseline: ArrayLike) -> tuple[Floats, Floats]:
    """Two aligned 1-D arrays of per-topic effectiveness, checked."""
    sides: list[Any] = [system, baseline]
    indexes = [side.index for side in sides if type(side).__module__.split(".")[0] == "pandas"]
    if len(indexes) == 2 and not indexes[0].equals(indexes[1]):
        raise ParameterError("system and baseline have different indexes. Align them by topic first.")
    m, b = np.asarray(system, dtype=np.float64), np.asarray(baseline, dtype=np.float64)
    if m.ndim != 1 or m.shape != b.shape:
        raise ParameterError(
            f"system and baseline must be 1-D and equally long, got shapes {m.shape} and {b.shape}. "
            "Align them by topic first."
        )
    return m, b


def difference(system: Floats, baseline: Floats) -> Floats:
    """d_q = m_q − b_q for each topic (the last axis); a difference within rounding error is 0.

    Equal scores may differ in the last bits when they were added up in another order, or averaged. Infinite
    scores have no difference: NaN.

    >>> difference(np.array([0.1 + 0.2]), np.array([0.3]))
    array([0.])
    """
    with np.errstate(invalid="ignore", over="ignore"):
        delta = system - baseline
        rounding = ROUNDING * np.maximum(np.abs(system), np.abs(baseline))
    delta[~np.isfinite(delta)] = np.nan
    delta[np.abs(delta) <= rounding] = 0.0
    return delta


def tradeoff(delta: Floats, alpha: float) -> Floats:
    """x_q: the difference of each topic, losses weighted 1 + alpha (Wang et al. 2012, Eq. 4).

    >>> tradeoff(np.array([0.2, -0.1]), 5.0)
    array([ 0.2, -0.6])
    """
    return np.where(delta < 0, (1 + alpha) * delta, delta)


def checked_alpha(alpha: float) -> float:
    """The weight of losses, which must be a number from 0."""
    within("alpha", alpha, 0, LARGEST_ALPHA)
    return float(alpha)


def mean(values: Floats) -> Floats:
    """Mean over topics (the last axis); NaN, without a warning, when there are none."""
    count = values.shape[-1]
    if count == 0:
        return np.full(values.shape[:-1], np.nan)
    return np.asarray(values.mean(axis=-1))
