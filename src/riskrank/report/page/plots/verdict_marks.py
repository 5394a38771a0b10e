"""Verdicts as pages mark them: a letter for the script, a class for the style sheet, words for readers."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.assessment.significance import Significance

SIGNS = {"+": "gain", "−": "loss"}
CODES = {1.0: "+", -1.0: "-", 0.0: "o"}  # "?" where there is no test
CLASSES = {"+": "gain", "-": "loss", "o": "open", "?": "none"}
WORDS = {"gain": "significant gain", "open": "inconclusive", "loss": "significant loss", "none": "no test"}


def sign_class(text: str) -> str:
    """The class of a signed number, as it is written.

    >>> sign_class("−0.1"), sign_class("0.000")
    ('loss', 'open')
    """
    return SIGNS.get(text[:1], "open")


def verdict_codes(verdicts: Sequence[float]) -> str:
    """A letter per verdict.

    >>> verdict_codes([1.0, 0.0, -1.0, float("nan")])
    '+o-?'
    """
    return "".join(CODES.get(verdict, "?") for verdict in verdicts)


def verdict_classes(significance: Significance, alpha: float) -> list[str]:
    """The class of each system at one of the alphas."""
    column = significance.verdicts[:, significance.alphas.index(alpha)]
    return [CLASSES[code] for code in verdict_codes(column.tolist())]
