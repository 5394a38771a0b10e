"""The logs of two Yandex challenges, read a stretch at a time: whole sessions, in memory that does not grow.

Relevance Prediction 2011/12: ``SessionID TimePassed Q QueryID RegionID URL…`` and ``SessionID TimePassed C URLID``.
Personalized Web Search 2013/14: ``SessionID M Day UserID``, ``SessionID TimePassed Q SERPID QueryID terms
URLID,DomainID…`` (``T`` for test queries) and ``SessionID TimePassed C SERPID URLID``. Fields are separated by tabs;
.gz is read too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riskrank.clicks.impressions import Impressions
from riskrank.clicks.logs.log_report import LogReport
from riskrank.data.files import UTF8_BOM, opened
from riskrank.errors import FileError, one_line
from riskrank.parameters import one_of, whole

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

    from numpy.typing import NDArray

BLOCK = 8 << 20  # bytes read at a time
HEAD = 1 << 16  # bytes that tell the layout
LAYOUTS = ("2011", "2013")


def read_yandex(
    path: str | os.PathLike[str],
    *,
    layout: str | None = None,
    strict: bool = False,
    report: LogReport | None = None,
    block: int = BLOCK,
) -> Iterator[Impressions]:
    """Stretches of a log, each of whole sessions.

    `layout`: ``"2011"`` or ``"2013"``; by default told from the first lines. Lines that make no sense are counted in
    `report`, or with `strict` end the reading.
    """
    whole("block", block, 1)
    if layout is not None:
        one_of("layout", layout, LAYOUTS)
    kind = layout
    if kind is None:
        with opened(path) as file:
            head = file.read(HEAD).removeprefix(UTF8_BOM)
        if not head.strip():
            raise FileError(path, "is empty.")
        kind = told_layout(head)
        if kind is None:
            raise FileError(path, f"is not a log of Yandex: {one_line(head[:60].decode(errors='replace'))!r}.")
    log = _Log(path, kind == "2013", strict, LogReport() if report is None else report)
    with opened(path) as file:
        rest = file.read(len(UTF8_BOM)).removeprefix(UTF8_BOM)
        while more := file.read(block):
            text = rest + more
            lines = text.rfind(b"\n") + 1
            part, used = log.read(text[:lines], is_last=False)
            rest = text[used:]
            if len(part):
                yield part
        part, _ = log.read(rest, is_last=True)
        if len(part):
            yield part


def told_layout(text: bytes) -> str | None:
    """Which log it is, from the first lines that tell."""
    for line in text.split(b"\n", 50)[:50]:
        fields = line.rstrip(b"\r").split(b"\t")
        if len(fields) > 2 and fields[1] == b"M":
            return "2013"
        if len(fields) > 5 and fields[2] in (b"Q", b"T"):
            return "2013" if b"," in fields[-1] else "2011"
    return None


class _Log:
    """A log that is read block by block."""

    def __init__(self, path: str | os.PathLike[str], with_users: bool, strict: bool, report: LogReport) -> None:
        self._path, self._with_users, self._strict, self._report = path, with_users, strict, report
        self._lines = 0  # that are done with

    def read(self, text: bytes, *, is_last: bool) -> tuple[Impressions, int]:
        """The whole sessions at the beginning of some lines, and how many bytes these are.

        The last session may go on in the next block, so that it is left unless this is the last one.
        """
        from riskrank.kernels.click_lines import TEST, gather_impressions, parse_events

        n_lines = text.count(b"\n") + 1
        most_values = len(text) // 2 + 1  # a digit and what follows it
        place, session, time, first, second, begin = (np.empty(n_lines, np.int64) for _ in range(6))
        kind = np.empty(n_lines, np.uint8)
        n_terms, n_documents = (np.empty(n_lines, np.int32) for _ in range(2))
        values = np.empty(most_values, np.int64)
        bad = np.empty(n_lines, np.int64)
        n_events, n_values, n_bad, read = parse_events(
            np.frombuffer(text, np.uint8), self._with_users, place, session, time, kind, first, second, begin,
            n_terms, n_documents, values, bad,
        )  # fmt: skip
        if n_bad and self._strict:
            line = text.split(b"\n")[bad[0]].decode(errors="replace")
            raise FileError(
                self._path, f"line is not understood: {one_line(line)!r}.", line=int(self._lines + bad[0] + 1)
            )
        used = len(text)
        if not is_last:
            used = _last_session(session[:n_events], place, len(text))
            n_events = int(np.searchsorted(place[:n_events], used))
            read = text.count(b"\n", 0, used)
        row, user, day = (np.empty(n_events, np.int64) for _ in range(3))
        document_offset, term_offset = (np.zeros(n_events + 1, np.int64) for _ in range(2))
        document, domain, term = (np.empty(n_values, np.int64) for _ in range(3))
        dwell, click_time = np.empty(n_values), np.empty(n_values)
        n, n_docs, n_words, lost = gather_impressions(
            n_events, self._with_users, session, time, kind, first, second, begin, n_terms, n_documents, values,
            row, user, day, document_offset, document, domain, dwell, click_time, term_offset, term,
        )  # fmt: skip
        row = row[:n]
        found = Impressions(
            session=session[row], user=user[:n].copy(), day=day[:n].copy(), time=time[row], query=first[row],
            is_test=kind[row] == TEST, document_offset=document_offset[: n + 1].copy(),
            document=document[:n_docs].copy(), domain=domain[:n_docs].copy(), dwell=dwell[:n_docs].copy(),
            click_time=click_time[:n_docs].copy(), score=np.full(n_docs, np.nan),
            term_offset=term_offset[: n + 1].copy(), term=term[:n_words].copy(),
        )  # fmt: skip
        wrong = bad[:n_bad][bad[:n_bad] < read]
        self._report.add(found, lines=read, lost_clicks=lost)
        self._report.add_bad(self._path, (wrong + self._lines + 1).tolist())
        self._lines += read
        return found, used


def _last_session(session: NDArray[np.int64], place: NDArray[np.int64], end: int) -> int:
    """Where the last session begins, which may go on; lines without any event are done with."""
    if not len(session):
        return end
    earlier = np.flatnonzero(session != session[-1])
    return int(place[earlier[-1] + 1]) if len(earlier) else 0
