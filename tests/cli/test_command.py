"""What all commands do with mistakes, and with help that lists things."""

from __future__ import annotations

import re
from typing import Annotated, Literal

import pytest
import typer
from typer.testing import CliRunner

from riskrank.cli.command import Command
from riskrank.clicks.logs.log_files import LAYOUTS
from riskrank.errors import FileError, ParameterError, RiskrankError
from riskrank.rankers import RANKERS
from riskrank.rankers.trees.engine import ENGINES
from riskrank.report.charts.catalogue import CHARTS

from .shell import shell


def said(error: RiskrankError, *arguments: str) -> str:
    """What a command with some options says of an error."""
    app = typer.Typer()

    @app.command(cls=Command)
    def run(
        n_trees: Annotated[int, typer.Option("--trees")] = 3,
        start: str = "zero",
        order: Literal["rising", "falling"] = "rising",
        zero_based: Annotated[bool, typer.Option("--zero-based")] = False,
    ) -> None:
        raise error

    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 2
    return done.stderr


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("n_trees must be a number (n_trees are trees).", "--trees must be a number (n_trees are trees)."),
        ("start has none: leave n_trees out.", "start has none: leave --trees out."),
        ("my_n_trees, a/n_trees, 'n_trees' and n_trees.", "my_n_trees, a/n_trees, 'n_trees' and --trees."),
    ],
)
def test_an_option_that_was_given_goes_by_its_flag_where_it_is_named_first(message, told):
    assert said(ParameterError(message, "n_trees"), "--trees", "5") == f"riskrank: {told}\n"


def test_a_parameter_that_was_not_given_as_an_option_keeps_its_name():
    assert said(ParameterError("n_trees must be a number.", "n_trees")) == "riskrank: n_trees must be a number.\n"


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("pass start= or n_trees=.", "pass --start or --trees."),
        ("start='baseline' needs one.", "--start baseline needs one."),
        ("pass zero_based=True if so.", "pass --zero-based if so."),
        ("leave it out (start='a b').", "leave it out (--start 'a b')."),
        ("got n_trees=5, URisk(start='a b') and luck=.", "got n_trees=5, URisk(start='a b') and luck=."),
    ],
)
def test_arguments_go_by_their_flags(message, told):
    assert said(ParameterError(message)) == f"riskrank: {told}\n"


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (FileError("sqlite:///a.db?start=", "pass start="), "sqlite:///a.db?start=: pass --start"),
        (FileError("my start= b.csv", "pass start=", line=3), "my start= b.csv:3: pass --start"),
        (ParameterError("no 'my start= b', pass start="), "no 'my start= b', pass --start"),
        (ParameterError("the model's 'start=' and Anna's start="), "the model's 'start=' and Anna's --start"),
        (ParameterError("leave it out (start='Anna's rank')."), "leave it out (--start 'Anna'\"'\"'s rank')."),
        (ParameterError("write a.db?start= or start="), "write a.db?start= or --start"),
    ],
)
def test_what_a_user_wrote_stays_as_it_is(error, told):
    assert said(error) == f"riskrank: {told}\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--trees", "many"), "invalid value for '--trees': 'many' is not a valid int.\n"),
        (("--order", "up"), "invalid value for '--order': 'up' is not one of 'rising', 'falling'.\n"),
    ],
)
def test_a_value_that_an_option_does_not_take_is_one_line(arguments, message):
    assert said(RiskrankError("not reached"), *arguments) == f"riskrank: {message}"


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (("train",), [*RANKERS, *ENGINES]),
        (("sweep",), [*ENGINES]),
        (("plot",), [*CHARTS]),
        (("simulate-clicks",), [*LAYOUTS]),
        (("clicks", "prepare"), [*LAYOUTS]),
    ],
)
def test_help_lists_what_is_registered(riskrank, monkeypatch, arguments, names):
    monkeypatch.setenv("COLUMNS", "200")
    words = re.split(r"[\s,;.]+", riskrank(*arguments, "--help").out)
    assert not set(names) - set(words)


@pytest.mark.parametrize("arguments", ["--help", "train --help", "sweep --help", "plot --help"])
def test_help_loads_no_heavy_library(tmp_path, arguments):
    program = (
        "import sys; from riskrank.cli.main import main\n"
        "try: main()\n"
        "except SystemExit: print({'numpy', 'polars', 'numba', 'altair'} & set(sys.modules), file=sys.stderr)"
    )
    done = shell(f'python -c "{program}" {arguments}', tmp_path)
    assert (done.returncode, done.stderr) == (0, "set()\n")


def test_paragraphs_of_help_are_broken_anew():
    app = typer.Typer()

    @app.command(cls=Command)
    def run() -> None:
        """What it does.

        A paragraph of
        two lines.

        riskrank run
        """

    lines = [line.strip() for line in CliRunner().invoke(app, ["--help"]).output.splitlines()]
    start = lines.index("A paragraph of two lines.")
    assert lines[start + 1 : start + 3] == ["", "riskrank run"]
