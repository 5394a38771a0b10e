"""URisk: mean change with losses weighted more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riskrank.risk.paired import checked_alpha, difference, mean, paired, topic_weights, tradeoff

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def urisk(system: ArrayLike, baseline: ArrayLike, *, alpha: float, weights: ArrayLike | None = None) -> float:
    r"""Mean change against a baseline, with losses weighted 1 + alpha.

    .. math:: U_{Risk}(\alpha) = \frac{1}{c} \sum_q (1 + \alpha [d_q < 0]) \, d_q
        = Reward - (1 + \alpha) \, Risk ,\quad d_q = m_q - b_q

    Wang et al. 2012, Eq. 4. Departures: none. `weights` say how much each topic counts, its traffic, say: Σ w x / Σ w
    in place of the mean, which is what topics would give that stand there as often as their weight says.

    >>> round(urisk([0.6, 0.3], [0.5, 0.5], alpha=1.0), 3)
    -0.15
    >>> round(urisk([0.6, 0.3], [0.5, 0.5], alpha=1.0, weights=[3, 1]), 3)
    -0.025
    """
    x = tradeoff(difference(*paired(system, baseline)), checked_alpha(alpha))
    return float(mean(x, topic_weights(weights, len(x))))
