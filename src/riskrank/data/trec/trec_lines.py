"""TREC text tables: qrels and runs, blank- or tab-separated, plain or gzip.

Polars reads well-formed files at full speed. Whatever it cannot read, or reads into something
doubtful (several blanks between fields, empty lines, duplicates, NaN), goes to a plain line reader, which
accepts what trec_eval accepts (and runs without a tag) and is the only place that reports errors, with line numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from riskrank.data.files import read_bytes, read_lines_in_parts
from riskrank.data.numbers import finite_number, whole_number
from riskrank.errors import FileError, quoted

if TYPE_CHECKING:
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
AT_ONCE = 1 << 22  # bytes
TWO_BLANKS = 0x2020
QRELS = TrecLayout(("topic", "iteration", "document", "grade"), 4, pl.Int64, "topic 0 document grade")


def read_trec_table(path: PathLike, layout: TrecLayout) -> pl.DataFrame:
    """A file as a frame (topic, document, number)."""
    frames = []
    for part in read_lines_in_parts(path, AT_ONCE):
        frame = _parsed(part, layout)
        if frame is None:
            return _read_line_by_line(path, layout)
        frames.append(frame)
    table = pl.concat(frames)
    return _read_line_by_line(path, layout) if has_duplicates(table) else table


def has_duplicates(frame: pl.DataFrame) -> bool:
    """Does any (topic, document) stand twice?"""
    # Equal pairs have equal hashes, so all-distinct hashes prove that there is none; sorting integers
    # is several times faster than grouping strings.
    import numpy as np  # here, so that a command can load it while Polars reads

    hashes = np.sort(frame.select(PAIR_HASH).to_series().to_numpy())
    if not (hashes[1:] == hashes[:-1]).any():
        return False
    return bool(frame.select("topic", "document").is_duplicated().any())


PAIR_HASH = (pl.col("document").hash(seed=2) + pl.col("topic").hash(seed=1) * 0x9E3779B1).alias("pair")


def _parsed(content: bytes, layout: TrecLayout) -> pl.DataFrame | None:
    """What Polars makes of a text: a frame (topic, document, number); None if that may not be what is meant."""
    has_tabs = b"\t" in content.lstrip(b"\r\n ").split(b"\n", 1)[0]
    separator, number = "\t" if has_tabs else " ", layout.number
    scan = pl.scan_csv(
        content,
        separator=separator,
        has_header=False,
        quote_char=None,
        schema={name: layout.type if name == number else pl.String for name in layout.columns},
    )
    wanted = list(dict.fromkeys(("topic", "document", number, layout.columns[-1])))
    try:
        frame = scan.select(wanted).collect(engine="streaming")
    except pl.exceptions.PolarsError:
        return None
    is_whole = not any(column.null_count() for column in frame) and frame[number].is_finite().all()
    if not is_whole or not _are_fields_in_place(content, separator, frame.height * (len(layout.columns) - 1)):
        return None
    # Ids may hold blanks between tabs, and blanks around them are padding: the line reader tells them apart.
    if has_tabs and any(frame[name].str.contains(" ", literal=True).any() for name in ("topic", "document")):
        return None
    return frame.select("topic", "document", number)


def _are_fields_in_place(content: bytes, separator: str, n_separators: int) -> bool:
    """Are there as many separators as there should be, and no empty fields between blanks?

    Lines whose last field is there have no fewer fields than they need, so none has more if all together have not.
    """
    import numpy as np

    if np.count_nonzero(np.frombuffer(content, np.uint8) == ord(separator)) != n_separators:
        return False
    pairs = (np.frombuffer(content, np.uint16, (len(content) - start) // 2, start) for start in (0, 1))
    return separator == "\t" or not any((pair == TWO_BLANKS).any() for pair in pairs)


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
