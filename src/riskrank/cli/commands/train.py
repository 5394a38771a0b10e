"""`riskrank train`: a ranker from labelled data."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from riskrank.cli.options import (
    EarlyStoppingOption,
    EngineOption,
    LeavesOption,
    MinDocsOption,
    OptimisedMeasureOption,
    QuietOption,
    RateOption,
    ThreadsOption,
    TreesOption,
    ValidOption,
    ZeroBasedFilesOption,
)
from riskrank.cli.output import INTERRUPTED, check_model_folder, emit, fail
from riskrank.cli.rankers import RankerOptions, baselines_from, ranker_from
from riskrank.cli.training import enable_garbage_collection

if TYPE_CHECKING:
    from riskrank.rankers.ranker import Ranker

TrainArgument = Annotated[str, typer.Argument(metavar="TRAIN", help="A LETOR file with labels.", show_default=False)]
OutputOption = Annotated[
    Path, typer.Option("--output", "-o", metavar="MODEL", help="Folder for the model.", show_default=False)
]
BaselineOption = Annotated[
    Optional[list[str]],
    typer.Option(
        "--baseline",
        "-b",
        help="feature:110, a file with a score per line, a TREC run or a model; repeatable.",
        show_default=False,
    ),
]
ValidBaselineOption = Annotated[
    Optional[list[str]],
    typer.Option(help="The same for the validation queries, where the baseline is a file of scores or a run."),
]
RankerOption = Annotated[
    str,
    typer.Option(help="LambdaMART, LambdaNet, RegressionTrees, AdaRank, AFS or LinearRanker.", show_default=True),
]
ObjectiveOption = Annotated[
    Optional[str], typer.Option(help="What to optimise (default: gain); `riskrank objectives` lists them.")
]
AlphaOption = Annotated[
    Optional[float], typer.Option("--alpha", "-a", help="Losses against the baseline weigh 1 + alpha.")
]
WithOption = Annotated[
    Optional[list[str]],
    typer.Option(
        "--with",
        metavar="NAME=VALUE",
        help="Another parameter of the objective (truncation=50, normalise=gain, share=0.2); repeatable.",
        show_default=False,
    ),
]
SetOption = Annotated[
    Optional[list[str]],
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="Another parameter of the ranker (hidden=64, batch_queries=32, n_starts=5); repeatable.",
        show_default=False,
    ),
]
EpochsOption = Annotated[Optional[int], typer.Option(help="How many epochs (nets; default: 50).")]
RoundsOption = Annotated[Optional[int], typer.Option(help="How many rounds (AdaRank, AFS, LinearRanker).")]
ValidMeasureOption = Annotated[
    Optional[str], typer.Option(help="Judge validation by this measure, or by target: the objective itself.")
]
StartOption = Annotated[Optional[str], typer.Option(help="Learn from zero, or from the baseline's scores (baseline).")]
FastOption = Annotated[
    Optional[bool], typer.Option("--fast", help="Quantised gradients: faster, slightly coarser trees.")
]
ParamOption = Annotated[
    Optional[list[str]],
    typer.Option(
        "--param", metavar="NAME=VALUE", help="A parameter for the engine as it is; repeatable.", show_default=False
    ),
]
DefaultSeedOption = Annotated[Optional[int], typer.Option(help="Seed of all random numbers (default: 0).")]
CheckpointEveryOption = Annotated[
    Optional[int], typer.Option(help="Steps between checkpoints (trees: 50, epochs and rounds: 5).")
]
ResumeOption = Annotated[bool, typer.Option("--resume", help="Go on from the checkpoint of an interrupted run.")]


def command(
    train: TrainArgument,
    output: OutputOption,
    valid: ValidOption = None,
    baseline: BaselineOption = None,
    valid_baseline: ValidBaselineOption = None,
    ranker: RankerOption = "LambdaMART",
    objective: ObjectiveOption = None,
    measure: OptimisedMeasureOption = "nDCG@10",
    alpha: AlphaOption = None,
    with_: WithOption = None,
    set_: SetOption = None,
    trees: TreesOption = None,
    leaves: LeavesOption = None,
    min_docs: MinDocsOption = None,
    epochs: EpochsOption = None,
    rounds: RoundsOption = None,
    rate: RateOption = None,
    early_stopping: EarlyStoppingOption = None,
    valid_measure: ValidMeasureOption = None,
    start: StartOption = None,
    fast: FastOption = None,
    engine: EngineOption = None,
    engine_param: ParamOption = None,
    threads: ThreadsOption = None,
    seed: DefaultSeedOption = None,
    checkpoint_every: CheckpointEveryOption = None,
    resume: ResumeOption = False,
    zero_based: ZeroBasedFilesOption = False,
    quiet: QuietOption = False,
) -> None:
    """Train a ranker, sensitive to risk against a baseline if you want.

    riskrank train train.txt --valid valid.txt --baseline feature:110 --objective urisk --alpha 5 -o model
    """
    enable_garbage_collection()
    from riskrank.data.letor.reader import read_letor
    from riskrank.report.text.model_text import training_text

    options = RankerOptions(
        ranker=ranker, objective=objective, measure=measure, alpha=alpha, objective_parameters=with_,
        ranker_parameters=set_, n_trees=trees, n_leaves=leaves, min_docs_in_leaf=min_docs, n_epochs=epochs,
        n_rounds=rounds, learning_rate=rate, early_stopping=early_stopping, valid_measure=valid_measure, start=start,
        fast=fast, engine=engine, engine_params=engine_param, n_threads=threads, random_state=seed,
    )  # fmt: skip
    model = ranker_from(options)
    model.verbose = False if quiet else None
    folder = Path(os.path.abspath(output))
    check_model_folder(folder, [each for each in (train, valid, *(baseline or ()), *(valid_baseline or ())) if each])
    data = read_letor(train, zero_based=zero_based)
    others = None if valid is None else read_letor(valid, zero_based=zero_based, n_features=data.n_features)
    with _saved_when_interrupted(model, folder, output):
        model.fit(
            data, baseline=baselines_from(baseline) or None, valid=others,
            valid_baseline=baselines_from(valid_baseline) or None, resume=resume,
            checkpoint=folder.with_name(f"{folder.name}.checkpoint"), checkpoint_every=checkpoint_every,
        )  # fmt: skip
    model.save(folder)
    emit(training_text(model, output))


@contextmanager
def _saved_when_interrupted(model: Ranker, folder: Path, shown: Path) -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        if not hasattr(model, "card_"):
            raise
        model.save(folder)
        fail(f"{model.card_['ending']}; what was trained is in {shown}. Add --resume to go on.", INTERRUPTED)
