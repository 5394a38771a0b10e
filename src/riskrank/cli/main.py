"""The `riskrank` command. Each command is a file; heavy libraries are loaded when a command runs."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import suppress
from importlib import import_module
from typing import Annotated, NoReturn

import typer

from riskrank import __version__, progress, rankers
from riskrank.cli.command import Command
from riskrank.cli.output import INTERRUPTED, READER_LEFT, fail, harmless_streams, say
from riskrank.cli.surroundings import forget_settings

# The modules of riskrank.cli.commands, each with a function `command`, by what users call them; help keeps this order.
COMMANDS = {
    "Get started": {"demo": "demo"},
    "Compare systems": {"evaluate": "evaluate", "gate": "gate", "plot": "plot"},
    "Train rankers": {
        "train": "train", "rank": "rank", "inspect": "inspect", "sweep": "sweep", "baselines": "baselines",
        "shard": "shard", "synthesise": "synthesise",
    },
    "Learn from clicks": {"simulate-clicks": "clicks.simulate"},
    "Look up": {"measures": "measures", "objectives": "objectives", "reproduce": "reproduce"},
}  # fmt: skip
CLICK_COMMANDS = {
    "prepare": "clicks.prepare",
    "train": "clicks.train",
    "evaluate": "clicks.evaluate",
    "features": "clicks.features",
}

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


for panel, commands in COMMANDS.items():
    for name, module in commands.items():
        of_module = import_module(f"riskrank.cli.commands.{module}").command
        app.command(name, cls=Command, rich_help_panel=panel)(of_module)
for name, module in CLICK_COMMANDS.items():
    clicks.command(name, cls=Command)(import_module(f"riskrank.cli.commands.{module}").command)
app.add_typer(clicks, name="clicks", rich_help_panel="Learn from clicks")


def run() -> NoReturn:
    """The command as a process of its own, which starts and ends as fast as it can."""
    gc.disable()  # collecting garbage while libraries load is a tenth of the start; those that train enable it again
    gc.set_threshold(50_000)  # nor do they need it after every 700 objects: they load on
    rankers.are_estimators = False  # nobody hands them to scikit-learn here
    if sys.stderr is not None and sys.stderr.isatty():
        progress.tell = say
    forget_settings()
    status = 0
    try:
        main()
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError):  # a full disk, which was told where it could be
            stream.flush()
    os._exit(status)  # tearing down what was loaded takes another tenth of a second


def main() -> None:
    """Run the command; a user's mistake is one line on stderr and status 2."""
    _open_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
    try:
        with harmless_streams():
            app(prog_name="riskrank")
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        sys.exit(READER_LEFT)
    except OSError as error:  # of help, which Typer prints
        fail(f"cannot write the output ({error.strerror or error}).")


def _open_closed_streams() -> None:
    """Those that the caller closed lead nowhere: a file that got their number would get what libraries print."""
    for handle in range(3):
        try:
            os.fstat(handle)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free, which is this one
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 (lives as long as the process)
