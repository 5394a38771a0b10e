"""Tables of databases, by address: ``sqlite:///shop.db?table=features``, ``duckdb:///shop.db?query=SELECT …``."""

from __future__ import annotations

import os
import re
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote, unquote

import polars as pl

from riskrank.data.feature_tables.sources.table_source import HeldTable
from riskrank.data.files import reading_told
from riskrank.errors import FileError, listing, nearest, one_line, quoted
from riskrank.files.reading import check_regular

if TYPE_CHECKING:
    from collections.abc import Sequence

KINDS = ("sqlite", "duckdb")
ADDRESS = re.compile(r"(?P<kind>sqlite|duckdb):(?P<slashes>/*)(?P<path>[^?]*)(?:\?(?P<rest>.*))?", re.DOTALL)
ROWS_AT_ONCE = 50_000
READING = (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE)
NO_SELECT = "its query must be one SELECT."
NO_TABLES = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' ORDER BY name"
DUCKDB_TABLES = "SELECT table_name FROM information_schema.tables ORDER BY table_name"


class Address(NamedTuple):
    """A database's file, and what of it is read: a table, or what a query gives."""

    kind: str
    path: str
    table: str = ""
    query: str = ""


def is_database(name: str) -> bool:
    """Is it the address of a database?

    >>> is_database("sqlite:///shop.db?table=features"), is_database("shop.db")
    (True, False)
    """
    return name.startswith(tuple(f"{kind}:" for kind in KINDS))


def parse_address(text: str) -> Address:
    """From ``kind:///path?table=name`` or ``kind:///path?query=SELECT …``; with four slashes, the path is absolute.

    >>> parse_address("duckdb:////data/shop.db?query=SELECT * FROM clicks")
    Address(kind='duckdb', path='/data/shop.db', table='', query='SELECT * FROM clicks')
    """
    matched = ADDRESS.fullmatch(text)
    way = "Write duckdb:///file.db?table=name, or ?query=SELECT …"
    if matched is None or len(matched["slashes"]) not in (0, 1, 3, 4) or not matched["path"]:
        raise FileError(text, f"is not the address of a database. {way}")
    is_absolute = len(matched["slashes"]) in (1, 4)
    path = ("/" if is_absolute else "") + unquote(matched["path"])
    key, _, value = (matched["rest"] or "").partition("=")
    if matched["rest"] and (key not in ("table", "query") or not value):
        raise FileError(text, f"{quoted(key)} is neither a table nor a query. {way}")
    return Address(matched["kind"], path, **({key: unquote(value)} if matched["rest"] else {}))


def database_table(text: str) -> HeldTable:
    """What an address stands for; nothing is written to the database."""
    address = parse_address(text)
    with reading_told(address.path):
        check_regular(address.path, os.stat(address.path))
    frame = _from_sqlite(address, text) if address.kind == "sqlite" else _from_duckdb(address, text)
    return HeldTable(frame, text)


def _statement(address: Address, tables: Sequence[str], text: str) -> str:
    if address.query:
        return address.query
    table = address.table or (tables[0] if len(tables) == 1 else "")
    if not table:
        raise FileError(text, f"names no table; there is {listing(tables) or 'none'}. Add ?table=name.")
    if table not in tables:
        raise FileError(text, f"has no table {quoted(table)}, only {listing(tables)}.{nearest(table, tables)}")
    return " ".join(["SELECT * FROM", '"' + table.replace('"', '""') + '"'])


def _from_sqlite(address: Address, text: str) -> pl.DataFrame:
    place = f"file:{quote(os.path.abspath(address.path))}?mode=ro"
    try:
        with closing(sqlite3.connect(place, uri=True)) as connection:
            connection.text_factory = lambda raw: raw.decode(errors="replace")
            connection.set_authorizer(_allowed)
            tables = [row[0] for row in connection.execute(NO_TABLES)]
            cursor = connection.execute(_statement(address, tables, text))
            if cursor.description is None:
                raise FileError(text, NO_SELECT)
            names = [column[0] for column in cursor.description]
            parts = [_frame(names, [])]
            while rows := cursor.fetchmany(ROWS_AT_ONCE):
                parts.append(_frame(names, rows))
    except (sqlite3.Error, sqlite3.Warning) as error:
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_AUTH:
            raise FileError(text, NO_SELECT) from None
        raise FileError(text, f"cannot be read ({one_line(str(error), limit=200)}).") from None
    except pl.exceptions.DuplicateError:
        raise FileError(text, "two columns have one name. Rename one in the query (AS).") from None
    return pl.concat(parts, how="vertical_relaxed")


def _allowed(action: int, *_: object) -> int:
    """Whether SQLite may do what a statement asks for: nothing but to read; ATTACH, say, would write a file."""
    return sqlite3.SQLITE_OK if action in READING else sqlite3.SQLITE_DENY


def _frame(names: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> pl.DataFrame:
    columns = zip(*rows, strict=True) if rows else [()] * len(names)
    return pl.DataFrame([_series(name, values) for name, values in zip(names, columns, strict=True)])


def _series(name: str, values: Sequence[Any]) -> pl.Series:
    """SQLite's columns hold values of any type; with a text among them, they are texts."""
    kinds = {type(value) for value in values} - {type(None)}
    if kinds <= {int, float}:
        dtype: type[pl.DataType] = pl.Null if not kinds else pl.Int64 if kinds == {int} else pl.Float64
        return pl.Series(name, values, dtype)
    if kinds == {bytes}:
        return pl.Series(name, values, pl.Binary)
    return pl.Series(name, [None if value is None else str(value) for value in values], pl.String)


def _from_duckdb(address: Address, text: str) -> pl.DataFrame:
    try:
        import duckdb
    except ImportError:
        raise FileError(text, "needs DuckDB: pip install 'riskrank[duckdb]'.") from None
    try:
        with closing(duckdb.connect(address.path, read_only=True)) as connection:
            tables = [row[0] for row in connection.execute(DUCKDB_TABLES).fetchall()]
            statements = connection.extract_statements(_statement(address, tables, text))
            if [each.type for each in statements] != [duckdb.StatementType.SELECT]:
                raise FileError(text, NO_SELECT)
            return pl.DataFrame(connection.sql(statements[0]))
    except duckdb.Error as error:
        raise FileError(text, f"cannot be read ({one_line(str(error).partition(chr(10))[0], limit=200)}).") from None
    except pl.exceptions.DuplicateError:
        raise FileError(text, "two columns have one name. Rename one in the query (AS).") from None
