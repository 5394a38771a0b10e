"""Which topics stand out: what each is held against at every stop of the slider, and how T_R, T_J and p are written."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from riskrank.report.findings.digits import Digits
from riskrank.risk.exploratory import LIMIT, limit_at, topic_spread
from riskrank.risk.paired import ROUNDING, difference, scale_of, tradeoff

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.typing import Floats

DIGITS = 12  # of what the script divides: T_J is then written as Python writes it
SMALLEST_P = 0.001
FEWEST_TOPICS = 3


@dataclass(frozen=True)
class TopicTests:
    """Mean and standard deviation of a system's trade-offs at each alpha, None where topics cannot be told apart.

    The topics with the `n_low` largest losses and the `n_high` largest gains lie beyond ±2 standard deviations.
    """

    means: list[float | None]
    deviations: list[float | None]
    n_low: list[int]
    n_high: list[int]

    def to_json(self) -> dict[str, Any]:
        """For the page's script."""
        return {"mean": self.means, "deviation": self.deviations, "low": self.n_low, "high": self.n_high}


def topic_tests(scores: Floats, baseline: Floats, alphas: Sequence[float]) -> TopicTests:
    """Of a system that can be compared."""
    delta, scale = difference(scores, baseline), float(scale_of(scores, baseline))
    tests = TopicTests([], [], [], [])
    for alpha in alphas:
        x = tradeoff(delta, alpha)
        mean, deviation, reason = topic_spread(x, ROUNDING * scale * (1 + alpha))
        away = (x - mean) / deviation
        tests.means.append(None if reason else float(f"{mean:.{DIGITS}g}"))
        tests.deviations.append(None if reason else float(f"{deviation:.{DIGITS}g}"))
        tests.n_low.append(int((away < -LIMIT).sum()))
        tests.n_high.append(int((away > LIMIT).sum()))
    return tests


def t_text(t: float) -> str:
    """T_R or T_J.

    >>> t_text(-2.434), t_text(float("nan"))
    ('−2.43', '–')
    """
    return Digits(2).gain(t)


def short_p(p_value: float) -> str:
    """Two decimals, three below 0.01.

    >>> short_p(0.024), short_p(0.0031), short_p(1e-5)
    ('0.02', '0.003', '<0.001')
    """
    if math.isnan(p_value):
        return "–"
    if p_value < SMALLEST_P / 2:
        return f"<{SMALLEST_P:g}"
    return f"{p_value:.3f}" if p_value < 0.0095 else f"{p_value:.2f}"


def p_limits(n_topics: int) -> list[tuple[float, str]]:
    """From the farthest to the nearest: how far from the mean a topic is at least that has a p-value as it is written.

    >>> [(round(limit, 2), text) for limit, text in p_limits(50)[:2]], p_limits(50)[-1]
    ([(3.29, '<0.001'), (3.03, '0.001')], (0.0, '1.00'))
    """
    if n_topics < FEWEST_TOPICS:
        return []
    ends = [0.0005 + 0.001 * k for k in range(10)] + [0.015 + 0.01 * k for k in range(99)]  # where the text changes
    texts = [short_p(end * (1 - 1e-9)) for end in ends]
    limits = (float(f"{limit_at(end, n_topics):.{DIGITS}g}") for end in ends)
    return [*zip(limits, texts, strict=True), (0.0, "1.00")]
