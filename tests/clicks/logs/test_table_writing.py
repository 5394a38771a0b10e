"""Impressions as tables."""

from __future__ import annotations

import pytest

from riskrank.clicks.logs.log_files import read_log, write_log
from riskrank.errors import ParameterError

from .log_texts import NAMED, READ


@pytest.mark.parametrize("events", READ.values(), ids=READ)
@pytest.mark.parametrize("name", ["copy.csv", "copy.parquet"])
def test_a_log_that_was_read_can_be_written_as_a_table(tmp_path, pages_of, events, name):
    (tmp_path / "log.txt").write_text(events.replace(" ", "\t").replace("|", "\n") + "\n")
    write_log(read_log(tmp_path / "log.txt"), tmp_path / name, layout="table")
    assert pages_of(read_log(tmp_path / name)) == pages_of(read_log(tmp_path / "log.txt"))


@pytest.mark.parametrize("name", ["copy.csv", "copy.parquet"])
def test_logs_with_texts_for_names_go_through_a_table(tmp_path, pages_of, name):
    (tmp_path / "log.csv").write_text(NAMED)
    write_log(read_log(tmp_path / "log.csv"), tmp_path / name, layout="table")
    assert pages_of(read_log(tmp_path / name)) == pages_of(read_log(tmp_path / "log.csv"))


@pytest.mark.parametrize("name", ["log.csv", "log.parquet"])
def test_withheld_pages_are_not_written_as_pages_without_clicks(tmp_path, name):
    (tmp_path / "log.txt").write_text("1\tM\t0\t3\n1\t0\tT\t0\t5\t1\t10,1\n")
    with pytest.raises(ParameterError, match="withheld clicks cannot be written in the layout table"):
        write_log(read_log(tmp_path / "log.txt"), tmp_path / name)
    assert not (tmp_path / name).exists()
