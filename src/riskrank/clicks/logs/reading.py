"""Search logs of any kind, in one or several files."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from riskrank.clicks.logs.log_files import LAYOUTS, TABLES
from riskrank.clicks.logs.log_report import LogReport
from riskrank.clicks.logs.table_logs import read_table
from riskrank.clicks.logs.yandex_logs import read_yandex
from riskrank.parameters import one_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from riskrank.clicks.impressions import Impressions


def read_log(
    paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    layout: str | None = None,
    strict: bool = False,
    report: LogReport | None = None,
) -> Iterator[Impressions]:
    """Stretches of a log, each of whole sessions, in memory that does not grow with it.

    `layout`: ``"2011"`` and ``"2013"`` are the logs of two Yandex challenges (see `riskrank.clicks.logs.yandex_logs`),
    ``"table"`` is a row per document (see `riskrank.clicks.logs.table_logs`); by default told from the file. Lines that
    make no sense are counted in `report`, or with `strict` end the reading.
    """
    if layout is not None:
        one_of("layout", layout, LAYOUTS)
    found = LogReport() if report is None else report
    for path in [paths] if isinstance(paths, str | os.PathLike) else paths:
        is_table = os.fspath(path).endswith(TABLES) if layout is None else layout == "table"
        if is_table:
            yield from read_table(path, strict=strict, report=found)
        else:
            yield from read_yandex(path, layout=layout, strict=strict, report=found)
