"""The mirror-shift bootstrap: a test of URisk that holds with few topics, and the intervals that invert it.

Where losses weigh more than gains, Student's t goes wrong with few topics: samples that happen to hold few and small
losses look like gains. This test asks how far the mean can stray when changes of the observed sizes are as likely to
be losses as gains. Its null values are the changes about their mean, and their mirror images, all moved by one shift
until their mean is the value under test; ties stay ties. Topics are drawn from these values, and the studentised means
of the draws are what the observed one is compared with. Draws are fixed, and topics are sorted first: a result depends
neither on a seed nor on the order of topics.

Where no topic loses, or none gains, the null values may not hold what was not seen, however likely it is. Then a tail
is at least the chance of seeing none if changes had equal sizes.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from riskrank.risk.inference.interval_ends import FARTHEST, interval_end
from riskrank.risk.inference.null_values import TOLERANCE, Slopes, Tails, null_values, studentised
from riskrank.risk.inference.student_t import critical_value
from riskrank.weights import effective_number

if TYPE_CHECKING:
    from riskrank.risk.inference.null_values import Expanded, Resampled
    from riskrank.typing import Floats

FEWEST_CHANGED = 6  # six signs are the fewest that can differ from chance at 0.05
WIDER = 1.2  # than the interval of Student's t; the search for an end begins there

GAIN, LOSS, REWARD = Slopes(1.0, 1.0), Slopes(1.0, 0.0), Slopes(0.0, 1.0)  # LOSS is minus the risk


def tradeoff_slopes(alpha: float) -> Slopes:
    """Of URisk: losses weigh 1 + alpha."""
    return Slopes(1.0 + alpha, 1.0)


def weighted_mirror(changes: Floats, weights: Floats | None) -> MirrorShift:
    r"""Of topics with weights, those without weight left out.

    A weighted mean trade-off is the plain mean of the trade-offs of weighted changes, since these grow with changes:

    .. math:: \sum_q w_q x(d_q) / \sum_q w_q = \frac{1}{c} \sum_q x(\tilde w_q d_q) , \quad \tilde w_q = w_q / \bar w

    so that the test and its intervals take weighted changes: a topic is drawn, and mirrored, with its weight. There is
    none where topics tell less than 6 of equal weight would.
    """
    if weights is None:
        return MirrorShift(changes)
    counts = weights > 0
    return MirrorShift(changes[counts] * (weights[counts] / weights[counts].mean()), why_too_few(weights))


def why_too_few(weights: Floats | None) -> str:
    """Why topics with these weights have no test, if so."""
    if weights is None or effective_number(weights) >= FEWEST_CHANGED:
        return ""
    return f"their weights make the scores count as fewer than {FEWEST_CHANGED}"


class MirrorShift:
    """The changes of one system, and what they would be by chance.

    `changes` are sorted, in parts of the largest, `scale`. `reason` says why there is no test; without a reason, `null`
    is None where all topics that changed did so by the same amount.
    """

    def __init__(self, changes: Floats, reason: str = "") -> None:
        self.n_topics = len(changes)
        ordered = np.sort(changes)
        self.scale = float(np.abs(ordered).max(initial=0.0))
        self.changes = ordered / self.scale if self.scale else ordered
        changed = self.changes[self.changes != 0]
        self.n_changed = len(changed)
        self.reason = _why_no_test(ordered, self.n_changed) or reason
        residuals = changed - changed.mean() if self.n_changed else changed
        self._p_values: dict[float, float] = {}  # by alpha
        self.null: Resampled | Expanded | None = None
        if not self.reason and np.abs(residuals).max() > TOLERANCE:
            self.null = null_values(residuals, self.n_topics)

    def test(self, alpha: float) -> Tails:
        """Is the mean trade-off 0?"""
        if self.reason:
            return Tails(1.0, 1.0)
        least = self._least_tails(tradeoff_slopes(alpha))
        if self.null is None:  # all changes are equal: exact, and perhaps too small for a float
            return Tails(least.gain, 1.0) if self.changes[-1] > 0 else Tails(1.0, least.loss)
        slopes = tradeoff_slopes(alpha)
        tails = _Sample(self.changes, slopes).tails(self.null, self.null.shift_to(slopes, 0.0))
        return Tails(max(tails.gain, least.gain), max(tails.loss, least.loss))

    def p_value(self, alpha: float) -> float:
        """Of the mean trade-off, two-sided; NaN where there is nothing to test."""
        if alpha not in self._p_values:
            is_tested = self.n_topics > 1 and self.n_changed > 0 and not np.isnan(self.changes).any()
            self._p_values[alpha] = self.test(alpha).p_value if is_tested else np.nan
        return self._p_values[alpha]

    def interval(self, slopes: Slopes, confidence: float) -> tuple[float, float]:
        """The means that a two-sided test does not reject; NaN where there is no test.

        The interval of URisk excludes 0 exactly when `test` is significant at 1 − `confidence`.
        """
        null = self.null
        if null is None:
            return np.nan, np.nan
        tail = (1 - confidence) / 2
        sample = _Sample(self.changes, slopes)
        center = null.shift_to(slopes, sample.mean)
        zero, least = None, Tails(0.0, 0.0)
        if min(slopes) > 0:
            zero, least = null.shift_to(slopes, 0.0), self._least_tails(slopes)

        def gain_tail(shift: float) -> float:
            return max(sample.tails(null, shift).gain, least.gain if shift == zero else 0.0)

        def loss_tail(shift: float) -> float:
            return max(sample.tails(null, shift).loss, least.loss if shift == zero else 0.0)

        reach = WIDER * critical_value(1 - confidence, self.n_topics - 1) * math.sqrt(sample.variance / self.n_topics)
        lower, upper = (null.shift_to(slopes, sample.mean + side * reach) for side in (-1, 1))
        low = interval_end(gain_tail, center, -FARTHEST, tail, known=zero, near=lower)
        high = interval_end(loss_tail, center, FARTHEST, tail, known=zero, near=upper)
        ends = [0.0 if end == zero else self.scale * null.mean(slopes, end) for end in (low, high)]
        return ends[0], ends[1]

    def _least_tails(self, slopes: Slopes) -> Tails:
        """How likely it is that no topic loses, or that none gains, as it was here; 0 where some lost and some gained.

        With equal sizes and nothing gained, a change is a loss with probability above / (below + above), by slopes.
        """
        share_of_losses = slopes.above / (slopes.below + slopes.above)
        no_loss = (1 - share_of_losses) ** self.n_changed if self.changes[0] >= 0 else 0.0
        no_gain = share_of_losses**self.n_changed if self.changes[-1] <= 0 else 0.0
        return Tails(no_loss, no_gain)


def _why_no_test(changes: Floats, n_changed: int) -> str:
    if np.isnan(changes).any():
        return "some scores are not finite numbers"
    if n_changed == 0:
        return "the system equals the baseline everywhere" if len(changes) else "there are no scores"
    if n_changed < FEWEST_CHANGED:
        return f"fewer than {FEWEST_CHANGED} scores differ from the baseline's"
    return ""


class _Sample:
    """What was observed: a number per topic."""

    def __init__(self, changes: Floats, slopes: Slopes) -> None:
        values = slopes(changes)
        self.slopes, self.mean, self.variance = slopes, float(values.mean()), float(values.var())

    def tails(self, null: Resampled | Expanded, shift: float) -> Tails:
        """How likely its studentised mean is where the null values have this shift."""
        t = studentised(np.array(self.mean - null.mean(self.slopes, shift)), np.array(self.variance))
        return null.tails(self.slopes, shift, float(t))
