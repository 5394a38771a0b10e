"""What is known of an entry of a cache; read at run time, so without ``from __future__ import annotations``."""

import hashlib
import json
import os
from dataclasses import asdict, dataclass
from typing import Annotated, ClassVar, Literal, Self

from riskrank.files.reading import check_regular, read_json
from riskrank.files.records import Count, Digest, Limits, check_version, decode
from riskrank.typing import PathLike

FORMAT: Literal["riskrank cached features"] = "riskrank cached features"
VERSION = 1
PIECES, PIECE = 16, 1 << 16  # of a file, evenly spread, that its sample is made of


@dataclass(frozen=True)
class FileStamp:
    """What tells a file from what may be in its place later: its size, its times and a sample of what it holds.

    Programs may set the time of a file's content back, but not that of its last change by the system's own clock.
    """

    size: Count
    changed: str  # both times in nanoseconds, which are more digits than a number in JSON has
    sample: Digest

    @classmethod
    def of(cls, path: PathLike) -> Self:
        """A file as it is now."""
        with open(path, "rb") as file:
            status = check_regular(path, os.fstat(file.fileno()))
            digest, last = hashlib.sha256(), max(0, status.st_size - PIECE)
            for number in range(PIECES):
                file.seek(last * number // (PIECES - 1))
                digest.update(file.read(PIECE))
        return cls(status.st_size, f"{status.st_mtime_ns} {status.st_ctime_ns}", digest.hexdigest())

    def holds_the_same(self, other: Self) -> bool:
        """Whenever they were written?"""
        return (self.size, self.sample) == (other.size, other.sample)


@dataclass(frozen=True)
class CacheRecord:
    """The files that features were read from, by their paths, and those that keep them, by their names."""

    has_more: ClassVar[bool] = False

    format: Literal["riskrank cached features"]
    version: Annotated[int, Limits(1, VERSION)]
    n_rows: Count
    n_features: Count
    sources: dict[str, FileStamp]
    files: dict[str, FileStamp]

    def to_json(self) -> str:
        """As it is written."""
        return json.dumps(asdict(self), indent=1, ensure_ascii=False) + "\n"

    @classmethod
    def read(cls, path: PathLike) -> Self:
        """A record that was written; raises `FileError`."""
        content = read_json(path)
        check_version(content, path, VERSION)
        return decode(cls, content, path)
