"""simulate-clicks: synthetic logs, of any layout."""

from __future__ import annotations

import polars as pl
import pytest

from riskrank.files.own_folder import OwnFolder

from ...mistakes import told_in_one_line
from .click_commands import done_well, shows_usage


def test_it_says_how_many_pages_it_wrote(made):
    said = made[1]["simulate"]
    assert said.stdout.startswith("log.parquet: 2,5")
    assert said.stdout.endswith(" result pages\n")
    assert said.stderr == ""


def test_the_seed_makes_the_log(riskrank, tmp_path):
    for name, options in {"a": (), "b": (), "c": ("--seed", 1), "d": ("--habits", 0, "--refinding", 1)}.items():
        done_well(riskrank, "simulate-clicks", name, "-n", 50, *options)
    a, b, c, d = ((tmp_path / name).read_bytes() for name in "abcd")
    assert a == b
    assert len({a, c, d}) == 3


def test_a_log_is_written_over_one_that_was_there_only_by_force(riskrank, tmp_path):
    done_well(riskrank, "simulate-clicks", "log.csv", "-n", 30)
    told_in_one_line(riskrank, tmp_path, ("simulate-clicks", "log.csv", "-n", 60), "log.csv: exists.")
    done_well(riskrank, "simulate-clicks", "log.csv", "-n", 60, "--force")
    assert len(pl.read_csv(tmp_path / "log.csv")) >= 600


def test_a_layout_that_a_name_cannot_have_is_refused(riskrank, tmp_path):
    told_in_one_line(riskrank, tmp_path, ("simulate-clicks", "a.parquet", "-n", 30, "--layout", "2013"), "parquet")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("simulate-clicks", "nowhere/log.csv", "-n", 20), "nowhere/log.csv: cannot be written"),
        (("simulate-clicks", "foreign", "-n", 20), "foreign: exists."),
        (("simulate-clicks", "log.tsv", "-n", 20), "log.tsv: must end in .parquet or .csv for a table"),
        (("simulate-clicks", "log.txt", "-n", 20, "--layout", "table"), "log.txt: must end in .parquet or .csv"),
        (("simulate-clicks", "new", "--layout", "2012"), "--layout must be one of 2011, 2013, table, got '2012'"),
        (("simulate-clicks", "new", "-n", 0), "--pages must be a whole number from 1, got 0"),
        (("simulate-clicks", "new", "-n", -5), "--pages must be a whole number from 1, got -5"),
        (("simulate-clicks", "new", "--habits", 2), "--habits must be a number from 0 to 1, got 2.0"),
        (("simulate-clicks", "new", "--refinding", -1), "--refinding must be a number from 0 to 1"),
        (("simulate-clicks", "new", "--ambiguous", "nan"), "--ambiguous must be a number from 0 to 1"),
        (("simulate-clicks", "new", "--seed", -1), "--seed must be a whole number from 0, got -1"),
    ],
    ids=lambda x: x if isinstance(x, str) else " ",
)
def test_a_mistake_is_one_line_and_status_2_and_nothing_is_written(riskrank, untouched, arguments, message):
    told_in_one_line(riskrank, untouched, arguments, message)


def test_without_what_it_needs_it_shows_its_usage(riskrank, files):
    shows_usage(riskrank, files, ("simulate-clicks",))


def test_no_file_of_a_folder_of_ours_is_replaced_even_by_force(riskrank, tmp_path):
    with OwnFolder(tmp_path / "model", "model").changed() as change:
        change.write("card.csv", "ours")
    done = riskrank("simulate-clicks", tmp_path / "model" / "card.csv", "--pages", 5, "--force")
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert "is part of the model" in done.err
    assert (tmp_path / "model" / "card.csv").read_text() == "ours"
