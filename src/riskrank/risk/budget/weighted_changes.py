"""What a candidate changes, topic by topic, each with its weight."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from riskrank.errors import ParameterError
from riskrank.risk.inference.mirror_shift import GAIN, weighted_mirror
from riskrank.risk.inference.shares import clopper_pearson_upper, wilson
from riskrank.risk.paired import difference, paired, scale_of, topic_weights
from riskrank.weights import effective_number

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from riskrank.risk.inference.mirror_shift import MirrorShift
    from riskrank.risk.inference.null_values import Slopes
    from riskrank.risk.intervals import Interval
    from riskrank.typing import Booleans, Floats


@dataclass(frozen=True, eq=False)
class WeightedChanges:
    """The differences of a candidate and its baseline; means are weighted, `weights` have a mean of 1.

    A weighted mean of losses is the plain mean of `weighted` losses, since losses grow with the differences (see
    `weighted_mirror`). `scale` is the largest score, which tells rounding from change.
    """

    delta: Floats
    weights: Floats
    scale: float

    @classmethod
    def of(cls, system: ArrayLike, baseline: ArrayLike, weights: ArrayLike | None = None) -> WeightedChanges:
        """Of effectiveness on each topic, in the same order."""
        m, b = paired(system, baseline)
        delta = difference(m, b)
        if not len(delta) or np.isnan(delta).any():
            raise ParameterError("a budget needs at least one topic and no NaN.")
        known = topic_weights(weights, len(delta))
        return cls(delta, np.ones(len(delta)) if known is None else known, float(scale_of(m, b)))

    def without(self, topics: Booleans) -> WeightedChanges:
        """The same, with no change on some topics."""
        return replace(self, delta=np.where(topics, 0.0, self.delta))

    @property
    def weighted(self) -> Floats:
        """Differences whose plain mean is the weighted mean."""
        return self.delta * self.weights

    @cached_property
    def mirror(self) -> MirrorShift:
        """The test of the weighted mean, and its intervals."""
        return weighted_mirror(self.delta, self.own_weights)

    @property
    def own_weights(self) -> Floats | None:
        """The weights; None where all are equal."""
        return self.weights if self.is_weighted else None

    @property
    def n_topics(self) -> int:
        return len(self.delta)

    @property
    def is_weighted(self) -> bool:
        """Do some topics count more than others?"""
        return bool((self.weights != self.weights[0]).any())

    @property
    def n_effective(self) -> float:
        """How many topics of equal weight would tell as much (Kish 1965)."""
        return effective_number(self.weights)

    def interval(self, slopes: Slopes, confidence: float) -> Interval:
        """Of a weighted mean; where nothing changed, it is known."""
        return self.mirror.interval(slopes, confidence) if self.mirror.n_changed else (0.0, 0.0)

    def share(self, which: Booleans) -> float:
        """The share that some topics have of all weight."""
        return float(self.weights[which].sum() / self.weights.sum())

    def share_interval(self, share: float, confidence: float) -> Interval:
        """Wilson's interval of a share."""
        return wilson(share * self.n_effective, self.n_effective, confidence)

    def least_gain(self, level: float) -> float:
        """What the mean change is at least, with confidence 1 − `level`, one-sided.

        By the test; where too few topics changed for one, no topic loses more than 1, and the share of those that lose
        is at most Clopper and Pearson's upper limit. Where none changed, 0.
        """
        if not self.mirror.n_changed:
            return 0.0
        low, _ = self.mirror.interval(GAIN, 1 - 2 * level)
        if not np.isnan(low):
            return low
        largest = max(1.0, self.scale) * float(self.weights.max())
        return -largest * clopper_pearson_upper(int((self.delta < 0).sum()), self.n_topics, level)
