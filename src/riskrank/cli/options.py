"""Options that several commands share, and what is written in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from riskrank.cli.added_options import Command, added_options
from riskrank.errors import ParameterError, quoted
from riskrank.typing import MatrixRows, WithoutRelevant

OF_RANKER = "riskrank.ranker"  # where a context keeps the values of options that are parameters of rankers


def _keep_for_ranker(context: typer.Context, option: typer.CallbackParam, value: Any) -> Any:
    if value is not None:
        context.meta.setdefault(OF_RANKER, {})[option.name] = value
    return value


# An option that is a parameter of rankers: a command's parameter for it has the same name, and `cli.rankers` finds it.
of_ranker = partial(typer.Option, callback=_keep_for_ranker)

JUDGMENTS_HELP = (
    "Relevance judgments: TREC qrels, a .csv, .tsv or .parquet table (query, doc_id, rating), or labelled features "
    "(LETOR text or a table, as for train); or such a table of per-topic scores."
)
JudgmentsArgument = Annotated[str, typer.Argument(metavar="QRELS", help=JUDGMENTS_HELP)]
MatrixRowsOption = Annotated[MatrixRows, typer.Option(help="What the rows of a score matrix are.")]
ZeroBasedLetorOption = Annotated[bool, typer.Option("--zero-based", help="Features of the LETOR file count from 0.")]
WITHOUT_RELEVANT_HELP = "Topics without a relevant document: score zero, or drop them."
WithoutRelevantOption = Annotated[WithoutRelevant, typer.Option(help=WITHOUT_RELEVANT_HELP)]
WEIGHTS_HELP = "A table of topics and weights: how much each counts, its traffic, say."
WeightsOption = Annotated[str | None, typer.Option(metavar="FILE[:COLUMN]", help=WEIGHTS_HELP)]
OutputFileOption = Annotated[Path | None, typer.Option("--output", "-o", help="Write to a file instead of stdout.")]
OutputFolderOption = Annotated[
    Path, typer.Option("--output", "-o", metavar="DIR", help="Folder for models and results.")
]

ModelArgument = Annotated[str, typer.Argument(metavar="MODEL", help="A model's folder.")]
ValidOption = Annotated[str | None, typer.Option(help="Validation queries, like TRAIN.")]
OptimisedMeasureOption = Annotated[str, typer.Option("--measure", "-m", help="The measure to optimise.")]
TreesOption = Annotated[int | None, of_ranker("--trees", help="How many trees (default: 300).")]
LeavesOption = Annotated[int | None, of_ranker("--leaves", help="Leaves of a tree (default: 31).")]
MinDocsOption = Annotated[
    int | None, of_ranker("--min-docs", help="Least documents in a leaf (not XGBoost; default: 20).")
]
RateOption = Annotated[float | None, of_ranker("--rate", help="Learning rate (trees: 0.1, nets: 0.001).")]
EarlyStoppingOption = Annotated[
    int | None, of_ranker(help="Stop when validation has not improved for this many steps.")
]
EngineOption = Annotated[str | None, of_ranker(help="{engines} (default: lightgbm).")]
ThreadsOption = Annotated[int | None, of_ranker("--threads", help="Threads (default: all cores).")]
EpochsOption = Annotated[int | None, of_ranker("--epochs", help="How many epochs (nets; default: 50).")]
RoundsOption = Annotated[int | None, of_ranker("--rounds", help="How many rounds (linear rankers).")]
ValidMeasureOption = Annotated[
    str | None, of_ranker(help="Judge validation by this measure, or by the objective itself (objective).")
]
StartOption = Annotated[str | None, of_ranker(help="Learn from zero, or from the baseline's scores (baseline).")]
FastOption = Annotated[bool | None, of_ranker("--fast", help="Quantised gradients: faster, slightly coarser trees.")]
ParamOption = Annotated[
    list[str] | None,
    of_ranker("--param", metavar="NAME=VALUE", help="A parameter for the engine as it is; repeatable."),
]
DefaultSeedOption = Annotated[int | None, of_ranker("--seed", help="Seed of all random numbers (default: 0).")]
RANKER_OPTIONS: dict[str, Any] = {
    "n_trees": TreesOption, "n_leaves": LeavesOption, "min_docs_in_leaf": MinDocsOption, "n_epochs": EpochsOption,
    "n_rounds": RoundsOption, "learning_rate": RateOption, "early_stopping": EarlyStoppingOption,
    "valid_measure": ValidMeasureOption, "start": StartOption, "fast": FastOption, "engine": EngineOption,
    "engine_params": ParamOption, "n_threads": ThreadsOption, "random_state": DefaultSeedOption,
}  # fmt: skip
RankerSeedOption = Annotated[int, of_ranker("--seed", help="Seed of all random numbers.")]
SeedOption = Annotated[int, typer.Option("--seed", help="Seed of all random numbers.")]
JobsOption = Annotated[
    int | None, typer.Option("--jobs", help="Models trained side by side (default: one on each core or worker).")
]
ClusterOption = Annotated[
    str | None,
    typer.Option(
        metavar="ENGINE:ADDRESS",
        help="Who works on shards: local:4 (four processes), dask:ADDRESS, ray:ADDRESS or spark:MASTER.",
    ),
]
MemoryOption = Annotated[
    int | None,
    typer.Option(
        metavar="MB",
        help="Megabytes that a worker may use to train; what does not fit goes to disk (default: no limit).",
    ),
]
ZeroBasedFileOption = Annotated[bool, typer.Option("--zero-based", help="Features of the file count from 0.")]
ZeroBasedFilesOption = Annotated[bool, typer.Option("--zero-based", help="Features of the files count from 0.")]
SparseOption = Annotated[bool, typer.Option("--sparse", help="Features that no line of a LETOR file names are 0.")]
OverwriteOption = Annotated[bool, typer.Option("--force", help="Replace files that riskrank did not write.")]
QuietOption = Annotated[
    bool | None,
    typer.Option("--quiet", "-q", help="No progress bar.", callback=lambda is_quiet: False if is_quiet else None),
]  # for a parameter `verbose`: False, or None for a bar on terminals only


def bytes_of(memory: int | None) -> int | None:
    """Of the megabytes that a worker may use."""
    from riskrank.data.shards.storage import LEAST_MEMORY, MEGABYTE
    from riskrank.parameters import MOST, whole  # with NumPy, which help does without

    whole("memory", memory, LEAST_MEMORY // MEGABYTE, optional=True)
    if memory is not None and memory > MOST["memory"] // MEGABYTE:
        raise ParameterError(f"memory must be up to {MOST['memory'] // MEGABYTE:,} (megabytes).", "memory")
    return None if memory is None else memory * MEGABYTE


def takes_ranker(*names: str) -> Callable[[Command], Command]:
    """Give a command these options of rankers; `cli.rankers` finds their values in the context."""
    return added_options({name: RANKER_OPTIONS[name] for name in names}, lambda _: {})


def numbers_from(texts: Sequence[str], option: str) -> list[float]:
    """Numbers between commas, of an option that may be repeated."""
    numbers = []
    for text in texts:
        for part in text.split(","):
            try:
                numbers.append(float(part))
            except ValueError:
                raise ParameterError(f"{option} takes numbers like 0,1,5,10, got {quoted(text)}.") from None
    return numbers


def named_values(texts: Sequence[str] | None, option: str) -> dict[str, Any]:
    """NAME=VALUE with numbers, True and None read as such."""
    from riskrank.parameters import written_value  # with NumPy, which help does without

    values: dict[str, Any] = {}
    for text in texts or ():
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise ParameterError(f"{option} takes NAME=VALUE, got {quoted(text)}.")
        values[name.strip()] = written_value(value)
    return values
