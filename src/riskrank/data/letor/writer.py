"""Feature data as LETOR text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riskrank.errors import AlignmentError
from riskrank.files.writing import write_atomically

if TYPE_CHECKING:
    from riskrank.data.ranking_data import RankingData
    from riskrank.typing import PathLike


def write_letor(data: RankingData, path: PathLike, *, digits: int = 9) -> None:
    """Write ``label qid:query 1:value … # document``; nine digits are enough for every float32."""
    write_atomically(path, letor_text(data, digits=digits))


def letor_text(data: RankingData, *, digits: int = 9) -> str:
    """The lines of a LETOR file; features that are 0 are written too, NaN as nan."""
    if data.categories:
        names = data.columns.labels(data.categories)
        raise AlignmentError(f"LETOR files hold numbers, no categories ({names}). Write a table.")
    lines = []
    first = data.first_feature
    for q, query in enumerate(data.query_ids):
        for row in range(data.query_offsets[q], data.query_offsets[q + 1]):
            values = " ".join(
                f"{number}:{value:.{digits}g}" for number, value in enumerate(data.features[row].tolist(), first)
            )
            comment = "" if data.document_ids is None else f" # {data.document_ids[row]}"
            lines.append(f"{data.labels[row]:g} qid:{query} {values}{comment}\n")
    return "".join(lines)
