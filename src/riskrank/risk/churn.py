"""Churn: how far a ranking moved from the baseline's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from riskrank.typing import Floats, Integers


def kendall_tau(system_ranks: ArrayLike, baseline_ranks: ArrayLike) -> float:
    """Kendall's τ between two rankings of the same documents, without ties: 1 same order, −1 reversed.

    >>> kendall_tau([1, 2, 3, 4], [1, 2, 4, 3]).__round__(4)
    0.6667
    """
    system = np.asarray(system_ranks)
    return float(kendall_taus(np.zeros(len(system), np.int64), system, np.asarray(baseline_ranks), n_topics=1)[0])


def kendall_taus(topic: Integers, system_ranks: Integers, baseline_ranks: Integers, *, n_topics: int) -> Floats:
    """Kendall's τ of each topic; NaN for topics with fewer than two documents."""
    in_baseline_order = np.lexsort((baseline_ranks, topic))
    topic, ranks = topic[in_baseline_order], system_ranks[in_baseline_order]
    # Positions 0, 1, 2, … within the topic, in the order of the system's ranks.
    by_rank = np.lexsort((ranks, topic))
    sizes = np.bincount(topic, minlength=n_topics)
    starts = np.cumsum(sizes) - sizes
    place = np.empty(len(topic), np.int64)
    place[by_rank] = np.arange(len(topic)) - starts[topic]
    swapped = inversions(topic, place, n_topics=n_topics)
    pairs = sizes * (sizes - 1) / 2
    tau = np.full(n_topics, np.nan)
    np.divide(swapped, pairs, out=tau, where=pairs > 0)
    return 1 - 2 * tau


def inversions(group: Integers, value: Integers, *, n_topics: int) -> Floats:
    """Pairs of each group (rows sorted by group) in which the first row has the larger value.

    Values are 0, 1, 2, … within a group. One pass per bit, from the highest: rows that agree in the higher bits
    stand together, in their original order, and a 1 before a 0 in such a block is an inversion.
    """
    counted = np.zeros(n_topics)
    bits = int(value.max(initial=0)).bit_length()
    for bit in reversed(range(bits)):
        block = (group << (bits - bit)) + (value >> (bit + 1))
        one = (value >> bit) & 1
        ones_before = np.cumsum(one) - one
        is_first = np.concatenate([[True], block[1:] != block[:-1]])
        first = np.flatnonzero(is_first)
        ones_before -= np.repeat(ones_before[first], np.diff(np.append(first, len(value))))
        counted += np.bincount(group, weights=ones_before * (1 - one), minlength=n_topics)
        order = np.argsort((block << 1) + one, kind="stable")
        group, value = group[order], value[order]
    return counted
