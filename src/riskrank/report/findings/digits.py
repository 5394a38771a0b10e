"""How an assessment's numbers are written: as many digits as its topics can tell."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from riskrank.assessment.assessment import Assessment

FEWEST_DIGITS, MOST_DIGITS = 3, 5


class Digits(NamedTuple):
    """Decimals of gains; the same in a whole report."""

    n_decimals: int

    def gain(self, value: float) -> str:
        """Signed; what rounds to zero has no sign."""
        if math.isnan(value):
            return "–"
        text = f"{abs(value):.{self.n_decimals}f}"
        if not float(text):
            return text
        return f"{'+' if value > 0 else '−'}{text}"

    def score(self, value: float) -> str:
        """An effectiveness."""
        return "–" if math.isnan(value) else f"{value:.{self.n_decimals}f}".replace("-", "−")

    def size(self, value: float) -> str:
        """A loss or gain without its sign, where words say which."""
        return f"{abs(value):.{self.n_decimals}f}"

    def difference(self, value: float, other: float) -> float:
        """Of two numbers as they are written, so that readers who subtract them find the same.

        >>> Digits(4).gain(Digits(4).difference(0.00434, 0.00436))
        '−0.0001'
        """
        return round(round(value, self.n_decimals) - round(other, self.n_decimals), self.n_decimals)

    def interval(self, limits: tuple[float, float]) -> str:
        """As a sentence has it; empty where there is none."""
        low, high = limits
        return "" if math.isnan(low) else f"{self.gain(low)} to {self.gain(high)}"

    def bracketed(self, limits: tuple[float, float], confidence: float) -> str:
        """An interval behind its number; empty where there is none.

        >>> Digits(2).bracketed((-0.1, 0.2), 0.95)
        ' (95% interval −0.10 to +0.20)'
        """
        text = self.interval(limits)
        return f" ({percent(confidence)} interval {text})" if text else ""


def digits_of(assessment: Assessment) -> Digits:
    """So many that the usual standard error of a gain has two."""
    return digits_for([system.at[0].standard_error for system in assessment.systems if not system.is_baseline])


def digits_for(standard_errors: Iterable[float]) -> Digits:
    """So many that the usual one of them has two."""
    known = [error for error in standard_errors if math.isfinite(error) and error > 0]
    if not known:
        return Digits(FEWEST_DIGITS)
    first = -math.floor(math.log10(float(np.median(known))))
    return Digits(min(max(first + 1, FEWEST_DIGITS), MOST_DIGITS))


RISK_DIGITS = Digits(4)


def risk_text(value: float) -> str:
    """A mean loss."""
    return "–" if math.isnan(value) else f"{value:.{RISK_DIGITS.n_decimals}f}"


def share_text(share: float) -> str:
    """A share, in whole percent; what rounds to zero has no sign.

    >>> share_text(0.321), share_text(-0.04), share_text(-0.004), share_text(math.nan)
    ('32%', '−4%', '0%', '–')
    """
    return "–" if math.isnan(share) else f"{share:z.0%}".replace("-", "−")


def risk_interval_text(limits: tuple[float, float]) -> str:
    """As a table has it; empty where there is none."""
    return "" if math.isnan(limits[0]) else f"{risk_text(limits[0])} to {risk_text(limits[1])}"


def percent(share: float) -> str:
    """A confidence, with as many digits as it has.

    >>> percent(0.95), percent(0.999)
    ('95%', '99.9%')
    """
    return f"{100 * share:.6g}%"


def times_text(ratio: float, what: str) -> str:
    """How many times as much of something.

    >>> times_text(5.26, "risk"), times_text(1.02, "risk"), times_text(31.4, "limit")
    ('5.3 times the risk', 'the same risk', '31 times the limit')
    """
    if f"{ratio:.1f}" == "1.0":
        return f"the same {what}"
    return f"{ratio:,.0f} times the {what}" if ratio >= 10 else f"{ratio:.1f} times the {what}"


def weight_text(alpha: float) -> str:
    """How much losses weigh, in words.

    >>> weight_text(1), weight_text(5)
    ('double', '6 times')
    """
    return "double" if alpha == 1 else f"{1 + alpha:g} times"


def two_digits(count: int) -> int:
    """A number of topics that it takes, rounded up: the spread of few topics does not tell more.

    >>> two_digits(5892), two_digits(7)
    (5900, 7)
    """
    unit = int("1" + "0" * max(len(str(count)) - 2, 0))
    return -(-count // unit) * unit
