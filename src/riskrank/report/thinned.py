"""Which of very many things are shown: the ends always, some from between."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from riskrank.typing import Integers


def thinned(count: int, most: int) -> Integers:
    """Which of `count` things, worst first, to keep: half of `most` from the worst, a quarter from the best, and the
    rest evenly from between.

    >>> thinned(4, 10).tolist()
    [0, 1, 2, 3]
    >>> thinned(1000, 8).tolist()
    [0, 1, 2, 3, 335, 666, 998, 999]
    """
    if count <= most:
        return np.arange(count)
    first, last = most // 2, most // 4
    between = np.linspace(first - 1, count - last, most - first - last + 2).round().astype(np.int64)[1:-1]
    return np.concatenate([np.arange(first), between, np.arange(count - last, count)])
