"""TRisk: URisk as a test statistic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from riskrank.parameters import inside, one_of
from riskrank.risk.inference.student_t import critical_value, two_sided_p
from riskrank.risk.paired import ROUNDING, checked_alpha, difference, mean, paired, tradeoff

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from riskrank.typing import Floats


Verdict = Literal["significant loss", "significant gain", "inconclusive", "undefined"]


@dataclass(frozen=True)
class TRisk:
    """A test of URisk against 0; `reason` says why the statistic is NaN, if it is."""

    statistic: float
    p_value: float
    standard_error: float
    degrees_of_freedom: int
    verdict: Verdict
    urisk: float
    critical_value: float
    reason: str = ""


def trisk(
    system: ArrayLike,
    baseline: ArrayLike,
    *,
    alpha: float,
    level: float = 0.05,
    error: Literal["parametric", "jackknife"] = "parametric",
) -> TRisk:
    r"""URisk over its standard error, which follows Student's t with c − 1 degrees of freedom.

    .. math:: T_{Risk}(\alpha) = U_{Risk}(\alpha) / SE , \quad SE = s_x / \sqrt{c}

    Dinçer et al. 2014, Eq. 10 and 12. At alpha = 0 it is the paired t statistic. Departures: none.

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

    Returns
    -------
    TRisk
        The statistic with its p-value and verdict; where there is nothing to test, NaN and the reason.

    >>> result = trisk([0.6, 0.3, 0.2, 0.9], [0.5, 0.5, 0.1, 0.6], alpha=1)
    >>> round(result.statistic, 3), round(result.p_value, 3), result.verdict
    (0.167, 0.878, 'inconclusive')
    """
    m, b = paired(system, baseline)
    inside("level", level, 0, 1)
    one_of("error", error, ("parametric", "jackknife"))
    x = tradeoff(difference(m, b), checked_alpha(alpha))
    scale = float(np.abs(np.concatenate([m, b])).max(initial=0.0)) * (1 + alpha)
    estimate = jackknife_standard_error if error == "jackknife" else standard_error
    return statistics(x[None, :], estimate(x)[None], np.array([scale]), level=level)[0]


def standard_error(x: Floats) -> Floats:
    """s_x / √c over the last axis, s_x with c − 1; NaN for fewer than two topics."""
    count = x.shape[-1]
    if count < 2:
        return np.full(x.shape[:-1], np.nan)
    return np.asarray(x.std(axis=-1, ddof=1) / np.sqrt(count))


def jackknife_standard_error(x: Floats) -> Floats:
    """The error of the mean from leaving out one topic at a time (Dinçer et al. 2014, §5).

    For a mean it equals the parametric one, topic by topic; kept as a check and for study.
    """
    count = x.shape[-1]
    if count < 2:
        return np.full(x.shape[:-1], np.nan)
    total = x.sum(axis=-1, keepdims=True)
    without = (total - x) / (count - 1)
    pseudo = total - (count - 1) * without
    spread = np.square(pseudo - pseudo.mean(axis=-1, keepdims=True)).sum(axis=-1)
    return np.asarray(np.sqrt(spread / (count * (count - 1))))


def statistics(x: Floats, errors: Floats, scales: Floats, *, level: float) -> list[TRisk]:
    """Test each row of trade-offs; `scales` are the rows' magnitudes, to tell rounding from variation."""
    count = x.shape[-1]
    means = mean(x)
    is_flat = errors <= ROUNDING * scales
    is_defined = ~np.isnan(errors) & ~is_flat
    t = np.full(len(x), np.nan)
    np.divide(means, errors, out=t, where=is_defined)
    p = two_sided_p(t, max(count - 1, 1))
    critical = critical_value(level, count - 1) if count > 1 else float("nan")
    results = []
    for i in range(len(x)):
        reason = ""
        if not is_defined[i]:
            reason = _why_undefined(count, float(means[i]), is_flat=bool(is_flat[i]), zero=float(scales[i]))
        verdict: Verdict = "undefined"
        if is_defined[i]:
            verdict = "inconclusive"
            if abs(t[i]) > critical:
                verdict = "significant gain" if t[i] > 0 else "significant loss"
        error = 0.0 if is_flat[i] else float(errors[i])
        results.append(
            TRisk(float(t[i]), float(p[i]), error, max(count - 1, 0), verdict, float(means[i]), critical, reason)
        )
    return results


def _why_undefined(count: int, mean_value: float, *, is_flat: bool, zero: float) -> str:
    if count < 2:
        return f"a test needs at least 2 topics, got {count}"
    if np.isnan(mean_value):
        return "some scores are not finite numbers"
    if is_flat and abs(mean_value) <= ROUNDING * zero:
        return "the system equals the baseline on every topic"
    return "the trade-off is the same on every topic"
