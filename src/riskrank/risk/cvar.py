"""CVaR: how bad are the worst topics?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riskrank.parameters import positive_share
from riskrank.risk.paired import difference, paired

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from riskrank.typing import Floats


DEFAULT_SHARE = 0.1


def cvar(system: ArrayLike, baseline: ArrayLike, *, share: float = DEFAULT_SHARE) -> float:
    """Mean loss, max(0, b_q − m_q), over the worst share of topics (conditional value at risk).

    Where the share ends within a topic, that topic counts in part (Rockafellar and Uryasev 2002).

    >>> round(cvar([0.1, 0.5, 0.6, 0.4], [0.5, 0.5, 0.5, 0.5], share=0.5), 3)
    0.25
    """
    return float(worst_losses(difference(*paired(system, baseline))[None, :], share)[0])


def worst_losses(delta: Floats, share: float) -> Floats:
    """CVaR of each row of differences."""
    positive_share("share", share)
    count = delta.shape[-1]
    if count == 0:
        return np.full(len(delta), np.nan)
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
