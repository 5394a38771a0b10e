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
        self._is_asked_again = False

    @property
    def _rows(self) -> Floats:
        """How often each value is in each draw."""
        counts = _size_counts(self.n_topics)[:, : len(self.values) // 2]
        return np.concatenate([counts[0], counts[1, ::-1]])  # the largest sizes come first in both

    @cached_property
    def tables(self) -> Floats:
        """How many of the first values are in each draw, their sum, and that of their squares."""
        rows = self._rows
        tables = np.empty((3, len(rows) + 1, N_RESAMPLES))
        tables[:, 0] = 0.0
        for i, value in enumerate(self.values.tolist()):  # three times as fast as np.cumsum
            for power, table in enumerate(tables):
                np.multiply(rows[i], value**power, out=table[i + 1])
                table[i + 1] += table[i]
        return tables

    def tails(self, slopes: Slopes, shift: float, t: float) -> Tails:
        """Of the studentised mean of c values drawn from the shifted ones."""
        total, squares = self._sums_of_draws(slopes, shift)
        mean = total / self.n_topics
        drawn = studentised(mean - self.mean(slopes, shift), squares / self.n_topics - mean**2)
        return Tails(self.tail(drawn, t), self.tail(-drawn, -t))

    def _sums_of_draws(self, slopes: Slopes, shift: float) -> tuple[Floats, Floats]:
        """Of each draw, the sum of its shifted values' numbers and that of their squares."""
        if not self._is_asked_again:  # tables are worth their while from the second time on
            self._is_asked_again = True
            numbers, rows = slopes(self.values + shift), self._rows
            return np.einsum("i,ij", numbers, rows), np.einsum("i,ij", np.square(numbers), rows)  # BLAS would spin
        total, squares = np.zeros(N_RESAMPLES), np.zeros(N_RESAMPLES)
        parts = (self.tables[:, -1], self.tables[:, self.n_below(shift)])
        for power_one, power_two, (n, sums, of_squares) in zip(
            (slopes.above, slopes.below - slopes.above), (slopes.above**2, slopes.below**2 - slopes.above**2), parts,
            strict=True,
        ):  # fmt: skip
            if power_one or power_two:
                moved = sums + shift * n
                total += power_one * moved
                squares += power_two * (of_squares + shift * (sums + moved))
        return total, squares

    def tail(self, drawn: Floats, t: float) -> float:
        """P(T ≥ t); beyond the largest draws by a Student's t that agrees with their quantiles at 5 and 0.5 %."""
        n_larger = int((drawn >= t - TOLERANCE).sum())
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
    is_flat = variance <= TOLERANCE**2
    if not is_flat.any():
        return np.asarray(mean / np.sqrt(variance))
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
