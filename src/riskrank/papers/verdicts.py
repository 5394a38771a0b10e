"""Whether a claim holds: exactly, or as sure as a sample of queries allows.

What is computed (a worked example, algebra, counts on the paper's own data) holds or does not: `exactly`. What is
estimated from test queries is put as a margin that is above 0 where the claim holds, and its 95 % interval decides:
above 0 it holds, below 0 it does not, and else it is undecided.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, Protocol

import numpy as np

from riskrank.risk.inference.mirror_shift import GAIN, MirrorShift
from riskrank.risk.inference.null_values import Tails
from riskrank.risk.inference.shares import clopper_pearson_upper
from riskrank.risk.inference.student_t import mean_interval, two_sided_p

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from riskrank.typing import Floats

    Places = NDArray[np.intp]  # of queries

Verdict = Literal["holds", "does not hold", "undecided"]
CONFIDENCE = 0.95
TAIL = (1 - CONFIDENCE) / 2
ROUNDING = 1e-11  # of statistics that are no means: a difference of nothing else is none
MOST_SAID = 4  # parts that are told one by one
TEST_SHARE = 1 / 3  # queries of a fold that judge, for each one that trains
N_BLOCKS = 50  # of queries, of which one after the other is left out
MOST_BIAS = 0.5  # standard errors; what is smooth has far less


def exactly(is_true: bool) -> Verdict:
    """Of what is computed and not estimated.

    >>> exactly(1 + 1 == 2)
    'holds'
    """
    return "holds" if is_true else "does not hold"


class Judged(Protocol):
    """What is judged by a sample: surely so, or surely not, where chance does that with at most a probability."""

    def holds(self, tail: float) -> bool: ...

    def fails(self, tail: float) -> bool: ...

    def said(self, digits: int = ..., *, scale: float = ...) -> str: ...

    @property
    def estimate(self) -> float: ...


def verdict(judged: Judged) -> Verdict:
    """At 95 %, two-sided: either wrong verdict comes with a probability of about 2.5 %; docs/papers.md has measured it.

    >>> verdict(mean_margin(np.linspace(-0.1, 0.3, 50))), verdict(mean_margin(np.linspace(-0.3, 0.3, 50)))
    ('holds', 'undecided')
    """
    if judged.holds(TAIL):
        return "holds"
    return "does not hold" if judged.fails(TAIL) else "undecided"


@dataclass(frozen=True, eq=False)
class Margin:
    """An estimate that is above 0 where a claim holds; `values` are as if independent, and their mean estimates it.

    `is_normal`: by Student's t, for values that are few (folds); else by the mirror-shift bootstrap, which has no
    interval, and Student's stands in for it, where all that changes does so by the same amount.
    """

    estimate: float
    values: Floats
    is_normal: bool = False

    @cached_property
    def tails(self) -> Tails:
        """How likely values like these are by chance where the margin is 0."""
        if not np.isfinite(self.values).all():
            return Tails(1.0, 1.0)
        if not self.is_normal:
            return self._mirror.test(0.0)
        if not self._has_spread:
            return Tails(1.0, 1.0)
        t = self.values.mean() / (self.values.std(ddof=1) / np.sqrt(len(self.values)))
        half = float(two_sided_p(t, len(self.values) - 1)) / 2
        return Tails(half, 1 - half) if t > 0 else Tails(1 - half, half)

    @cached_property
    def interval(self) -> tuple[float, float]:
        """At 95 %; NaN where there is none."""
        if not np.isfinite(self.values).all():
            return np.nan, np.nan
        if not self.is_normal and (self._mirror.null is not None or self._mirror.reason):
            return self._mirror.interval(GAIN, CONFIDENCE)
        if self.is_normal and not self._has_spread:
            return np.nan, np.nan
        return mean_interval(self.values, CONFIDENCE)

    def holds(self, tail: float) -> bool:
        """Surely above 0?"""
        return bool(self.tails.gain <= tail)

    def fails(self, tail: float) -> bool:
        """Surely below 0?"""
        return bool(self.tails.loss <= tail)

    def said(self, digits: int = 4, *, scale: float = 1.0) -> str:
        """With its interval.

        >>> mean_margin(np.linspace(-0.1, 0.3, 50)).said(2)
        '+0.10 (+0.07 to +0.13)'
        """
        low, high = self.interval
        between = "no interval" if np.isnan(low) else f"{scale * low:+.{digits}f} to {scale * high:+.{digits}f}"
        return f"{scale * self.estimate:+.{digits}f} ({between})"

    @cached_property
    def _mirror(self) -> MirrorShift:
        return MirrorShift(np.asarray(self.values, dtype=np.float64))

    @property
    def _has_spread(self) -> bool:
        """Do values tell how far they stray?"""
        return len(self.values) > 1 and bool(self.values.std() > ROUNDING * np.abs(self.values).max())


def mean_margin(values: Floats) -> Margin:
    """The mean over queries."""
    return Margin(float(np.mean(values)), np.asarray(values, dtype=np.float64))


def repeat_margin(values: Floats) -> Margin:
    """The mean over repeats that share nothing, with Student's interval; they may be few.

    >>> repeat_margin(np.array([3.0, 5.0, 4.0])).said(1)
    '+4.0 (+1.5 to +6.5)'
    """
    return Margin(float(np.mean(values)), np.asarray(values, dtype=np.float64), is_normal=True)


def fold_margin(values: Sequence[float]) -> Margin:
    r"""The mean over folds, with Student's interval: what has no value per query.

    Rotated folds share training queries, and are more alike than independent ones: their variance is multiplied.

    .. math:: k \left( \frac{1}{k} + \frac{n_{test}}{n_{train}} \right) = 1 + \frac{k}{3}

    Nadeau and Bengio 2003. Departures: theirs are random splits; ours are rotated, with three parts to train on.
    Folds that are all alike do not tell how far they stray, and decide nothing.

    >>> fold_margin([3.0, 5.0, 4.0, 8.0, 5.0]).said(1), fold_margin([2.0, 2.0, 2.0]).said(1)
    ('+5.0 (+1.2 to +8.8)', '+2.0 (no interval)')
    """
    own = np.asarray(values, dtype=np.float64)
    center = float(own.mean())
    return Margin(center, center + np.sqrt(1 + len(own) * TEST_SHARE) * (own - center), is_normal=True)


def jackknife_margins(statistics: Callable[[Places], Floats], n_queries: int) -> tuple[Margin, ...]:
    r"""What are no means (heights of curves, comparisons of ratios): pseudo-values of 50 blocks of queries.

    .. math:: p_k = B \, \theta - (B - 1) \, \theta_{(k)}

    Tukey 1958. `statistics` takes places of queries; of block k are the queries k, k + B, …, so that each holds some of
    every fold. Ratios are compared by their logarithms or as products: pseudo-values of a ratio itself lean to a side.
    Areas under hulls are not for it: a hull follows the chance of the queries it is made of. Nor is what jumps as
    blocks are left out, as curves do whose points change their order: where the bias is more than half of a standard
    error, nothing is decided. docs/papers.md says how often the verdicts are wrong, and why a half.

    >>> a, b = np.linspace(1, 2, 200), np.linspace(1, 3, 200)
    >>> jackknife_margins(lambda queries: np.log([b[queries].mean() / a[queries].mean()]), 200)[0].said(3)
    '+0.288 (+0.281 to +0.295)'
    """
    everyone = np.arange(n_queries)
    n_blocks = min(N_BLOCKS, n_queries)
    block = everyone % n_blocks
    whole = np.asarray(statistics(everyone), dtype=np.float64)
    without = np.array([statistics(everyone[block != k]) for k in range(n_blocks)])
    with np.errstate(invalid="ignore"):
        pseudo = n_blocks * whole - (n_blocks - 1) * without
    whole, pseudo = (np.where(np.abs(values) <= ROUNDING, 0.0, values) for values in (whole, pseudo))
    return tuple(Margin(float(value), _smooth(value, own)) for value, own in zip(whole, pseudo.T, strict=True))


def _smooth(whole: float, pseudo: Floats) -> Floats:
    """Pseudo-values, or none where their mean is far from what they are of: it jumps or bends between queries."""
    if len(pseudo) < 2 or not np.isfinite(pseudo).all():
        return pseudo
    most = MOST_BIAS * pseudo.std(ddof=1) / np.sqrt(len(pseudo))
    is_smooth = abs(pseudo.mean() - whole) <= most + ROUNDING * abs(whole)
    return pseudo if is_smooth else np.full_like(pseudo, np.nan)


def jackknife_margin(statistic: Callable[[Places], float], n_queries: int) -> Margin:
    """One of them."""
    return jackknife_margins(lambda queries: np.array([statistic(queries)]), n_queries)[0]


def ratio_margin(a: Floats, b: Floats, c: Floats, d: Floats) -> Margin:
    r"""Of means over queries, is a / c above b / d, or, which is the same where b is above 0, a / b above c / d?

    .. math:: (\bar a \, \bar d - \bar c \, \bar b) \, / \, |\bar b \, \bar d|

    Compared as products, so that a mean of 0 divides nothing; c and d are above 0. The scale makes it the difference of
    a / b and c / d; where it would be 0 there is none.

    >>> a, b = np.linspace(1, 2, 200), np.linspace(1, 3, 200)
    >>> ratio_margin(a, b, np.ones(200), np.ones(200)).said(3)
    '-0.250 (-0.261 to -0.239)'
    """
    scale = float(np.abs(b.mean() * d.mean())) or 1.0

    def apart(queries: Places) -> float:
        return float(a[queries].mean() * d[queries].mean() - c[queries].mean() * b[queries].mean()) / scale

    return jackknife_margin(apart, len(a))


@dataclass(frozen=True)
class RareMargin:
    """How many of n queries are of a kind that should be rare: at most a share of how many others are.

    By exact limits of both counts (Clopper and Pearson 1934), each with half of what chance may do: means would take
    what was not seen for what does not happen.
    """

    n_left: int
    n_before: int
    n: int
    share: float

    @property
    def estimate(self) -> float:
        """The share of n by which fewer are left than may be."""
        return (self.share * self.n_before - self.n_left) / self.n

    def holds(self, tail: float) -> bool:
        """Surely no more are left?"""
        return self._ends(self.n_left, tail)[1] <= self.share * self._ends(self.n_before, tail)[0]

    def fails(self, tail: float) -> bool:
        """Surely more?"""
        return self._ends(self.n_left, tail)[0] > self.share * self._ends(self.n_before, tail)[1]

    def said(self, digits: int = 4, *, scale: float = 1.0) -> str:
        """Both, with the limits of counts that decide."""
        return " and ".join(
            f"{count} ({self.n * low:.0f} to {self.n * high:.0f})"
            for count, (low, high) in ((each, self._ends(each, TAIL)) for each in (self.n_left, self.n_before))
        )

    def _ends(self, count: int, tail: float) -> tuple[float, float]:
        low = 1 - clopper_pearson_upper(self.n - count, self.n, tail / 2)
        return low, clopper_pearson_upper(count, self.n, tail / 2)


@dataclass(frozen=True)
class AtLeast:
    """So many of several parts hold; surely so, or surely not, by partial conjunctions (Benjamini and Heller 2008)."""

    least: int
    parts: tuple[Judged, ...]

    def holds(self, tail: float) -> bool:
        """Enough parts do, at a level corrected for those that need not."""
        return bool(self.parts) and self._n_holding(tail) >= self.least

    def fails(self, tail: float) -> bool:
        """Too many do not, at a level corrected for those that may not."""
        return bool(self.parts) and self._n_failing(tail) > len(self.parts) - self.least

    def said(self, digits: int = 4, *, scale: float = 1.0) -> str:
        """Few parts one by one, of many how many are sure, and the least of them."""
        if len(self.parts) <= MOST_SAID:
            return ", ".join(part.said(digits, scale=scale) for part in self.parts)
        least = min(self.parts, key=lambda part: part.estimate)
        return f"{self.counted}, the least {least.said(digits, scale=scale)}"

    @property
    def counted(self) -> str:
        """How many parts are sure, at the levels that decide."""
        return f"{self._n_holding(TAIL)} of {len(self.parts)} surely so, {self._n_failing(TAIL)} surely not"

    @property
    def estimate(self) -> float:
        """Of the part on which the verdict hangs."""
        return sorted((part.estimate for part in self.parts), reverse=True)[self.least - 1] if self.parts else np.nan

    def _n_holding(self, tail: float) -> int:
        return sum(part.holds(tail / (len(self.parts) - self.least + 1)) for part in self.parts)

    def _n_failing(self, tail: float) -> int:
        return sum(part.fails(tail / self.least) for part in self.parts)


def all_of(parts: Iterable[Judged]) -> AtLeast:
    """A conjunction: it holds where all parts do, and fails where any does."""
    known = tuple(parts)
    return AtLeast(len(known), known)


def any_of(parts: Iterable[Judged]) -> AtLeast:
    """A disjunction: it holds where any part does, and fails where all do."""
    return AtLeast(1, tuple(parts))


def falling(rows: Iterable[Floats]) -> AtLeast:
    """Means over queries, each below the one before."""
    return all_of(mean_margin(before - after) for before, after in pairwise(rows))
