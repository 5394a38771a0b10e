"""Logs as plain tables (Parquet or CSV): a row per document shown.

Columns: session, query, position, document, clicked; and where they are known user, time, day, dwell, click_time (on
the clock of time), domain, score and terms. Rows of a session lie together, in the order of time and position. Numbers
and texts of any kind name users, sessions, queries and documents; times are seconds or timestamps. A click without a
dwell time counts as one that ends the session. Where there is no column for it, the day is told from the time, the
domain from a document that is a URL, the terms from a query that is text. A session that appears again much later in
the table is another one.
"""

from __future__ import annotations

from pathlib import Path
from typing import IO, TYPE_CHECKING

from riskrank.clicks.logs.log_layout import LogLayout
from riskrank.clicks.logs.table_reading import read_click_table
from riskrank.clicks.logs.table_writing import write_csv_log, write_parquet_log

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from riskrank.clicks.impressions import Impressions
    from riskrank.clicks.logs.log_report import LogReport
    from riskrank.typing import PathLike


class TableLayout(LogLayout):
    """Told by the name of the file alone."""

    name = "table"
    endings = (".parquet", ".pq", ".csv", ".csv.gz", ".tsv", ".tsv.gz")
    writable_endings = (".parquet", ".csv")

    def read(self, path: PathLike, *, strict: bool, report: LogReport) -> Iterator[Impressions]:
        return read_click_table(path, strict=strict, report=report)

    def write(self, batches: Iterable[Impressions], file: IO[bytes], *, name: str) -> int:
        is_parquet = name.endswith(".parquet")
        return write_parquet_log(batches, file, Path(name)) if is_parquet else write_csv_log(batches, file)


TABLE = TableLayout()
