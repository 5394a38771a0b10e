"""A log layout as another package might bring it: a line for each result page, read and written in plain Python."""

from __future__ import annotations

import math
from itertools import chain, groupby

import numpy as np

from riskrank.clicks.impressions import Impressions
from riskrank.clicks.logs.log_layout import LogLayout
from riskrank.data.files import opened
from riskrank.errors import FileError, one_line

FIRST_LINE = b"# session query document:dwell document...\n"


class PageLines(LogLayout):
    """``7 1 5 6:12.5 8:inf``: in session 7, query 1 showed three documents, and two of them were clicked."""

    name = "pages"
    endings = (".pages",)

    def detect(self, head, /):
        return head.startswith(FIRST_LINE)

    def read(self, path, *, strict, report):
        """A batch per session: enough for small logs, while large ones are read faster with many in each."""
        for _, pages in groupby(self._pages(path, strict, report), key=lambda page: page[0]):
            batch = impressions(list(pages))
            report.add(batch)
            yield batch

    def _pages(self, path, strict, report):
        with opened(path) as file:
            for number, line in enumerate(file, start=1):
                if line.startswith(b"#"):
                    continue
                report.lines += 1
                try:
                    yield page_of(line)
                except ValueError:
                    if strict:
                        what = f"line is not understood: {one_line(line.decode(errors='replace').strip())!r}."
                        raise FileError(path, what, line=number) from None
                    report.add_bad(path, [number])

    def write(self, batches, file, *, name):
        n_pages = 0
        file.write(FIRST_LINE)
        for batch in batches:
            n_pages += len(batch)
            for i in range(len(batch)):
                shown = slice(batch.document_offset[i], batch.document_offset[i + 1])
                documents = [
                    str(document) if math.isnan(dwell) else f"{document}:{dwell!r}"
                    for document, dwell in zip(batch.document[shown], batch.dwell[shown].tolist(), strict=True)
                ]
                file.write(" ".join(map(str, [batch.session[i], batch.query[i], *documents])).encode() + b"\n")
        return n_pages


def page_of(line):
    """Session, query, documents, and how long each was looked at; ValueError for a line that makes no sense."""
    session, query, *shown = line.decode().split()
    pairs = [each.partition(":") for each in shown]
    dwell = [float(seconds) if colon else math.nan for _, colon, seconds in pairs]
    return int(session), int(query), [int(document) for document, _, _ in pairs], dwell


def impressions(pages):
    sessions, queries, documents, dwells = zip(*pages, strict=True)
    return Impressions(
        session=np.array(sessions, np.int64),
        query=np.array(queries, np.int64),
        document_offset=np.cumsum([0, *map(len, documents)]),
        document=np.array(list(chain(*documents)), np.int64),
        dwell=np.array(list(chain(*dwells)), np.float64),
    )
