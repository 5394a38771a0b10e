"""Reading the logs of the two Yandex challenges, a batch of whole sessions at a time, in memory that does not grow."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riskrank.clicks.impressions import Impressions
from riskrank.clicks.logs.log_report import LogReport
from riskrank.data.files import UTF8_BOM, opened
from riskrank.errors import FileError, one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from riskrank.kernels.click_lines import Events, ImpressionArrays
    from riskrank.typing import Integers, PathLike

BLOCK = 8 << 20  # bytes read at a time


def read_yandex(
    path: PathLike, *, has_users: bool, strict: bool = False, report: LogReport | None = None, block: int = BLOCK
) -> Iterator[Impressions]:
    """Batches of a log, each of whole sessions.

    `has_users`: the log of 2013/14, else that of 2011/12. Lines that make no sense are counted in `report`, or with
    `strict` end the reading. `block`: bytes read at a time.
    """
    log = _Log(path, has_users, strict, LogReport() if report is None else report)
    with opened(path) as file:
        rest = file.read(len(UTF8_BOM)).removeprefix(UTF8_BOM)
        while more := file.read(max(block, len(rest))):  # a session that is longer is read again when it has doubled
            text = rest + more
            lines = text.rfind(b"\n") + 1
            batch, used = log.read(text[:lines], is_last=False)
            rest = text[used:]
            if len(batch):
                yield batch
        batch, _ = log.read(rest, is_last=True)
        if len(batch):
            yield batch


class _Log:
    def __init__(self, path: PathLike, has_users: bool, strict: bool, report: LogReport) -> None:
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
    kind, values = np.empty(n_lines, np.uint8), np.empty(n_values, np.int64)
    return Events(first_byte, session, time, kind, subject, scope, first_value, n_terms, n_documents, values)


def _empty_impressions(n_events: int, n_values: int) -> ImpressionArrays:
    from riskrank.kernels.click_lines import ImpressionArrays

    event, user, day = (np.empty(n_events, np.int64) for _ in range(3))
    document_offset, term_offset = (np.zeros(n_events + 1, np.int64) for _ in range(2))
    document, domain, term = (np.empty(n_values, np.int64) for _ in range(3))
    dwell, click_time = (np.empty(n_values) for _ in range(2))
    return ImpressionArrays(event, user, day, document_offset, document, domain, dwell, click_time, term_offset, term)


def _impressions(events: Events, pages: ImpressionArrays, n: int, n_documents: int, n_terms: int) -> Impressions:
    from riskrank.kernels.click_lines import TEST

    event = pages.event[:n]
    return Impressions(
        session=events.session[event], user=pages.user[:n].copy(), day=pages.day[:n].copy(), time=events.time[event],
        query=events.subject[event], is_withheld=events.kind[event] == TEST,
        document_offset=pages.document_offset[: n + 1].copy(), document=pages.document[:n_documents].copy(),
        domain=pages.domain[:n_documents].copy(), dwell=pages.dwell[:n_documents].copy(),
        click_time=pages.click_time[:n_documents].copy(), term_offset=pages.term_offset[: n + 1].copy(),
        term=pages.term[:n_terms].copy(),
    )  # fmt: skip


def _last_session(session: Integers, first_byte: Integers, end: int) -> int:
    """Where the last session begins, which may go on; lines without any event are done with."""
    if not len(session):
        return end
    others = np.flatnonzero(session != session[-1])
    return int(first_byte[others[-1] + 1]) if len(others) else 0
