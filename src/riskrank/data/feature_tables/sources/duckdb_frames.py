"""What DuckDB's relations hold, as frames of Polars."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Protocol, TypeGuard

import polars as pl

from riskrank.errors import first_duplicate, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.typing import PathLike, SupportsArrowStream, Table

UNKNOWN_TO_POLARS = ("interval", "union")
NESTED = ("list", "array", "struct", "map")


class Type(Protocol):
    """What is used of a column's type; children are types, besides the size of an array and the values of an ENUM."""

    @property
    def id(self) -> str: ...
    @property
    def children(self) -> Sequence[tuple[str, Type | int | list[str]]]: ...


class Relation(Protocol):
    """What is used of a relation."""

    @property
    def columns(self) -> Sequence[str]: ...
    @property
    def types(self) -> Sequence[Type]: ...
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...
    def project(self, columns: str) -> Relation: ...
    def to_arrow_table(self) -> SupportsArrowStream: ...


def is_relation(source: Table | Sequence[PathLike]) -> TypeGuard[Relation]:
    """Is it DuckDB's? Told without loading it; a connection is none."""
    is_theirs = type(source).__module__.partition(".")[0] in ("duckdb", "_duckdb")
    return is_theirs and hasattr(source, "types") and hasattr(source, "project")


def relation_frame(relation: Relation) -> pl.DataFrame:
    """All columns, as texts where Polars has no such type.

    Through pyarrow, where it is installed: where Polars read a relation itself, DuckDB 2.0 told of leaks at exit.
    """
    twice = first_duplicate(relation.columns)
    if twice is not None:  # a projection would rename one of them
        raise pl.exceptions.DuplicateError(f"two columns are called {quoted(twice)}")
    unknown = [_is_unknown(kind) for kind in relation.types]
    if any(unknown):  # by place, since DuckDB takes "a" and "A" for one name
        cells = [f"CAST(#{i + 1} AS VARCHAR)" if is_text else f"#{i + 1}" for i, is_text in enumerate(unknown)]
        names = ['"' + name.replace('"', '""') + '"' for name in relation.columns]
        relation = relation.project(", ".join(map(" AS ".join, zip(cells, names, strict=True))))
    try:
        import_module("pyarrow")
    except ImportError:
        return pl.DataFrame(relation)
    return pl.DataFrame(relation.to_arrow_table())


def _is_unknown(kind: Type) -> bool:
    """Does Polars lack this type, or one within it?"""
    within = [kind]
    while within:
        inner = within.pop()
        if inner.id in UNKNOWN_TO_POLARS:
            return True
        if inner.id in NESTED:
            within += [child for _, child in inner.children if not isinstance(child, int | list)]
    return False
