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
    """Documents ranked by one feature: by its number in the source (from 1 in LETOR files), or by its name.

    >>> Feature(110), str(Feature("bm25"))
    (Feature(110), 'column:bm25')
    """

    key: int | str

    def __post_init__(self) -> None:
        if isinstance(self.key, str) and self.key:
            return
        if not is_whole(self.key):
            raise ParameterError(f"a feature is given by its number or name, like Feature(110), got {self.key!r}.")
        object.__setattr__(self, "key", int(self.key))

    @classmethod
    def named(cls, text: str) -> Feature:
        """From its text form, ``feature:110`` or ``column:bm25``."""
        feature = cls.meant_by(text)
        if feature is None:
            raise FileError(text, "a feature is given by its number or name, like feature:110 or column:bm25.")
        return feature

    @classmethod
    def meant_by(cls, text: str) -> Feature | None:
        """The feature that a text like ``feature:110`` stands for; None if it does not begin so.

        >>> Feature.meant_by("column:bm25"), Feature.meant_by("scores.txt")
        (Feature('bm25'), None)
        """
        kind, colon, key = text.partition(":")
        if not colon or kind not in ("feature", "column"):
            return None
        if kind == "column" and key:
            return cls(key)
        if not re.fullmatch(r"[0-9]{1,9}", key):
            raise FileError(text, "a feature is given by its number or name, like feature:110 or column:bm25.")
        return cls(int(key))

    def scores(self, data: RankingData) -> Floats:
        """The feature of each document; −inf where it is missing: it does not rank the document."""
        if isinstance(self.key, str) and self.key in data.scores:
            return data.scores[self.key]
        return np.where(np.isnan(values := self.values(data)), -np.inf, values)

    def values(self, data: RankingData) -> Floats:
        """The feature of each document, NaN where it is missing."""
        return data.features[:, data.columns.number_position(self.key)].astype(np.float64)

    def __str__(self) -> str:
        return f"{'column' if isinstance(self.key, str) else 'feature'}:{self.key}"

    def __repr__(self) -> str:
        return f"Feature({self.key!r})"


def feature_of(text: str) -> Feature | None:
    """The feature that a name stands for, or None if it is something else, whatever it begins with.

    >>> feature_of("feature:110"), feature_of("feature:x")
    (Feature(110), None)
    """
    try:
        return Feature.meant_by(text)
    except FileError:
        return None
