"""Models and points of a sweep as a sentence has them, and what they keep of the reference model."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from riskrank.report.findings.words import Words, words

if TYPE_CHECKING:
    from riskrank.report.findings.digits import Digits
    from riskrank.tradeoff.operating_point import OperatingPoint
    from riskrank.tradeoff.sweep import Sweep

WHOLE = 1.005  # shares from here on are more than 100%


def model_name(sweep: Sweep, index: int) -> str:
    """A model, by its series only where there are several."""
    setting = sweep.settings[index]
    return setting.value_label if len(sweep.series) == 1 else setting.label


def point_name(point: OperatingPoint) -> str:
    """A point as a sentence has it."""
    name = model_name(point.sweep, point.sweep.reference_model if point.index is None else point.index)
    if point.predictor is not None:
        return f"{name} where {point.sweep.words_of(point.predictor)} is {point.apply} {point.threshold:.4g}"
    return name if point.probability == 1 else f"{name} on {point.probability:.0%} of queries"


def kept_text(share: float, name: str, *, is_more: bool = True) -> str:
    """What is kept of a model's gain; `is_more`: a larger one is shown to be larger.

    >>> [kept_text(share, "α = 0") for share in (0.67, 1.44, 1.02, -0.1)]  # doctest: +NORMALIZE_WHITESPACE
    ['keeps 67% of the gain of α = 0', 'gains 1.4 times as much as α = 0', 'gains slightly more than α = 0',
     'keeps nothing of the gain of α = 0']
    >>> kept_text(1.44, "α = 0", is_more=False)
    'keeps all of the gain of α = 0'
    """
    if share <= 0:
        return f"keeps nothing of the gain of {name}"
    if share < WHOLE:
        return f"keeps {share:.0%} of the gain of {name}"
    if not is_more:
        return f"keeps all of the gain of {name}"
    times = f"{share:.1f}"
    return f"gains slightly more than {name}" if times == "1.0" else f"gains {times} times as much as {name}"


def risked_text(share: float) -> str:
    """Of its risk.

    >>> [risked_text(share) for share in (0.46, 1.2, 2.3, math.nan)]
    [' at 46% of its risk', ' at 120% of its risk', ' at 2.3 times its risk', '']
    """
    if math.isnan(share):
        return ""
    return f" at {share:.0%} of its risk" if share < 2 else f" at {share:.1f} times its risk"


def if_losses_weigh_double(
    gain: float, risk: float, digits: Digits, *, is_every: bool, who: str = "model", best: tuple[str, float] = ("", 0.0)
) -> Words:
    """Said where a gain is smaller than the mean loss, by what shows; `is_every`: it is smaller for every model.

    `best`: who would gain most then, and how much.

    >>> from riskrank.report.findings.digits import Digits
    >>> from riskrank.report.findings.words import plain
    >>> plain(if_losses_weigh_double(0.0044, 0.0079, Digits(4), is_every=True))
    'If losses weighed double, no model would gain on average: this one −0.0035.'
    """
    left = digits.gain(gain - risk)
    if not risk > gain > 0 or not left.startswith("−"):
        return ()
    gains = f"no {who} would gain on average: this one" if is_every else "it would not gain on average:"
    name, most = best[0], digits.gain(best[1])
    other = f"; {name} would ({most})" if name and most.startswith("+") else ""
    return words(f"If losses weighed double, {gains} {left}{other}.")
