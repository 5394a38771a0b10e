"""The logs of two Yandex challenges, read a stretch at a time: whole sessions, in memory that does not grow.

Relevance Prediction 2011/12: ``SessionID TimePassed Q QueryID RegionID URL…`` and ``SessionID TimePassed C URLID``.
Personalized Web Search 2013/14: ``SessionID M Day UserID``, ``SessionID TimePassed Q SERPID QueryID terms
URLID,DomainID…`` (``T`` for test queries) and ``SessionID TimePassed C SERPID URLID``. Fields are separated by tabs;
.gz is read too.
"""

from __future__ import annotations

from typing import IO, TYPE_CHECKING

import numpy as np

from riskrank.clicks.impressions import Impressions
from riskrank.clicks.log_report import KEPT, LogReport
from riskrank.data.files import opened
from riskrank.errors import FileError, one_line

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

BLOCK = 8 << 20  # bytes read at a time


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
    found = LogReport() if report is None else report
    with opened(path) as file:
        kind = layout
        for text in _stretches(file, block):
            if kind is None:
                kind = told_layout(text)
                if kind is None:
                    raise FileError(path, f"is not a log of Yandex: {one_line(text[:60].decode(errors='replace'))!r}.")
            yield _impressions(text, path, kind == "2013", strict, found)


def told_layout(text: bytes) -> str | None:
    """Which log it is, from the first lines that tell."""
    for line in text.split(b"\n", 50)[:50]:
        fields = line.rstrip(b"\r").split(b"\t")
        if len(fields) > 2 and fields[1] == b"M":
            return "2013"
        if len(fields) > 5 and fields[2] in (b"Q", b"T"):
            return "2013" if b"," in fields[-1] else "2011"
    return None


def _stretches(file: IO[bytes], block: int) -> Iterator[bytes]:
    """Blocks that end between two sessions."""
    rest = b""
    while True:
        more = file.read(block)
        text = rest + more
        if not more:
            if text:
                yield text
            return
        cut = _last_session(text)
        if cut > 0:
            yield text[:cut]
        rest = text[cut:]


def _last_session(text: bytes) -> int:
    """Where the last session of a text begins, which may go on beyond it; 0 if that is not known."""
    end = text.rfind(b"\n") + 1  # what follows is half a line
    if not end:
        return 0
    start = text.rfind(b"\n", 0, end - 1) + 1
    name = text[start:end].split(b"\t", 1)[0]
    prefix = name + b"\t"
    while start:
        earlier = text.rfind(b"\n", 0, start - 1) + 1
        if not text.startswith(prefix, earlier):
            return start
        start = earlier
    return 0


def _impressions(
    text: bytes, path: str | os.PathLike[str], with_users: bool, strict: bool, report: LogReport
) -> Impressions:
    from riskrank.kernels.click_lines import TEST, gather_impressions, parse_events

    data = np.frombuffer(text, np.uint8)
    n_lines = text.count(b"\n") + 1
    most_values = text.count(b"\t") + text.count(b",") + 1
    session, time, first, second, begin = (np.empty(n_lines, np.int64) for _ in range(5))
    kind = np.empty(n_lines, np.uint8)
    n_terms, n_documents = (np.empty(n_lines, np.int32) for _ in range(2))
    values = np.empty(most_values, np.int64)
    bad = np.empty(KEPT, np.int64)
    n_events, n_values, n_bad, read = parse_events(
        data, with_users, session, time, kind, first, second, begin, n_terms, n_documents, values, bad
    )
    numbers = (bad[: min(n_bad, KEPT)] + report.lines + 1).tolist()
    if n_bad and strict:
        line = text.split(b"\n")[numbers[0] - report.lines - 1]
        raise FileError(path, f"line is not understood: {one_line(line.decode(errors='replace'))!r}.", line=numbers[0])
    row, user, day = (np.empty(n_events, np.int64) for _ in range(3))
    document_offset, term_offset = (np.zeros(n_events + 1, np.int64) for _ in range(2))
    document, domain, term = (np.empty(n_values, np.int64) for _ in range(3))
    dwell = np.empty(n_values)
    n, n_docs, n_words, lost = gather_impressions(
        n_events, with_users, session, time, kind, first, second, begin, n_terms, n_documents, values,
        row, user, day, document_offset, document, domain, dwell, term_offset, term,
    )  # fmt: skip
    row = row[:n]
    found = Impressions(
        session=session[row], user=user[:n].copy(), day=day[:n].copy(), time=time[row], query=first[row],
        is_test=kind[row] == TEST, document_offset=document_offset[: n + 1].copy(), document=document[:n_docs].copy(),
        domain=domain[:n_docs].copy(), dwell=dwell[:n_docs].copy(), score=np.full(n_docs, np.nan),
        term_offset=term_offset[: n + 1].copy(), term=term[:n_words].copy(),
    )  # fmt: skip
    report.add(found, lines=read, lost_clicks=lost, bad=n_bad, bad_lines=numbers)
    return found
