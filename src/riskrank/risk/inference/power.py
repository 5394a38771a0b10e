"""How many topics it takes to see a gain."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from riskrank.errors import ParameterError
from riskrank.parameters import inside, positive
from riskrank.risk.inference.mirror_shift import FEWEST_CHANGED, tradeoff_slopes, weighted_mirror
from riskrank.risk.inference.null_values import SEED, studentised
from riskrank.risk.paired import checked_alpha, difference, paired, topic_weights

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from riskrank.risk.inference.null_values import NullValues, Slopes
    from riskrank.typing import Floats, Integers

N_DRAWS = 4000
MOST_DRAWN = 2_000  # topics; with more, means are as good as normal
MOST_TOPICS = 1_000_000
SMALLEST_LEVEL = 0.001  # that draws can tell
CERTAIN = 100.0  # an effect in largest changes; none is larger


@dataclass(frozen=True)
class Power:
    """How often a gain of `effect` (in URisk at `alpha`) would be significant.

    `now` is that share with as many topics as there are; `n_topics` are needed for it to be `wanted`, None where a
    million are too few; `smallest_effect` is seen in that share of cases with the topics that there are, NaN where no
    effect is.
    """

    effect: float
    alpha: float
    level: float
    wanted: float
    now: float
    n_topics: int | None
    smallest_effect: float


def power(
    system: ArrayLike,
    baseline: ArrayLike,
    *,
    effect: float,
    alpha: float = 0.0,
    wanted: float = 0.8,
    level: float = 0.05,
    weights: ArrayLike | None = None,
) -> Power:
    """How many topics are enough, by simulation of the test on changes like these.

    Topics are drawn that change as much as these did, as often for the better as for the worse about a mean of
    `effect`. A gain is seen when enough topics change for a test, and the studentised mean is beyond the limit that the
    mirror-shift test has for changes of these sizes.

    Parameters
    ----------
    system, baseline
        Effectiveness on each topic, in the same order.
    effect
        The gain, in URisk at `alpha`, that should be seen.
    alpha
        Losses weigh 1 + alpha.
    wanted
        The share of cases in which it should be seen.
    level
        Significance level of the test, two-sided.
    weights
        How much each topic counts; topics are drawn with the weights that they have.

    >>> old = np.linspace(0.2, 0.6, 50)
    >>> needed = power(old + 0.1 * np.sin(np.arange(50)), old, effect=0.02)
    >>> 80 < needed.n_topics < 120
    True
    """
    return powers(system, baseline, effects=[effect], alpha=alpha, wanted=wanted, level=level, weights=weights)[0]


def powers(
    system: ArrayLike,
    baseline: ArrayLike,
    *,
    effects: Sequence[float],
    alpha: float = 0.0,
    wanted: float = 0.8,
    level: float = 0.05,
    weights: ArrayLike | None = None,
) -> list[Power]:
    """`power` for several effects, which share what does not depend on them."""
    m, b = paired(system, baseline)
    for effect in effects:
        positive("effect", effect)
    inside("wanted", wanted, 0, 1)
    check_level(level)
    slopes = tradeoff_slopes(checked_alpha(alpha))
    mirror = weighted_mirror(difference(m, b), topic_weights(weights, len(m)))
    if mirror.null is None:
        raise ParameterError(f"power needs changes that differ: {mirror.reason or 'all scores changed equally'}.")
    sampled = _Sampled(mirror.null, slopes, level)
    smallest_effect = mirror.scale * _smallest_effect(sampled, mirror.n_topics, wanted)
    aims = [min(effect / mirror.scale, CERTAIN) for effect in effects]
    return [
        Power(
            effect=effect,
            alpha=alpha,
            level=level,
            wanted=wanted,
            now=sampled.power(mirror.n_topics, aim),
            n_topics=_fewest_topics(sampled, aim, wanted),
            smallest_effect=smallest_effect,
        )
        for effect, aim in zip(effects, aims, strict=True)
    ]


def check_level(level: float) -> None:
    """Refuse a significance level that draws cannot tell."""
    inside("level", level, 0, 1)
    if level < SMALLEST_LEVEL:
        raise ParameterError(f"level must be at least {SMALLEST_LEVEL:g} for power, got {level:g}.", "level")


class _Sampled:
    """Samples of topics that change as the null values do, about any mean."""

    def __init__(self, null: NullValues, slopes: Slopes, level: float) -> None:
        self._null, self._slopes, self._level = null, slopes, level
        self._at_zero = self.changes(0.0)

    def changes(self, mean: float) -> Floats:
        """The numbers of topics, ties among them, that have this mean."""
        shifted = self._null.values + self._null.shift_to(self._slopes, mean)
        ties = np.zeros(2 * self._null.n_topics - len(shifted))
        return self._slopes(np.concatenate([shifted, ties]))

    def power(self, n_topics: int, effect: float) -> float:
        """How often a sample of this size is significantly above 0."""
        values = self.changes(effect)
        if n_topics > MOST_DRAWN:
            z = NormalDist().inv_cdf(1 - self._level / 2)
            return NormalDist().cdf(math.sqrt(n_topics) * effect / float(values.std()) - z)
        drawn = _drawn(n_topics, len(values))
        limit = np.quantile(_studentised(self._at_zero[drawn]), 1 - self._level / 2)
        is_tested = (drawn < len(self._null.values)).sum(axis=1) >= FEWEST_CHANGED  # the rest are ties
        return float(((_studentised(values[drawn]) > limit) & is_tested).mean())

    def spread(self) -> float:
        """The standard deviation of topics where nothing is gained."""
        return float(self._at_zero.std())

    def usual_topics(self, effect: float, wanted: float) -> int:
        """How many topics normal means would need."""
        normal = NormalDist()
        distance = normal.inv_cdf(1 - self._level / 2) + normal.inv_cdf(wanted)
        topics = (max(distance, 0.0) * float(self.changes(effect).std()) / effect) ** 2
        return math.ceil(min(topics, MOST_TOPICS))


def _fewest_topics(sampled: _Sampled, effect: float, wanted: float) -> int | None:
    """By bisection to two per cent, from both sides of what normal means would need."""
    if sampled.power(MOST_TOPICS, effect) < wanted:
        return None
    usual = min(max(sampled.usual_topics(effect, wanted), FEWEST_CHANGED), MOST_TOPICS)
    low = high = usual
    while low > FEWEST_CHANGED and sampled.power(low, effect) >= wanted:
        low = max(FEWEST_CHANGED, low * 4 // 5)
    while sampled.power(high, effect) < wanted:
        high = min(MOST_TOPICS, high * 5 // 4 + 1)
    while high > low * 1.02 + 1:
        middle = round(math.sqrt(low * high))
        low, high = (low, middle) if sampled.power(middle, effect) >= wanted else (middle, high)
    return high


def _smallest_effect(sampled: _Sampled, n_topics: int, wanted: float) -> float:
    low, high = 0.0, sampled.spread()
    while sampled.power(n_topics, high) < wanted and high < CERTAIN:
        low, high = high, 2 * high
    if sampled.power(n_topics, high) < wanted:
        return math.nan
    for _ in range(12):
        middle = (low + high) / 2
        low, high = (low, middle) if sampled.power(n_topics, middle) >= wanted else (middle, high)
    return high


@lru_cache(maxsize=1)
def _drawn(n_topics: int, n_values: int) -> Integers:
    return np.random.default_rng(SEED).integers(n_values, size=(N_DRAWS, n_topics))


def _studentised(samples: Floats) -> Floats:
    return studentised(samples.mean(axis=1), samples.var(axis=1))
