"""A system and its baseline, topic by topic: the ground that every risk measure stands on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.data.effectiveness import LARGEST_SCORE
from riskrank.errors import ParameterError
from riskrank.parameters import HEAVIEST, within
from riskrank.weights import checked_weights, relative_weights, weighted_mean

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from riskrank.typing import Floats


ROUNDING = 1e-12  # of the largest score; sums of thousands of terms in another order differ by less, measures by more


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
    """d_q = m_q − b_q for each topic (the last axis); a difference within rounding error is 0: a tie.

    Equal scores may differ in the last bits when they were added up in another order, or averaged. Infinite
    scores, and those beyond 1e100, have no difference: NaN.

    >>> difference(np.array([0.1 + 0.2, 5.6e-17]), np.array([0.3, 0.0]))
    array([0., 0.])
    """
    with np.errstate(invalid="ignore", over="ignore"):
        delta = system - baseline
    delta[~(np.abs(delta) <= LARGEST_SCORE)] = np.nan
    delta[np.abs(delta) <= ROUNDING * scale_of(system, baseline)[..., None]] = 0.0
    return delta


def scale_of(system: Floats, baseline: Floats) -> Floats:
    """The largest score of each system and the baseline, by which rounding is told from change."""
    sizes = [np.where(np.isfinite(scores), np.abs(scores), 0.0) for scores in (system, baseline)]
    return np.asarray(np.maximum(*(size.max(axis=-1, initial=0.0) for size in sizes)))


def tradeoff(delta: Floats, alpha: float) -> Floats:
    """x_q: the difference of each topic, losses weighted 1 + alpha (Wang et al. 2012, Eq. 4).

    >>> tradeoff(np.array([0.2, -0.1]), 5.0)
    array([ 0.2, -0.6])
    """
    return np.where(delta < 0, (1 + alpha) * delta, delta)


def checked_alpha(alpha: float) -> float:
    """The weight of losses, which must be a number from 0."""
    within("alpha", alpha, 0, HEAVIEST)
    return float(alpha)


def mean(values: Floats, weights: Floats | None = None) -> Floats:
    """Mean over topics (the last axis), perhaps weighted; NaN, without a warning, when there are none."""
    return weighted_mean(values, weights)


def topic_weights(weights: ArrayLike | None, n_topics: int) -> Floats | None:
    """Weights that users give, checked, with a mean of 1; None where all topics count the same."""
    return None if weights is None else relative_weights(checked_weights(weights, n_topics))
