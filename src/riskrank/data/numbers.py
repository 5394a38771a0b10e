"""Numbers in text, as every reader understands them."""

from __future__ import annotations

import math


def decimal_number(text: bytes | str) -> float | None:
    """A decimal number (nan and infinities included), or None if the text is none.

    >>> decimal_number("1e-3"), decimal_number("1_000"), decimal_number("x")
    (0.001, None, None)
    """
    has_underscore = b"_" in text if isinstance(text, bytes) else "_" in text
    try:
        return None if has_underscore else float(text)
    except ValueError:
        return None


def finite_number(text: bytes | str) -> float | None:
    """A finite decimal number, or None if the text is none."""
    value = decimal_number(text)
    return value if value is not None and math.isfinite(value) else None


def whole_number(text: bytes) -> int | None:
    """A whole number that fits 64 bits, or None if the text is none."""
    try:
        value = int(text)
    except ValueError:
        return None
    return value if -(2**63) <= value < 2**63 and b"_" not in text else None
