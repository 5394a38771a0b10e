"""Outputs beside feature data: none may be a file that is read, or one that would be read with the others next time."""

from __future__ import annotations

import fnmatch
import glob
import os
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from riskrank.data.feature_tables.sources.database_tables import is_database, parse_address
from riskrank.data.feature_tables.sources.table_paths import is_pattern, tables_within
from riskrank.data.letor.assembly import group_files
from riskrank.data.opening.remote_files import is_remote
from riskrank.errors import FileError
from riskrank.files.outputs import check_no_input

if TYPE_CHECKING:
    from collections.abc import Iterable

    from riskrank.typing import PathLike

BESIDE_DATABASES = ("", "-wal", "-shm", "-journal", ".wal")  # endings of the files that a database consists of


def check_separate(outputs: Iterable[PathLike | None], inputs: Iterable[PathLike | None]) -> None:
    """Refuse outputs that are files of the inputs, hold one, or would become part of a folder or pattern of tables."""
    places = [output for output in outputs if output is not None]
    for given in inputs:
        name = "" if given is None else os.fspath(given)
        if not name or (is_remote(name) and not is_database(name)):
            continue
        files = _files(name)
        for output in places:
            check_no_input(output, files)
            if os.path.isdir(name) and Path(name).resolve() in Path(output).resolve().parents:
                if len(files) > 1:
                    raise FileError(output, f"is in {name}, whose tables are the input. Choose another place.")
                if os.path.isfile(output):  # of a model, say
                    raise FileError(output, f"is part of the input {name}, it would be overwritten.")
            if is_pattern(name) and _matches(os.path.realpath(output), os.path.realpath(name)):
                raise FileError(output, f"would be one of the inputs, {name}. Choose another place.")


def _files(name: str) -> list[PathLike]:
    if is_database(name):
        return [parse_address(name).path + ending for ending in BESIDE_DATABASES]
    if is_pattern(name):
        return [*glob.glob(name, recursive=True)]
    return [name, *(tables_within(Path(name)) if os.path.isdir(name) else group_files(name))]


def _matches(path: str, pattern: str) -> bool:
    return fnmatch.fnmatch(path, pattern.replace("**/", "*")) if "**" in pattern else PurePath(path).match(pattern)
