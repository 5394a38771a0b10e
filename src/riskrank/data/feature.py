"""A feature as a ranking of its own."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from riskrank.errors import FileError, ParameterError
from riskrank.parameters import is_whole

if TYPE_CHECKING:
    from riskrank.data.ranking_data import RankingData
    from riskrank.typing import Floats


@dataclass(frozen=True)
class Feature:
    """Documents ranked by one feature, by its number in the source (from 1 in LETOR files).

    >>> Feature(110)
    Feature(110)
    """

    number: int

    def __post_init__(self) -> None:
        if not is_whole(self.number):
            raise ParameterError(f"a feature is given by its number, like Feature(110), got {self.number!r}.")
        object.__setattr__(self, "number", int(self.number))

    @classmethod
    def named(cls, text: str) -> Feature:
        """From its text form, ``feature:110``."""
        number = feature_number(text)
        if number is None:
            raise FileError(text, "a feature is given by its number, like feature:110.")
        return cls(number)

    @classmethod
    def meant_by(cls, text: str) -> Feature | None:
        """The feature that a text like ``feature:110`` stands for; None if it does not begin so."""
        return cls.named(text) if text.startswith("feature:") else None

    def scores(self, data: RankingData) -> Floats:
        """The feature of each document."""
        return data.feature(self.number).astype(np.float64)

    def __str__(self) -> str:
        return f"feature:{self.number}"

    def __repr__(self) -> str:
        return f"Feature({self.number})"


def feature_number(text: str) -> int | None:
    """The number in ``feature:110``, or None if the text is something else.

    >>> feature_number("feature:110"), feature_number("scores.txt")
    (110, None)
    """
    match = re.fullmatch(r"feature:([0-9]{1,9})", text)
    return int(match[1]) if match else None
