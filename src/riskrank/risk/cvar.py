"""CVaR: how bad are the worst topics?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riskrank.parameters import positive_share
from riskrank.risk.paired import difference, paired, topic_weights

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from riskrank.typing import Floats


DEFAULT_SHARE = 0.1


def cvar(
    system: ArrayLike, baseline: ArrayLike, *, share: float = DEFAULT_SHARE, weights: ArrayLike | None = None
) -> float:
    """Mean loss, max(0, b_q − m_q), over the worst share of topics (conditional value at risk).

    Where the share ends within a topic, that topic counts in part (Rockafellar and Uryasev 2002). With `weights`, it is
    a share of all weight.

    >>> round(cvar([0.1, 0.5, 0.6, 0.4], [0.5, 0.5, 0.5, 0.5], share=0.5), 3)
    0.25
    """
    delta = difference(*paired(system, baseline))
    return float(worst_losses(delta[None, :], share, topic_weights(weights, len(delta)))[0])


def worst_losses(delta: Floats, share: float, weights: Floats | None = None) -> Floats:
    """CVaR of each row of differences."""
    positive_share("share", share)
    count = delta.shape[-1]
    if count == 0:
        return np.full(len(delta), np.nan)
    if weights is not None:
        return np.array([_worst_by_weight(row, share, weights) for row in delta])
    wanted = share * count
    whole = min(int(wanted + 1e-9), count)
    part = max(wanted - whole, 0.0) if whole < count else 0.0
    take = min(whole + 1, count)
    losses = np.maximum(0.0, -np.partition(delta, take - 1, axis=-1)[..., :take])
    losses = -np.sort(-losses, axis=-1)
    total = losses[..., :whole].sum(axis=-1)
    if whole < take:
        total = total + part * losses[..., whole]
    result: Floats = total / (whole + part)
    result[np.isnan(delta).any(axis=-1)] = np.nan
    return result


def smallest_of_worst(losses: Floats, share: float, weights: Floats | None = None) -> float:
    """The smallest loss among the worst share of topics, or of all weight."""
    if weights is not None:
        order = np.argsort(-losses, kind="stable")
        before = np.cumsum(weights[order])
        last = int(np.searchsorted(before, share * before[-1] - 1e-9))
        return float(losses[order[min(last, len(order) - 1)]])
    count = max(1, min(len(losses), int(np.ceil(share * len(losses) - 1e-9))))
    return float(np.partition(losses, len(losses) - count)[len(losses) - count])


def _worst_by_weight(delta: Floats, share: float, weights: Floats) -> float:
    if np.isnan(delta).any():
        return np.nan
    order = np.argsort(delta, kind="stable")
    ends = np.cumsum(weights[order])
    wanted = share * ends[-1]
    parts = np.clip(wanted - (ends - weights[order]), 0.0, weights[order])  # of each topic's weight, worst first
    return float((parts * np.maximum(0.0, -delta[order])).sum() / parts.sum())
