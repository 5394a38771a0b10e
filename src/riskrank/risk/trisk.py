"""TRisk: URisk as a test statistic."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Literal

import numpy as np

from riskrank.parameters import inside, one_of
from riskrank.risk.inference.mirror_shift import MirrorShift, weighted_mirror
from riskrank.risk.inference.student_t import critical_value, two_sided_p
from riskrank.risk.paired import ROUNDING, checked_alpha, difference, mean, paired, scale_of, topic_weights, tradeoff
from riskrank.weights import effective_number, weighted_error

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import ArrayLike

    from riskrank.typing import Floats


Verdict = Literal["significant loss", "significant gain", "inconclusive", "undefined"]
ErrorName = Literal["parametric", "jackknife"]
LEAST_FREEDOM = 0.1  # of topics of which one has nearly all weight


@dataclass(frozen=True)
class TRisk:
    """A test of URisk against 0.

    `statistic` and `p_value` are those of the paper: Student's t. `p_mirror` is the p-value that holds with few topics
    and at every alpha, and `verdict` goes by it. `reason` says why there is no statistic, or nothing to test. Where
    topics have weights, they tell as much as `n_effective` topics of equal weight; else it is None.
    """

    statistic: float
    p_value: float
    standard_error: float
    degrees_of_freedom: float
    verdict: Verdict
    urisk: float
    critical_value: float
    p_mirror: float
    reason: str = ""
    n_effective: float | None = None


def trisk(
    system: ArrayLike,
    baseline: ArrayLike,
    *,
    alpha: float,
    level: float = 0.05,
    error: ErrorName = "parametric",
    weights: ArrayLike | None = None,
) -> TRisk:
    r"""URisk over its standard error, which follows Student's t with c − 1 degrees of freedom.

    .. math:: T_{Risk}(\alpha) = U_{Risk}(\alpha) / SE , \quad SE = s_x / \sqrt{c}

    Dinçer et al. 2014, Eq. 10 and 12. At alpha = 0 it is the paired t statistic. Departures: the verdict goes by the
    mirror-shift bootstrap, since with few topics and losses that weigh more, t calls too many gains significant.

    Parameters
    ----------
    system, baseline
        Effectiveness on each topic, in the same order.
    alpha
        Losses weigh 1 + alpha.
    level
        Significance level of the verdict, two-sided.
    error
        How the standard error is estimated; for a mean both ways agree.
    weights
        How much each topic counts, its traffic, say. Then SE² = c/(c − 1) Σ w² (x − x̄)² / (Σ w)², that of a ratio of
        sums (Hájek 1971), and Student's t has one degree of freedom less than (Σ w)²/Σ w² topics (Kish 1965). So
        whole weights are not repeated topics here, as they are in means: a topic that is asked for twice as often
        is still one topic, and its copies would tell nothing new.

    Returns
    -------
    TRisk
        The statistic with its p-values and verdict; where there is nothing to test, NaN and the reason.

    >>> result = trisk([0.6, 0.3, 0.2, 0.9], [0.5, 0.5, 0.1, 0.6], alpha=1)
    >>> round(result.statistic, 3), round(result.p_value, 3), result.verdict, result.reason
    (0.167, 0.878, 'inconclusive', "fewer than 6 scores differ from the baseline's")
    """
    m, b = paired(system, baseline)
    inside("level", level, 0, 1)
    one_of("error", error, ("parametric", "jackknife"))
    delta, known = difference(m, b), topic_weights(weights, len(m))
    scale, mirror = float(scale_of(m, b)), weighted_mirror(delta, known)
    return trisks(mirror, delta, scale, [checked_alpha(alpha)], level=level, error=error, weights=known)[0]


def trisks(
    mirror: MirrorShift,
    delta: Floats,
    scale: float,
    alphas: Sequence[float],
    *,
    level: float,
    error: ErrorName = "parametric",
    weights: Floats | None = None,
) -> list[TRisk]:
    """The changes of one system, tested at each alpha; `scale` tells rounding from variation.

    `weights`, if any, have a mean of 1.
    """
    if weights is not None:  # what has no weight is not there
        delta, weights = delta[weights > 0], weights[weights > 0]
    estimate = partial(jackknife_standard_error if error == "jackknife" else standard_error, weights=weights)
    return [_trisk(tradeoff(delta, alpha), alpha, mirror, estimate, scale, level, weights) for alpha in alphas]


def _trisk(
    x: Floats,
    alpha: float,
    mirror: MirrorShift,
    estimate: Callable[[Floats], Floats],
    scale: float,
    level: float,
    weights: Floats | None,
) -> TRisk:
    count, urisk = len(x), float(mean(x, weights))
    n_effective = None if weights is None else effective_number(weights)
    freedom = max(count - 1, 0) if n_effective is None else max(n_effective - 1, LEAST_FREEDOM)
    error = error_of(x, scale * (1 + alpha), estimate)
    reason = mirror.reason
    statistic = p_value = np.nan
    if count < 2:
        reason = f"a test needs at least 2 scores, got {count}"
    elif error == 0:
        reason = "the trade-off is the same everywhere" if mirror.n_changed else mirror.reason
    elif not np.isnan(error):
        statistic = urisk / error
        p_value = float(two_sided_p(statistic, freedom))
    p_mirror = mirror.p_value(alpha)
    return TRisk(
        statistic,
        p_value,
        error,
        freedom,
        verdict(p_mirror, urisk, level),
        urisk,
        critical_value(level, freedom) if count > 1 else np.nan,
        p_mirror,
        reason,
        n_effective,
    )


def error_of(x: Floats, scale: float, estimate: Callable[[Floats], Floats] | None = None) -> float:
    """The standard error of the mean of `x`; 0 where `x` varies by rounding only, which its `scale` tells."""
    size = float(np.abs(x).max(initial=0.0)) or 1.0  # squares of very small numbers would be 0
    error = size * float((estimate or standard_error)(x / size))
    return 0.0 if error <= ROUNDING * scale else error


def verdict(p_value: float, urisk: float, level: float) -> Verdict:
    """What a p-value says of a URisk.

    >>> verdict(0.02, -0.1, 0.05)
    'significant loss'
    """
    if np.isnan(p_value):
        return "undefined"
    if p_value > level:
        return "inconclusive"
    return "significant gain" if urisk > 0 else "significant loss"


def standard_error(x: Floats, weights: Floats | None = None) -> Floats:
    """s_x / √c over the last axis, s_x with c − 1, or that of a weighted mean; NaN for fewer than two topics."""
    return weighted_error(x, weights)


def jackknife_standard_error(x: Floats, weights: Floats | None = None) -> Floats:
    """The error of the mean from leaving out one topic at a time (Dinçer et al. 2014, §5).

    For a plain mean it equals the parametric one, topic by topic; kept as a check and for study.
    """
    count = x.shape[-1]
    if count < 2:
        return np.full(x.shape[:-1], np.nan)
    if weights is not None:
        left = ((weights * x).sum(axis=-1, keepdims=True) - weights * x) / (weights.sum() - weights)
        away = np.square(left - left.mean(axis=-1, keepdims=True)).sum(axis=-1)
        return np.asarray(np.sqrt(away * (count - 1) / count))
    total = x.sum(axis=-1, keepdims=True)
    without = (total - x) / (count - 1)
    pseudo = total - (count - 1) * without
    spread = np.square(pseudo - pseudo.mean(axis=-1, keepdims=True)).sum(axis=-1)
    return np.asarray(np.sqrt(spread / (count * (count - 1))))
