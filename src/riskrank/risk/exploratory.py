"""Which topics make the risk: TRisk taken apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from riskrank.risk.inference.multiple_testing import benjamini_hochberg, holm
from riskrank.risk.inference.student_t import two_sided_p
from riskrank.risk.paired import difference, paired, tradeoff
from riskrank.risk.trisk import trisk

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from riskrank.typing import Floats


@dataclass(frozen=True)
class TopicTests:
    """A statistic for each topic with its raw and corrected two-sided p-values."""

    statistic: Floats
    p_value: Floats
    p_holm: Floats
    p_bh: Floats


@dataclass(frozen=True)
class Exploration:
    """The trade-off of each topic and its two standardised forms; `reason` says why they are NaN, if so."""

    tradeoff: Floats
    t_r: TopicTests
    t_j: TopicTests
    critical_value: float
    reason: str


def explore(system: ArrayLike, baseline: ArrayLike, *, alpha: float, level: float = 0.05) -> Exploration:
    r"""The part of each topic in the risk (Dinçer et al. 2014, Eq. 21 and 23).

    .. math:: T_{R,q} = x_q / SE ,\quad T_{J,q} = (c - 1)(\bar x - \bar x_{(-q)}) / SE = (x_q - \bar x) / SE

    T_R asks whether a topic's trade-off differs from 0, T_J (the standardised jackknife bias) whether it differs from
    the mean. Departures: corrected p-values are offered, since many topics are tested at once.

    Parameters
    ----------
    system, baseline
        Effectiveness on each topic, in the same order.
    alpha
        Losses weigh 1 + alpha.
    level
        Significance level of the critical value, two-sided.

    >>> explore([0.6, 0.3, 0.2], [0.5, 0.5, 0.1], alpha=0).t_r.statistic.round(2)
    array([ 1., -2.,  1.])
    """
    overall = trisk(system, baseline, alpha=alpha, level=level)
    m, b = paired(system, baseline)
    x = tradeoff(difference(m, b), alpha)
    if overall.reason:
        nothing = np.full(len(x), np.nan)
        none = TopicTests(nothing, nothing, nothing, nothing)
        return Exploration(x, none, none, overall.critical_value, overall.reason)
    tests = []
    for value in (x, x - x.mean()):
        t = value / overall.standard_error
        p = two_sided_p(t, overall.degrees_of_freedom)
        tests.append(TopicTests(t, p, holm(p), benjamini_hochberg(p)))
    return Exploration(x, tests[0], tests[1], overall.critical_value, "")
