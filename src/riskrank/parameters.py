"""Checks of what users pass as parameters."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Sequence


def whole(name: str, value: Any, least: int, *, optional: bool = False) -> None:
    """A whole number from `least`, or None where that is possible."""
    if value is None and optional:
        return
    if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < least:
        alternative = " or None" if optional else ""
        raise ParameterError(f"{name} must be a whole number from {least}{alternative}, got {value!r}.")


def positive(name: str, value: Any) -> None:
    """A finite number above 0."""
    if not (is_number(value) and value > 0):
        raise ParameterError(f"{name} must be a number above 0, got {value!r}.")


def between(name: str, value: Any, least: float, most: float) -> None:
    """A number from `least`, below `most`."""
    if not (is_number(value) and least <= value < most):
        upper = "" if math.isinf(most) else f", below {most:g}"
        raise ParameterError(f"{name} must be a number from {least:g}{upper}, got {value!r}.")


def inside(name: str, value: Any, low: float, high: float) -> None:
    """A number above `low` and below `high`."""
    if not (is_number(value) and low < value < high):
        raise ParameterError(f"{name} must lie between {low:g} and {high:g}, got {value!r}.")


def share(name: str, value: Any) -> None:
    """A number from 0 to 1."""
    within(name, value, 0, 1)


def number(name: str, value: Any) -> None:
    """Any finite number."""
    if not is_number(value):
        raise ParameterError(f"{name} must be a number, got {value!r}.")


def boolean(name: str, value: Any) -> None:
    """True or False."""
    if not isinstance(value, bool | np.bool_):
        raise ParameterError(f"{name} must be True or False, got {value!r}.")


def one_of(name: str, value: Any, known: Sequence[str]) -> None:
    """One of some words."""
    if value not in known:
        raise ParameterError(f"{name} must be one of {', '.join(known)}, got {value!r}.")


def is_number(value: Any) -> bool:
    """A finite number that is not a truth value."""
    return isinstance(value, int | float | np.number) and not isinstance(value, bool) and math.isfinite(value)


def plain(value: Any) -> Any:
    """NumPy's numbers as Python's, also inside a dict; what JSON keeps."""
    if isinstance(value, dict):
        return {str(name): plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return value.item() if isinstance(value, np.generic) else value


def within(name: str, value: float, least: float, most: float) -> None:
    """A number from `least` to `most`, both included."""
    if not (is_number(value) and least <= value <= most):
        raise ParameterError(f"{name} must be a number from {least:g} to {most:g}, got {value!r}.")


def positive_share(name: str, value: float) -> None:
    """A number above 0, at most 1."""
    if not (is_number(value) and 0 < value <= 1):
        raise ParameterError(f"{name} must be above 0 and at most 1, got {value!r}.")
