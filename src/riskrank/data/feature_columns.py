"""How the columns of features are called: by their numbers in the source, and by names where it has them."""

from __future__ import annotations

from dataclasses import dataclass

from riskrank.errors import AlignmentError, ParameterError, counted, first_duplicate, listing, nearest, quoted

MOST_NAMED = 5  # columns in a message


@dataclass(frozen=True)
class FeatureColumns:
    """So many columns, numbered from the first; `names` are None where the source has none (LETOR files, arrays)."""

    count: int
    first: int = 1
    names: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if self.names is None:
            return
        if len(self.names) != self.count:
            raise AlignmentError(f"{counted(self.count, 'feature')} need as many names, got {len(self.names)}.")
        if not all(self.names):
            raise AlignmentError(f"column {self.names.index('') + 1} has no name.")
        twice = first_duplicate(self.names)
        if twice is not None:
            raise AlignmentError(f"two features are called {quoted(twice)}. Rename one of them.")

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

    def position(self, key: int | str) -> int:
        """The column of a feature, by its number in the source or by its name."""
        if isinstance(key, str):
            if self.names is None:
                raise ParameterError(f"these features have numbers from {self.first} on, no names: {quoted(key)}.")
            if key not in self.names:
                raise ParameterError(f"there is no feature {quoted(key)}.{nearest(key, self.names)}")
            return self.names.index(key)
        if not self.first <= key < self.first + self.count:
            last = self.first + self.count - 1
            raise ParameterError(f"feature must be from {self.first} to {last}, got {key}.")
        return key - self.first

    def positions_in(self, data: FeatureColumns, *, what: str) -> list[int] | None:
        """Where the columns of a model stand in data; None where they stand in the same order.

        Without names on both sides there must be as many; `what` the data are is for messages.
        """
        if self.names is None or data.names is None:
            if data.count != self.count:
                raise AlignmentError(f"the model has {counted(self.count, 'feature')}, {what} have {data.count}.")
            return None
        if self.names == data.names:
            return None
        places = {name: place for place, name in enumerate(data.names)}
        lacking = [name for name in self.names if name not in places]
        if lacking:
            more = f" and {counted(len(lacking) - 1, 'other')}" if len(lacking) > 1 else ""
            others = [name for name in data.names if name not in self.names]
            raise AlignmentError(
                f"{what} lack the model's feature {quoted(lacking[0])}{more}.{nearest(lacking[0], others)}"
            )
        return [places[name] for name in self.names]

    def left_out_of(self, data: FeatureColumns) -> str:
        """The columns of data that a model does not know, as text; empty where there is none."""
        if self.names is None or data.names is None:
            return ""
        known = set(self.names)
        extra = [name for name in data.names if name not in known]
        return listing(extra, limit=MOST_NAMED)
