"""How large an Arrow file becomes in memory, as its batches say: Polars ends the process where memory does not last.

Footer and batches are tables of FlatBuffers (File.fbs and Message.fbs of Arrow), of which only sizes are used.
"""

from __future__ import annotations

import io
import struct
from typing import IO, TYPE_CHECKING

from riskrank.data.opening.packed_streams import check_unpacked
from riskrank.errors import FileError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from riskrank.typing import PathLike

MAGIC = b"ARROW1"
DICTIONARIES, BATCHES = 2, 3  # fields of Footer
HEADER_KIND, HEADER = 1, 2  # fields of Message
DICTIONARY_DATA = 1  # field of DictionaryBatch, which holds a RecordBatch
DICTIONARY_BATCH = 2  # kind of a header
BUFFERS, COMPRESSION = 2, 3  # fields of RecordBatch
BLOCK = struct.Struct("<qi4xq")  # of Footer: where a message is, how long it is, and how long its body
BUFFER = struct.Struct("<qq")  # of RecordBatch: where in the body it is, and how long
CONTINUED = b"\xff\xff\xff\xff"  # before the length of a message, but in old files
TAIL = len(MAGIC) + 4


def check_arrow(path: PathLike, content: bytes | None = None) -> None:
    """Refuse a file whose batches unpack to far more than it holds; what is no Arrow file is for the reader to say.

    `content`: the file's bytes, where they were unpacked.
    """
    with open(path, "rb") if content is None else io.BytesIO(content) as file:
        size = file.seek(0, io.SEEK_END)
        file.seek(max(size - TAIL, 0))
        tail = file.read()
        length = int.from_bytes(tail[:4], "little")
        if tail[4:] != MAGIC or length > size - TAIL:
            return
        file.seek(size - TAIL - length)
        try:
            n_bytes = sum(_batch_size(file, size, *block) for block in _blocks(file.read(length)))
        except (struct.error, IndexError, ValueError):
            raise FileError(path, "is not an Arrow file, or it is damaged (where its batches are).") from None
    check_unpacked(path, n_bytes, size)


def _blocks(text: bytes) -> Iterator[tuple[int, ...]]:
    footer = _Table.root(text)
    for field in (DICTIONARIES, BATCHES):
        yield from footer.structures(field, BLOCK)


def _batch_size(file: IO[bytes], size: int, start: int, head_length: int, body_length: int) -> int:
    """The bytes of a batch in memory."""
    body = start + head_length
    if not (0 <= start <= body <= size and 0 <= body_length <= size - body):
        raise ValueError("a batch lies outside the file")
    file.seek(start)
    head = file.read(head_length)
    message = _Table.root(head[8 if head.startswith(CONTINUED) else 4 :])
    batch = message.table(HEADER)
    if message.byte(HEADER_KIND) == DICTIONARY_BATCH:
        batch = batch.table(DICTIONARY_DATA)
    is_packed, total = batch.has(COMPRESSION), 0
    for at, length in batch.structures(BUFFERS, BUFFER):
        if not 0 <= at <= at + length <= body_length:
            raise ValueError("a buffer lies outside its batch")
        unpacked = -1
        if is_packed and length >= 8:
            file.seek(body + at)
            unpacked = int.from_bytes(file.read(8), "little", signed=True)  # -1: it is as it is
        total += max(unpacked, length)
    return total


class _Table:
    """A table of FlatBuffers; fields are found by number."""

    def __init__(self, text: bytes, at: int) -> None:
        self._text, self._at = text, at
        self._fields = at - self._number("<i", at)
        self._end = self._number("<H", self._fields)

    @classmethod
    def root(cls, text: bytes) -> _Table:
        """The table that a text begins with."""
        return cls(text, struct.unpack_from("<I", text)[0])

    def has(self, field: int) -> bool:
        return self._place(field) is not None

    def byte(self, field: int) -> int:
        place = self._place(field)
        return 0 if place is None else self._number("<B", place)

    def table(self, field: int) -> _Table:
        return _Table(self._text, self._target(field))

    def structures(self, field: int, kind: struct.Struct) -> Iterator[tuple[int, ...]]:
        """The items of a list, each of which is numbers of fixed sizes."""
        if not self.has(field):
            return
        at = self._target(field)
        start, number = at + 4, self._number("<I", at)
        if start + number * kind.size > len(self._text):
            raise ValueError("a list is longer than the text")
        yield from kind.iter_unpack(self._text[start : start + number * kind.size])

    def _place(self, field: int) -> int | None:
        slot = 4 + 2 * field
        offset = self._number("<H", self._fields + slot) if slot < self._end else 0
        return self._at + offset if offset else None

    def _target(self, field: int) -> int:
        place = self._place(field)
        if place is None:
            raise ValueError("a field is missing")
        return place + self._number("<I", place)

    def _number(self, form: str, at: int) -> int:
        if at < 0:
            raise ValueError("before the beginning")
        value: int = struct.unpack_from(form, self._text, at)[0]
        return value
