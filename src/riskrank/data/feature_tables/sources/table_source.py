"""TableSource: a table whose columns are read when they are asked for, at once or a part at a time."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from riskrank.errors import AlignmentError, FileError, RiskrankError, one_line, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping, Sequence
    from contextlib import AbstractContextManager

    from riskrank.data.frames import LineOf
    from riskrank.typing import PathLike

THE_TABLE = "the table"  # what one without a path is called


class TableSource(ABC):
    """Rows of named columns."""

    path: PathLike | None  # where it was read from

    @property
    @abstractmethod
    def schema(self) -> Mapping[str, pl.DataType]:
        """The types of the columns, by name."""

    @property
    @abstractmethod
    def n_rows(self) -> int:
        """How many rows."""

    @abstractmethod
    def frames(self, names: Sequence[str]) -> Generator[pl.DataFrame, None, None]:
        """Some columns, a part of the rows at a time, in order."""

    def columns(self, names: Sequence[str]) -> pl.DataFrame:
        """Some columns as a whole."""
        return pl.concat(self.frames(names))

    @property
    def name(self) -> str:
        """What it is called in messages."""
        return THE_TABLE if self.path is None else os.fspath(self.path)

    def error(self, message: str, *, row: int | None = None) -> RiskrankError:
        """What is wrong with the table, or with a row of it (from 0)."""
        where = "" if row is None else f"row {row + 1}: "
        if self.path is None:
            return AlignmentError(f"{THE_TABLE}{', ' if where else ': '}{where}{message}")
        return FileError(self.path, f"{where}{message}")


@dataclass(frozen=True, eq=False)
class HeldTable(TableSource):
    """A table in memory; `line_of`: on which line of a text file each row is."""

    frame: pl.DataFrame
    path: PathLike | None = None
    line_of: LineOf | None = None

    @cached_property  # Polars makes it anew each time, which takes long where there are thousands of columns
    def schema(self) -> Mapping[str, pl.DataType]:
        return self.frame.schema

    @property
    def n_rows(self) -> int:
        return self.frame.height

    def frames(self, names: Sequence[str]) -> Generator[pl.DataFrame, None, None]:
        yield self.columns(names)

    def columns(self, names: Sequence[str]) -> pl.DataFrame:
        return self.frame.select(names)

    def error(self, message: str, *, row: int | None = None) -> RiskrankError:
        if row is None or self.line_of is None or self.path is None:
            return super().error(message, row=row)
        return FileError(self.path, message, line=self.line_of(row))


@dataclass(frozen=True, eq=False)
class ScannedTable(TableSource):
    """A table that Polars reads as it is needed; `told` turns what goes wrong then into messages."""

    lazy: pl.LazyFrame
    path: PathLike | None = None
    told: Callable[[], AbstractContextManager[None]] = field(default=nullcontext)

    @cached_property
    def schema(self) -> Mapping[str, pl.DataType]:
        with self.told():
            return self.lazy.collect_schema()

    @cached_property
    def n_rows(self) -> int:
        with self.told():
            return int(self.lazy.select(pl.len()).collect().item())

    def frames(self, names: Sequence[str]) -> Generator[pl.DataFrame, None, None]:
        if not names:
            return
        with self.told():
            yield from self.lazy.select(names).collect_batches(maintain_order=True)

    def columns(self, names: Sequence[str]) -> pl.DataFrame:
        with self.told():
            return self.lazy.select(names).collect()


class JoinedTables(TableSource):
    """Tables one below the other; they have the same columns, whose types are of the same kind."""

    def __init__(self, path: PathLike | None, parts: Sequence[TableSource]) -> None:
        self.path = path
        self._parts = parts
        self._ends = np.cumsum([part.n_rows for part in parts])
        first = parts[0]
        for part in parts[1:]:
            lacking = [name for name in first.schema if name not in part.schema]
            extra = [name for name in part.schema if name not in first.schema]
            if lacking or extra:
                has = f"has no column {quoted(lacking[0])}" if lacking else f"has a column {quoted(extra[0])}"
                other = f", which {first.name} {'has' if lacking else 'has not'}"
                raise part.error(f"{has}{other}. Tables that belong together need the same columns.")

    @cached_property
    def schema(self) -> Mapping[str, pl.DataType]:
        return {name: self._common_type(name) for name in self._parts[0].schema}

    def _common_type(self, name: str) -> pl.DataType:
        types = [part.schema[name] for part in self._parts if part.schema[name] != pl.Null]
        if not types or all(each == types[0] for each in types):
            return types[0] if types else pl.Null()
        if all(each.is_numeric() or each == pl.Boolean for each in types):
            return pl.Float64()
        if all(isinstance(each, pl.Categorical | pl.Enum) for each in types):
            return pl.Categorical()
        odd = next(part for part in self._parts if part.schema[name] not in (types[0], pl.Null))
        kinds = f"{one_line(str(odd.schema[name]))} here, {one_line(str(types[0]))} in {self._parts[0].name}"
        raise odd.error(f"column {quoted(name)} is of another type ({kinds}). Write the tables alike.")

    @property
    def n_rows(self) -> int:
        return int(self._ends[-1])

    def frames(self, names: Sequence[str]) -> Generator[pl.DataFrame, None, None]:
        for part in self._parts:
            yield from part.frames(names)

    def columns(self, names: Sequence[str]) -> pl.DataFrame:
        casts = [pl.col(name).cast(self.schema[name]) for name in names]
        return pl.concat([part.columns(names).select(casts) for part in self._parts])

    def error(self, message: str, *, row: int | None = None) -> RiskrankError:
        if row is None:
            return super().error(message)
        part = int(np.searchsorted(self._ends, row, side="right"))
        return self._parts[part].error(message, row=row - (int(self._ends[part - 1]) if part else 0))
