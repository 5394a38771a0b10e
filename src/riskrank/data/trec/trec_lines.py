"""TREC text tables: qrels and runs, blank- or tab-separated, plain or gzip.

Polars reads well-formed files at full speed. Whatever it cannot read, or reads into something
doubtful (several blanks between fields, empty lines, duplicates, NaN), goes to a plain line reader, which
accepts what trec_eval accepts (and runs without a tag) and is the only place that reports errors, with line numbers.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from riskrank.cores import usable_cores
from riskrank.data.files import is_packed, read_bytes, read_head
from riskrank.data.numbers import finite_number, whole_number
from riskrank.data.opening.remote_files import is_remote
from riskrank.errors import FileError, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.typing import PathLike


@dataclass(frozen=True)
class TrecLayout:
    """The fields of a TREC table; the last one that is needed is the number, of a type."""

    columns: tuple[str, ...]
    n_needed: int
    type: type[pl.Float64] | type[pl.Int64]
    example: str

    @property
    def number(self) -> str:
        """What the number is called."""
        return self.columns[self.n_needed - 1]


RUN = TrecLayout(
    ("topic", "iteration", "document", "rank", "score", "tag"), 5, pl.Float64, "topic Q0 document rank score tag"
)
QRELS = TrecLayout(("topic", "iteration", "document", "grade"), 4, pl.Int64, "topic 0 document grade")


def read_tables(paths: Sequence[PathLike], layout: TrecLayout) -> list[pl.DataFrame]:
    """Read several files at once: a frame (topic, document, number) for each."""
    frames: list[pl.DataFrame | None]
    try:
        frames = list(pl.collect_all([_scan(path, layout) for path in paths], engine="streaming"))
    except _POLARS_ERRORS:
        frames = [_collect(path, layout) for path in paths]

    def checked(path: PathLike, frame: pl.DataFrame | None) -> pl.DataFrame:
        if frame is None or _is_doubtful(frame):
            return _read_line_by_line(path, layout)
        return frame.select("topic", "document", layout.number)

    with ThreadPoolExecutor(usable_cores()) as pool:
        return list(pool.map(checked, paths, frames))


def has_duplicates(frame: pl.DataFrame) -> bool:
    """Does any (topic, document) stand twice?"""
    # Equal pairs have equal hashes, so all-distinct hashes prove that there is none; sorting integers
    # is several times faster than grouping strings.
    import numpy as np  # here, so that a command can load it while Polars reads

    key = frame["key"] if "key" in frame.columns else frame.select(PAIR_HASH).to_series()
    hashes = np.sort(key.to_numpy())
    if not (hashes[1:] == hashes[:-1]).any():
        return False
    return bool(frame.select("topic", "document").is_duplicated().any())


_POLARS_ERRORS = (pl.exceptions.PolarsError, OSError, TypeError)  # TypeError: a path that is not UTF-8
PAIR_HASH = (pl.col("document").hash(seed=2) + pl.col("topic").hash(seed=1) * 0x9E3779B1).alias("key")


def _scan(path: PathLike, layout: TrecLayout) -> pl.LazyFrame:
    """The file as a query that reads, checks and hashes in one go."""
    head = read_head(path)
    tabs = b"\t" in head.lstrip().split(b"\n", 1)[0]
    number = layout.number
    # Looking at the last column makes Polars refuse lines with too many fields. Between blanks, an empty field means
    # that fields have moved; between tabs it is just empty.
    looked_at = ("topic", "document", number, layout.columns[-1]) if tabs else layout.columns
    odd = pl.any_horizontal(pl.col(name).is_null() for name in dict.fromkeys(looked_at))
    if layout.type is pl.Float64:
        odd |= ~pl.col(number).is_finite()
    if tabs:  # ids may hold blanks, and blanks around them are padding: the line reader tells them apart
        odd |= pl.col("topic").str.contains(" ", literal=True) | pl.col("document").str.contains(" ", literal=True)
    scan = pl.scan_csv(
        read_bytes(path) if is_packed(path) or is_remote(path) else os.fspath(path),  # Polars would unpack bombs
        separator="\t" if tabs else " ",
        has_header=False,
        quote_char=None,
        schema={name: layout.type if name == number else pl.String for name in layout.columns},
        glob=False,
    )
    return scan.select("topic", "document", number, odd.alias("odd"), PAIR_HASH)


def _collect(path: PathLike, layout: TrecLayout) -> pl.DataFrame | None:
    try:
        return _scan(path, layout).collect(engine="streaming")
    except _POLARS_ERRORS:
        return None


def _is_doubtful(frame: pl.DataFrame) -> bool:
    return frame.height == 0 or frame["odd"].fill_null(True).any() or has_duplicates(frame)


def _fields(line: bytes, layout: TrecLayout) -> list[bytes]:
    """The fields of a line: between tabs, where ids may hold blanks, or between any white space."""
    between_tabs = [field.strip() for field in line.split(b"\t")]
    if len(between_tabs) == len(layout.columns) and all(between_tabs[i] for i in (0, 2, layout.n_needed - 1)):
        return between_tabs
    return line.split()


def _mistaken(layout: TrecLayout, n_fields: int) -> str:
    if layout is QRELS and n_fields in (RUN.n_needed, len(RUN.columns)):
        return " It looks like a run: qrels come first."
    return " It looks like qrels, a run is needed." if layout is RUN and n_fields == len(QRELS.columns) else ""


def _read_line_by_line(path: PathLike, layout: TrecLayout) -> pl.DataFrame:
    topics: list[str] = []
    documents: list[str] = []
    numbers: list[float] = []
    seen: set[tuple[str, str]] = set()
    parse = finite_number if layout.type is pl.Float64 else whole_number
    for line_number, line in enumerate(read_bytes(path).split(b"\n"), start=1):
        fields = _fields(line, layout)
        if not fields:
            continue
        if not layout.n_needed <= len(fields) <= len(layout.columns):
            raise FileError(
                path,
                f"a line needs the fields '{layout.example}', "
                f"got {len(fields)} (near {quoted(line.decode(errors='replace').strip())})."
                + _mistaken(layout, len(fields)),
                line=line_number,
            )
        try:
            topic, document = fields[0].decode(), fields[2].decode()
        except UnicodeDecodeError:
            raise FileError(path, "is not UTF-8 text. Convert it first.", line=line_number) from None
        text = fields[layout.n_needed - 1]
        number = parse(text)
        if number is None:
            kind = "a finite number" if parse is finite_number else "a whole number"
            got = quoted(text.decode(errors="replace"))
            raise FileError(path, f"{layout.number} must be {kind}, got {got}.", line=line_number)
        if (topic, document) in seen:
            raise FileError(
                path,
                f"document {quoted(document)} stands twice for topic {quoted(topic)}. Keep one of the lines.",
                line=line_number,
            )
        seen.add((topic, document))
        topics.append(topic)
        documents.append(document)
        numbers.append(number)
    return pl.DataFrame(
        {"topic": topics, "document": documents, layout.number: numbers},
        schema={"topic": pl.String, "document": pl.String, layout.number: layout.type},
    )
