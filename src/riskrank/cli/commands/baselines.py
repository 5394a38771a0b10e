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
from riskrank.cli.table_options import TableOptions, takes_table
from riskrank.errors import counted

if TYPE_CHECKING:
    from riskrank.data.feature_tables.feature_table import FeatureTable
    from riskrank.data.ranking_data import RankingData
    from riskrank.files.own_folder import OwnFolder
    from riskrank.rankers.baselines import Baselines
    from riskrank.rankers.ranker import Ranker

LEARNED = ".learned"  # the folder of what was learned so far
USUAL = ("LambdaMART", "RegressionTrees", "AFS", "AdaRank")

DataArgument = Annotated[str, typer.Argument(metavar="DATA", help="A table or LETOR text, as for train.")]
OutputOption = Annotated[
    Path, typer.Option("--output", "-o", metavar="DIR", help="Folder for the models and rest.txt (or rest.parquet).")
]
RankerOption = Annotated[
    list[str] | None, typer.Option(help=f"A ranker to learn; repeatable (default: {', '.join(USUAL)}).")
]
ShareOption = Annotated[
    float, typer.Option(help="The share of the queries to learn from; the others go to rest.txt (or rest.parquet).")
]
PatienceOption = Annotated[int, of_ranker(help="Stop after this many steps without improvement.")]


@takes_table("query", "label", "document", "features", "drop", "categories", "split", "part")
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
    *,
    table: TableOptions,
) -> None:
    """Learn several baselines on a share of the queries; the others go to DIR/rest.txt, or DIR/rest.parquet.

    For objectives that learn against a population of baselines (train -b population/AFS -b population/AdaRank …):

    riskrank baselines train.txt -o population
    """
    gc.enable()  # see main.run
    from riskrank.data.feature_tables.ranking_files import is_feature_table
    from riskrank.data.feature_tables.separate_outputs import check_separate
    from riskrank.errors import FileError, ParameterError
    from riskrank.files.own_folder import OwnFolder
    from riskrank.report.text.formatting import aligned

    population_folder = OwnFolder(output, "population of baselines")
    population_folder.check()
    known = population_folder.listed
    if known is not None and known.files:
        _clean_up(population_folder)
        raise FileError(output, "holds baselines already. Choose another place.")
    check_separate([output], [data])
    table.check(data, zero_based=zero_based)
    rankers: dict[str, Ranker] = {}
    for each in ranker or USUAL:
        unfitted = ranker_from(context, each, objective=None, measure=measure)
        unfitted.verbose = verbose
        name = type(unfitted).__name__
        if name in rankers:
            raise ParameterError(f"{name} is given twice.")
        rankers[name] = unfitted
    source = table.read_table(data) if is_feature_table(data) else None
    documents = table.read(data, zero_based=zero_based) if source is None else table.part_of(source)
    rest_file = "rest.txt" if source is None else "rest.parquet"
    with resumable_work(population_folder, goes_on=(population_folder.path / LEARNED).is_dir()):
        population, rest = _learned(
            population_folder, documents, rankers, share=share, random_state=random_state, source=source
        )
    values = population.evaluate(rest, measure)
    emit(
        f"{output}: {counted(len(population), 'baseline')} learned on "
        f"{counted(documents.n_queries - rest.n_queries, 'query')}; "
        f"on the other {rest.n_queries:,} ({rest_file}):\n"
        + aligned(["", measure], [[name, f"{values[name].mean():.4f}"] for name in population])
    )


def _learned(
    folder: OwnFolder, documents: RankingData, rankers: dict[str, Ranker], *, share: float, random_state: int,
    source: FeatureTable | None,
) -> tuple[Baselines, RankingData]:  # fmt: skip
    """The population, in its folder, and the other queries; each baseline is kept when it is learned."""
    from riskrank.data.feature_tables.scored_table import own_rows
    from riskrank.data.letor.writer import letor_text
    from riskrank.files.writing import as_parquet
    from riskrank.rankers.baselines import Baselines

    with folder.held():
        with folder.changed():  # the folder is ours from now on
            pass
        cache = folder.path / LEARNED
        population, rest = Baselines.learn(documents, rankers, share=share, random_state=random_state, cache=cache)
        with folder.changed() as change:
            for name, learned in population.items():
                for file, content in learned.saved_files().items():
                    change.write(f"{name}/{file}", content)
            if source is None:
                change.write("rest.txt", letor_text(rest))
            else:
                change.write("rest.parquet", as_parquet(own_rows(source, rest)))
        _forget_learned(cache)
    return population, rest


def _clean_up(folder: OwnFolder) -> None:
    """What a run has left that died when all was there."""
    from riskrank.files.own_folder import settle

    settle(folder.path)
    if (folder.path / LEARNED).is_dir():
        with folder.held():
            _forget_learned(folder.path / LEARNED)


def _forget_learned(cache: Path) -> None:
    """What was kept while baselines were learned."""
    from riskrank.files.writing import remove_if_empty
    from riskrank.rankers.card import model_folder

    for place in cache.iterdir():
        model_folder(place).clear()
        remove_if_empty(place)
    remove_if_empty(cache)
