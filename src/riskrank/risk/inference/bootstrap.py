"""Bootstrap confidence intervals for every summary number: topics drawn again and again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riskrank.data.effectiveness import GEOMETRIC_FLOOR
from riskrank.errors import ParameterError
from riskrank.parameters import inside, whole
from riskrank.risk.cvar import DEFAULT_SHARE
from riskrank.risk.georisk import combined
from riskrank.risk.outcomes import is_large_loss
from riskrank.risk.paired import checked_alpha, difference, tradeoff

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import ArrayLike

    from riskrank.typing import Floats


ELEMENTS_AT_ONCE = 4_000_000


def bootstrap_intervals(
    matrix: ArrayLike,
    baseline: ArrayLike,
    *,
    alphas: Sequence[float],
    share: float = DEFAULT_SHARE,
    aggregate: str = "mean",
    n_resamples: int = 2000,
    confidence: float = 0.95,
    random_state: int | np.random.Generator | None = 0,
) -> dict[str, Floats]:
    """Percentile intervals of all summary numbers: name → (systems × (low, high)).

    Topics are the sampling unit, drawn with replacement, the same draws for all systems and numbers. Names are
    those of the summary's columns. TRisk is NaN for draws without variation, and those are left out.

    Parameters
    ----------
    matrix
        Effectiveness, systems × topics.
    baseline
        The baseline's effectiveness on each topic.
    alphas
        Weights of losses, for URisk and what follows it.
    share
        The share of topics that CVaR looks at.
    aggregate
        ``"geometric"`` if a system's effectiveness is the geometric mean of its topics.
    n_resamples
        How often topics are drawn.
    confidence
        The share of the draws that an interval holds.
    random_state
        A seed, or a source of random numbers.
    """
    whole("n_resamples", n_resamples, 1)
    inside("confidence", confidence, 0, 1)
    values, base = np.asarray(matrix, dtype=np.float64), np.asarray(baseline, dtype=np.float64)
    if values.ndim != 2 or base.shape != values.shape[1:]:
        raise ParameterError(f"needs systems × topics and a baseline of topics, got {values.shape} and {base.shape}.")
    rng = generator(random_state)
    n_systems, n_topics = values.shape
    tails = (50 * (1 - confidence), 100 - 50 * (1 - confidence))
    draws: dict[str, list[Floats]] = {}
    if n_topics:
        per_draw = max(n_systems * n_topics, 1)
        sizes = _chunks(n_resamples, max(1, ELEMENTS_AT_ONCE // per_draw))
        for size in sizes:
            counts = _counts(rng, n_topics, size)
            for name, drawn in _statistics(values, base, counts, alphas, share, aggregate):
                draws.setdefault(name, []).append(drawn)
    return {name: _percentiles(np.concatenate(parts), tails) for name, parts in draws.items()}


def bootstrap_means(
    rows: ArrayLike, *, n_resamples: int, confidence: float = 0.95, random_state: int | np.random.Generator | None = 0
) -> Floats:
    """Percentile intervals of each row's mean over topics, NaN left out: rows × (low, high)."""
    values = np.asarray(rows, dtype=np.float64)
    counts = _counts(generator(random_state), values.shape[1], n_resamples)
    known = ~np.isnan(values)
    drawn, total = counts @ np.where(known, values, 0.0).T, counts @ known.T.astype(np.float64)
    means = np.full(drawn.shape, np.nan)
    np.divide(drawn, total, out=means, where=total > 0)
    return _percentiles(means, (50 * (1 - confidence), 100 - 50 * (1 - confidence)))


def generator(random_state: int | np.random.Generator | None) -> np.random.Generator:
    """A source of random numbers from a seed."""
    if not isinstance(random_state, np.random.Generator):
        whole("random_state", random_state, 0, optional=True)
    return np.random.default_rng(random_state)


def _counts(rng: np.random.Generator, n_topics: int, size: int) -> Floats:
    """How often each topic is drawn, in each of `size` draws."""
    return rng.multinomial(n_topics, np.full(n_topics, 1 / n_topics), size=size).astype(np.float64)


def _percentiles(draws: Floats, tails: tuple[float, float]) -> Floats:
    interval = np.full((draws.shape[1], 2), np.nan)
    for i, column in enumerate(draws.T):
        known = column[~np.isnan(column)]
        if len(known):
            interval[i] = np.percentile(known, tails)
    return interval


def _statistics(
    matrix: Floats, baseline: Floats, counts: Floats, alphas: Sequence[float], share: float, aggregate: str = "mean"
) -> Iterator[tuple[str, Floats]]:
    """Each summary number for each draw and system (draws × systems); `counts` is draws × topics."""
    n_topics = matrix.shape[1]
    delta = difference(matrix, baseline)

    def average(values: Floats) -> Floats:
        return np.asarray(counts @ values.T / n_topics)

    geometric = np.exp(average(np.log(np.maximum(matrix, GEOMETRIC_FLOOR))))
    yield "effectiveness", geometric if aggregate == "geometric" else average(matrix)
    yield "geometric_mean", geometric
    yield "gain", average(delta)
    yield "risk", average(np.maximum(0.0, -delta))
    yield "reward", average(np.maximum(0.0, delta))
    yield "wins", average((delta > 0).astype(np.float64)) * n_topics
    yield "losses", average((delta < 0).astype(np.float64)) * n_topics
    yield "ties", average((delta == 0).astype(np.float64)) * n_topics
    yield "large_losses", average(is_large_loss(delta, baseline).astype(np.float64)) * n_topics
    yield "cvar", _worst_losses(delta, counts, share)
    yield "worst_loss", _largest(np.maximum(0.0, -delta), counts)
    with_z = bool((matrix >= 0).all())
    if with_z:
        above, below = _deviations(matrix, counts)
        sums = counts @ matrix.T
    for alpha in alphas:
        x = tradeoff(delta, checked_alpha(alpha))
        center = x.mean(axis=1, keepdims=True)  # second moments about the mean lose no digits
        mean = average(x - center)
        error = np.sqrt(np.maximum(average(np.square(x - center)) - np.square(mean), 0) / max(n_topics - 1, 1))
        urisk = mean + center.T
        t = np.full(urisk.shape, np.nan)
        np.divide(urisk, error, out=t, where=error > 1e-12 * (np.abs(urisk) + np.abs(center.T)))
        yield at_alpha("urisk", alpha), urisk
        yield at_alpha("trisk", alpha), t
        if with_z:
            z = above + (1 + alpha) * below
            yield at_alpha("zrisk", alpha), z
            yield at_alpha("georisk", alpha), combined(sums, z, n_topics)


def at_alpha(name: str, alpha: float) -> str:
    """The name of a number at an alpha, as columns and intervals have it.

    >>> at_alpha("trisk", 5.0)
    'trisk_5'
    """
    return f"{name}_{alpha:.15g}"


def _largest(values: Floats, counts: Floats) -> Floats:
    """The largest value of each system among the topics drawn."""
    order = np.argsort(-values, axis=1)
    columns = []
    for row, places in zip(values, order, strict=True):
        first = np.argmax(counts[:, places] > 0, axis=1)
        columns.append(row[places[first]])
    return np.stack(columns, axis=1)


def _worst_losses(delta: Floats, counts: Floats, share: float) -> Floats:
    wanted = share * delta.shape[1]
    columns = []
    for row in delta:
        order = np.argsort(row)
        losses = np.maximum(0.0, -row[order])
        seen = np.cumsum(counts[:, order], axis=1)
        taken = np.diff(np.minimum(seen, wanted), axis=1, prepend=0.0)
        columns.append(taken @ losses / wanted)
    return np.stack(columns, axis=1)


def _deviations(matrix: Floats, counts: Floats) -> tuple[Floats, Floats]:
    """Sums of positive and negative z, draws × systems."""
    topics = matrix.sum(axis=0)
    total = counts @ topics
    above, below = np.zeros((len(counts), len(matrix))), np.zeros((len(counts), len(matrix)))
    for i, row in enumerate(matrix):
        ratio = np.zeros(len(counts))
        np.divide(counts @ row, total, out=ratio, where=total > 0)
        expected = ratio[:, None] * topics
        z = np.zeros(expected.shape)
        np.divide(row - expected, np.sqrt(expected), out=z, where=expected > 0)
        z *= counts
        above[:, i] = np.maximum(z, 0).sum(axis=1)
        below[:, i] = np.minimum(z, 0).sum(axis=1)
    return above, below


def _chunks(total: int, size: int) -> list[int]:
    return [min(size, total - start) for start in range(0, total, size)]
