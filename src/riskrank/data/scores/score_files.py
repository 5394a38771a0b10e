"""Files of scores for feature data: one number per line, as LightGBM and RankLib write them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riskrank.data.files import read_bytes
from riskrank.data.numbers import finite_number, whole_number
from riskrank.errors import FileError, quoted

if TYPE_CHECKING:
    from riskrank.data.ranking_data import RankingData
    from riskrank.typing import Floats, PathLike


def read_score_file(path: PathLike, data: RankingData) -> Floats:
    """A score for each document of `data`, from lines ``score`` or (RankLib) ``query  index  score``.

    Plain scores follow the lines of the data's source; RankLib's index counts a query's documents from 0.
    """
    scores: list[float] = []
    ranklib_rows: list[tuple[int, bytes, bytes]] = []  # line, query, index
    for line_number, line in enumerate(read_bytes(path).split(b"\n"), start=1):
        fields = line.split()
        if not fields:
            continue
        if len(fields) not in (1, 3) or ((len(fields) == 3) != bool(ranklib_rows) and scores):
            raise FileError(path, f"a line needs one score, got {len(fields)} fields.", line=line_number)
        value = finite_number(fields[-1])
        if value is None:
            shown = quoted(fields[-1].decode(errors="replace"))
            raise FileError(path, f"score must be a finite number, got {shown}.", line=line_number)
        if len(fields) == 3:
            ranklib_rows.append((line_number, fields[0], fields[1]))
        scores.append(value)
    if len(scores) != data.n_documents:
        raise FileError(path, f"must hold a score for each of the {data.n_documents} documents, got {len(scores)}.")
    if not ranklib_rows:
        return data.from_source_order(np.array(scores))
    ordered = np.empty(len(scores))
    ordered[_rows_of(path, ranklib_rows, data)] = scores
    return ordered


def _rows_of(path: PathLike, ranklib_rows: list[tuple[int, bytes, bytes]], data: RankingData) -> list[int]:
    position = {query: i for i, query in enumerate(data.query_ids)}
    sizes = np.diff(data.query_offsets)
    rows: list[int] = []
    seen: set[int] = set()
    for line_number, query_text, index_text in ranklib_rows:
        query, index = query_text.decode(errors="replace"), whole_number(index_text)
        if query not in position:
            raise FileError(path, f"query {quoted(query)} is not in the data.", line=line_number)
        size = int(sizes[position[query]])
        if index is None or not 0 <= index < size:
            shown = quoted(index_text.decode(errors="replace"))
            raise FileError(path, f"index must be from 0 to {size - 1} for this query, got {shown}.", line=line_number)
        row = int(data.query_offsets[position[query]]) + index
        if row in seen:
            raise FileError(path, f"index {index} stands twice for query {quoted(query)}.", line=line_number)
        seen.add(row)
        rows.append(row)
    return rows
