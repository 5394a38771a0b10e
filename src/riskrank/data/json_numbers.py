"""Numbers in JSON, which has neither NaN nor infinite ones: null and texts stand for them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from riskrank.typing import Floats


JsonNumber = float | str | None


def to_json_numbers(values: Floats | Iterable[float]) -> list[JsonNumber]:
    """Numbers as JSON keeps them.

    >>> to_json_numbers(np.array([0.5, np.nan, -np.inf]))
    [0.5, None, '-inf']
    """
    numbers: Iterable[float] = values.tolist() if isinstance(values, np.ndarray) else values
    return [number if math.isfinite(number) else None if math.isnan(number) else str(number) for number in numbers]


def from_json_numbers(values: Iterable[JsonNumber]) -> Floats:
    """What `to_json_numbers` kept.

    >>> from_json_numbers([0.5, None])
    array([0.5, nan])
    """
    return np.array([math.nan if value is None else float(value) for value in values], dtype=np.float64)
