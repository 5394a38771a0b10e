"""What becomes of topics that a system did not answer."""

from __future__ import annotations

from typing import Literal, get_args

from riskrank.errors import ParameterError

Missing = Literal["zero", "intersect", "error"]


def checked_missing(missing: str) -> None:
    """Refuse anything but the three ways."""
    if missing not in get_args(Missing):
        raise ParameterError(f"missing must be 'zero', 'intersect' or 'error', got {missing!r}.")
