"""An interval for CVaR, the mean loss of the worst topics, by inverting the mirror-shift bootstrap."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from riskrank.risk.inference.interval_ends import FARTHEST, interval_end
from riskrank.risk.inference.null_values import Resampled, Tails, studentised
from riskrank.risk.inference.student_t import critical_value
from riskrank.risk.inference.unseen_losses import risk_interval

if TYPE_CHECKING:
    from riskrank.risk.inference.mirror_shift import MirrorShift
    from riskrank.typing import Floats

FEWEST_WORST = 10  # topics in the worst share; with fewer, no known interval covers
ROUNDING = 1e-9


def cvar_interval(mirror: MirrorShift, share: float, confidence: float) -> tuple[float, float]:
    """Limits of the mean loss of the worst `share` of topics; NaN where they hold fewer than 10 topics.

    Where fewer topics than that lose, CVaR is the risk over the share, and its upper end at least that of the risk.
    """
    low, high = _by_bootstrap(mirror, share, confidence)
    if (mirror.changes < 0).sum() < share * mirror.n_topics:
        high = float(np.maximum(high, risk_interval(mirror, confidence)[1] / share))
    return low, high


def _by_bootstrap(mirror: MirrorShift, share: float, confidence: float) -> tuple[float, float]:
    """By inverting it; with very many changed topics, Student's t on the logarithmic scale is as good.

    It has as many degrees of freedom as there are worst topics.
    """
    n_worst = share * mirror.n_topics
    null = mirror.null
    if null is None or n_worst < FEWEST_WORST - ROUNDING:
        return np.nan, np.nan
    observed = _worst(mirror.changes, share)
    if not isinstance(null, Resampled):
        value, error = float(observed.cvar), math.sqrt(observed.variance / (mirror.n_topics - 1)) / share
        factor = math.exp(critical_value(1 - confidence, n_worst - 1) * error / value) if value else math.nan
        return mirror.scale * value / factor, mirror.scale * value * factor
    draws = _Draws(null, share)

    def tails(shift: float) -> Tails:
        center = draws.cvar(shift)
        t = studentised(np.array(center - observed.cvar), np.array(observed.variance))
        drawn = draws.at(shift)
        means = studentised(center - drawn.cvar, drawn.variance)
        return Tails(null.tail(means, float(t)), null.tail(-means, -float(t)))

    center = _shift_to(draws, float(observed.cvar))
    tail = (1 - confidence) / 2
    high = interval_end(lambda shift: tails(shift).gain, center, -FARTHEST, tail)
    low = interval_end(lambda shift: tails(shift).loss, center, FARTHEST, tail)
    return mirror.scale * draws.cvar(low), mirror.scale * draws.cvar(high)


class _Worst(NamedTuple):
    """CVaR: q + mean((L − q)₊)/share, with q the loss at which the worst reach their share. Variance: of (L − q)₊."""

    cvar: Floats
    variance: Floats


def _worst(changes: Floats, share: float) -> _Worst:
    """Of sorted changes."""
    last = math.ceil(share * len(changes) - ROUNDING)
    least = max(0.0, -float(changes[last - 1]))
    beyond = np.maximum(-changes - least, 0.0)
    return _Worst(least + beyond.mean() / share, beyond.var())


class _Draws:
    """The worst of each draw from null values that are shifted."""

    def __init__(self, null: Resampled, share: float) -> None:
        self._null, self._share = null, share
        is_reached = null.tables[0] >= share * null.n_topics - ROUNDING
        n_values = len(null.values)
        # The value at which the worst of each draw reach their share; ties come after all values below 0.
        self._last = np.where(is_reached[-1], np.argmax(is_reached, axis=0) - 1, n_values)
        self._padded = np.append(null.values, np.inf)
        self._draw = np.arange(is_reached.shape[1])

    def cvar(self, shift: float) -> float:
        """Of all null values."""
        ties = np.zeros(2 * self._null.n_topics - len(self._null.values))
        return float(_worst(np.sort(np.concatenate([self._null.values + shift, ties])), self._share).cvar)

    def at(self, shift: float) -> _Worst:
        """Of each draw."""
        least = np.maximum(0.0, -(self._padded[self._last] + shift))
        n, sums, squares = self._null.tables[:, np.minimum(self._last, self._null.n_below(shift)), self._draw]
        moved = shift + least
        mean = -(sums + moved * n) / self._null.n_topics
        variance = (squares + moved * (2 * sums + moved * n)) / self._null.n_topics - mean**2
        return _Worst(least + mean / self._share, variance)


def _shift_to(draws: _Draws, cvar: float) -> float:
    """The shift at which null values have this CVaR, which falls as they rise."""
    low, high = -FARTHEST, FARTHEST
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if draws.cvar(middle) > cvar else (low, middle)
    return (low + high) / 2
