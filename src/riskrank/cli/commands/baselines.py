"""`riskrank baselines`: a population of learned baselines, and the queries that it has not seen."""

from __future__ import annotations

import gc
import inspect
import shutil
from pathlib import Path
from typing import Annotated, Optional

import typer

USUAL = ("LambdaMART", "RegressionTrees", "AFS", "AdaRank")


def baselines_command(
    data: Annotated[str, typer.Argument(metavar="DATA", help="A LETOR file with labels.", show_default=False)],
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="DIR", help="Folder for the models and rest.txt.", show_default=False),
    ],
    ranker: Annotated[
        Optional[list[str]],
        typer.Option(help=f"A ranker to learn; repeatable (default: {', '.join(USUAL)}).", show_default=False),
    ] = None,
    measure: Annotated[str, typer.Option("--measure", "-m", help="The measure to optimise.")] = "nDCG@10",
    share: Annotated[float, typer.Option(help="The share of the queries that is held out to learn from.")] = 0.2,
    early_stopping: Annotated[int, typer.Option(help="Patience on the validation third.")] = 30,
    threads: Annotated[Optional[int], typer.Option(help="Threads (default: all cores).")] = None,
    seed: Annotated[int, typer.Option(help="Seed of all random numbers.")] = 0,
    zero_based: Annotated[bool, typer.Option("--zero-based", help="Features of the file count from 0.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar.")] = False,
) -> None:
    """Learn several baselines on a share of the queries; the other queries go to DIR/rest.txt.

    For objectives that learn against a population of baselines:

    riskrank baselines all.txt -o population

    riskrank train population/rest.txt -b population/LambdaMART -b population/AFS --objective georisk -o model
    """
    gc.enable()  # turned off for commands that end at once
    from riskrank.cli.output import emit
    from riskrank.data.letor.reader import read_letor
    from riskrank.data.letor.writer import write_letor
    from riskrank.errors import FileError, ParameterError
    from riskrank.objectives import Gain
    from riskrank.rankers import RANKERS
    from riskrank.rankers.population import Baselines
    from riskrank.report.text.assessment_text import aligned

    if output.exists() and (not output.is_dir() or any(output.iterdir())):
        raise FileError(output, "exists and is not an empty folder. Choose another place.")
    systems = {}
    for name in ranker or USUAL:
        kind = RANKERS.named(name)
        if kind.__name__ in systems:
            raise ParameterError(f"{kind.__name__} is given twice.")
        takes_objective = "objective" in inspect.signature(kind).parameters
        goal = {"objective": Gain(measure)} if takes_objective else {"measure": measure}
        options = {"early_stopping": early_stopping, "n_threads": threads, "random_state": seed}
        systems[kind.__name__] = kind(**goal, verbose=False if quiet else None, **options)
    documents = read_letor(data, zero_based=zero_based)
    cache = output.with_name(f"{output.name}.cache")  # what was learned survives an interruption
    population, rest = Baselines.held_out(documents, systems, share=share, random_state=seed, cache=cache)
    for name, learned in population.items():
        learned.save(output / name)
    write_letor(rest, output / "rest.txt")
    shutil.rmtree(cache)
    values = population.evaluate(rest, measure)
    rows = [[name, f"{values[name].mean():.4f}"] for name in population]
    emit(
        f"{output}: {len(population)} baselines learned on {documents.n_queries - rest.n_queries:,} queries; "
        f"on the other {rest.n_queries:,} (rest.txt):\n{aligned(['', measure], rows)}"
    )
