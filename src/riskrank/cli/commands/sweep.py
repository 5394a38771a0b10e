"""`riskrank sweep`: models over a grid of alpha, what each risk buys, and an operating point."""

from __future__ import annotations

import gc
import shutil
import sys
from pathlib import Path
from typing import Annotated, Any, Optional

import typer

INTERRUPTED = 130
USUAL = "0,1,5,10"
CHOSEN = "chosen"


def sweep_command(
    train: Annotated[
        str,
        typer.Argument(
            metavar="TRAIN",
            help="A LETOR file with labels; with --folds all queries; or a folder of Fold1, Fold2, …",
            show_default=False,
        ),
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="Folder for models and results.", show_default=False)
    ],
    baseline: Annotated[
        list[str],
        typer.Option("--baseline", "-b", help="feature:110, a TREC run or a model; repeatable.", show_default=False),
    ],
    test: Annotated[Optional[str], typer.Option(help="A LETOR file with test queries.")] = None,
    valid: Annotated[Optional[str], typer.Option(help="A LETOR file with validation queries.")] = None,
    calibration: Annotated[
        Optional[str], typer.Option(help="A LETOR file with queries kept for the guarantee (--budget).")
    ] = None,
    folds: Annotated[
        Optional[int], typer.Option(help="Divide TRAIN's queries into so many folds, each tested once.")
    ] = None,
    ranker: Annotated[str, typer.Option(help="The ranker, as for train.", show_default=True)] = "LambdaMART",
    objective: Annotated[
        Optional[list[str]],
        typer.Option(help="What to optimise (default: urisk); repeatable, for comparison.", show_default=False),
    ] = None,
    measure: Annotated[str, typer.Option("--measure", "-m", help="The measure to optimise and judge.")] = "nDCG@10",
    also: Annotated[
        Optional[list[str]], typer.Option(help="Another measure to show; repeatable.", show_default=False)
    ] = None,
    alpha: Annotated[
        Optional[list[str]],
        typer.Option("--alpha", "-a", help=f"The grid of alpha (default: {USUAL}); repeatable.", show_default=False),
    ] = None,
    vary: Annotated[
        Optional[str],
        typer.Option(
            metavar="NAME=VALUES", help="Vary another parameter instead: n_leaves=7,15,31.", show_default=False
        ),
    ] = None,
    select: Annotated[
        Optional[list[str]],
        typer.Option(
            help="Also use the boldest model selectively, by a predictor: 'max feature:110', margin, agreement, gain; "
            "repeatable.",
            show_default=False,
        ),
    ] = None,
    budget: Annotated[
        Optional[float],
        typer.Option(help="Choose the point with the largest gain whose risk is at most this, with a guarantee."),
    ] = None,
    confidence: Annotated[
        Optional[float], typer.Option(help="How certain the guarantee is to hold (default: 0.9).", show_default=False)
    ] = None,
    hurt_beyond: Annotated[
        Optional[float],
        typer.Option(help="The budget is for the share of queries that lose more than this, not for the mean loss."),
    ] = None,
    via: Annotated[
        Optional[str],
        typer.Option(
            help="What to choose from: mixed (default), alpha, or a predictor of --select.", show_default=False
        ),
    ] = None,
    max_risk: Annotated[
        Optional[float], typer.Option(help="Choose the largest gain with at most this risk on validation queries.")
    ] = None,
    with_: Annotated[
        Optional[list[str]],
        typer.Option("--with", metavar="NAME=VALUE", help="Another parameter of the objectives.", show_default=False),
    ] = None,
    set_: Annotated[
        Optional[list[str]],
        typer.Option("--set", metavar="NAME=VALUE", help="A parameter of the ranker.", show_default=False),
    ] = None,
    trees: Annotated[Optional[int], typer.Option(help="How many trees (default: 300).")] = None,
    leaves: Annotated[Optional[int], typer.Option(help="Leaves of a tree (default: 31).")] = None,
    min_docs: Annotated[Optional[int], typer.Option(help="Least documents in a leaf (LightGBM; default: 20).")] = None,
    rate: Annotated[Optional[float], typer.Option(help="Learning rate (trees: 0.1, nets: 0.001).")] = None,
    early_stopping: Annotated[
        Optional[int], typer.Option(help="Stop when validation has not improved for so many steps.")
    ] = None,
    engine: Annotated[Optional[str], typer.Option(help="lightgbm (default) or xgboost.")] = None,
    jobs: Annotated[Optional[int], typer.Option(help="Models trained side by side (default: all cores).")] = None,
    seed: Annotated[int, typer.Option(help="Seed of all random numbers.")] = 0,
    html: Annotated[
        Optional[Path], typer.Option(help="Where to write the report (default: DIR/report.html).", show_default=False)
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
    zero_based: Annotated[bool, typer.Option("--zero-based", help="Features of the files count from 0.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar.")] = False,
) -> None:
    """Train models that risk less and less, and show what each risk buys. Interrupted, it goes on where it was.

    riskrank sweep train.txt --valid valid.txt --test test.txt -b feature:110 --alpha 0,1,5,10 --budget 0.01 -o sweep
    """
    gc.enable()  # turned off for commands that end at once
    from riskrank.cli.options import numbers_from
    from riskrank.cli.output import check_target, emit
    from riskrank.cli.rankers import baselines_from, named_values, ranker_from
    from riskrank.errors import ParameterError
    from riskrank.report.text.sweep_text import sweep_text
    from riskrank.tradeoff.risk_control.guarantee import check_guarantee
    from riskrank.tradeoff.run_sweep import sweep
    from riskrank.tradeoff.sweep_plan import named_predictors

    if vary is not None and alpha:
        raise ParameterError("--alpha and --vary are one too many: a sweep varies one parameter.")
    if budget is not None and max_risk is not None:
        raise ParameterError("choose by --budget (with a guarantee) or by --max-risk, not by both.")
    parameter, values = ("alpha", numbers_from(alpha or [USUAL], "--alpha")) if vary is None else _varied(vary)
    flags = {
        "n_trees": ("--trees", trees),
        "n_leaves": ("--leaves", leaves),
        "min_docs_in_leaf": ("--min-docs", min_docs),
        "learning_rate": ("--rate", rate),
        "early_stopping": ("--early-stopping", early_stopping),
        "engine": ("--engine", engine),
        "random_state": ("--seed", seed),
    }
    options = named_values(with_ or [], "--with")
    rankers: dict[str, Any] = {}
    for name in objective or ["urisk"]:
        made = ranker_from(ranker, name, measure, options, flags, named_values(set_ or [], "--set"))
        title = type(made.objective).__name__
        if title in rankers:
            raise ParameterError(f"the objective {name} is given twice.")
        rankers[title] = made
    if test is None and folds is None and not Path(train).is_dir():
        raise ParameterError("a sweep needs queries to test on: pass --test, or --folds.")
    request: dict[str, Any] = {"hurt_beyond": hurt_beyond, "confidence": confidence, "via": via}
    asked = {name: value for name, value in request.items() if value is not None}
    if budget is None and asked:
        options_given = ", ".join(f"--{name.replace('_', '-')}" for name in asked)
        raise ParameterError(f"{options_given} needs a --budget.")
    if budget is not None:
        check_guarantee(
            budget, 0.9 if confidence is None else confidence, hurt_beyond, via or "mixed",
            named_predictors(select or []), n_folds=2 if folds is not None or Path(train).is_dir() else 1,
            n_baselines=len(baseline), has_calibration=calibration is not None, has_valid=valid is not None,
            is_valid_fresh=not any(each.uses_best_step(True) for each in rankers.values()),
        )  # fmt: skip
    if max_risk is not None and not max_risk >= 0:
        raise ParameterError(f"the rule risk needs max_risk, a number from 0, got {max_risk!r}.")
    page = output / "report.html" if html is None else html
    if html is not None and Path(html).resolve().parent != output.resolve():
        check_target(html, [given for given in (train, test, valid, calibration) if given is not None])
    try:
        found = sweep(
            train, rankers, baseline=baselines_from(baseline), values=values, parameter=parameter, valid=valid,
            test=test, calibration=calibration, folds=folds, measures=also or [], predictors=select or [],
            folder=output, n_jobs=jobs, random_state=seed, zero_based=zero_based, verbose=False if quiet else None,
        )  # fmt: skip
    except KeyboardInterrupt:
        print(f"riskrank: interrupted; run the same command again to go on ({output}).", file=sys.stderr)
        sys.exit(INTERRUPTED)
    point = None
    if budget is not None:
        point = found.guarantee(budget, **asked)
    elif max_risk is not None:
        point = found.choose("risk", max_risk=max_risk)
    lines = [sweep_text(found, point)]
    if (output / CHOSEN / "card.json").is_file():
        shutil.rmtree(output / CHOSEN)  # of an earlier call
    if point is not None and point.index is not None and found.n_folds == 1:
        point.ranker(baseline=next(iter(baselines_from(baseline).values()))).save(output / CHOSEN)
        lines.append(f"The ranker to deploy: {output / CHOSEN}")
    if point is not None and point.index is not None and found.n_folds > 1:
        lines.append("Each fold has a model of its own: none of them is put forward.")
    found.to_html(page, point=point)
    lines += ["", f"Report: {page}"]
    if as_json:
        emit(found.summary.write_json())
        return
    emit("\n".join(lines))


def _varied(text: str) -> tuple[str, list[float]]:
    from riskrank.cli.options import numbers_from
    from riskrank.errors import ParameterError, quoted

    name, equals, values = text.partition("=")
    if not equals or not name.strip():
        raise ParameterError(f"--vary takes NAME=VALUES like n_leaves=7,15,31, got {quoted(text)}.")
    return name.strip(), numbers_from([values], "--vary")
