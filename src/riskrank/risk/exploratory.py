"""Which topics make the risk: TRisk taken apart."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from riskrank.risk.inference.multiple_testing import benjamini_hochberg, holm
from riskrank.risk.inference.student_t import critical_value, two_sided_p
from riskrank.risk.paired import ROUNDING, checked_alpha, difference, paired, scale_of, tradeoff

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from riskrank.typing import Floats

LIMIT = 2.0  # Dinçer et al. 2014, Fig. 2: topics beyond ±2 stand out


@dataclass(frozen=True)
class Exploration:
    """Each topic's trade-off against the spread of all of them.

    `t_r` is the trade-off and `t_j` its distance to the mean, in standard deviations; topics with `t_j` beyond ±2 stand
    out. `p_value` asks whether a topic is like the others, `p_holm` and `p_bh` are corrected for asking about all of
    them. `reason` says why they are NaN, if they are.
    """

    tradeoff: Floats
    t_r: Floats
    t_j: Floats
    p_value: Floats
    p_holm: Floats
    p_bh: Floats
    reason: str


def explore(system: ArrayLike, baseline: ArrayLike, *, alpha: float) -> Exploration:
    r"""The part of each topic in the risk (Dinçer et al. 2014, Eq. 21 and 23).

    .. math:: T_{R,q} = x_q / s_x ,\quad T_{J,q} = (x_q - \bar x) / s_x ,\quad
        t_q = \frac{x_q - \bar x_{(-q)}}{s_{(-q)} \sqrt{1 + 1/(c - 1)}}

    Departures: the equations divide by the standard error of the mean, which would let half of all topics stand out by
    chance; the paper's Figure 2 divides by the standard deviation of a topic, as here. The p-values are those of t_q,
    Student's t with c − 2 degrees of freedom: what a topic is compared with does not hold it. They are exact for normal
    trade-offs; with the long tails of real ones about 6–9 % of topics lie below 0.05.

    Parameters
    ----------
    system, baseline
        Effectiveness on each topic, in the same order.
    alpha
        Losses weigh 1 + alpha.

    >>> explored = explore([0.6, 0.3, 0.2, 0.5], [0.5, 0.5, 0.1, 0.4], alpha=0)
    >>> explored.t_j.round(2), explored.p_value.round(2)
    (array([ 0.5, -1.5,  0.5,  0.5]), array([0.67, 0.  , 0.67, 0.67]))
    """
    m, b = paired(system, baseline)
    x = tradeoff(difference(m, b), checked_alpha(alpha))
    count = len(x)
    smallest = ROUNDING * float(scale_of(m, b)) * (1 + alpha)
    mean, deviation, reason = topic_spread(x, smallest)
    if reason:
        unknown = np.full(count, np.nan)
        return Exploration(x, unknown, unknown, unknown, unknown, unknown, reason)
    away = x - mean
    squares = np.square(away)
    # Without topic q, the sum of squares is less by a_q² c/(c − 1), and the mean farther off by the same factor.
    rest = np.maximum(squares.sum() - squares * count / (count - 1), 0.0)
    error = np.sqrt(rest / (count - 2) * count / (count - 1))
    t = np.copysign(np.inf, away)
    np.divide(away * count / (count - 1), error, out=t, where=error > smallest)
    p = two_sided_p(t, count - 2)
    return Exploration(x, x / deviation, away / deviation, p, holm(p), benjamini_hochberg(p), "")


class TopicSpread(NamedTuple):
    """The mean trade-off and its standard deviation over topics; NaN for a reason."""

    mean: float
    deviation: float
    reason: str


def topic_spread(x: Floats, smallest: float) -> TopicSpread:
    """What topics are held against; a deviation up to `smallest` is rounding error."""
    reason = _why_not(x, smallest)
    return TopicSpread(math.nan, math.nan, reason) if reason else TopicSpread(float(x.mean()), float(x.std(ddof=1)), "")


def limit_at(p_value: float, n_topics: int) -> float:
    r"""How far from the mean, in standard deviations, a topic has this p-value: the size of its T_J.

    With τ the square of t_q, its definition solved for T_J:

    .. math:: |T_J| = (c - 1) \sqrt{\frac{\tau}{c \, (c - 2 + \tau)}}

    >>> round(limit_at(0.05, 50), 3)
    1.931
    """
    tau = critical_value(p_value, n_topics - 2) ** 2
    return (n_topics - 1) * math.sqrt(tau / (n_topics * (n_topics - 2 + tau)))


def _why_not(x: Floats, smallest: float) -> str:
    if len(x) < 3:
        return f"a topic is compared with at least 2 others, got {len(x)} topics"
    if np.isnan(x).any():
        return "some scores are not finite numbers"
    if x.std(ddof=1) <= smallest:
        return "the trade-off is the same everywhere" if x.any() else "the system equals the baseline everywhere"
    return ""
