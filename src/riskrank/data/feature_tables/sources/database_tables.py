"""Tables of databases, by address: ``sqlite:///shop.db?table=features``, ``duckdb:///shop.db?query=SELECT …``."""

from __future__ import annotations

import os
import re
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote, unquote

import polars as pl

from riskrank.data.feature_tables.sources.duckdb_frames import relation_frame
from riskrank.data.feature_tables.sources.table_source import HeldTable
from riskrank.data.files import reading_told
from riskrank.data.opening.packed_streams import ANY_SIZE, check_unpacked, most_unpacked
from riskrank.errors import FileError, listing, nearest, one_line, quoted
from riskrank.files.reading import check_regular

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

KINDS = ("sqlite", "duckdb")
ADDRESS = re.compile(r"(?P<kind>sqlite|duckdb):(?P<slashes>/*)(?P<path>[^?]*)(?:\?(?P<rest>.*))?", re.DOTALL)
ROWS_AT_ONCE = 50_000
CELL = 8  # bytes in memory, at least
SQLITE_TABLES = (
    "SELECT name, type = 'view' FROM sqlite_master "
    "WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' ORDER BY name"
)
DUCKDB_TABLES = "SELECT table_name, table_type = 'VIEW' FROM information_schema.tables ORDER BY table_name"
READING = (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE)
NO_SELECT = "its query must be one SELECT."
LONGEST_CELL = 1 << 24  # bytes
WITH_LOG = b"\2\2"  # bytes 18 and 19 of a database that has a write-ahead log
STEPS = 1_000_000  # of SQLite, after which Python may notice Ctrl-C
INTERRUPTED = {"sqlite": "interrupted", "duckdb": "Query interrupted"}  # what is raised in place of Ctrl-C
# A database's file may hold what reads or fetches other files, and DuckDB would put its own beside it.
WITHIN: dict[str, str | bool | int | float | list[str]] = {"enable_external_access": "false", "temp_directory": ""}
# Types of DuckDB whose cells are of one size, as far as they are named so; others are measured.
FIXED = re.compile(
    r"U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL.*|BOOLEAN|UUID|DATE|TIME.*|INTERVAL|ENUM.*"
)


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
    path = ("/" if is_absolute else "") + unquote(matched["path"]).replace("\0", "\ufffd")
    key, _, value = (matched["rest"] or "").partition("=")
    if matched["rest"] and (key not in ("table", "query") or not value):
        raise FileError(text, f"{quoted(key)} is neither a table nor a query. {way}")
    return Address(matched["kind"], path, **({key: unquote(value)} if matched["rest"] else {}))


def database_table(text: str) -> HeldTable:
    """What an address stands for; nothing is written to the database."""
    address = parse_address(text)
    with reading_told(address.path):
        check_regular(address.path, os.stat(address.path))
        _check_kind(address, text)
    frame = _from_sqlite(address, text) if address.kind == "sqlite" else _from_duckdb(address, text)
    return HeldTable(frame, text)


def _check_kind(address: Address, text: str) -> None:
    """Refuse a database of the other kind, of which both libraries would say something else."""
    with open(address.path, "rb") as file:
        head = file.read(16)
    kind = "sqlite" if head.startswith(b"SQLite format 3") else "duckdb" if head[8:12] == b"DUCK" else address.kind
    if kind != address.kind:
        raise FileError(text, f"is not a database of this kind: begin the address with {kind}:")


def _statement(address: Address, tables: Mapping[str, bool], text: str) -> str:
    """The query, or one for the table; `tables` says of each whether it is a view, which may compute for ever."""
    if address.query:
        return address.query
    table = address.table or (next(iter(tables)) if len(tables) == 1 else "")
    if not table:
        raise FileError(text, f"names no table; there is {listing(tables) or 'none'}. Add ?table=name.")
    if table not in tables:
        raise FileError(text, f"has no table {quoted(table)}, only {listing(tables)}.{nearest(table, tables)}")
    statement = " ".join(["SELECT * FROM", '"' + table.replace('"', '""') + '"'])
    if tables[table]:
        raise FileError(text, f"{quoted(table)} is a view, and views are queries. Write ?query={one_line(statement)}")
    return statement


class _Amount:
    """How much was read of a database, which must not be far more than its file has."""

    def __init__(self, address: Address, text: str) -> None:
        self._text = text
        self._packed = os.path.getsize(address.path)
        self._unpacked = 0

    def add(self, size: int) -> None:
        self._unpacked += size
        check_unpacked(self._text, self._unpacked, self._packed)

    def decoded(self, raw: bytes) -> str:
        self.add(len(raw))
        return raw.decode(errors="replace")

    @property
    def most(self) -> int:
        """Bytes that can be read."""
        return most_unpacked(self._packed)


def _from_sqlite(address: Address, text: str) -> pl.DataFrame:
    try:
        with closing(_opened_sqlite(address.path)) as connection:
            amount = _Amount(address, text)
            connection.text_factory = amount.decoded
            tables = dict(connection.execute(SQLITE_TABLES).fetchall())
            cursor = connection.execute(_statement(address, tables, text))
            if cursor.description is None:
                raise FileError(text, NO_SELECT)
            names = [column[0] for column in cursor.description]
            parts, rows = [_frame(names, [])], list[tuple[Any, ...]]()
            for row in cursor:
                blobs = sum(len(cell) for cell in row if type(cell) is bytes) if bytes in set(map(type, row)) else 0
                amount.add(CELL * len(row) + blobs)
                rows.append(row)
                if len(rows) == ROWS_AT_ONCE:
                    parts.append(_frame(names, rows))
                    rows = []
            parts.append(_frame(names, rows))
    except (sqlite3.Error, sqlite3.Warning) as error:
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_AUTH:
            raise FileError(text, NO_SELECT) from None
        if str(error) == INTERRUPTED["sqlite"]:
            raise KeyboardInterrupt from None
        raise FileError(text, f"cannot be read ({one_line(str(error), limit=200)}).") from None
    except UnicodeDecodeError:  # of a name, or of what SQLite says is wrong with one
        raise FileError(text, "the names of tables and columns must be UTF-8.") from None
    except pl.exceptions.DuplicateError:
        raise FileError(text, "two columns have one name. Rename one in the query (AS).") from None
    return pl.concat(parts, how="vertical_relaxed")


def _opened_sqlite(path: str) -> sqlite3.Connection:
    """A database that nothing is done with but reading, whatever its own schema or a query say."""
    rest = "&immutable=1" if _is_left_alone(path) else ""
    connection = sqlite3.connect(f"file:{quote(os.path.abspath(path))}?mode=ro{rest}", uri=True)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_CELL)
    connection.set_progress_handler(lambda: 0, STEPS)
    connection.set_authorizer(lambda action, *_: sqlite3.SQLITE_OK if action in READING else sqlite3.SQLITE_DENY)
    return connection


def _is_left_alone(path: str) -> bool:
    """Has it a write-ahead log that nobody uses? SQLite would make files for one beside it, and leave them there."""
    with open(path, "rb") as file:
        head = file.read(20)
    return head[18:20] == WITH_LOG and not os.path.exists(f"{path}-wal")


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
        with closing(duckdb.connect(address.path, read_only=True, config=WITHIN)) as connection:
            tables = dict(connection.execute(DUCKDB_TABLES).fetchall())
            statements = connection.extract_statements(_statement(address, tables, text))
            if [each.type for each in statements] != [duckdb.StatementType.SELECT]:
                raise FileError(text, NO_SELECT)
            relation = connection.sql(statements[0])
            if not os.environ.get(ANY_SIZE):
                _check_amount(relation, _Amount(address, text))
            return relation_frame(relation)
    except RuntimeError as error:
        if str(error) == INTERRUPTED["duckdb"]:
            raise KeyboardInterrupt from None
        raise
    except duckdb.Error as error:
        raise FileError(text, f"cannot be read ({one_line(str(error).partition(chr(10))[0], limit=200)}).") from None
    except pl.exceptions.DuplicateError:
        raise FileError(text, "two columns have one name. Rename one in the query (AS).") from None


def _check_amount(relation: Any, amount: _Amount) -> None:
    """Refuse more than the file can hold, before it is fetched; DuckDB stops at the rows that are too many."""
    row = CELL * len(relation.columns)
    sizes = "".join(
        f" + coalesce(sum(strlen(CAST(#{number} AS VARCHAR))), 0)"
        for number, kind in enumerate(relation.types, start=1)
        if not FIXED.fullmatch(str(kind))
    )
    amount.add(relation.limit(amount.most // row + 1).aggregate(f"count(*) * {row}{sizes}").fetchall()[0][0])
