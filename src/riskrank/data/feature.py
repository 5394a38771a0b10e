"""A feature as a ranking of its own."""

from __future__ import annotations

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
        number = text.removeprefix("feature:")
        if not (number.isascii() and number.isdigit() and len(number) < 10):
            raise FileError(text, "a feature is given by its number, like feature:110.")
        return cls(int(number))

    def scores(self, data: RankingData) -> Floats:
        """The feature of each document."""
        return data.feature(self.number).astype(np.float64)

    def __str__(self) -> str:
        return f"feature:{self.number}"

    def __repr__(self) -> str:
        return f"Feature({self.number})"
