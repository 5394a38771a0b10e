"""`riskrank train`: a ranker from labelled data."""

from __future__ import annotations

import gc
import math
import os
import sys
from pathlib import Path
from typing import Annotated, Any, Optional

import typer

INTERRUPTED = 130


def train_command(
    train: Annotated[str, typer.Argument(metavar="TRAIN", help="A LETOR file with labels.", show_default=False)],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="MODEL", help="Folder for the model.", show_default=False)
    ],
    valid: Annotated[Optional[str], typer.Option(help="A LETOR file with validation queries.")] = None,
    baseline: Annotated[
        Optional[list[str]],
        typer.Option(
            "--baseline",
            "-b",
            help="feature:110, a file with a score per line, a TREC run or a model; repeatable.",
            show_default=False,
        ),
    ] = None,
    valid_baseline: Annotated[
        Optional[list[str]],
        typer.Option(help="The same for the validation queries, where the baseline is a file of scores or a run."),
    ] = None,
    ranker: Annotated[
        str,
        typer.Option(help="LambdaMART, LambdaNet, RegressionTrees, AdaRank, AFS or LinearRanker.", show_default=True),
    ] = "LambdaMART",
    objective: Annotated[
        Optional[str], typer.Option(help="What to optimise (default: gain); `riskrank objectives` lists them.")
    ] = None,
    measure: Annotated[str, typer.Option("--measure", "-m", help="The measure to optimise.")] = "nDCG@10",
    alpha: Annotated[
        Optional[float], typer.Option("--alpha", "-a", help="Losses against the baseline weigh 1 + alpha.")
    ] = None,
    with_: Annotated[
        Optional[list[str]],
        typer.Option(
            "--with",
            metavar="NAME=VALUE",
            help="Another parameter of the objective (truncation=50, normalise=gain, share=0.2); repeatable.",
            show_default=False,
        ),
    ] = None,
    set_: Annotated[
        Optional[list[str]],
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="Another parameter of the ranker (hidden=64, batch_queries=32, n_starts=5); repeatable.",
            show_default=False,
        ),
    ] = None,
    trees: Annotated[Optional[int], typer.Option(help="How many trees (default: 300).")] = None,
    leaves: Annotated[Optional[int], typer.Option(help="Leaves of a tree (default: 31).")] = None,
    min_docs: Annotated[Optional[int], typer.Option(help="Least documents in a leaf (LightGBM; default: 20).")] = None,
    epochs: Annotated[Optional[int], typer.Option(help="How many epochs (nets; default: 50).")] = None,
    rounds: Annotated[Optional[int], typer.Option(help="How many rounds (AdaRank, AFS, LinearRanker).")] = None,
    rate: Annotated[Optional[float], typer.Option(help="Learning rate (trees: 0.1, nets: 0.001).")] = None,
    early_stopping: Annotated[
        Optional[int], typer.Option(help="Stop when validation has not improved for so many steps.")
    ] = None,
    valid_measure: Annotated[
        Optional[str], typer.Option(help="Judge validation by this measure, or by target: the objective itself.")
    ] = None,
    start: Annotated[
        Optional[str], typer.Option(help="Learn from zero, or from the baseline's scores (baseline).")
    ] = None,
    fast: Annotated[
        Optional[bool], typer.Option("--fast", help="Quantised gradients: faster, slightly coarser trees.")
    ] = None,
    engine: Annotated[Optional[str], typer.Option(help="lightgbm (default) or xgboost.")] = None,
    engine_param: Annotated[
        Optional[list[str]],
        typer.Option(
            "--param", metavar="NAME=VALUE", help="A parameter for the engine as it is; repeatable.", show_default=False
        ),
    ] = None,
    threads: Annotated[Optional[int], typer.Option(help="Threads (default: all cores).")] = None,
    seed: Annotated[Optional[int], typer.Option(help="Seed of all random numbers (default: 0).")] = None,
    checkpoint_every: Annotated[
        Optional[int], typer.Option(help="Steps between checkpoints (trees: 50, epochs and rounds: 5).")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on from the checkpoint of an interrupted run.")] = False,
    zero_based: Annotated[bool, typer.Option("--zero-based", help="Features of the files count from 0.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar.")] = False,
) -> None:
    """Train a ranker, sensitive to risk against a baseline if you want.

    riskrank train train.txt --valid valid.txt --baseline feature:110 --objective urisk --alpha 5 -o model
    """
    gc.enable()  # turned off for commands that end at once
    from riskrank.cli.output import emit
    from riskrank.cli.rankers import baselines_from, named_values, ranker_from
    from riskrank.data.letor.reader import read_letor

    flags = {
        "n_trees": ("--trees", trees),
        "n_leaves": ("--leaves", leaves),
        "min_docs_in_leaf": ("--min-docs", min_docs),
        "n_epochs": ("--epochs", epochs),
        "n_rounds": ("--rounds", rounds),
        "learning_rate": ("--rate", rate),
        "early_stopping": ("--early-stopping", early_stopping),
        "valid_measure": ("--valid-measure", valid_measure),
        "start": ("--start", start),
        "fast": ("--fast", fast),
        "engine": ("--engine", engine),
        "engine_params": ("--param", named_values(engine_param or [], "--param") or None),
        "n_threads": ("--threads", threads),
        "random_state": ("--seed", seed),
    }
    options = named_values(with_ or [], "--with")
    if alpha is not None:
        options["alpha"] = alpha
    model = ranker_from(ranker, objective, measure, options, flags, named_values(set_ or [], "--set"))
    model.verbose = False if quiet else None
    shown, output = output, Path(os.path.abspath(output))
    _check_output(output, [train, valid, *(baseline or []), *(valid_baseline or [])])
    checkpoint = output.with_name(f"{output.name}.checkpoint")
    data = read_letor(train, zero_based=zero_based)
    others = None if valid is None else read_letor(valid, zero_based=zero_based, n_features=data.n_features)
    try:
        model.fit(
            data,
            baseline=baselines_from(baseline),
            valid=others,
            valid_baseline=baselines_from(valid_baseline),
            checkpoint=checkpoint,
            checkpoint_every=checkpoint_every,
            resume=resume,
        )
    except KeyboardInterrupt:
        if not hasattr(model, "card_"):
            raise
        model.save(output)
        print(
            f"riskrank: {model.card_['ending']}; what was trained is in {shown}. Add --resume to go on.",
            file=sys.stderr,
        )
        sys.exit(INTERRUPTED)
    model.save(output)
    emit(_summary(model, shown))


def _summary(ranker: Any, output: Path) -> str:
    from riskrank.report.text.formatting import aligned

    card, unit, best = ranker.card_, ranker.unit, ranker.best_steps_
    extent = f"{card[unit]} {unit}" if unit == "trees" else f"after {best} of {card[unit]} {unit}"
    used = f", the best {best} are used" if unit == "trees" and best != card[unit] else ""
    what = f" for {ranker.objective!r}" if ranker.objective is not None else ""
    lines = [f"{output}: {type(ranker).__name__}{what}, {extent}{used} ({card['ending']})."]
    if not len(ranker.history_):
        return lines[0]
    row = max(best, 1) - 1
    found = {
        (side, number): ranker.history_[f"{side}_{number}"][row]
        for side in ("train", "valid")
        for number in ("effectiveness", "reward", "risk", "urisk")
    }
    found = {key: value for key, value in found.items() if not math.isnan(value)}
    sides = list(dict.fromkeys(side for side, _ in found))
    known = list(dict.fromkeys(number for _, number in found))
    header = [
        "",
        *(str(ranker.training_objective.measure) if number == "effectiveness" else number for number in known),
    ]
    rows = [[side, *(f"{found[side, number]:.4f}" for number in known)] for side in sides]
    return "\n".join([*lines, aligned(header, rows)])


def _check_output(output: Path, inputs: list[str | None]) -> None:
    """Refuse, before training, a place where no model can be written."""
    from riskrank.errors import FileError
    from riskrank.rankers.card import NAME

    if output.exists() and not output.is_dir():
        raise FileError(output, "is a file; a model is a folder.")
    if output.is_dir() and any(output.iterdir()) and not (output / NAME).is_file():
        raise FileError(output, "exists and is not a model of riskrank. Choose another place.")
    for given in inputs:
        if given is not None and Path(given).is_dir() and output.is_dir() and output.samefile(given):
            raise FileError(output, "is one of the inputs, it would be overwritten.")
    parent = output.resolve().parent
    while not parent.exists():
        parent = parent.parent
    if not parent.is_dir():
        raise FileError(output, f"cannot be written ({parent} is a file).")
