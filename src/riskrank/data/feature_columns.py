"""How the columns of features are called: by their numbers in the source, and by names where it has them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from riskrank.errors import AlignmentError, ParameterError, counted, first_duplicate, listing, nearest, quoted

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from riskrank.typing import Categories

MOST_NAMED = 5  # columns in a message


@dataclass(frozen=True)
class FeatureColumns:
    """So many columns, numbered from the first; `names` are None where the source has none (LETOR files, arrays).

    `categories` are the values of the columns that hold categories, in the order of their codes, by position; None
    stands for a code whose value is not known.
    """

    count: int
    first: int = 1
    names: tuple[str, ...] | None = None
    categories: Categories = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        self._check_categories()
        if self.names is None:
            return
        if len(self.names) != self.count:
            raise AlignmentError(f"{counted(self.count, 'feature')} need as many names, got {len(self.names)}.")
        if not all(self.names):
            raise AlignmentError(f"column {self.names.index('') + 1} has no name.")
        twice = first_duplicate(self.names)
        if twice is not None:
            raise AlignmentError(f"two features are called {quoted(twice)}. Rename one of them.")

    def _check_categories(self) -> None:
        for column, values in self.categories.items():
            if not 0 <= column < self.count:
                raise AlignmentError(f"categories of column {column}, where there are {counted(self.count, 'column')}.")
            twice = first_duplicate([value for value in values if value is not None])
            if twice is not None:
                raise AlignmentError(f"{self.label(column)} has the category {quoted(twice)} twice.")

    def label(self, column: int) -> str:
        """What a column is called in tables and messages.

        >>> FeatureColumns(2).label(1), FeatureColumns(2, names=("bm25", "length")).label(1)
        ('feature 2', 'length')
        """
        return f"feature {self.first + column}" if self.names is None else self.names[column]

    @property
    def keys(self) -> list[str]:
        """Numbers or names, as texts."""
        return [str(self.first + i) for i in range(self.count)] if self.names is None else list(self.names)

    @property
    def category_names(self) -> tuple[str, ...]:
        """The names of the columns that hold categories, where columns have names."""
        return () if self.names is None else tuple(self.names[column] for column in self.categories)

    @property
    def categories_by_key(self) -> dict[str, list[str | None]]:
        """The categories by the numbers or names of their columns, as cards keep them."""
        return {self.keys[column]: list(values) for column, values in self.categories.items()}

    def with_categories(self, by_key: Mapping[str, Sequence[str | None]]) -> FeatureColumns:
        """The same columns with what `categories_by_key` gave."""
        if not by_key:
            return self
        places = {key: place for place, key in enumerate(self.keys)}
        unknown = next((key for key in by_key if key not in places), None)
        if unknown is not None:
            raise AlignmentError(f"categories are of no feature: {quoted(unknown)}.")
        return replace(self, categories={places[key]: tuple(values) for key, values in by_key.items()})

    def labels(self, columns: Collection[int]) -> str:
        """What some columns are called, as text."""
        return listing([self.label(column) for column in columns], limit=MOST_NAMED)

    def shown(self, column: int, value: float) -> str | float:
        """A value as people know it: the category that a code stands for; numbers as they are.

        >>> FeatureColumns(1, names=("brand",), categories={0: ("acme", "zeta")}).shown(0, 1.0)
        'zeta'
        """
        if column not in self.categories or math.isnan(value):
            return value
        return self.categories[column][int(value)] or value

    def position(self, key: int | str) -> int:
        """The column of a feature, by its number in the source or by its name."""
        if isinstance(key, str):
            if self.names is None:
                raise ParameterError(f"these features have numbers from {self.first} on, no names: {quoted(key)}.")
            if key not in self.names:
                others = nearest(key, self.names) or f" There is {listing(self.names, limit=MOST_NAMED)}."
                raise ParameterError(f"there is no feature {quoted(key)}.{others}")
            return self.names.index(key)
        if not self.first <= key < self.first + self.count:
            last = self.first + self.count - 1
            raise ParameterError(f"feature must be from {self.first} to {last}, got {key}.")
        return key - self.first

    def number_position(self, key: int | str) -> int:
        """The same of a feature that documents can be ranked by: a number."""
        column = self.position(key)
        if column in self.categories:
            raise ParameterError(f"{self.label(column)} holds categories, which rank nothing: name numbers.")
        return column

    def positions_in(self, data: FeatureColumns, *, what: str) -> list[int] | None:
        """Where the columns of a model stand in data; None where they stand in the same order.

        Without names on both sides there must be as many; `what` the data are is for messages.
        """
        if self.names is None or data.names is None:
            if data.count != self.count:
                said = f"the model has {counted(self.count, 'feature')}, {what} have {data.count}."
                way = f" If the others are 0, read or shard them with n_features={self.count}."
                raise AlignmentError(said + (way if data.names is None and data.count < self.count else ""))
            return None
        if self.names == data.names:
            return None
        places = {name: place for place, name in enumerate(data.names)}
        lacking = [name for name in self.names if name not in places]
        if lacking:
            more = f" and {counted(len(lacking) - 1, 'other')}" if len(lacking) > 1 else ""
            known = set(self.names)
            others = [name for name in data.names if name not in known]
            raise AlignmentError(
                f"{what} lack the model's feature {quoted(lacking[0])}{more}.{nearest(lacking[0], others)}"
            )
        return [places[name] for name in self.names]

    def beyond(self, data: FeatureColumns) -> str:
        """The last columns of data without names, where a model knows only those before them, with a verb; or empty."""
        extra = data.count - self.count
        if extra <= 0 or data.names is not None:
            return ""
        last = data.first + data.count - 1
        return f"feature {last} is" if extra == 1 else f"features {last - extra + 1} to {last} are"

    def left_out_of(self, data: FeatureColumns) -> str:
        """The columns of data that a model does not know, as text; empty where there is none."""
        if self.names is None or data.names is None:
            return ""
        known = set(self.names)
        extra = [name for name in data.names if name not in known]
        return listing(extra, limit=MOST_NAMED)
