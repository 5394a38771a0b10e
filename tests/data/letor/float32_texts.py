"""Numbers as text, also such that lie between two float32, and the float32 nearest to each."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import strategies as st


def nearest_float32(text: str) -> np.float32:
    """The obvious, slow way: try the neighbours of a guess with exact fractions, ties to even."""
    exact = Fraction(text)
    guess = np.float32(float(exact))
    best = None
    for candidate in (
        np.nextafter(guess, np.float32(-np.inf)),
        guess,
        np.nextafter(guess, np.float32(np.inf)),
    ):
        if not np.isfinite(candidate):
            continue
        key = (abs(Fraction(float(candidate)) - exact), int(candidate.view(np.uint32)) & 1)
        if best is None or key < best[0]:
            best = (key, candidate)
    return best[1]


def near_midpoints():
    """Decimal texts on and just beside the midpoint of two neighbouring float32."""

    def texts(bits, nudge, digits):
        low = np.uint32(bits).view(np.float32)
        high = np.nextafter(low, np.float32(np.inf))
        middle = (Fraction(float(low)) + Fraction(float(high))) / 2
        scaled = middle * 10**digits
        return f"{scaled.numerator // scaled.denominator + nudge}e-{digits}"

    return st.builds(texts, st.integers(0x3A000000, 0x4F000000), st.integers(-1, 2), st.integers(0, 40))


numbers = st.one_of(
    st.floats(width=32, allow_nan=False, allow_infinity=False).map(repr),
    st.floats(allow_nan=False, min_value=-3e38, max_value=3e38).map(repr),
    st.decimals(-(10**12), 10**12, allow_nan=False, allow_infinity=False).map(lambda d: format(d, "f")),
    st.from_regex(r"[+-]?([0-9]{1,25}\.?|[0-9]{0,12}\.[0-9]{1,25})([eE][+-]?[0-9]{1,2})?", fullmatch=True),
    near_midpoints(),
)  # fmt: skip
