"""`riskrank baselines`: a population of learned baselines, and the queries that it has not seen."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from riskrank.cli.options import (
    OptimisedMeasureOption,
    QuietOption,
    RankerSeedOption,
    ThreadsOption,
    ZeroBasedFileOption,
    of_ranker,
)
from riskrank.cli.output import emit, resumable_work
from riskrank.cli.rankers import ranker_from
from riskrank.errors import counted

if TYPE_CHECKING:
    from riskrank.data.ranking_data import RankingData
    from riskrank.files.own_folder import OwnFolder
    from riskrank.rankers.baselines import Baselines
    from riskrank.rankers.ranker import Ranker

LEARNED = ".learned"  # the folder of what was learned so far
USUAL = ("LambdaMART", "RegressionTrees", "AFS", "AdaRank")

DataArgument = Annotated[str, typer.Argument(metavar="DATA", help="A LETOR file with labels.")]
OutputOption = Annotated[
    Path, typer.Option("--output", "-o", metavar="DIR", help="Folder for the models and rest.txt.")
]
RankerOption = Annotated[
    list[str] | None, typer.Option(help=f"A ranker to learn; repeatable (default: {', '.join(USUAL)}).")
]
ShareOption = Annotated[float, typer.Option(help="The share of the queries to learn from; the others go to rest.txt.")]
PatienceOption = Annotated[int, of_ranker(help="Stop after this many steps without improvement.")]


def command(
    context: typer.Context,
    data: DataArgument,
    output: OutputOption,
    ranker: RankerOption = None,
    measure: OptimisedMeasureOption = "nDCG@10",
    share: ShareOption = 0.2,
    early_stopping: PatienceOption = 30,
    n_threads: ThreadsOption = None,
    random_state: RankerSeedOption = 0,
    zero_based: ZeroBasedFileOption = False,
    verbose: QuietOption = None,
) -> None:
    """Learn several baselines on a share of the queries; the other queries go to DIR/rest.txt.

    For objectives that learn against a population of baselines (train -b population/AFS -b population/AdaRank …):

    riskrank baselines train.txt -o population
    """
    gc.enable()  # see main.run
    from riskrank.data.letor.reader import check_letor, read_letor
    from riskrank.errors import FileError, ParameterError
    from riskrank.files.outputs import check_no_input
    from riskrank.files.own_folder import OwnFolder
    from riskrank.report.text.formatting import aligned

    population_folder = OwnFolder(output, "population of baselines")
    population_folder.check()
    known = population_folder.listed
    if known is not None and known.files:
        raise FileError(output, "holds baselines already. Choose another place.")
    check_no_input(output, [data])
    check_letor(data, zero_based=zero_based)  # before libraries are loaded, which takes a second or two
    rankers: dict[str, Ranker] = {}
    for each in ranker or USUAL:
        unfitted = ranker_from(context, each, objective=None, measure=measure)
        unfitted.verbose = verbose
        name = type(unfitted).__name__
        if name in rankers:
            raise ParameterError(f"{name} is given twice.")
        rankers[name] = unfitted
    documents = read_letor(data, zero_based=zero_based)
    with resumable_work(population_folder, goes_on=(population_folder.path / LEARNED).is_dir()):
        population, rest = _learned(population_folder, documents, rankers, share=share, random_state=random_state)
    values = population.evaluate(rest, measure)
    emit(
        f"{output}: {counted(len(population), 'baseline')} learned on "
        f"{counted(documents.n_queries - rest.n_queries, 'query')}; "
        f"on the other {rest.n_queries:,} (rest.txt):\n"
        + aligned(["", measure], [[name, f"{values[name].mean():.4f}"] for name in population])
    )


def _learned(
    folder: OwnFolder, documents: RankingData, rankers: dict[str, Ranker], *, share: float, random_state: int
) -> tuple[Baselines, RankingData]:
    """The population, in its folder, and the other queries; each baseline is kept when it is learned."""
    from riskrank.data.letor.writer import letor_text
    from riskrank.files.writing import remove_if_empty
    from riskrank.rankers.baselines import Baselines
    from riskrank.rankers.card import model_folder

    with folder.held():
        with folder.changed():  # the folder is ours from now on
            pass
        cache = folder.path / LEARNED
        population, rest = Baselines.learn(documents, rankers, share=share, random_state=random_state, cache=cache)
        with folder.changed() as change:
            for name, learned in population.items():
                for file, content in learned.saved_files().items():
                    change.write(f"{name}/{file}", content)
            change.write("rest.txt", letor_text(rest))
        for place in cache.iterdir():
            model_folder(place).clear()
        remove_if_empty(cache)
    return population, rest
