"""What the names and the first lines of files say."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from riskrank.data.feature import feature_of
from riskrank.data.opening.packed_streams import without_ending

if TYPE_CHECKING:
    from riskrank.typing import PathLike


def system_name(path: PathLike) -> str:
    """A system's name from its file's name.

    >>> system_name("runs/bm25.tuned.run.gz")
    'bm25.tuned'
    """
    if feature_of(os.fspath(path)) is not None:
        return os.fspath(path)
    name = without_ending(Path(path).name)
    for suffix in (".run", ".txt", ".trec", ".res", ".scores", ".csv", ".tsv", ".parquet"):
        name = name.removesuffix(suffix)
    return name or Path(path).name


def is_score_matrix(path: PathLike) -> bool:
    """Is it a matrix of scores, as its name says, and not a table of documents?"""
    from riskrank.data.tables.document_tables import is_document_table
    from riskrank.data.tables.table_files import is_table_file

    return is_table_file(path) and not is_document_table(path)


def looks_like_letor(head: bytes) -> bool:
    """Is this the beginning of a LETOR/SVMLight file, rather than of qrels?"""
    for line in head.split(b"\n"):
        fields = line.partition(b"#")[0].split()
        if fields:
            return len(fields) > 1 and b":" in fields[1]
    return False
