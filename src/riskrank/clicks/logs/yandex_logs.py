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

    from riskrank.kernels.click_lines import Events, ImpressionArrays
    from riskrank.typing import Integers

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

    def __init__(self, path: str | os.PathLike[str], has_users: bool, strict: bool, report: LogReport) -> None:
        self._path, self._has_users, self._strict, self._report = path, has_users, strict, report
        self._lines = 0  # that are done with

    def read(self, text: bytes, *, is_last: bool) -> tuple[Impressions, int]:
        """The whole sessions at the beginning of some lines, and how many bytes these are.

        The last session may go on in the next block, so that it is left unless this is the last one.
        """
        from riskrank.kernels.click_lines import gather_impressions, parse_events

        n_lines = text.count(b"\n") + 1
        events = _empty_events(n_lines, n_values=len(text) // 2 + 1)  # a digit and what follows it
        bad = np.empty(n_lines, np.int64)
        n_events, n_values, n_bad, read = parse_events(np.frombuffer(text, np.uint8), self._has_users, events, bad)
        if n_bad and self._strict:
            line = text.split(b"\n")[bad[0]].decode(errors="replace")
            raise FileError(
                self._path, f"line is not understood: {one_line(line)!r}.", line=int(self._lines + bad[0] + 1)
            )
        used = len(text)
        if not is_last:
            used = _last_session(events.session[:n_events], events.first_byte, len(text))
            n_events = int(np.searchsorted(events.first_byte[:n_events], used))
            read = text.count(b"\n", 0, used)
        pages = _empty_impressions(n_events, n_values)
        *sizes, n_lost = gather_impressions(events, n_events, self._has_users, pages)
        batch = _impressions(events, pages, *sizes)
        wrong = bad[:n_bad][bad[:n_bad] < read]
        self._report.add(batch, lines=read, lost_clicks=n_lost)
        self._report.add_bad(self._path, (wrong + self._lines + 1).tolist())
        self._lines += read
        return batch, used


def _empty_events(n_lines: int, n_values: int) -> Events:
    from riskrank.kernels.click_lines import Events

    first_byte, session, time, subject, scope, first_value = (np.empty(n_lines, np.int64) for _ in range(6))
    n_terms, n_documents = (np.empty(n_lines, np.int32) for _ in range(2))
    return Events(
        first_byte, session, time, np.empty(n_lines, np.uint8), subject, scope, first_value, n_terms, n_documents,
        np.empty(n_values, np.int64),
    )  # fmt: skip


def _empty_impressions(n_events: int, n_values: int) -> ImpressionArrays:
    from riskrank.kernels.click_lines import ImpressionArrays

    event, user, day = (np.empty(n_events, np.int64) for _ in range(3))
    document_offset, term_offset = (np.zeros(n_events + 1, np.int64) for _ in range(2))
    document, domain, term = (np.empty(n_values, np.int64) for _ in range(3))
    dwell, click_time = (np.empty(n_values) for _ in range(2))
    return ImpressionArrays(
        event, user, day, document_offset, document, domain, dwell, click_time, term_offset, term
    )  # fmt: skip


def _impressions(events: Events, pages: ImpressionArrays, n: int, n_documents: int, n_terms: int) -> Impressions:
    from riskrank.kernels.click_lines import TEST

    event = pages.event[:n]
    return Impressions(
        session=events.session[event], user=pages.user[:n].copy(), day=pages.day[:n].copy(), time=events.time[event],
        query=events.subject[event], is_test=events.kind[event] == TEST,
        document_offset=pages.document_offset[: n + 1].copy(), document=pages.document[:n_documents].copy(),
        domain=pages.domain[:n_documents].copy(), dwell=pages.dwell[:n_documents].copy(),
        click_time=pages.click_time[:n_documents].copy(), score=np.full(n_documents, np.nan),
        term_offset=pages.term_offset[: n + 1].copy(), term=pages.term[:n_terms].copy(),
    )  # fmt: skip


def _last_session(session: Integers, place: Integers, end: int) -> int:
    """Where the last session begins, which may go on; lines without any event are done with."""
    if not len(session):
        return end
    earlier = np.flatnonzero(session != session[-1])
    return int(place[earlier[-1] + 1]) if len(earlier) else 0
