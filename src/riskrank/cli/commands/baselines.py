"""`riskrank baselines`: a population of learned baselines, and the queries that it has not seen."""

from __future__ import annotations

import inspect
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from riskrank.cli.options import OptimisedMeasureOption, QuietOption, SeedOption, ThreadsOption, ZeroBasedFileOption
from riskrank.cli.output import emit
from riskrank.cli.training import enable_garbage_collection

if TYPE_CHECKING:
    from riskrank.data.ranking_data import RankingData
    from riskrank.rankers.population import Baselines
    from riskrank.rankers.ranker import Ranker

USUAL = ("LambdaMART", "RegressionTrees", "AFS", "AdaRank")

DataArgument = Annotated[str, typer.Argument(metavar="DATA", help="A LETOR file with labels.", show_default=False)]
OutputOption = Annotated[
    Path, typer.Option("--output", "-o", metavar="DIR", help="Folder for the models and rest.txt.", show_default=False)
]
RankerOption = Annotated[
    Optional[list[str]],
    typer.Option(help=f"A ranker to learn; repeatable (default: {', '.join(USUAL)}).", show_default=False),
]
ShareOption = Annotated[float, typer.Option(help="The share of the queries that is held out to learn from.")]
PatienceOption = Annotated[int, typer.Option(help="Patience on the validation third.")]


def command(
    data: DataArgument,
    output: OutputOption,
    ranker: RankerOption = None,
    measure: OptimisedMeasureOption = "nDCG@10",
    share: ShareOption = 0.2,
    early_stopping: PatienceOption = 30,
    threads: ThreadsOption = None,
    seed: SeedOption = 0,
    zero_based: ZeroBasedFileOption = False,
    quiet: QuietOption = False,
) -> None:
    """Learn several baselines on a share of the queries; the other queries go to DIR/rest.txt.

    For objectives that learn against a population of baselines:

    riskrank baselines all.txt -o population

    riskrank train population/rest.txt -b population/LambdaMART -b population/AFS --objective georisk -o model
    """
    enable_garbage_collection()
    from riskrank.data.letor.reader import read_letor
    from riskrank.errors import FileError
    from riskrank.rankers.population import Baselines

    if output.exists() and (not output.is_dir() or any(output.iterdir())):
        raise FileError(output, "exists and is not an empty folder. Choose another place.")
    systems = _systems(ranker or USUAL, measure, early_stopping, threads, seed, quiet=quiet)
    documents = read_letor(data, zero_based=zero_based)
    cache = output.with_name(f"{output.name}.cache")  # what was learned survives an interruption
    population, rest = Baselines.held_out(documents, systems, share=share, random_state=seed, cache=cache)
    _write(population, rest, output)
    shutil.rmtree(cache)
    emit(
        f"{output}: {len(population)} baselines learned on {documents.n_queries - rest.n_queries:,} queries; "
        f"on the other {rest.n_queries:,} (rest.txt):\n{_table(population, rest, measure)}"
    )


def _systems(
    names: Sequence[str], measure: str, early_stopping: int, threads: int | None, seed: int, *, quiet: bool
) -> dict[str, Ranker]:
    """Rankers to be learned, by the names of their kinds."""
    from riskrank.errors import ParameterError
    from riskrank.objectives import Gain
    from riskrank.rankers import RANKERS

    systems: dict[str, Ranker] = {}
    for name in names:
        kind = RANKERS.named(name)
        if kind.__name__ in systems:
            raise ParameterError(f"{kind.__name__} is given twice.")
        takes_objective = "objective" in inspect.signature(kind).parameters
        goal = {"objective": Gain(measure)} if takes_objective else {"measure": measure}
        options = {"early_stopping": early_stopping, "n_threads": threads, "random_state": seed}
        systems[kind.__name__] = kind(**goal, verbose=False if quiet else None, **options)
    return systems


def _write(population: Baselines, rest: RankingData, output: Path) -> None:
    from riskrank.data.letor.writer import write_letor

    for name, learned in population.items():
        learned.save(output / name)
    write_letor(rest, output / "rest.txt")


def _table(population: Baselines, rest: RankingData, measure: str) -> str:
    """How effective the baselines are on the queries that they have not seen."""
    from riskrank.report.text.formatting import aligned

    values = population.evaluate(rest, measure)
    return aligned(["", measure], [[name, f"{values[name].mean():.4f}"] for name in population])
