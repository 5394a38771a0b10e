"""What DuckDB's relations hold, as frames of Polars."""

from __future__ import annotations

import re
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, TypeGuard

import polars as pl

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.typing import PathLike, SupportsArrowStream, Table

UNKNOWN_TO_POLARS = re.compile(r"\b(INTERVAL|UNION)\b")  # types, also within lists and records


class Relation(Protocol):
    """What is used of a relation."""

    @property
    def columns(self) -> Sequence[str]: ...
    @property
    def types(self) -> Sequence[object]: ...
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...
    def project(self, columns: str) -> Relation: ...
    def to_arrow_table(self) -> SupportsArrowStream: ...


def is_relation(source: Table | Sequence[PathLike]) -> TypeGuard[Relation]:
    """Is it DuckDB's? Told without loading it."""
    return type(source).__module__.partition(".")[0] in ("duckdb", "_duckdb") and hasattr(source, "to_arrow_table")


def relation_frame(relation: Relation) -> pl.DataFrame:
    """All columns, as texts where Polars has no such type.

    Through pyarrow, where it is installed: Polars leaves DuckDB's streams open, which DuckDB complains of at exit.
    """
    columns = zip(relation.columns, relation.types, strict=True)
    names = ['"' + name.replace('"', '""') + '"' for name, kind in columns if UNKNOWN_TO_POLARS.search(str(kind))]
    if names:
        texts = ", ".join(f"CAST({name} AS VARCHAR) AS {name}" for name in names)
        relation = relation.project(f"* REPLACE ({texts})")
    try:
        import_module("pyarrow")
    except ImportError:
        return pl.DataFrame(relation)
    return pl.DataFrame(relation.to_arrow_table())
