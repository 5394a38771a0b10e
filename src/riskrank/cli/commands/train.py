"""`riskrank train`: a ranker from labelled data."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from riskrank.cli.options import (
    ClusterOption,
    MemoryOption,
    OptimisedMeasureOption,
    QuietOption,
    SparseOption,
    ValidOption,
    WeightsOption,
    ZeroBasedFilesOption,
    bytes_of,
    takes_ranker,
)
from riskrank.cli.output import INTERRUPTED, emit, fail, say
from riskrank.cli.rankers import baselines_from, ranker_from
from riskrank.cli.systems import weights_file
from riskrank.cli.table_options import TableOptions, takes_table
from riskrank.errors import FileError, ParameterError

if TYPE_CHECKING:
    from riskrank.data.ranking_data import RankingData
    from riskrank.data.shards.sharded_data import ShardedData
    from riskrank.rankers.ranker import Ranker

TrainArgument = Annotated[
    str,
    typer.Argument(
        metavar="TRAIN",
        help="Labelled features: a table (Parquet, CSV, …, a folder, a database's address), LETOR text or shards.",
    ),
]
OutputOption = Annotated[Path, typer.Option("--output", "-o", metavar="MODEL", help="Folder for the model.")]
BaselineOption = Annotated[
    list[str] | None,
    typer.Option(
        "--baseline",
        "-b",
        help="column:bm25, feature:110, a file with a score per line, a TREC run or a model; repeatable.",
    ),
]
ValidBaselineOption = Annotated[
    list[str] | None,
    typer.Option(help="The same for the validation queries, where the baseline is a file of scores or a run."),
]
RankerOption = Annotated[str, typer.Option(help="{rankers}.")]
ObjectiveOption = Annotated[
    str | None, typer.Option(help="What to optimise (default: gain); `riskrank objectives` lists them.")
]
AlphaOption = Annotated[
    float | None, typer.Option("--alpha", "-a", help="Losses against the baseline weigh 1 + alpha.")
]
WithOption = Annotated[
    list[str] | None,
    typer.Option(
        "--with",
        metavar="NAME=VALUE",
        help="Another parameter of the objective (truncation=50, normalise=gain, share=0.2); repeatable.",
    ),
]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="Another parameter of the ranker (hidden=64, batch_queries=32, n_starts=5); repeatable.",
    ),
]
CheckpointEveryOption = Annotated[
    int | None, typer.Option(help="Steps between checkpoints (trees: 50, epochs and rounds: 5).")
]
RestartOption = Annotated[
    bool | None,
    typer.Option(
        "--restart/--resume",
        help="After an interruption: start anew, or go on from the checkpoint (default).",
        show_default=False,
    ),
]


@takes_ranker(
    "n_trees", "n_leaves", "min_docs_in_leaf", "n_epochs", "n_rounds", "learning_rate", "early_stopping",
    "valid_measure", "start", "fast", "engine", "engine_params", "n_threads", "random_state",
)  # fmt: skip
@takes_table("query", "label", "document", "features", "drop", "categories", "weight", "split", "cache")
def command(
    context: typer.Context,
    train: TrainArgument,
    output: OutputOption,
    valid: ValidOption = None,
    baseline: BaselineOption = None,
    valid_baseline: ValidBaselineOption = None,
    weights: WeightsOption = None,
    ranker: RankerOption = "LambdaMART",
    objective: ObjectiveOption = None,
    measure: OptimisedMeasureOption = "nDCG@10",
    alpha: AlphaOption = None,
    with_: WithOption = None,
    set_: SetOption = None,
    checkpoint_every: CheckpointEveryOption = None,
    restart: RestartOption = None,
    cluster: ClusterOption = None,
    memory: MemoryOption = None,
    zero_based: ZeroBasedFilesOption = False,
    sparse: SparseOption = False,
    verbose: QuietOption = None,
    *,
    table: TableOptions,
) -> None:
    """Train a ranker; with a baseline and an objective like urisk, one that seldom loses. If interrupted, it resumes.

    riskrank train train.txt -b feature:1 --objective urisk --alpha 5 -o model
    """
    gc.enable()  # see main.run
    shards = _shards(table, train, valid, weights, zero_based=zero_based, sparse=sparse)
    if shards is None:
        table.check(train, valid, zero_based=zero_based, output=output)
    table.check_weights(weights)
    most_bytes = bytes_of(memory)
    if valid is not None and table.split is not None:
        raise ParameterError("valid= and split= both name validation queries: leave one of them out.")
    from riskrank.data.feature_tables.separate_outputs import check_separate
    from riskrank.rankers.card import check_place, model_folder
    from riskrank.rankers.fitting.checkpoint import remove_checkpoint
    from riskrank.report.text.model_text import training_text

    model = ranker_from(context, ranker, objective=objective, measure=measure, alpha=alpha, with_=with_, set_=set_)
    model.verbose = verbose
    inputs = (train, valid, *(baseline or ()), *(valid_baseline or ()), *weights_file(weights))
    check_place(output)
    check_separate([output], inputs)
    train_data, valid_data = shards or _data(table, train, valid, weights, zero_based=zero_based, sparse=sparse)
    checkpoint = f"{os.path.abspath(output)}.checkpoint"
    was_interrupted = model_folder(output).was_interrupted
    with model_folder(output).held():
        resumes = _resumes(output, checkpoint, restart, was_interrupted=was_interrupted)
        with _saved_when_interrupted(model, output, checkpoint):
            model.fit(
                train_data, baseline=baselines_from(baseline) or None, valid=valid_data,
                valid_baseline=baselines_from(valid_baseline) or None, resume=resumes, checkpoint=checkpoint,
                checkpoint_every=checkpoint_every, keep_checkpoint=True, cluster=cluster,
                memory=most_bytes,
            )  # fmt: skip
        model.save(output)
        remove_checkpoint(checkpoint)
    emit(f"{training_text(model, output)}\n\nriskrank inspect {output}  the features that matter, and all steps")


def _shards(
    table: TableOptions, train: str, valid: str | None, weights: str | None, **others: bool
) -> tuple[ShardedData, ShardedData | None] | None:
    """What to train on and to validate by, if it is in shards."""
    from riskrank.data.opening.remote_files import is_remote
    from riskrank.data.shards.sharded_data import ShardedData, is_sharded

    if not table.means_shards(train, weights, **others):
        return None
    if valid is not None and not is_sharded(valid):
        is_missing = not os.path.exists(valid) and not is_remote(valid)
        way = f"is not in shards, but {train} is. Write its shards by `riskrank shard`."
        raise FileError(valid, "no such folder." if is_missing else way)
    return ShardedData(train), None if valid is None else ShardedData(valid)


def _data(
    table: TableOptions, train: str, valid: str | None, weights: str | None, *, zero_based: bool, sparse: bool
) -> tuple[RankingData, RankingData | None]:
    """What to train on, and what to validate by: of files, or of the parts of a table."""
    if table.split is not None:
        parts = table.read_parts(train)
        train_data, valid_data = parts["train"], parts.get("valid")
    else:
        train_data = table.read(train, zero_based=zero_based)
        valid_data = None
        if valid is not None:
            valid_data = table.read(valid, like=train_data, zero_based=zero_based, sparse=sparse)
    if weights is None:
        return train_data, valid_data
    return train_data.weighted(weights), valid_data and valid_data.weighted(weights)


def _resumes(output: Path, checkpoint: str, restart: bool | None, *, was_interrupted: bool) -> bool:
    """Is there an interrupted training to go on with? What is done is said."""
    from riskrank.rankers.fitting.checkpoint import has_checkpoint, remove_checkpoint

    if restart:
        remove_checkpoint(checkpoint)
    elif has_checkpoint(checkpoint):
        say(f"goes on from {output}.checkpoint (--restart starts anew).")
        return True
    elif restart is not None:
        say(f"no checkpoint in {output}.checkpoint, training starts anew.")
    elif (ending := _ending(output)).startswith("interrupted"):
        say(f"{output} was {ending} and has no checkpoint, training starts anew.")
    elif was_interrupted:
        say(f"a training for {output} was interrupted before its first checkpoint, training starts anew.")
    return False


def _ending(output: Path) -> str:
    """How the training of the model that is there ended, if there is one."""
    from riskrank.rankers.card import read_card

    try:
        return str(read_card(output).get("ending", ""))
    except FileError:
        return ""


@contextmanager
def _saved_when_interrupted(model: Ranker, output: Path, checkpoint: str) -> Iterator[None]:
    from riskrank.rankers.fitting.checkpoint import has_checkpoint

    try:
        yield
    except KeyboardInterrupt:
        way_on = " The same command goes on." if has_checkpoint(checkpoint) else ""
        if not hasattr(model, "card_"):  # not a step is done, or workers have it
            fail(f"interrupted.{way_on}", INTERRUPTED)
        model.save(output)
        fail(f"{model.card_['ending']}; what was trained is in {output}.{way_on}", INTERRUPTED)
