"""Checks of what users pass as parameters.

The annotations say what is wanted; the checks find out whether it is what came. `error` is the exception to raise.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.errors import ParameterError, RiskrankError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeGuard

Error = type[RiskrankError]


def whole(
    name: str,
    value: int | None,
    least: int,
    *,
    optional: bool = False,
    alternative: str = "",
    error: Error = ParameterError,
) -> None:
    """A whole number from `least`, or None where that is possible; messages may name the `alternative`."""
    if value is None and optional:
        return
    if not is_whole(value) or value < least:
        raise error(f"{name} must be a whole number from {least}{alternative}, got {value!r}.")


def positive(name: str, value: float, *, noun: str = "number", error: Error = ParameterError) -> None:
    """A finite number above 0; messages call it a `noun`."""
    if not (is_number(value) and value > 0):
        raise error(f"{name} must be a {noun} above 0, got {value!r}.")


def between(name: str, value: float, least: float, most: float, *, error: Error = ParameterError) -> None:
    """A number from `least`, below `most`."""
    if not (is_number(value) and least <= value < most):
        upper = "" if math.isinf(most) else f", below {most:g}"
        raise error(f"{name} must be a number from {least:g}{upper}, got {value!r}.")


def inside(name: str, value: float, low: float, high: float, *, error: Error = ParameterError) -> None:
    """A number above `low` and below `high`."""
    if not (is_number(value) and low < value < high):
        raise error(f"{name} must lie between {low:g} and {high:g}, got {value!r}.")


def within(name: str, value: float, least: float, most: float, *, error: Error = ParameterError) -> None:
    """A number from `least` to `most`, both included."""
    if not (is_number(value) and least <= value <= most):
        raise error(f"{name} must be a number from {least:g} to {most:g}, got {value!r}.")


def share(name: str, value: float, *, error: Error = ParameterError) -> None:
    """A number from 0 to 1."""
    within(name, value, 0, 1, error=error)


def positive_share(name: str, value: float, *, error: Error = ParameterError) -> None:
    """A number above 0, at most 1."""
    if not (is_number(value) and 0 < value <= 1):
        raise error(f"{name} must be above 0 and at most 1, got {value!r}.")


def number(name: str, value: float, *, error: Error = ParameterError) -> None:
    """Any finite number."""
    if not is_number(value):
        raise error(f"{name} must be a number, got {value!r}.")


def boolean(name: str, value: bool, *, error: Error = ParameterError) -> None:
    """True or False."""
    if type(value) not in (bool, np.bool_):
        raise error(f"{name} must be True or False, got {value!r}.")


def one_of(name: str, value: str, known: Sequence[str], *, error: Error = ParameterError) -> None:
    """One of some words."""
    if value not in known:
        raise error(f"{name} must be one of {', '.join(known)}, got {value!r}.")


def is_number(value: object) -> bool:
    """Is it a finite number, and no truth value?"""
    return isinstance(value, int | float | np.number) and not isinstance(value, bool) and math.isfinite(value)


def is_whole(value: object) -> TypeGuard[int]:
    """Is it a whole number, and no truth value?"""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def plain(value: Any) -> Any:
    """NumPy's numbers as Python's, also inside a dict; what JSON keeps."""
    if isinstance(value, dict):
        return {str(name): plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return value.item() if isinstance(value, np.generic) else value
