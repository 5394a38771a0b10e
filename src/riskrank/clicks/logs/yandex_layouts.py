"""The logs of two Yandex challenges: lines of text, gzipped or not, with fields between tabs.

Relevance Prediction 2011/12: ``SessionID TimePassed Q QueryID RegionID URL…`` and ``SessionID TimePassed C URLID``.
Personalized Web Search 2013/14: ``SessionID M Day UserID``, ``SessionID TimePassed Q SERPID QueryID terms
URLID,DomainID…`` (``T`` for test queries) and ``SessionID TimePassed C SERPID URLID``.
"""

from __future__ import annotations

import gzip
from contextlib import nullcontext
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, cast

from riskrank.clicks.logs.log_layout import LogLayout
from riskrank.clicks.logs.yandex_reading import read_yandex
from riskrank.clicks.logs.yandex_writing import write_yandex

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from riskrank.clicks.impressions import Impressions
    from riskrank.clicks.logs.log_report import LogReport
    from riskrank.typing import PathLike

LINES = 50  # that are looked at


@dataclass(frozen=True)
class YandexLayout(LogLayout):
    """One of the two; `has_users`: the log of 2013/14, which also has days, terms, domains and withheld clicks."""

    name: str
    has_users: bool

    def detect(self, head: bytes, /) -> bool:
        """Is the first line that tells one of this log?"""
        for line in head.split(b"\n", LINES)[:LINES]:
            fields = line.rstrip(b"\r").split(b"\t")
            if len(fields) > 2 and fields[1] == b"M":
                return self.has_users
            if len(fields) > 5 and fields[2] in (b"Q", b"T"):
                return self.has_users == (b"," in fields[-1])
        return False

    def read(self, path: PathLike, *, strict: bool, report: LogReport) -> Iterator[Impressions]:
        return read_yandex(path, has_users=self.has_users, strict=strict, report=report)

    def write(self, batches: Iterable[Impressions], file: IO[bytes], *, name: str) -> int:
        with gzip.open(file, "wb") if name.endswith(".gz") else nullcontext(file) as text:
            return write_yandex(batches, cast("IO[bytes]", text), has_users=self.has_users)


YANDEX_2011 = YandexLayout("2011", has_users=False)
YANDEX_2013 = YandexLayout("2013", has_users=True)
