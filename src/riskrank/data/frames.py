"""Tables that users already hold: pandas and Polars frames, and dicts of dicts.

Column names are PyTerrier's (``qid docno score label``), ir_measures' (``query_id doc_id score
relevance``) or ours (``topic document score grade``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal

import polars as pl

from riskrank.data.trec.trec_lines import has_duplicates
from riskrank.errors import AlignmentError, FileError, RiskrankError, listing, one_line, quoted

if TYPE_CHECKING:
    from riskrank.typing import FrameLike, MatrixLike, SystemsLike, TableLike

ACCEPTED_NAMES: dict[str, tuple[str, ...]] = {
    "topic": ("topic", "qid", "query_id", "topic_id", "query", "search_term"),
    "document": ("document", "docno", "doc_id", "docid", "document_id", "doc", "product_id", "item_id", "url"),
    "grade": ("grade", "label", "relevance", "rel", "rating", "judgment"),
    "score": ("score",),
    "rank": ("rank", "position"),  # of results without scores, in tables
}

LineOf = Callable[[int], int]  # the line of a file where a row begins


def is_frame(source: SystemsLike | MatrixLike) -> bool:
    """Is it a pandas or Polars frame? Told without importing pandas."""
    if isinstance(source, pl.DataFrame | pl.LazyFrame):
        return True
    return type(source).__module__.split(".")[0] == "pandas" and hasattr(source, "columns")


def topic_table(
    source: TableLike | Mapping[str, Mapping[str, float]],
    number: Literal["grade", "score"],
    *,
    what: str,
    line_of: LineOf | None = None,
) -> pl.DataFrame:
    """A frame or dict of dicts as (topic, document, number), checked; `what` names the thing in messages.

    Where it is a file, `line_of` says on which line a row is.
    """
    if isinstance(source, Mapping):
        frame = _from_mapping(source, number, what)
    elif isinstance(source, pl.LazyFrame):
        frame = _from_frame(source.collect(), number, what)
    elif is_frame(source):
        frame = _from_frame(source, number, what)
    else:
        raise AlignmentError(f"{what} must be a path, a frame or a dict of dicts, got {type(source).__name__}.")
    if frame.height == 0:
        raise AlignmentError(f"{what} is empty.")
    if not (frame.schema[number].is_numeric() or frame.schema[number] == pl.Boolean):
        raise AlignmentError(f"{what}: {number} must be numeric, got {quoted(frame[number][0])}.")
    try:
        frame = frame.select(id_texts(frame["topic"]), id_texts(frame["document"]), pl.col(number).cast(pl.Float64))
    except pl.exceptions.PolarsError:  # lists, spans of time, bytes that are no text
        kinds = " and ".join(str(frame.schema[name]) for name in ("topic", "document"))
        raise AlignmentError(f"{what}: topics and documents must be texts or numbers, got {one_line(kinds)}.") from None
    bad = frame.select(pl.any_horizontal(pl.all().is_null()) | ~pl.col(number).is_finite()).to_series()
    if bad.any():
        row = bad.arg_true()[0]
        shown = ", ".join(quoted("" if value is None else str(value)) for value in frame.row(row))
        raise _at(what, row, f"needs a topic, a document and a finite {number}, got {shown}.", line_of)
    if has_duplicates(frame):
        ids = frame.select("topic", "document")
        row = (~ids.select(pl.struct(pl.all()).is_first_distinct()).to_series()).arg_true()[0]
        topic, document = map(quoted, ids.row(row))
        raise _at(what, row, f"document {document} stands twice for topic {topic}.", line_of)
    return frame


def _at(what: str, row: int, message: str, line_of: LineOf | None) -> RiskrankError:
    if line_of is None:
        return AlignmentError(f"{what}, row {row}: {message}")
    return FileError(what, message, line=line_of(row))


def id_texts(ids: pl.Series) -> pl.Series:
    """Ids as text; whole numbers that pandas made floats lose their ".0".

    >>> id_texts(pl.Series([7.0, 8.0])).to_list()
    ['7', '8']
    """
    if ids.dtype.is_float():
        ids = ids.fill_nan(None)
        whole = ids.cast(pl.Int64, strict=False)
        ids = whole if (whole == ids).all() and whole.null_count() == ids.null_count() else ids
    return ids.cast(pl.String)


def _from_mapping(source: Mapping[Any, Any], number: str, what: str) -> pl.DataFrame:
    if not all(isinstance(documents, Mapping) for documents in source.values()):
        raise AlignmentError(f"{what} must look like {{topic: {{document: {number}}}}}.")
    triples = [
        (str(topic), str(document), value)
        for topic, documents in source.items()
        for document, value in documents.items()
    ]
    columns: list[tuple[Any, ...]] = list(zip(*triples, strict=True)) or [(), (), ()]
    return pl.DataFrame(dict(zip(("topic", "document", number), columns, strict=True)), strict=False)


def _from_frame(source: FrameLike, number: str, what: str) -> pl.DataFrame:
    columns = {}
    for name in ("topic", "document", number):
        theirs = next((candidate for candidate in ACCEPTED_NAMES[name] if candidate in source.columns), None)
        if theirs is None:
            wanted = " or ".join(ACCEPTED_NAMES[name])
            raise AlignmentError(f"{what} needs a column {wanted}, got {listing(source.columns)}.")
        # to_list instead of from_pandas: that one would ask for pyarrow
        columns[name] = source[theirs] if isinstance(source, pl.DataFrame) else source[theirs].to_list()
    return pl.DataFrame(columns, strict=False)
