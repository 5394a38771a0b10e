"""URisk: mean change with losses weighted more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riskrank.risk.paired import checked_alpha, difference, mean, paired, tradeoff

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def urisk(system: ArrayLike, baseline: ArrayLike, *, alpha: float) -> float:
    r"""Mean change against a baseline, with losses weighted 1 + alpha.

    .. math:: U_{Risk}(\alpha) = \frac{1}{c} \sum_q (1 + \alpha [d_q < 0]) \, d_q
        = Reward - (1 + \alpha) \, Risk ,\quad d_q = m_q - b_q

    Wang et al. 2012, Eq. 4. Departures: none.

    >>> round(urisk([0.6, 0.3], [0.5, 0.5], alpha=1.0), 3)
    -0.15
    """
    return float(mean(tradeoff(difference(*paired(system, baseline)), checked_alpha(alpha))))
