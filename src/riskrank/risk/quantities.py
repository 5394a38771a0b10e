"""What a system is worth against a baseline, in one number; the larger, the better."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riskrank.risk.outcomes import gain, reward, risk
from riskrank.risk.urisk import urisk

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from riskrank.typing import QuantityName


def quantities(
    system: ArrayLike, baseline: ArrayLike, *, alpha: float, weights: ArrayLike | None = None
) -> dict[QuantityName, float]:
    """Gain, reward, URisk, and risk with a minus; `weights` as in `urisk`.

    >>> {name: round(value, 3) for name, value in quantities([0.6, 0.3], [0.5, 0.5], alpha=1.0).items()}
    {'gain': -0.05, 'reward': 0.05, 'risk': -0.1, 'urisk': -0.15}
    """
    return {
        "gain": gain(system, baseline, weights=weights),
        "reward": reward(system, baseline, weights=weights),
        "risk": -risk(system, baseline, weights=weights),
        "urisk": urisk(system, baseline, alpha=alpha, weights=weights),
    }
