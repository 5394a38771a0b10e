from __future__ import annotations

import polars as pl
import pytest

from riskrank.clicks.impressions import one_batch
from riskrank.clicks.logs.log_report import LogReport
from riskrank.clicks.logs.table_reading import read_click_table
from riskrank.clicks.simulator import World


@pytest.fixture(scope="module")
def read_rows(tmp_path_factory):
    """What is read from a CSV file, or from a table written as Parquet."""
    folder = tmp_path_factory.mktemp("tables")

    def reading(content, name="log.csv", **options):
        path = folder / (name if isinstance(content, str | bytes) else "log.parquet")
        if isinstance(content, str | bytes):
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        else:
            (content if isinstance(content, pl.DataFrame) else pl.DataFrame(content)).write_parquet(path)
        report = LogReport()
        return list(read_click_table(path, report=report, **options)), report

    return reading


@pytest.fixture(scope="session")
def batches():
    """A synthetic log in several batches, none of them empty."""
    log = one_batch(list(World().log(200)))
    cuts = [log.session < 20, (log.session >= 20) & (log.session < 60), log.session >= 60]
    return [log.take(cut) for cut in cuts]
