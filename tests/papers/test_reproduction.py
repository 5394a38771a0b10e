"""Experiments run again, and what is written of them."""

from __future__ import annotations

import csv

import pytest

import riskrank as rr
from riskrank.errors import FileError, ParameterError
from riskrank.papers.outcome import FigureSeries, Outcome, PaperFigure
from riskrank.papers.reproduction import outcome_csv, reproduce


def test_one_experiment_is_run_and_written(tmp_path):
    result = rr.reproduce("dincer2016", "Table 5")
    assert list(result.outcomes) == ["table-5"]
    written = result.save(tmp_path / "out")
    assert [path.name for path in written] == ["dincer2016-table-5.html", "dincer2016-table-5.csv"]
    with open(tmp_path / "out" / "dincer2016-table-5.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    numbers, claims = rows[:64], rows[64:]
    assert {row["agrees"] for row in numbers} == {"true"}
    assert [(row["part"], row["agrees"]) for row in claims] == [("claim", "holds")] * len(claims)


def test_nobodys_files_are_replaced(tmp_path):
    result = rr.reproduce("dincer2016", "table-5")
    (tmp_path / "dincer2016-table-5.csv").write_text("mine, all mine\n")
    with pytest.raises(FileError, match="exists and holds something else"):
        result.save(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["dincer2016-table-5.csv"]
    result.save(tmp_path, overwrite=True)
    rr.reproduce("dincer2016", "table-4").save(tmp_path)
    assert (tmp_path / "dincer2016-table-5.html").is_file()  # of another experiment


def test_the_readers_data_are_no_place_for_results(tmp_path):
    with pytest.raises(FileError, match="is one of the inputs"):
        reproduce("dincer2016", "table-5", data=tmp_path, folder=tmp_path)


def test_curves_are_written_point_by_point():
    figure = PaperFigure("f", "x", "y", (FigureSeries("s", (1.0, 2.0), (0.5, 0.25)),))
    assert outcome_csv(Outcome("made up", figures=(figure,))).splitlines()[1:] == ["f,s,1.0,0.5,,", "f,s,2.0,0.25,,"]


def test_the_full_protocol_needs_a_place_for_what_is_finished(tmp_path):
    with pytest.raises(ParameterError, match="give a folder"):
        reproduce("dincer2016", "table-5", data=tmp_path)
    with pytest.raises(FileError, match="none is here"):
        reproduce("dincer2016", "table-5", data=tmp_path / "none", folder=tmp_path)


def test_what_comes_next_is_told():
    seen = []
    reproduce("dincer2016", ["table-5"], told=lambda experiment, work: seen.append((experiment.key, work.data)))
    assert seen == [("table-5", None)]
