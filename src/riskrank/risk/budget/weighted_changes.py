"""What a candidate changes, topic by topic, each with its weight."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from riskrank.errors import ParameterError
from riskrank.risk.inference.mirror_shift import GAIN, MirrorShift
from riskrank.risk.inference.shares import clopper_pearson_upper, wilson
from riskrank.risk.paired import difference, paired, scale_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from riskrank.risk.inference.null_values import Slopes
    from riskrank.risk.intervals import Interval
    from riskrank.typing import Booleans, Floats


@dataclass(frozen=True, eq=False)
class WeightedChanges:
    r"""The differences of a candidate and its baseline; means are weighted, `weights` have a mean of 1.

    A weighted mean of losses is the plain mean of weighted losses, since losses grow with the differences:

    .. math:: \sum_q w_q x_q / \sum_q w_q = \frac{1}{c} \sum_q x(\tilde w_q d_q) , \quad \tilde w_q = w_q / \bar w

    so the tests and intervals of means take `weighted` differences. A topic is drawn with its weight. `scale` is the
    largest score, which tells rounding from change.
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
        return cls(delta, _checked_weights(weights, len(delta)), float(scale_of(m, b)))

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
        return MirrorShift(self.weighted)

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
        return float(self.weights.sum() ** 2 / np.square(self.weights).sum())

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


def _checked_weights(weights: ArrayLike | None, n_topics: int) -> Floats:
    if weights is None:
        return np.ones(n_topics)
    values = np.asarray(weights, dtype=np.float64)
    if values.shape != (n_topics,) or not np.isfinite(values).all() or (values < 0).any() or not values.any():
        raise ParameterError(f"each of the {n_topics} topics needs a weight from 0, and not all may be 0.", "weights")
    largest = float(values.max())  # so that no sum overflows
    return np.asarray(values / largest / (values / largest).mean())
