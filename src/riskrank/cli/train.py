"""`riskrank train`: a ranker from labelled data."""

from __future__ import annotations

import ast
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
    objective: Annotated[str, typer.Option(help="What to optimise; `riskrank objectives` lists them.")] = "gain",
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
    trees: Annotated[int, typer.Option(help="How many trees.")] = 300,
    leaves: Annotated[int, typer.Option(help="Leaves of a tree.")] = 31,
    min_docs: Annotated[Optional[int], typer.Option(help="Least documents in a leaf (LightGBM; default: 20).")] = None,
    rate: Annotated[float, typer.Option(help="Learning rate.")] = 0.1,
    early_stopping: Annotated[
        Optional[int], typer.Option(help="Stop when validation has not improved for so many trees.")
    ] = None,
    valid_measure: Annotated[
        Optional[str], typer.Option(help="Judge validation by this measure, or by target: the objective itself.")
    ] = None,
    start: Annotated[str, typer.Option(help="Boost from zero, or from the baseline's scores (baseline).")] = "zero",
    fast: Annotated[bool, typer.Option("--fast", help="Quantised gradients: faster, slightly coarser trees.")] = False,
    engine: Annotated[str, typer.Option(help="lightgbm or xgboost.")] = "lightgbm",
    engine_param: Annotated[
        Optional[list[str]],
        typer.Option(
            "--param", metavar="NAME=VALUE", help="A parameter for the engine as it is; repeatable.", show_default=False
        ),
    ] = None,
    threads: Annotated[Optional[int], typer.Option(help="Threads (default: all cores).")] = None,
    seed: Annotated[int, typer.Option(help="Seed of all random numbers.")] = 0,
    checkpoint_every: Annotated[int, typer.Option(help="Trees between checkpoints.")] = 50,
    resume: Annotated[bool, typer.Option("--resume", help="Go on from the checkpoint of an interrupted run.")] = False,
    zero_based: Annotated[bool, typer.Option("--zero-based", help="Features of the files count from 0.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar.")] = False,
) -> None:
    """Train a ranker, sensitive to risk against a baseline if you want.

    riskrank train train.txt --valid valid.txt --baseline feature:110 --objective urisk --alpha 5 -o model
    """
    from riskrank.cli.output import emit
    from riskrank.data.letor import read_letor
    from riskrank.objectives import objective_named
    from riskrank.rankers.lambdamart import LambdaMART
    from riskrank.rankers.settings import quiet_engine

    parameters = {"measure": measure, **_named_values(with_ or [], "--with")}
    if alpha is not None:
        parameters["alpha"] = alpha
    quiet_engine(engine)
    ranker = LambdaMART(
        objective_named(objective, **parameters),
        n_trees=trees,
        n_leaves=leaves,
        min_docs_in_leaf=min_docs,
        learning_rate=rate,
        early_stopping=early_stopping,
        valid_measure=valid_measure,
        start=start,
        fast=fast,
        engine=engine,
        engine_params=_named_values(engine_param or [], "--param") or None,
        n_threads=threads,
        random_state=seed,
        verbose=False if quiet else None,
    )
    shown, output = output, Path(os.path.abspath(output))
    _check_output(output, [train, valid, *(baseline or []), *(valid_baseline or [])])
    checkpoint = output.with_name(f"{output.name}.checkpoint")
    data = read_letor(train, zero_based=zero_based)
    others = None if valid is None else read_letor(valid, zero_based=zero_based, n_features=data.n_features)
    try:
        ranker.fit(
            data,
            baseline=_baselines(baseline),
            valid=others,
            valid_baseline=_baselines(valid_baseline),
            checkpoint=checkpoint,
            checkpoint_every=checkpoint_every,
            resume=resume,
        )
    except KeyboardInterrupt:
        if not hasattr(ranker, "model_"):
            raise
        ranker.save(output)
        print(
            f"riskrank: {ranker.card_['ending']}; what was trained is in {shown}. Add --resume to go on.",
            file=sys.stderr,
        )
        sys.exit(INTERRUPTED)
    ranker.save(output)
    emit(_summary(ranker, shown))


def _summary(ranker: Any, output: Path) -> str:
    from riskrank.report.text import aligned

    card = ranker.card_
    used = "" if card["best_trees"] == card["trees"] else f", the best {card['best_trees']} are used"
    lines = [f"{output}: LambdaMART for {ranker.objective!r}, {card['trees']} trees{used} ({card['ending']})."]
    if not len(ranker.history_):
        return lines[0]
    row = max(card["best_trees"], 1) - 1
    found = {
        (side, number): ranker.history_[f"{side}_{number}"][row]
        for side in ("train", "valid")
        for number in ("effectiveness", "reward", "risk", "urisk")
    }
    found = {key: value for key, value in found.items() if not math.isnan(value)}
    sides = list(dict.fromkeys(side for side, _ in found))
    known = list(dict.fromkeys(number for _, number in found))
    header = ["", *(str(ranker.objective.measure) if number == "effectiveness" else number for number in known)]
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


def _baselines(given: list[str] | None) -> Any:
    """Models are loaded; everything else is read where the data are known."""
    if not given:
        return None
    from riskrank.data.names import system_name
    from riskrank.errors import ParameterError, quoted
    from riskrank.rankers import load

    named: dict[str, Any] = {}
    for text in given:
        name = system_name(text)
        if name in named:
            raise ParameterError(f"two baselines are named {quoted(name)}.")
        named[name] = load(text) if Path(text).is_dir() else text
    return named


def _named_values(given: list[str], option: str) -> dict[str, Any]:
    """NAME=VALUE with numbers, True and None read as such."""
    from riskrank.errors import ParameterError, quoted

    values: dict[str, Any] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise ParameterError(f"{option} takes NAME=VALUE, got {quoted(text)}.")
        try:
            values[name.strip()] = ast.literal_eval(value)
        except (ValueError, SyntaxError):
            values[name.strip()] = {"true": True, "false": False, "none": None}.get(value.lower(), value)
    return values
