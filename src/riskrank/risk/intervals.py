"""How sure the numbers of risk are: an interval for each of them that covers, and none where none does."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from riskrank.parameters import inside, positive_share
from riskrank.risk.cvar import DEFAULT_SHARE
from riskrank.risk.inference.cvar_interval import cvar_interval
from riskrank.risk.inference.mirror_shift import GAIN, weighted_mirror
from riskrank.risk.inference.shares import wilson
from riskrank.risk.inference.unseen_losses import reward_interval, risk_interval, urisk_interval
from riskrank.risk.outcomes import count_outcomes
from riskrank.risk.paired import checked_alpha, difference, paired, topic_weights

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from riskrank.risk.inference.mirror_shift import MirrorShift
    from riskrank.typing import Floats

Interval = tuple[float, float]
USUAL_CONFIDENCE = 0.95
UNKNOWN: Interval = (math.nan, math.nan)


def intervals(
    system: ArrayLike,
    baseline: ArrayLike,
    *,
    alphas: Sequence[float] = (),
    confidence: float = USUAL_CONFIDENCE,
    cvar_share: float = DEFAULT_SHARE,
    weights: ArrayLike | None = None,
) -> dict[str, Interval]:
    """Intervals for gain, risk, reward, URisk, CVaR and the counts of topics won, lost and unchanged.

    For means these are the values that the mirror-shift bootstrap does not reject, and those that follow if some topics
    lost, or won, that happened not to: an interval of URisk excludes 0 exactly when its test is significant. Counts
    have Wilson's interval. There is none (NaN) for means where fewer than 6 topics changed, and for CVaR where the
    worst are fewer than 10 topics. The largest loss has none at all: a larger one may always come. docs/risk.md says
    how often each covers.

    Parameters
    ----------
    system, baseline
        Effectiveness on each topic, in the same order.
    alphas
        Weights of losses, for URisk.
    confidence
        How often an interval should hold the true value.
    cvar_share
        The share of topics that CVaR looks at.
    weights
        How much each topic counts in means. CVaR has no interval then; topics won and lost are counted one by one.

    >>> import numpy as np
    >>> old = np.linspace(0.2, 0.6, 30)
    >>> new = old + np.tile([0.1, -0.02, 0.03], 10)
    >>> low, high = intervals(new, old, alphas=[5])["urisk_5"]
    >>> bool(low < 0.0033 < high)
    True
    """
    m, b = paired(system, baseline)
    inside("confidence", confidence, 0, 1)
    positive_share("cvar_share", cvar_share)
    checked = [checked_alpha(alpha) for alpha in alphas]
    delta, known = difference(m, b), topic_weights(weights, len(m))
    mirror, share = weighted_mirror(delta, known), cvar_share if known is None else None
    return change_intervals(mirror, delta, b, checked, confidence=confidence, cvar_share=share)


def change_intervals(
    mirror: MirrorShift,
    delta: Floats,
    baseline: Floats,
    alphas: Sequence[float],
    *,
    confidence: float,
    cvar_share: float | None,
) -> dict[str, Interval]:
    """Of the changes of one system; without a `cvar_share`, CVaR has none."""
    named = {
        "gain": mirror.interval(GAIN, confidence),
        "risk": risk_interval(mirror, confidence),
        "reward": reward_interval(mirror, confidence),
        "cvar": UNKNOWN if cvar_share is None else cvar_interval(mirror, cvar_share, confidence),
    }
    counts = zip(("wins", "losses", "ties", "large_losses"), count_outcomes(delta, baseline), strict=True)
    for name, count in counts:
        shares = wilson(int(count), len(delta), confidence)
        named[name] = (shares[0] * len(delta), shares[1] * len(delta))
    for alpha in alphas:
        named[at_alpha("urisk", alpha)] = urisk_interval(mirror, alpha, confidence)
    return named


def at_alpha(name: str, alpha: float) -> str:
    """The name of a number at an alpha, as columns and intervals have it.

    >>> at_alpha("trisk", 5.0)
    'trisk_5'
    """
    return f"{name}_{alpha:.15g}"
