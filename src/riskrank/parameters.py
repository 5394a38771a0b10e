"""Checks of what users pass as parameters.

The annotations say what is wanted; the checks find out whether it is what came. `error` is the exception to raise.
"""

from __future__ import annotations

import ast
import math
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from riskrank.errors import ParameterError, RiskrankError, one_line

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeGuard

Error = type[RiskrankError]

# The most that a whole number may be, by the name of its parameter: far above what anybody needs, and still something
# that a machine can begin. Others may have 31 bits, as engines hold them.
MOST_OF_ALL = 2**31 - 1
MOST = {
    "hidden": 2**16,
    "memory": 2**44,  # bytes
    "most_bytes": 2**44,
    "n_epochs": 10**6,
    "n_jobs": 2**10,
    "n_leaves": 2**17,  # LightGBM's own limit
    "n_rounds": 10**6,
    "n_shards": 10**5,
    "n_starts": 10**6,
    "n_threads": 2**10,  # ten times as many, and OpenMP ends the process
    "n_trees": 10**6,
    "random_state": 2**63 - 1,
}
FASTEST = 1000.0  # the most that a rate of learning may be; anybody's is below 1
HEAVIEST = 1e9  # the most that losses or preferences may weigh; far beyond it, their products are no numbers
SHOWN = 60  # characters of a value in a message
T = TypeVar("T")


def whole(
    name: str,
    value: int | None,
    least: int,
    *,
    optional: bool = False,
    alternative: str = "",
    error: Error = ParameterError,
) -> None:
    """A whole number from `least` to what `MOST` says, or None where that is possible.

    Messages may name the `alternative`.
    """
    most = MOST.get(name, MOST_OF_ALL)
    is_right = (is_whole(value) and value >= least) or (value is None and optional)
    is_flood = is_whole(value) and value > most
    upper = f" to {most}" if is_flood else ""
    _require(is_right and not is_flood, name, f"be a whole number from {least}{upper}{alternative}", value, error)


def positive(
    name: str, value: float, *, most: float = math.inf, noun: str = "number", error: Error = ParameterError
) -> None:
    """A finite number above 0, up to `most`; messages call it a `noun`."""
    is_flood = is_number(value) and value > most
    upper = f", up to {most:g}" if is_flood else ""
    _require(is_number(value) and value > 0 and not is_flood, name, f"be a {noun} above 0{upper}", value, error)


def between(name: str, value: float, least: float, most: float) -> None:
    """A number from `least`, below `most`."""
    upper = "" if math.isinf(most) else f", below {most:g}"
    _require(is_number(value) and least <= value < most, name, f"be a number from {least:g}{upper}", value)


def inside(name: str, value: float, low: float, high: float, *, error: Error = ParameterError) -> None:
    """A number above `low` and below `high`."""
    _require(is_number(value) and low < value < high, name, f"lie between {low:g} and {high:g}", value, error)


def within(name: str, value: float, least: float, most: float) -> None:
    """A number from `least` to `most`, both included."""
    _require(is_number(value) and least <= value <= most, name, f"be a number from {least:g} to {most:g}", value)


def share(name: str, value: float) -> None:
    """A number from 0 to 1."""
    within(name, value, 0, 1)


def positive_share(name: str, value: float) -> None:
    """A number above 0, up to 1."""
    _require(is_number(value) and 0 < value <= 1, name, "be a number above 0, up to 1", value)


def any_number(name: str, value: float) -> None:
    """Any finite number."""
    _require(is_number(value), name, "be a number", value)


def boolean(name: str, value: bool) -> None:
    """True or False."""
    _require(type(value) in (bool, np.bool_), name, "be True or False", value)


def one_of(name: str, value: str, known: Sequence[str]) -> None:
    """One of some words."""
    _require(value in known, name, f"be one of {', '.join(known)}", value)


def _require(is_right: bool, name: str, rule: str, value: object, error: Error = ParameterError) -> None:
    if not is_right:
        raise error(f"{name} must {rule}, got {shown(value)}.", name)


def shown(value: T) -> str:
    """A value as Python writes it, cut to what a line can hold.

    >>> shown(10**5000)
    'a number of over 4,000 digits'
    """
    try:
        return one_line(repr(value), limit=SHOWN)
    except ValueError:  # Python writes no whole number of so many digits
        return "a number of over 4,000 digits"


def is_number(value: object) -> bool:
    """Is it a finite number, and no truth value?"""
    if not isinstance(value, int | float | np.number) or isinstance(value, bool):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number of hundreds of digits
        return False


def is_whole(value: object) -> TypeGuard[int]:
    """Is it a whole number, and no truth value?"""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def without_numpy(value: Any) -> Any:
    """NumPy's numbers as Python's, also inside a dict; what JSON keeps."""
    if isinstance(value, dict):
        return {str(name): without_numpy(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [without_numpy(each) for each in value]
    return value.item() if isinstance(value, np.generic) else value


def written_value(text: str) -> Any:
    """A value that a user wrote: numbers, True and None as such, anything else as text.

    >>> written_value("5"), written_value("none"), written_value("gain")
    (5, None, 'gain')
    """
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):  # the last two: a thousand brackets
        return {"true": True, "false": False, "none": None}.get(text.lower(), text)
