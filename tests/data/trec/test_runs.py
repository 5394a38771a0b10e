from __future__ import annotations

import pytest

from riskrank.data.trec.runs import Run, read_run, read_runs
from riskrank.errors import AlignmentError

LINE = "1 Q0 a 1 2.5 t\n"


def test_names_come_from_files_and_must_differ(tmp_path):
    (tmp_path / "other").mkdir()
    paths = [tmp_path / "a.run", tmp_path / "other" / "a.run"]
    for path in paths:
        path.write_text(LINE)
    assert list(read_runs(paths[:1])) == ["a"]
    with pytest.raises(AlignmentError, match="two runs are named 'a'"):
        read_runs(paths)


def test_files_frames_dicts_and_runs_are_read_together_in_the_order_given(tmp_path):
    (tmp_path / "file.run").write_text(LINE)
    table = {"1": {"a": 2.5}}
    run = read_run(table, name="bm25")
    runs = read_runs({"dict": table, "file": tmp_path / "file.run", "frame": run.frame, "run": run})
    assert list(runs) == ["dict", "file", "frame", "run"]
    assert [each.name for each in runs.values()] == list(runs)
    assert all(each.frame.rows() == [("1", "a", 2.5)] for each in runs.values())
    assert list(read_runs([table, run])) == ["run1", "bm25"]


def test_a_run_prints_what_it_holds():
    run = read_run({"1": {"a": 2.5, "b": 1.0}}, name="bm25")
    assert isinstance(run, Run)
    assert repr(run) == "Run bm25: 1 topic, 2 documents"
