"""Tables in files: one, several, a folder or all that match a pattern; Parquet, CSV, TSV, Arrow or JSON lines."""

from __future__ import annotations

import glob
import io
import os
import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from riskrank.data.feature_tables.sources.table_source import JoinedTables, ScannedTable, TableSource
from riskrank.data.feature_tables.sources.text_tables import csv_table, json_table
from riskrank.data.files import is_packed, opened, read_file
from riskrank.data.names import looks_like_letor
from riskrank.data.opening.packed_streams import check_unpacked, without_ending
from riskrank.data.opening.remote_files import is_remote, remote_names
from riskrank.data.tables.arrow_sizes import check_arrow
from riskrank.data.tables.parquet_damage import damage_told
from riskrank.data.tables.parquet_sizes import LEAST, check_parquet
from riskrank.errors import FileError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.data.feature_tables.sources.text_tables import IdsAmong
    from riskrank.typing import PathLike

PARQUET, ARROW, CSV, JSON = "Parquet", "Arrow", "CSV", "JSON lines"
MAGIC = {b"PAR1": PARQUET, b"ARROW1": ARROW}
NOT_READ = {b"FEA1": "a Feather file of the first version", b"\xff\xff\xff\xff": "a stream of Arrow, which has no end"}
ENDINGS = {
    ".parquet": PARQUET, ".pq": PARQUET, ".arrow": ARROW, ".feather": ARROW, ".ipc": ARROW, ".csv": CSV, ".tsv": CSV,
    ".tab": CSV, ".jsonl": JSON, ".ndjson": JSON,
}  # fmt: skip
FOREIGN = {
    ".xlsx": "a spreadsheet", ".xls": "a spreadsheet", ".ods": "a spreadsheet", ".pkl": "a pickle",
    ".pickle": "a pickle", ".orc": "an ORC file", ".avro": "an Avro file", ".h5": "an HDF5 file",
    ".hdf5": "an HDF5 file", ".npy": "a file of NumPy", ".npz": "a file of NumPy",
}  # fmt: skip
JSON_START = re.compile(rb"\s*(\[\s*)?\{")  # of lines, or of an array, which is told to be none
HEAD = 1 << 16  # bytes that tell what a file is


def is_table(path: PathLike) -> bool:
    """Is it a table, or several, rather than LETOR text? Told by its name, and else by its content."""
    name = os.fspath(path)
    if is_named_table(name):
        return True
    if not is_remote(name) and not os.path.isfile(name):
        return False  # whoever reads it says what is wrong
    return _format(path, _head(path)) is not None


def is_named_table(name: str) -> bool:
    """Is it a folder, a pattern, or a file whose name says that it is a table?"""
    return os.path.isdir(name) or is_pattern(name) or _ending(name) in (*ENDINGS, *FOREIGN)


def is_pattern(name: str) -> bool:
    """Does it stand for several files?"""
    return glob.has_magic(name) and not os.path.exists(name)


def table_files(path: PathLike) -> list[PathLike]:
    """The files that a path, a folder or a pattern stands for, in order."""
    name = os.fspath(path)
    if is_pattern(name):
        files = remote_names(name) if is_remote(name) else sorted(glob.glob(name, recursive=True))
        readable = [file for file in files if is_remote(file) or os.path.isfile(file)]
        if not readable:
            raise FileError(path, "no file matches. Quote patterns, and look at what is there.")
        return list(readable)
    if os.path.isdir(name):
        inside = tables_within(Path(name))
        if not inside:
            raise FileError(path, f"is a folder without tables ({', '.join(ENDINGS)}).")
        return list(inside)
    return [path]


def tables_within(folder: Path) -> list[Path]:
    """The files of a folder that are parts of a table, by their names, in order."""
    return sorted(file for file in folder.rglob("*") if _is_part(file, folder))


def _is_part(file: Path, folder: Path) -> bool:
    hidden = any(part.startswith(("_", ".")) for part in file.relative_to(folder).parts)
    return not hidden and _ending(file.name) in ENDINGS and file.is_file()


def path_table(paths: PathLike | Sequence[PathLike], ids_among: IdsAmong) -> TableSource:
    """The table in one or several files; `ids_among` tells columns whose cells are names, even if they are numbers."""
    given = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    files = [file for path in given for file in table_files(path)]
    if not files:
        raise FileError("", "no file is given.")
    formats = {file: _format_of(file) for file in files}
    odd = next((file for file in files if formats[file] != formats[files[0]]), None)
    if odd is not None:
        kinds = f"{formats[odd]}, but {files[0]} is {formats[files[0]]}"
        raise FileError(odd, f"is {kinds}. Tables that belong together need one format.")
    tables = [_file_table(file, formats[file], ids_among) for file in files]
    return tables[0] if len(tables) == 1 and len(given) == 1 else JoinedTables(given[0], tables)


def _file_table(path: PathLike, form: str, ids_among: IdsAmong) -> TableSource:
    if form == CSV:
        return csv_table(path, ids_among)
    if form == JSON:
        return json_table(path)
    content = read_file(path) if is_remote(path) or is_packed(path) else None
    source = os.path.abspath(path) if content is None else io.BytesIO(content)
    if form == PARQUET:
        check_parquet(path, content)
        return ScannedTable(
            pl.scan_parquet(source, glob=False, hive_partitioning=False), path, partial(damage_told, path)
        )
    check_arrow(path, content)
    table = ScannedTable(
        pl.scan_ipc(source, glob=False, hive_partitioning=False), path, partial(damage_told, path, "an Arrow file")
    )
    size = os.path.getsize(path) if content is None else len(content)
    check_unpacked(path, table.n_rows * len(table.schema) * LEAST, size)  # what Polars goes by
    return table


def _ending(name: str) -> str:
    return os.path.splitext(without_ending(name.lower()))[1]


def _head(path: PathLike) -> bytes:
    with opened(path) as file:
        return file.read(HEAD)


def _format_of(path: PathLike) -> str:
    foreign = FOREIGN.get(_ending(os.fspath(path)))
    if foreign is not None:
        raise FileError(path, f"is {foreign}, which is not read here. Write it anew, as Parquet or CSV.")
    head = _head(path)
    for magic, what in NOT_READ.items():
        if head.startswith(magic):
            raise FileError(path, f"is {what}. Write it anew, as Parquet or as an Arrow file.")
    form = _format(path, head)
    if form is None:
        raise FileError(path, f"is no table that is read here ({', '.join(dict.fromkeys(ENDINGS.values()))}).")
    return form


def _format(path: PathLike, head: bytes) -> str | None:
    """How a file is written: by its first bytes, by its name, and else by its first line."""
    binary = next((form for magic, form in MAGIC.items() if head.startswith(magic)), None)
    named = ENDINGS.get(_ending(os.fspath(path)))
    if binary or named:
        return binary or named
    if looks_like_letor(head):
        return None
    if JSON_START.match(head):
        return JSON
    first = head.lstrip().partition(b"\n")[0]
    return CSV if any(first.count(separator) for separator in (b",", b";", b"\t")) and b"\0" not in head else None
