"""Mean and variance in one pass over any number of values, and the paired t-test that goes by them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from riskrank.risk.inference.student_t import two_sided_p

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


@dataclass(frozen=True)
class Moments:
    """How many values there were, their mean, and the sum of their squared distances to it.

    Batches are counted on their own and added up (Chan, Golub and LeVeque 1979), which loses no digits however many
    values there are.

    >>> whole = Moments.of([0.1, 0.3]) + Moments.of([0.2])
    >>> whole.n, round(whole.mean, 3), round(whole.standard_error, 4)
    (3, 0.2, 0.0577)
    """

    n: int = 0
    mean: float = 0.0
    squares: float = 0.0

    @classmethod
    def of(cls, values: ArrayLike) -> Moments:
        """Of one batch of values."""
        array = np.asarray(values, dtype=np.float64)
        if not array.size:
            return cls()
        beyond = array - array.flat[0]  # so that equal values are exactly equal
        mean = beyond.mean()
        return cls(array.size, float(array.flat[0] + mean), float(np.square(beyond - mean).sum()))

    def __add__(self, other: Moments) -> Moments:
        """Both together."""
        n = self.n + other.n
        if not n:
            return self
        apart = other.mean - self.mean
        mean = self.mean + apart * other.n / n
        return Moments(n, mean, self.squares + other.squares + apart * apart * self.n * other.n / n)

    @property
    def standard_error(self) -> float:
        """Of the mean; NaN for fewer than two values."""
        return math.sqrt(self.squares / (self.n - 1) / self.n) if self.n > 1 else math.nan

    @property
    def t(self) -> float:
        """The mean in standard errors; NaN where all values are equal."""
        error = self.standard_error
        return self.mean / error if error > 0 else math.nan

    @property
    def p_value(self) -> float:
        """Two-sided, of the mean being 0 (for differences: the paired t-test)."""
        return float(two_sided_p(self.t, self.n - 1)) if not math.isnan(self.t) else math.nan
