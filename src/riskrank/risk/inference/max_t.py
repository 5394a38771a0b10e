"""Corrected p-values for many comparisons on the same topics, by how large the largest of them is by chance."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riskrank.risk.inference.mirror_shift import FEWEST_CHANGED, tradeoff_slopes
from riskrank.risk.inference.null_values import N_RESAMPLES, SEED, TOLERANCE, NullValues, studentised

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from riskrank.typing import Floats

ROWS_AT_ONCE = 64
MOST_CELLS = 20_000_000  # of the table of draws, at once
FEWEST_RESAMPLES = 1000
USUAL = 0.975  # the quantile that brings comparisons of different shapes to one scale


def max_t(changes: Floats, alpha: float, *, p_values: Floats, done: Callable[[int], None] | None = None) -> Floats:
    """p-values of the rows' mean trade-offs, corrected for testing all rows (single-step max-t, two-sided).

    Topics are drawn once for all rows, as they were or mirrored, so that what rows have in common stays common; this is
    why the correction is milder than Holm's where systems are alike. Each row's null values are those of the
    mirror-shift bootstrap. Gains are compared with the largest of all draws, losses with the smallest, each in parts of
    the row's own usual reach. The p-value of a row that has no such values is corrected by the number of rows.
    """
    slopes = tradeoff_slopes(alpha)
    largest_changes = np.abs(changes).max(axis=1, keepdims=True, initial=0.0)
    changes = changes / np.where(largest_changes > 0, largest_changes, 1.0)
    n_topics = changes.shape[1]
    n_draws = 2 * int(np.clip(MOST_CELLS // (4 * n_topics), FEWEST_RESAMPLES // 2, N_RESAMPLES // 2))
    blocks = list(_topic_counts(n_topics, n_draws)) if n_topics <= _topics_at_once(n_draws) else None
    largest, smallest = np.full(n_draws, -np.inf), np.full(n_draws, np.inf)
    gains, losses = np.full(len(changes), np.nan), np.full(len(changes), np.nan)
    for start in range(0, len(changes), ROWS_AT_ONCE):
        rows = range(start, min(start + ROWS_AT_ONCE, len(changes)))
        nulls = {row: null for row in rows if (null := _null_values(changes[row], alpha)) is not None}
        if nulls:
            values = slopes(np.array(list(nulls.values())))
            drawn = _studentised_draws(values, blocks or _topic_counts(n_topics, n_draws), n_topics)
            observed = slopes(changes[list(nulls)])
            t = studentised(observed.mean(axis=1), observed.var(axis=1))
            up, down = np.quantile(drawn, USUAL, axis=1), -np.quantile(drawn, 1 - USUAL, axis=1)
            gains[list(nulls)], losses[list(nulls)] = t / up, t / down
            np.maximum(largest, (drawn / up[:, None]).max(axis=0), out=largest)
            np.minimum(smallest, (drawn / down[:, None]).min(axis=0), out=smallest)
        if done is not None:
            done(rows.stop)
    one_sided = [(1 + (largest >= gain).sum()) / (1 + n_draws) for gain in gains]
    other_side = [(1 + (smallest <= loss).sum()) / (1 + n_draws) for loss in losses]
    corrected = np.minimum(1.0, 2 * np.minimum(one_sided, other_side))
    return np.where(np.isnan(gains), np.minimum(1.0, p_values * len(changes)), corrected)


def _null_values(changes: Floats, alpha: float) -> Floats | None:
    """Changes about their mean and their mirror images, shifted to a mean trade-off of 0: 2 × c values, ties 0."""
    is_changed = changes != 0
    if np.isnan(changes).any() or is_changed.sum() < FEWEST_CHANGED:
        return None
    residuals = np.where(is_changed, changes - changes[is_changed].mean(), 0.0)
    if np.abs(residuals).max() <= TOLERANCE:
        return None
    shift = NullValues(residuals[is_changed], len(changes)).shift_to(tradeoff_slopes(alpha), 0.0)
    return np.where(is_changed, [residuals + shift, shift - residuals], 0.0)


def _studentised_draws(values: Floats, blocks: Iterable[tuple[slice, Floats]], n_topics: int) -> Floats:
    """Of values rows × 2 × topics: rows × draws."""
    values = values / np.abs(values).max(axis=(1, 2), keepdims=True)
    total = squares = np.zeros(1)
    for topics, counts in blocks:
        for side in (0, 1):
            some = values[:, side, topics]
            total = total + some @ counts[side]
            squares = squares + np.square(some) @ counts[side]
    means = total / n_topics
    return studentised(means, squares / n_topics - means**2)


def _topics_at_once(n_draws: int) -> int:
    return max(1, MOST_CELLS // (2 * n_draws))


def _topic_counts(n_topics: int, n_draws: int) -> Iterator[tuple[slice, Floats]]:
    """How often each topic, as it was and mirrored, is in each draw of c: 2 × topics × draws, some topics at a time.

    One half of the draws mirrors the other.
    """
    rng = np.random.default_rng(SEED)
    half = n_draws // 2
    n_left = np.full(half, n_topics)
    for start in range(0, n_topics, _topics_at_once(n_draws)):
        n_here = min(_topics_at_once(n_draws), n_topics - start)
        n_drawn = rng.binomial(n_left, n_here / (n_topics - start))
        n_left -= n_drawn
        draws = np.repeat(np.arange(half), n_drawn)
        drawn = rng.integers(2 * n_here, size=len(draws))
        counts = np.bincount(drawn * half + draws, minlength=2 * n_here * half).reshape(2, n_here, half)
        yield slice(start, start + n_here), np.concatenate([counts, counts[::-1]], axis=2, dtype=np.float64)
