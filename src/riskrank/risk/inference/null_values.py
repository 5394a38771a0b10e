"""What changes would be by chance, for the mirror-shift bootstrap, and how far their means stray."""

from __future__ import annotations

import math
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from riskrank.risk.inference.student_t import critical_value, two_sided_p

if TYPE_CHECKING:
    from riskrank.typing import Floats

MOST_RESAMPLED = 500  # changed topics; with more, three moments tell the distribution
N_RESAMPLES = 10_000
SEED = 2012
SEEN_OFTEN = 50  # draws that a tail needs to be counted; a rarer one is extrapolated
TOLERANCE = 1e-9  # of the largest change


class Slopes(NamedTuple):
    """A number per topic that rises with its change: how fast below 0, and above."""

    below: float
    above: float

    def __call__(self, changes: Floats) -> Floats:
        return self.below * np.minimum(changes, 0.0) + self.above * np.maximum(changes, 0.0)


class Tails(NamedTuple):
    """How likely a studentised mean at least, and at most, as large as the observed one is."""

    gain: float
    loss: float

    @property
    def p_value(self) -> float:
        """Two-sided."""
        return min(1.0, 2 * min(self))


class NullValues:
    """The values that topics may have by chance, before they are shifted: residuals, their mirror images, and ties.

    What is asked of shifted values follows from sums of powers of all values below 0, and of all others.
    """

    def __init__(self, residuals: Floats, n_topics: int) -> None:
        self.n_topics = n_topics
        sizes = np.sort(np.abs(residuals))
        self.values = np.concatenate([-sizes[::-1], sizes])
        powers = [self.values**power / (2 * n_topics) for power in range(4)]
        self._sums = np.array([np.concatenate([[0.0], np.cumsum(power)]) for power in powers])

    def mean(self, slopes: Slopes, shift: float) -> float:
        """The mean of all values, ties among them."""
        return self._moment(slopes, shift, 1)

    def shift_to(self, slopes: Slopes, mean: float) -> float:
        """The shift at which the values have this mean, which is linear between the shifts that bring a value to 0."""
        shifts = -self.values[::-1]
        shares, totals = self._sums[:2, -2::-1]  # of the values below 0 at each of these shifts
        all_shares, all_totals = self._sums[:2, -1]
        means = slopes.below * (totals + shifts * shares)
        means += slopes.above * (all_totals - totals + shifts * (all_shares - shares))
        if mean > means[-1] and slopes.above:  # without a slope, only rounding puts a mean beyond the last one
            return float(shifts[-1] + (mean - means[-1]) / (slopes.above * all_shares))
        if mean < means[0] and slopes.below:
            return float(shifts[0] + (mean - means[0]) / (slopes.below * all_shares))
        return float(np.interp(mean, means, shifts))

    def n_below(self, shift: float) -> int:
        return int(np.searchsorted(self.values, -shift))

    def _moment(self, slopes: Slopes, shift: float, power: int) -> float:
        edge = self.n_below(shift)
        below, above = self._sums[:, edge], self._sums[:, -1] - self._sums[:, edge]
        of_shifted = [math.comb(power, k) * shift ** (power - k) for k in range(power + 1)]
        sums = (sum(f * side[k] for k, f in enumerate(of_shifted)) for side in (below, above))
        return float(sum(slope**power * total for slope, total in zip(slopes, sums, strict=True)))


class Resampled(NullValues):
    """The distribution of studentised means by drawing."""

    def __init__(self, residuals: Floats, n_topics: int) -> None:
        super().__init__(residuals, n_topics)
        self._powers = np.array([self.values**power for power in range(3)])
        self._first = {0: np.zeros((3, N_RESAMPLES))}

    @cached_property
    def tables(self) -> Floats:
        """How many of the first 0, 1, … values are in each draw, their sums, and those of their squares."""
        return np.stack([self._sums_of_first(n) for n in range(len(self.values) + 1)], axis=1)

    def tails(self, slopes: Slopes, shift: float, t: float) -> Tails:
        """Of the studentised mean of c values drawn from the shifted ones."""
        total, squares = self._sums_of_draws(slopes, shift)
        mean = total / self.n_topics
        drawn = studentised(mean - self.mean(slopes, shift), squares / self.n_topics - mean**2)
        return Tails(self.tail(drawn, t), self.tail(-drawn, -t))

    def _sums_of_draws(self, slopes: Slopes, shift: float) -> tuple[Floats, Floats]:
        """Of each draw, the sum of its shifted values' numbers and that of their squares."""
        below, above = slopes
        total, squares = self._shifted_sums(len(self.values), shift, above, above**2)
        if below != above:
            further = self._shifted_sums(self.n_below(shift), shift, below - above, below**2 - above**2)
            total += further[0]
            squares += further[1]
        return total, squares

    def _shifted_sums(self, n: int, shift: float, weight: float, weight_of_squares: float) -> tuple[Floats, Floats]:
        """Of the first n values in each draw, shifted and weighted, the sum and that of the squares."""
        counts, sums, squares = self._sums_of_first(n)
        shifted = sums + shift * counts
        return weight * shifted, weight_of_squares * (squares + shift * (sums + shifted))

    def _sums_of_first(self, n: int) -> Floats:
        """How many of the first n values are in each draw, their sum, and that of their squares."""
        if n not in self._first:
            nearest = min(self._first, key=lambda known: abs(known - n))
            if n > nearest:
                self._first[n] = self._first[nearest] + self._sums_between(nearest, n)
            else:
                self._first[n] = self._first[nearest] - self._sums_between(n, nearest)
        return self._first[n]

    def _sums_between(self, start: int, stop: int) -> Floats:
        """The same of the values from start to stop: first those that lose, then those that gain."""
        losses, gains = _size_counts(self.n_topics)[:, : len(self.values) // 2]  # the largest sizes come first in both
        sums = np.zeros((3, N_RESAMPLES))
        for first, rows in ((0, losses), (len(losses), gains[::-1])):
            places = slice(max(start - first, 0), max(stop - first, 0))
            powers = self._powers[:, first : first + len(rows)]
            sums += np.einsum("ki,ij->kj", powers[:, places], rows[places])  # BLAS would spin
        return sums

    def tail(self, drawn: Floats, t: float) -> float:
        """P(T ≥ t); beyond the largest draws by a Student's t that agrees with their quantiles at 5 and 0.5 %."""
        n_larger = int(np.count_nonzero(drawn >= t - TOLERANCE))
        counted = (1 + n_larger) / (1 + N_RESAMPLES)
        if n_larger >= SEEN_OFTEN:
            return counted
        usual, rare = np.partition(drawn, (-10 * SEEN_OFTEN, -SEEN_OFTEN))[[-10 * SEEN_OFTEN, -SEEN_OFTEN]].tolist()
        if not (0 < usual < rare < np.inf and t < np.inf):
            return counted
        freedoms, ratios = _tail_ratios()
        freedom = min(float(np.interp(-rare / usual, ratios, freedoms)), len(self.values) / 2 - 1)
        scale = critical_value(2 * (1 + SEEN_OFTEN) / (1 + N_RESAMPLES), freedom) / rare
        return max(float(two_sided_p(scale * t, freedom)) / 2, n_larger / N_RESAMPLES)


class Expanded(NullValues):
    """The distribution of studentised means by three moments: Student's t after Hall's transformation.

    Hall 1992, *On the removal of skewness by transformation*: with c values of skewness g, T + g T²/(3√c) + g² T³/(27c)
    + g/(6√c) is about normal, and it rises with T.
    """

    def tails(self, slopes: Slopes, shift: float, t: float) -> Tails:
        """Of the studentised mean of c values drawn from the shifted ones."""
        if math.isinf(t):  # no topic on the side that counts: how likely is a draw with none?
            n_beside = self.n_below(shift) if slopes.above else len(self.values) - self.n_below(shift)
            none = (n_beside / len(self.values)) ** self.n_topics
            return Tails(none, 1.0) if t > 0 else Tails(1.0, none)
        mean, square, cube = (self._moment(slopes, shift, power) for power in (1, 2, 3))
        variance = square - mean**2
        if variance <= TOLERANCE**2:  # all values are on the side that does not count
            return Tails(float(t <= 0), float(t >= 0))
        skewness = (cube - 3 * mean * square + 2 * mean**3) / variance**1.5 / math.sqrt(self.n_topics)
        straight = t * math.sqrt(self.n_topics)
        straight += skewness * (straight**2 / 3 + 1 / 6) + skewness**2 * straight**3 / 27
        half = float(two_sided_p(straight, self.n_topics - 1)) / 2
        return Tails(half, 1 - half) if straight > 0 else Tails(1 - half, half)


def null_values(residuals: Floats, n_topics: int) -> Resampled | Expanded:
    """Of few changed topics by drawing, of many by expansion."""
    return (Resampled if len(residuals) <= MOST_RESAMPLED else Expanded)(residuals, n_topics)


def studentised(mean: Floats, variance: Floats) -> Floats:
    """Mean over standard deviation; 0 where both vanish, beyond all others where only the deviation does."""
    if variance.min() > TOLERANCE**2:
        return np.asarray(mean / np.sqrt(variance))
    is_flat = variance <= TOLERANCE**2
    flat = np.where(np.abs(mean) <= TOLERANCE, 0.0, np.copysign(np.inf, mean))
    return np.where(is_flat, flat, mean / np.sqrt(np.where(is_flat, 1.0, variance)))


@lru_cache(maxsize=1)
def _tail_ratios() -> tuple[list[float], list[float]]:
    """Degrees of freedom, and minus how many times its quantile at 5 % Student's t has at 0.5 %."""
    freedoms = [1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 7.0, 10.0, 15.0, 30.0, 100.0, 1000.0]
    shares = [(1 + n) / (1 + N_RESAMPLES) for n in (SEEN_OFTEN, 10 * SEEN_OFTEN)]
    return freedoms, [-critical_value(2 * shares[0], nu) / critical_value(2 * shares[1], nu) for nu in freedoms]


@lru_cache(maxsize=2)
def _size_counts(n_topics: int) -> Floats:
    """How often each size of change is in each draw of c topics, as a loss and as a gain: 2 × sizes × draws.

    A system of fewer changed topics takes the first sizes for its own, the others for its ties. Only as many are told
    apart as a system may have. Half of the draws mirror the other half, so that at alpha = 0 a system has the p-value
    against its baseline that the baseline has against it.
    """
    rng = np.random.default_rng(SEED)
    n_draws, n_sizes = N_RESAMPLES // 2, min(n_topics, MOST_RESAMPLED)
    n_told = rng.binomial(n_topics, n_sizes / n_topics, size=n_draws)
    draws = np.repeat(np.arange(n_draws), n_told)
    values = rng.integers(2 * n_sizes, size=len(draws))
    counts = np.bincount(values * n_draws + draws, minlength=2 * n_sizes * n_draws)
    half = counts.reshape(2, n_sizes, n_draws).astype(np.float64)
    return np.concatenate([half, half[::-1]], axis=2)
