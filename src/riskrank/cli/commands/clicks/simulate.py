"""`riskrank simulate-clicks`: a synthetic search log, in any of the layouts that can be read."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Annotated

import typer

from riskrank.cli.options import OverwriteOption, QuietOption, SeedOption
from riskrank.cli.output import emit

LogArgument = Annotated[
    Path, typer.Argument(metavar="LOG", help="Where to write it: .parquet or .csv for a table, else text (.gz too).")
]
PagesOption = Annotated[
    int, typer.Option("--pages", "-n", help="How many result pages (the last session is made whole).")
]
LayoutOption = Annotated[str | None, typer.Option(help="{layouts}; default: by the name.")]
RefindingOption = Annotated[float, typer.Option(help="Share of queries that a user comes back to.")]
HabitsOption = Annotated[float, typer.Option(help="Share of a user's queries with a document they go for.")]
AmbiguousOption = Annotated[float, typer.Option(help="Share of queries with more than one meaning.")]


def command(
    output: LogArgument,
    pages: PagesOption = 100_000,
    layout: LayoutOption = None,
    refinding: RefindingOption = 0.45,
    habits: HabitsOption = 0.5,
    ambiguous: AmbiguousOption = 0.35,
    random_state: SeedOption = 0,
    overwrite: OverwriteOption = False,
    verbose: QuietOption = None,
) -> None:
    """Write a synthetic search log: users with tastes and habits, ambiguous queries, clicks with all their biases.

    riskrank simulate-clicks log.parquet --pages 20000
    """
    gc.enable()  # see main.run
    from riskrank.clicks.logs.log_files import write_log
    from riskrank.clicks.simulator import World
    from riskrank.files.outputs import check_new, check_outputs
    from riskrank.parameters import whole
    from riskrank.progress import Progress

    whole("pages", pages, 1)
    if not overwrite:
        check_new([output])
    check_outputs([output], [])
    world = World(refinding=refinding, habits=habits, ambiguous=ambiguous, random_state=random_state)
    with Progress("simulating", pages, show=verbose) as bar:
        written = write_log(bar.counted(world.log(pages)), output, layout=layout)
    emit(f"{output}: {written:,} result pages")
