"""Numbers in JSON, which has no NaN: null stands for it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from riskrank.typing import Floats


def to_json_numbers(values: Floats | Iterable[float]) -> list[float | None]:
    """Numbers as JSON keeps them.

    >>> to_json_numbers(np.array([0.5, np.nan]))
    [0.5, None]
    """
    numbers: Iterable[float] = values.tolist() if isinstance(values, np.ndarray) else values
    return [None if math.isnan(number) else number for number in numbers]


def from_json_numbers(values: Iterable[float | None]) -> Floats:
    """What `to_json_numbers` kept.

    >>> from_json_numbers([0.5, None])
    array([0.5, nan])
    """
    return np.array([math.nan if value is None else value for value in values], dtype=np.float64)
