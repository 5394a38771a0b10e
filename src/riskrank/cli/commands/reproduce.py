"""`riskrank reproduce`: the experiments of a paper, ours beside the paper's."""

from __future__ import annotations

import gc
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from riskrank.cli.options import OverwriteOption, QuietOption
from riskrank.cli.output import INTERRUPTED, emit, fail, say

if TYPE_CHECKING:
    from riskrank.papers.paper import Experiment

PaperArgument = Annotated[str | None, typer.Argument(metavar="[PAPER]", help="{papers}; default: --list.")]
ExperimentArgument = Annotated[
    list[str] | None, typer.Argument(metavar="[EXPERIMENT]…", help="table-3, figure-1, …; default: all of the paper.")
]
DataOption = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        help="A folder with your copy of the paper's data: run its full protocol. --list says which data serve which "
        "experiment.",
    ),
]
OutputOption = Annotated[
    Path | None,
    typer.Option(
        "--output", "-o", metavar="DIR", help="Folder for the page, the numbers and what is finished; --data needs it."
    ),
]
ListOption = Annotated[bool, typer.Option("--list", help="Show every table and figure, and how far it was reproduced.")]


def command(
    paper: PaperArgument = None,
    experiment: ExperimentArgument = None,
    data: DataOption = None,
    output: OutputOption = None,
    listed: ListOption = False,
    overwrite: OverwriteOption = False,
    verbose: QuietOption = None,
) -> None:
    """Run the experiments of a paper again, and print its numbers beside ours.

    Without data each runs a small version on embedded or generated data; with your copy of the paper's data, its full
    protocol, which goes on where it stopped.

    riskrank reproduce dincer2016 table-5
    """
    gc.enable()  # see main.run
    from riskrank.errors import ParameterError
    from riskrank.papers.catalogue import PAPERS
    from riskrank.papers.reproduction import WORK, page_name, reproduce
    from riskrank.report.papers.paper_list import paper_list

    if listed and experiment:
        raise ParameterError("--list shows whole papers: leave out the experiments, or --list to run them.")
    if listed or paper is None:
        emit(paper_list(paper))
        return
    if output is None and data is not None:
        raise ParameterError(
            "the paper's full protocol takes long: with --data, -o names a folder for what is finished."
        )
    known = PAPERS.named(paper)
    keys = [known.experiment(key).key for key in experiment or ()] or [each.key for each in known.experiments]
    page = page_name(known, keys, is_small=False)
    if output is not None and data is not None and (output / WORK).is_dir() and not (output / page).exists():
        say(f"goes on with what an earlier run finished in {output}.")
    try:
        told = None if verbose is False else _told
        result = reproduce(paper, experiment or None, data=data, folder=output, verbose=verbose, told=told)
    except KeyboardInterrupt:
        how = f"; run the same command again to go on ({output})" if output is not None else ""
        fail(f"interrupted{how}.", INTERRUPTED)
    if output is None:
        emit(repr(result))
        return
    written, *_ = result.save(output, overwrite=overwrite)
    emit(f"{result!r}\n\n{written}  the figures, and all of it as a page")


def _told(experiment: Experiment, seconds: float) -> None:
    """What comes next, and about how long it takes."""
    if not round(seconds):
        return
    hours, rest = divmod(round(seconds), 3600)
    text = f"{hours} h {rest // 60} min" if hours else f"{rest // 60} min" if rest >= 60 else f"{rest} s"
    print(f"{experiment.key}: about {text} on this machine", file=sys.stderr)
