"""The `riskrank` command. Each command is a file; heavy libraries are loaded when a command runs."""

from __future__ import annotations

import gc
import os
import sys
from typing import Annotated, NoReturn

import typer

from riskrank import __version__
from riskrank.cli.commands import (
    baselines,
    demo,
    evaluate,
    gate,
    inspect,
    measures,
    objectives,
    plot,
    rank,
    sweep,
    train,
)
from riskrank.cli.commands.clicks import evaluate as evaluate_clicks
from riskrank.cli.commands.clicks import features as click_features
from riskrank.cli.commands.clicks import prepare as prepare_clicks
from riskrank.cli.commands.clicks import simulate as simulate_clicks
from riskrank.cli.commands.clicks import train as train_clicks
from riskrank.cli.output import INTERRUPTED, fail
from riskrank.errors import RiskrankError

app = typer.Typer(
    name="riskrank",
    help="Risk-sensitive ranking: measure what a ranker risks against a baseline, and train rankers that gain safely.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
clicks = typer.Typer(
    help="Learn from clicks: prepare a log, train rankers, and see what each gains and how often it re-ranks.",
    no_args_is_help=True,
)


def _show_version(value: bool) -> None:
    if value:
        print(f"riskrank {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    pass


app.command("evaluate")(evaluate.evaluate_command)
app.command("gate")(gate.gate_command)
app.command("train")(train.train_command)
app.command("sweep")(sweep.sweep_command)
app.command("plot")(plot.plot_command)
app.command("simulate-clicks")(simulate_clicks.simulate_clicks_command)
app.command("baselines")(baselines.baselines_command)
app.command("rank")(rank.rank_command)
app.command("inspect")(inspect.inspect_command)
app.command("objectives")(objectives.objectives_command)
app.command("measures")(measures.measures_command)
app.command("demo")(demo.demo_command)

app.add_typer(clicks, name="clicks")
clicks.command("prepare")(prepare_clicks.prepare_clicks_command)
clicks.command("train")(train_clicks.train_clicks_command)
clicks.command("evaluate")(evaluate_clicks.evaluate_clicks_command)
clicks.command("features")(click_features.click_features_command)


def run() -> NoReturn:
    """The command as a process of its own, which starts and ends as fast as it can."""
    gc.disable()  # collecting garbage while libraries load is a tenth of the start; those that train enable it again
    status = 0
    try:
        main()
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)  # tearing down what was loaded takes another tenth of a second


def main() -> None:
    """Run the command; a user's mistake is one line on stderr and status 2."""
    if sys.stdout is None:  # closed by the caller
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 (lives as long as the process)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="replace")
    try:
        app()
    except RiskrankError as error:
        fail(str(error))
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
