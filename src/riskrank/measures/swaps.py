"""The old name of `riskrank.measures.swap_deltas`, for one more release."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from riskrank.measures.swap_deltas import SwapDeltas, best_total, inverse, is_relevant, per_rank, total, usable_labels

if TYPE_CHECKING:
    from collections.abc import Callable

    from riskrank.typing import Floats

__all__ = ["Swaps", "best_total", "inverse", "is_relevant", "per_rank", "total", "usable_labels"]


def Swaps(  # noqa: N802 (it was a class)
    gains: Floats,
    discounts: Floats,
    norm: Floats,
    prepare: Callable[..., float] | None = None,
    change: Callable[..., float] | None = None,
    work_rows: int = 0,
) -> SwapDeltas:
    """`SwapDeltas`, whose `value` was called `prepare` and `delta` `change`."""
    warnings.warn("Swaps is called riskrank.measures.swap_deltas.SwapDeltas now.", DeprecationWarning, stacklevel=2)
    return SwapDeltas(gains, discounts, norm, prepare, change, work_rows)
