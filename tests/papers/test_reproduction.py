"""Experiments run again, and what is written of them."""

from __future__ import annotations

import csv

import pytest

import riskrank as rr
from riskrank.errors import FileError, ParameterError
from riskrank.papers.outcome import FigureSeries, Outcome, PaperFigure
from riskrank.papers.reproduction import outcome_csv, reproduce

from .dincer.folders import write_track


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


def test_a_small_version_replaces_nothing_of_the_full_protocol(tmp_path):
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "finished").write_text("for days")
    result = reproduce("dincer2016", "table-6", folder=tmp_path, verbose=False)
    names = [path.name for path in result.save(tmp_path)]
    assert names == ["dincer2016-table-6-small.html", "dincer2016-table-6-small.csv"]
    assert {path.name for path in tmp_path.iterdir()} == {"work", *names}
    assert [path.name for path in (tmp_path / "work").iterdir()] == ["finished"]


def test_no_other_data_stand_in_for_those_of_an_experiment_that_is_named(tmp_path):
    (tmp_path / "data" / "Fold1").mkdir(parents=True)
    with pytest.raises(FileError, match=r"lacks web2012_err20.csv, .* Needed: scores of TREC 2012"):
        reproduce("dincer2016", "table-6", data=tmp_path / "data", folder=tmp_path / "out")
    (tmp_path / "data" / "web2012_err20.csv").touch()
    with pytest.raises(FileError, match=r"lacks .*Needed: MSLR-WEB10K"):
        reproduce("dincer2016", "table-7", data=tmp_path / "data", folder=tmp_path / "out")


@pytest.mark.parametrize(
    ("paper", "key", "message"),
    [
        ("burges2006", "figure-2", "has several of 'figure-2': figure-2-left, figure-2-right. Name one, or all"),
        ("dincer2016", "table-1", "Nothing to run: Table 1 "),
    ],
)
def test_what_cannot_be_run_is_told(paper, key, message):
    with pytest.raises(ParameterError, match=message):
        reproduce(paper, key)


def test_the_readers_data_are_no_place_for_results(tmp_path):
    with pytest.raises(FileError, match="is one of the inputs"):
        reproduce("dincer2016", "table-5", data=tmp_path, folder=tmp_path)


def test_a_place_that_is_no_folder_is_told_before_any_work(tmp_path):
    (tmp_path / "file").write_text("mine\n")
    told = []
    with pytest.raises(FileError, match="file: is a file; results need a folder"):
        reproduce("dincer2016", "table-5", folder=tmp_path / "file", told=lambda *each: told.append(each))
    assert told == []


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
    reproduce("dincer2016", ["table-5"], told=lambda experiment, seconds: seen.append((experiment.key, seconds)))
    assert seen == [("table-5", 0.0)]


@pytest.mark.parametrize(
    ("paper", "first", "lacking"),
    [
        ("burges2006", "figure-2-left", "figure-1"),
        ("burges2006", "section-4", "figure-3"),
        ("dincer2014", "table-3", "table-1"),
        ("dincer2016", "table-5", "figure-3"),
        ("dincer2016", "table-3", "table-7"),
        ("bennett2015", "table-1", "figure-2"),
        ("wang2012", "table-2", "table-1"),
    ],
)
def test_data_that_a_later_experiment_cannot_use_are_told_before_the_first_runs(paper, first, lacking, tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "notes.txt").write_text("nothing to learn from\n")
    told = []
    with pytest.raises(FileError, match="Needed: "):
        reproduce(
            paper, [first, lacking], data=tmp_path / "data", folder=tmp_path / "out", verbose=False,
            told=lambda *each: told.append(each),
        )  # fmt: skip
    assert told == []
    assert not (tmp_path / "out").exists()


def test_a_file_that_cannot_be_read_is_told_with_where_its_data_are_from(tmp_path):
    (write_track(tmp_path) / "web2012_err20.csv").write_text("run1,run2\n0.5,0.4\n0.5\n")
    with pytest.raises(FileError, match=r"err20\.csv:3: needs 2 cells .*\. Needed: scores of TREC 2012") as told:
        reproduce("dincer2014", "table-2", data=tmp_path, folder=tmp_path / "out", verbose=False)
    assert "\n" not in str(told.value)
    assert not (tmp_path / "out").exists()
