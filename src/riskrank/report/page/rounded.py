"""Numbers of a page, rounded as they are written: its script adds no digits, and computes nothing from others."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from riskrank.typing import Floats


def rounded(value: float, decimals: int) -> float | None:
    """As text has it, not as NumPy rounds; None is what is not known.

    >>> rounded(0.125, 2), rounded(float("nan"), 2)
    (0.12, None)
    """
    return float(f"{value:.{decimals}f}") if math.isfinite(value) else None


def all_rounded(values: Floats, decimals: int) -> list[float]:
    """Of numbers that are all known."""
    return [float(f"{value:.{decimals}f}") for value in values.tolist()]
