"""Intervals that allow for losses, and wins, which these topics happen not to hold.

With few losses among the topics a bootstrap has next to nothing to draw them from. But more topics may lose than did:
as many as Wilson's interval says, and by as much as topics change on average.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riskrank.risk.inference.mirror_shift import LOSS, REWARD, tradeoff_slopes
from riskrank.risk.inference.null_values import TOLERANCE
from riskrank.risk.inference.shares import wilson

if TYPE_CHECKING:
    from riskrank.risk.inference.mirror_shift import MirrorShift
    from riskrank.typing import Booleans, Floats


def risk_interval(mirror: MirrorShift, confidence: float) -> tuple[float, float]:
    """Of the mean loss: the values that the mirror-shift bootstrap does not reject, and those of losses not seen.

    >>> from riskrank.risk.inference.mirror_shift import MirrorShift
    >>> low, high = risk_interval(MirrorShift(np.linspace(0.02, 0.15, 50)), 0.95)  # nobody lost
    >>> low, round(high, 4)
    (0.0, 0.0061)
    """
    low, high = mirror.interval(LOSS, confidence)
    return 0.0 - high, float(np.maximum(0.0 - low, _with_unseen(mirror, -mirror.changes, confidence)))  # never −0


def reward_interval(mirror: MirrorShift, confidence: float) -> tuple[float, float]:
    """Of the mean win, in the same way."""
    low, high = mirror.interval(REWARD, confidence)
    return low, float(np.maximum(high, _with_unseen(mirror, mirror.changes, confidence)))


def urisk_interval(mirror: MirrorShift, alpha: float, confidence: float) -> tuple[float, float]:
    """Of URisk: where wins that became losses, as many as may be, would bring it further down than the bootstrap does.

    It excludes 0 exactly when the test of URisk is significant at 1 − `confidence`.
    """
    slopes = tradeoff_slopes(alpha)
    low, high = mirror.interval(slopes, confidence)
    if not alpha or np.isnan(low):
        return low, high
    unseen, size = _unseen(mirror, mirror.changes < 0, confidence)
    lowered = mirror.scale * float(slopes(mirror.changes).mean()) - unseen * (2 + alpha) * size
    if low > 0:
        lowered = max(lowered, TOLERANCE * mirror.scale)
    return min(low, lowered), high


def _with_unseen(mirror: MirrorShift, losses: Floats, confidence: float) -> float:
    """The mean of what is lost, had as many more topics lost as may be."""
    unseen, size = _unseen(mirror, losses > 0, confidence)
    if np.isnan(size):
        return np.nan
    return mirror.scale * float(np.maximum(losses, 0.0).mean()) + unseen * size


def _unseen(mirror: MirrorShift, which: Booleans, confidence: float) -> tuple[float, float]:
    """The share of topics that may be such, and happen not to; and how much a topic that changes does so on average."""
    if mirror.null is None:
        return np.nan, np.nan
    _, most = wilson(int(which.sum()), mirror.n_topics, confidence)
    return most - float(which.mean()), mirror.scale * float(np.abs(mirror.changes[mirror.changes != 0]).mean())
