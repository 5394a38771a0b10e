"""`riskrank sweep`: models over a grid of alpha, what each risk buys, and an operating point."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from riskrank.cli.chosen_point import PointOptions, save_chosen
from riskrank.cli.options import (
    EarlyStoppingOption,
    EngineOption,
    JobsOption,
    LeavesOption,
    MinDocsOption,
    QuietOption,
    RateOption,
    SeedOption,
    TreesOption,
    ValidOption,
    ZeroBasedFilesOption,
    numbers_from,
)
from riskrank.cli.output import check_target, emit
from riskrank.cli.rankers import RankerOptions, baselines_from, ranker_from
from riskrank.cli.training import resumable_work

if TYPE_CHECKING:
    from riskrank.rankers.ranker import Ranker
    from riskrank.tradeoff.operating_point import OperatingPoint
    from riskrank.tradeoff.sweep import Sweep
    from riskrank.typing import OneBaseline

USUAL = "0,1,5,10"

TrainArgument = Annotated[
    str,
    typer.Argument(
        metavar="TRAIN",
        help="A LETOR file with labels; with --folds all queries; or a folder of Fold1, Fold2, …",
        show_default=False,
    ),
]
OutputOption = Annotated[
    Path, typer.Option("--output", "-o", metavar="DIR", help="Folder for models and results.", show_default=False)
]
BaselineOption = Annotated[
    list[str],
    typer.Option("--baseline", "-b", help="feature:110, a TREC run or a model; repeatable.", show_default=False),
]
TestOption = Annotated[Optional[str], typer.Option(help="A LETOR file with test queries.")]
CalibrationOption = Annotated[
    Optional[str], typer.Option(help="A LETOR file with queries kept for the guarantee (--budget).")
]
FoldsOption = Annotated[
    Optional[int], typer.Option(help="Divide TRAIN's queries into so many folds, each tested once.")
]
RankerOption = Annotated[str, typer.Option(help="The ranker, as for train.", show_default=True)]
ObjectiveOption = Annotated[
    Optional[list[str]],
    typer.Option(help="What to optimise (default: urisk); repeatable, for comparison.", show_default=False),
]
MeasureOption = Annotated[str, typer.Option("--measure", "-m", help="The measure to optimise and judge.")]
AlsoOption = Annotated[
    Optional[list[str]], typer.Option(help="Another measure to show; repeatable.", show_default=False)
]
AlphaOption = Annotated[
    Optional[list[str]],
    typer.Option("--alpha", "-a", help=f"The grid of alpha (default: {USUAL}); repeatable.", show_default=False),
]
VaryOption = Annotated[
    Optional[str],
    typer.Option(metavar="NAME=VALUES", help="Vary another parameter instead: n_leaves=7,15,31.", show_default=False),
]
SelectOption = Annotated[
    Optional[list[str]],
    typer.Option(
        help="Also use the boldest model selectively, by a predictor: 'max feature:110', margin, agreement, gain; "
        "repeatable.",
        show_default=False,
    ),
]
BudgetOption = Annotated[
    Optional[float],
    typer.Option(help="Choose the point with the largest gain whose risk is at most this, with a guarantee."),
]
ConfidenceOption = Annotated[
    Optional[float], typer.Option(help="How certain the guarantee is to hold (default: 0.9).", show_default=False)
]
HurtBeyondOption = Annotated[
    Optional[float],
    typer.Option(help="The budget is for the share of queries that lose more than this, not for the mean loss."),
]
ViaOption = Annotated[
    Optional[str],
    typer.Option(help="What to choose from: mixed (default), alpha, or a predictor of --select.", show_default=False),
]
MaxRiskOption = Annotated[
    Optional[float], typer.Option(help="Choose the largest gain with at most this risk on validation queries.")
]
WithOption = Annotated[
    Optional[list[str]],
    typer.Option("--with", metavar="NAME=VALUE", help="Another parameter of the objectives.", show_default=False),
]
SetOption = Annotated[
    Optional[list[str]],
    typer.Option("--set", metavar="NAME=VALUE", help="A parameter of the ranker.", show_default=False),
]
HtmlOption = Annotated[
    Optional[Path], typer.Option(help="Where to write the report (default: DIR/report.html).", show_default=False)
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")]


def command(
    train: TrainArgument,
    output: OutputOption,
    baseline: BaselineOption,
    test: TestOption = None,
    valid: ValidOption = None,
    calibration: CalibrationOption = None,
    folds: FoldsOption = None,
    ranker: RankerOption = "LambdaMART",
    objective: ObjectiveOption = None,
    measure: MeasureOption = "nDCG@10",
    also: AlsoOption = None,
    alpha: AlphaOption = None,
    vary: VaryOption = None,
    select: SelectOption = None,
    budget: BudgetOption = None,
    confidence: ConfidenceOption = None,
    hurt_beyond: HurtBeyondOption = None,
    via: ViaOption = None,
    max_risk: MaxRiskOption = None,
    with_: WithOption = None,
    set_: SetOption = None,
    trees: TreesOption = None,
    leaves: LeavesOption = None,
    min_docs: MinDocsOption = None,
    rate: RateOption = None,
    early_stopping: EarlyStoppingOption = None,
    engine: EngineOption = None,
    jobs: JobsOption = None,
    seed: SeedOption = 0,
    html: HtmlOption = None,
    as_json: JsonOption = False,
    zero_based: ZeroBasedFilesOption = False,
    quiet: QuietOption = False,
) -> None:
    """Train models that risk less and less, and show what each risk buys. Interrupted, it goes on where it was.

    riskrank sweep train.txt --valid valid.txt --test test.txt -b feature:110 --alpha 0,1,5,10 --budget 0.01 -o sweep
    """
    from riskrank.tradeoff.run_sweep import sweep

    parameter, values = _grid(alpha, vary)
    rankers = _rankers(objective or ["urisk"], RankerOptions(
        ranker=ranker, objective=None, measure=measure, objective_parameters=with_, ranker_parameters=set_,
        n_trees=trees, n_leaves=leaves, min_docs_in_leaf=min_docs, learning_rate=rate, early_stopping=early_stopping,
        engine=engine, random_state=seed,
    ))  # fmt: skip
    queries = _Queries(train, test, valid, calibration, folds)
    wanted = PointOptions(budget=budget, max_risk=max_risk, confidence=confidence, hurt_beyond=hurt_beyond, via=via)
    _check(queries, wanted, rankers, select or [], n_baselines=len(baseline))
    page = _page(html, output, queries)
    baselines = baselines_from(baseline)
    with resumable_work(output):
        result = sweep(
            train, rankers, baseline=baselines, values=values, parameter=parameter, valid=valid, test=test,
            calibration=calibration, folds=folds, measures=also or [], predictors=select or [], folder=output,
            n_jobs=jobs, random_state=seed, zero_based=zero_based, verbose=False if quiet else None,
        )  # fmt: skip
    text = _kept(result, wanted.choose(result), output, page, next(iter(baselines.values())))
    emit(result.summary.write_json() if as_json else text)


def _grid(alpha: Sequence[str] | None, vary: str | None) -> tuple[str, list[float]]:
    """The parameter that varies, and its values."""
    from riskrank.errors import ParameterError, quoted

    if vary is None:
        return "alpha", numbers_from(alpha or [USUAL], "--alpha")
    if alpha:
        raise ParameterError("--alpha and --vary are one too many: a sweep varies one parameter.")
    name, equals, values = vary.partition("=")
    if not equals or not name.strip():
        raise ParameterError(f"--vary takes NAME=VALUES like n_leaves=7,15,31, got {quoted(vary)}.")
    return name.strip(), numbers_from([values], "--vary")


def _rankers(objectives: Sequence[str], options: RankerOptions) -> dict[str, Ranker]:
    """A ranker for each objective, by the objective's name."""
    from riskrank.errors import ParameterError

    rankers: dict[str, Ranker] = {}
    for name in objectives:
        ranker = ranker_from(replace(options, objective=name))
        title = type(ranker.objective).__name__
        if title in rankers:
            raise ParameterError(f"the objective {name} is given twice.")
        rankers[title] = ranker
    return rankers


@dataclass(frozen=True)
class _Queries:
    """Where the queries of a sweep come from."""

    train: str
    test: str | None
    valid: str | None
    calibration: str | None
    folds: int | None

    @property
    def are_folds(self) -> bool:
        return self.folds is not None or Path(self.train).is_dir()

    @property
    def files(self) -> list[str]:
        return [each for each in (self.train, self.test, self.valid, self.calibration) if each is not None]


def _check(
    queries: _Queries,
    wanted: PointOptions,
    rankers: dict[str, Ranker],
    predictors: Sequence[str],
    *,
    n_baselines: int,
) -> None:
    """Refuse, before training, what cannot be had after it."""
    from riskrank.errors import ParameterError

    if queries.test is None and not queries.are_folds:
        raise ParameterError("a sweep needs queries to test on: pass --test, or --folds.")
    wanted.check()
    wanted.check_guarantee(
        predictors,
        has_folds=queries.are_folds,
        n_baselines=n_baselines,
        has_calibration=queries.calibration is not None,
        has_valid=queries.valid is not None,
        is_valid_fresh=not any(ranker.uses_best_step(True) for ranker in rankers.values()),
    )


def _page(html: Path | None, output: Path, queries: _Queries) -> Path:
    """Where the report goes; the sweep itself checks its own folder."""
    if html is None:
        return output / "report.html"
    if html.resolve().parent != output.resolve():
        check_target(html, queries.files)
    return html


def _kept(result: Sweep, point: OperatingPoint | None, folder: Path, page: Path, baseline: OneBaseline) -> str:
    """Write the ranker to deploy and the report; what is to be said of the sweep."""
    from riskrank.report.text.sweep_text import sweep_text

    lines = [sweep_text(result, point), *save_chosen(point, folder, baseline)]
    result.to_html(page, point=point)
    return "\n".join([*lines, "", f"Report: {page}"])
