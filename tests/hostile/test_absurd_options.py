"""Every option of every command, with numbers that nobody means: an answer, or one line and status 2.

The options are those that the commands have, so that new ones are tried as well. With RISKRANK_THOROUGH, all
values are tried with each option.
"""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import sys
from typing import NamedTuple

import pytest
import typer

from riskrank.cli import table_options
from riskrank.cli.main import app

from ..thorough import IS_THOROUGH
from .formats import ToldError, command
from .small_files import write_all

HUGE = "1000000000000"
ABSURD = ("1" + "0" * 30, "-1", "nan", "inf", "9" * 5000, "0", "1e308")
USUAL = {
    "demo": "demo",
    "evaluate": "evaluate qrels.txt old.run new.run -b old",
    "gate": "gate qrels.txt new.run -b old.run",
    "plot": "plot assessment.json -o chart.json",
    "train": "train test.txt -o new --trees 2 --leaves 3 --min-docs 1 -b feature:1 --objective urisk",
    "rank": "rank trees test.txt",
    "inspect": "inspect trees",
    "sweep": "sweep test.txt --test test.txt -b feature:1 -o new --alpha 0 --trees 2 --leaves 3 --min-docs 1",
    "baselines": "baselines test.txt -o new --ranker AFS --share 0.5",
    "shard": "shard test.txt -o new",
    "measures": "measures",
    "reproduce": "reproduce dincer2016 table-5 -o new",
    "synthesise": "synthesise cubic -o new.txt --queries 5 --documents 4",
    "objectives": "objectives",
    "simulate-clicks": "simulate-clicks pages.csv --pages 50",
    "clicks prepare": "clicks prepare log.csv -o new",
    "clicks train": "clicks train prepared -o new --trees 2 --alpha 0 --beta 1 --lowest-beta 1 --both-alpha 1",
    "clicks evaluate": "clicks evaluate models --json",
    "clicks features": "clicks features",
}  # fmt: skip
PERMUTED = "inspect trees --data test.txt --permutation"
FIT = "--trees 2 --leaves 3 --min-docs 1"
OF_TABLE = {  # a table, whose columns have names
    "train": f"train features/a.csv -o new {FIT}",
    "rank": "rank tables/model features/a.csv -o scored.csv",
    "evaluate": "evaluate features/a.csv column:a column:b -b column:a",
    "inspect": "inspect features/a.csv",
    "baselines": "baselines features/a.csv -o new --ranker AFS --share 0.5",
    "shard": "shard features/a.csv -o new",
    "sweep": f"sweep features/a.csv --test features/a.csv -b column:a -o new --alpha 0 {FIT}",
}
INSTEAD = {  # where an option means something
    **{f"{name} --{option}": text for name, text in OF_TABLE.items() for option in table_options.OPTIONS},
    **{f"{name} --part": f"{OF_TABLE[name]} --split 40:30:30" for name in ("rank", "evaluate", "baselines")},
    **{f"inspect --{option}": PERMUTED for option in ("repeats", "alpha", "seed", "measure", "baseline")},
    "inspect --why": "inspect trees --data test.txt --why 9",
    "inspect --documents": "inspect trees --data test.txt --why 9",
    "inspect --rows": "inspect trees --data test.txt --why 9",
    "rank --score-column": OF_TABLE["rank"],
    "train --epochs": "train test.txt -o new --ranker LambdaNet",
    "train --rounds": "train test.txt -o new --ranker AFS",
    "gate --tolerance": "gate qrels.txt new.run -b old.run --max-hurt 1",
    "gate --severe-loss": "gate qrels.txt new.run -b old.run --max-severe 1",
    "gate --level": "gate qrels.txt new.run -b old.run --max-worse 1",
    "plot --alpha": "plot assessment.json -o chart.json --chart topics",
    "plot --largest-alpha": "plot assessment.json -o chart.json --chart georisk",
    "plot --scale": "plot assessment.json -o chart.png",
    "sweep --folds": "sweep test.txt --folds 3 -b feature:1 -o new --alpha 0 --trees 2 --leaves 3 --min-docs 1",
    "sweep --budget": "sweep test.txt --test test.txt --calibration test.txt -b feature:1 -o new --alpha 0 --trees 2",
}


class Taken(NamedTuple):
    """An option that takes a value, and whether that is a number, a text or a file."""

    command: str
    option: str
    kind: str
    n_values: int


def taken(group, path=()):
    for name, each in group.commands.items():
        if hasattr(each, "commands"):
            yield from taken(each, (*path, name))
            continue
        for option in each.params:
            if option.opts[0].startswith("--") and not option.is_flag:
                yield Taken(" ".join((*path, name)), option.opts[0], option.type.name.partition(" ")[0], option.nargs)


OPTIONS = list(taken(typer.main.get_command(app)))


def values_of(number: int) -> tuple[str, ...]:
    """For numbers two, for texts one, in turn; for names of files, which numbers can be, none."""
    kind = OPTIONS[number].kind
    one = ABSURD[number % len(ABSURD)]
    return (
        (HUGE, *ABSURD)
        if IS_THOROUGH
        else (HUGE, one)
        if kind in ("int", "float")
        else ()
        if kind == "path"
        else (one,)
    )


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    write_all(folder)
    command(folder, USUAL["clicks train"].replace("new", "models"))
    (folder / "tables").mkdir()
    command(folder, OF_TABLE["train"].replace("new", "tables/model"))
    return folder


def test_each_command_with_options_has_an_example_that_works(files, tmp_path):
    assert {each.command for each in OPTIONS} <= set(USUAL)
    for number, text in enumerate(dict.fromkeys([*USUAL.values(), *INSTEAD.values()])):
        if text.startswith("demo"):
            continue  # it has no options that are tried, and takes its time
        with contextlib.chdir(tmp_path):
            command(linked(files, tmp_path / str(number)), text)


def linked(files, folder):
    folder.mkdir()
    for path in files.iterdir():
        (folder / path.name).symlink_to(path)
    return folder


@pytest.mark.parametrize("number", range(len(OPTIONS)), ids=lambda number: " ".join(OPTIONS[number][:2]))
def test_a_number_that_nobody_means_is_told_or_does_no_harm(number, files, tmp_path, record_property):
    each = OPTIONS[number]
    start = INSTEAD.get(f"{each.command} {each.option}", USUAL[each.command])
    for value in values_of(number):
        folder = linked(files, tmp_path / value[:20])
        with contextlib.suppress(ToldError):
            given = f"{each.option}={value}" if each.n_values == 1 else f"{each.option} {value} 1"
            command(folder, f"{start} {given}")
        shutil.rmtree(folder)
    record_property("tried", len(values_of(number)))


LOADED = """
import os, sys
from riskrank.cli.main import run
heavy = {"torch", "lightgbm", "numba", "sklearn", "pandas", "scipy"}
os._exit = lambda status: print(status, *heavy & set(sys.modules))
run()
"""


@pytest.mark.parametrize(
    "text",
    [
        *("train test.txt --trees=-1", "train test.txt --ranker=LambdaNet --set hidden=999999999"),
        *("train test.txt --ranker=AFS --rounds=-1", "clicks train prepared --alpha=1e12"),
        *("clicks train prepared --lowest-beta=1e12", "clicks train prepared --both-alpha=1e12"),
        *("clicks train prepared --trees=-1", "clicks train prepared --jobs=-1", "clicks train prepared --measure=-1"),
    ],
)
def test_a_parameter_is_refused_before_libraries_are_loaded(text, files, tmp_path):
    command = [sys.executable, "-c", LOADED, *text.split(), "-o", tmp_path / "new"]
    assert subprocess.run(command, cwd=files, capture_output=True, text=True, check=True).stdout == "2\n"
