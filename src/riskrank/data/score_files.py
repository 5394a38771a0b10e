"""Scores for feature data: one number per line, as LightGBM and RankLib write them, or ``feature:110``."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

import numpy as np

from riskrank.data.files import read_bytes
from riskrank.errors import FileError, quoted

if TYPE_CHECKING:
    import os

    from numpy.typing import NDArray

    from riskrank.data.ranking_data import RankingData

_FEATURE = re.compile(r"feature:([0-9]{1,9})")


def feature_number(text: str) -> int | None:
    """The number in ``feature:110``, or None if the text is something else.

    >>> feature_number("feature:110"), feature_number("scores.txt")
    (110, None)
    """
    match = _FEATURE.fullmatch(text)
    return int(match[1]) if match else None


def read_score_file(path: str | os.PathLike[str], data: RankingData) -> NDArray[np.float64]:
    """A score for each document of `data`, from lines ``score`` or (RankLib) ``query  index  score``.

    Lines follow the order of the data's source.
    """
    scores: list[float] = []
    queries: list[str] = []
    lines: list[int] = []
    for number, line in enumerate(read_bytes(path).split(b"\n"), start=1):
        fields = line.split()
        if not fields:
            continue
        if len(fields) not in (1, 3):
            raise FileError(path, f"a line needs one score, got {len(fields)} fields.", line=number)
        value = _finite(fields[-1])
        if value is None:
            shown = quoted(fields[-1].decode(errors="replace"))
            raise FileError(path, f"score must be a finite number, got {shown}.", line=number)
        if len(fields) == 3:
            queries.append(fields[0].decode(errors="replace"))
        scores.append(value)
        lines.append(number)
    if len(scores) != data.n_documents:
        raise FileError(path, f"must hold a score for each of the {data.n_documents} documents, got {len(scores)}.")
    if queries:
        _check_queries(path, queries, lines, data)
    return data.from_source_order(np.array(scores))


def _check_queries(path: object, queries: list[str], lines: list[int], data: RankingData) -> None:
    sizes = np.diff(data.query_offsets)
    own = data.to_source_order(np.repeat(np.array(data.query_ids, dtype=object), sizes))
    for number, given, query in zip(lines, queries, own, strict=False):
        if given != query:
            raise FileError(path, f"query must be {quoted(query)} as in the data, got {quoted(given)}.", line=number)


def _finite(text: bytes) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) and b"_" not in text else None
