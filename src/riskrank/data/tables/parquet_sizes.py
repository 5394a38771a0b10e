"""How large a Parquet file becomes in memory, as its footer says: Polars ends the process where memory does not last.

The footer is a structure of Thrift's compact protocol (parquet.thrift: FileMetaData), of which only sizes are used.
"""

from __future__ import annotations

import io
import os
from typing import IO, TYPE_CHECKING, Any

from riskrank.data.files import reading_told
from riskrank.data.opening.packed_streams import check_unpacked
from riskrank.errors import FileError
from riskrank.files.reading import check_regular

if TYPE_CHECKING:
    from riskrank.typing import PathLike

MAGIC = b"PAR1"
LEAST = 4  # bytes of a cell in memory
SCHEMA, N_ROWS, ROW_GROUPS = 2, 3, 4  # fields of FileMetaData
COLUMNS, GROUP_SIZE, GROUP_ROWS = 1, 2, 3  # fields of RowGroup; its size is without compression
METADATA = 3  # field of ColumnChunk
COLUMN_VALUES, COLUMN_SIZE, DATA_OFFSET, DICTIONARY_OFFSET = 5, 7, 9, 11  # fields of ColumnMetaData
UNPACKED_SIZE, PACKED_SIZE = 2, 3  # fields of PageHeader
PAGE_KINDS = {
    5: (1,),
    7: (1,),
    8: (1, 2, 3),
}  # fields of PageHeader, by kind of page, and their fields that count values
LONGEST_HEADER = 1 << 16  # bytes; statistics may hold long texts
CHILDREN = 5  # field of SchemaElement: how many columns it groups, none for a column
DEEPEST = 32  # structures within structures; Parquet has six
STOP, TRUE, FALSE, BYTE, DOUBLE, BINARY, LIST, SET, MAP, STRUCT = 0, 1, 2, 3, 7, 8, 9, 10, 11, 12


def check_parquet(path: PathLike, content: bytes | None = None) -> None:
    """Refuse a file whose footer promises far more than it holds; what is no Parquet at all is for the reader to say.

    `content`: the file's bytes, where they were unpacked.
    """
    with reading_told(path):
        if content is None:
            check_regular(path, os.stat(path))
        with open(path, "rb") if content is None else io.BytesIO(content) as file:
            _check(path, file)


def _check(path: PathLike, file: IO[bytes]) -> None:
    size = file.seek(0, io.SEEK_END)
    if size < 12:
        return
    file.seek(size - 8)
    tail = file.read(8)
    length = int.from_bytes(tail[:4], "little")
    if tail[4:] != MAGIC or length > size - 8:
        return
    file.seek(size - 8 - length)
    try:
        footer = _Thrift(file.read(length)).structure()
        n_columns = sum(not element.get(CHILDREN) for element in footer.get(SCHEMA, []))
        groups = footer.get(ROW_GROUPS, [])
        n_rows, n_bytes = footer[N_ROWS], sum(group.get(GROUP_SIZE, 0) for group in groups)
        n_in_pages = sum(_pages_size(file, size, column[METADATA]) for group in groups for column in group[COLUMNS])
        if n_rows < 0 or any(not 0 <= group[GROUP_ROWS] <= n_rows for group in groups):
            raise ValueError("rows")
    except (LookupError, TypeError, AttributeError, ValueError, OverflowError):
        raise FileError(path, "is not a Parquet file (its footer, or the beginning of a page, is damaged).") from None
    check_unpacked(path, max(n_bytes, n_in_pages, n_rows * n_columns * LEAST), size)


def _pages_size(file: IO[bytes], size: int, column: dict[int, Any]) -> int:
    """The bytes of a column's pages in memory; each must say of itself what can be, since Polars relies on it."""
    n_values, at = column[COLUMN_VALUES], column.get(DICTIONARY_OFFSET) or column[DATA_OFFSET]
    end, total = at + column[COLUMN_SIZE], 0
    if not (0 <= at <= end <= size and n_values >= 0):
        raise ValueError("a column lies outside the file")
    while at < end:
        file.seek(at)
        header = _Thrift(file.read(min(LONGEST_HEADER, end - at)))
        page = header.structure()
        packed, unpacked = page[PACKED_SIZE], page[UNPACKED_SIZE]
        counts = [page[kind][number] for kind, numbers in PAGE_KINDS.items() if kind in page for number in numbers]
        at += header.at + packed
        if packed < 0 or unpacked < 0 or at > end or not all(0 <= count <= n_values for count in counts):
            raise ValueError("a page is larger than its column")
        total += unpacked
    return total


class _Thrift:
    """Reads structures as dicts by the numbers of their fields."""

    def __init__(self, text: bytes) -> None:
        self._text = text
        self.at = 0

    def structure(self, depth: int = 0) -> dict[int, Any]:
        fields: dict[int, Any] = {}
        number = 0
        while (head := self._byte()) != STOP:
            number = number + (head >> 4) if head >> 4 else self._whole()
            fields[number] = head & 15 == TRUE if head & 15 in (TRUE, FALSE) else self._value(head & 15, depth)
        return fields

    def _value(self, kind: int, depth: int) -> Any:
        if depth > DEEPEST:
            raise ValueError("structures within structures")
        if kind in (TRUE, FALSE, BYTE):  # in a list, where a truth value is a byte
            return self._byte()
        if kind == DOUBLE:
            return self._skip(8)
        if kind == BINARY:
            return self._skip(self._varint())
        if kind in (LIST, SET):
            head = self._byte()
            size = head >> 4 if head >> 4 < 15 else self._varint()
            return [self._value(head & 15, depth + 1) for _ in range(size)]
        if kind == STRUCT:
            return self.structure(depth + 1)
        if kind == MAP or kind > STRUCT:  # FileMetaData has none
            raise ValueError("no such type")
        return self._whole()

    def _byte(self) -> int:
        self.at += 1
        return self._text[self.at - 1]

    def _skip(self, size: int) -> None:
        self.at += size
        if self.at > len(self._text):
            raise ValueError("ends too early")

    def _varint(self) -> int:
        value, shift = 0, 0
        while True:
            byte = self._byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128 or shift > 70:
                return value

    def _whole(self) -> int:
        value = self._varint()
        return value >> 1 ^ -(value & 1)
