"""What the names and the first lines of files say."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from riskrank.data.feature import feature_number

if TYPE_CHECKING:
    from riskrank.typing import PathLike


def system_name(path: PathLike) -> str:
    """A system's name from its file's name.

    >>> system_name("runs/bm25.tuned.run.gz")
    'bm25.tuned'
    """
    if feature_number(os.fspath(path)) is not None:
        return os.fspath(path)
    name = Path(path).name.removesuffix(".gz")
    for suffix in (".run", ".txt", ".trec", ".res", ".scores"):
        name = name.removesuffix(suffix)
    return name or Path(path).name


def is_score_matrix(path: PathLike) -> bool:
    """Does the file's name say that it is a matrix of scores?"""
    name = os.fspath(path).lower().removesuffix(".gz")
    return name.endswith((".csv", ".tsv", ".parquet"))


def looks_like_letor(head: bytes) -> bool:
    """Is this the beginning of a LETOR/SVMLight file, rather than of qrels?"""
    for line in head.split(b"\n"):
        fields = line.partition(b"#")[0].split()
        if fields:
            return len(fields) > 1 and b":" in fields[1]
    return False
