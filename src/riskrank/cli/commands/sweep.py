"""`riskrank sweep`: models over a grid of alpha, what each risk buys, and an operating point."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from riskrank.cli.chosen_point import PointOptions, save_chosen, takes_point
from riskrank.cli.options import (
    ClusterOption,
    JobsOption,
    MemoryOption,
    OutputFolderOption,
    OverwriteOption,
    QuietOption,
    RankerSeedOption,
    ValidOption,
    WeightsOption,
    ZeroBasedFilesOption,
    bytes_of,
    numbers_from,
    takes_ranker,
)
from riskrank.cli.output import emit, is_coloured, resumable_work
from riskrank.cli.rankers import baselines_from, ranker_from, takes_objective
from riskrank.cli.systems import weights_file
from riskrank.cli.table_options import TableOptions, takes_table
from riskrank.errors import FileError, ParameterError, quoted
from riskrank.files.outputs import check_outputs

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
        help="A table, LETOR text or shards, as for train; with --folds or --split all queries; or a folder of Fold1, "
        "Fold2, …",
    ),
]
BaselineOption = Annotated[
    list[str], typer.Option("--baseline", "-b", help="column:bm25, feature:110, a TREC run or a model; repeatable.")
]
TestOption = Annotated[str | None, typer.Option(help="Test queries, like TRAIN.")]
CalibrationOption = Annotated[str | None, typer.Option(help="Queries kept for the guarantee (--budget), like TRAIN.")]
FoldsOption = Annotated[int | None, typer.Option(help="Divide TRAIN's queries into this many folds, each tested once.")]
RankerOption = Annotated[str, typer.Option(help="The ranker, as for train.")]
ObjectiveOption = Annotated[
    list[str] | None, typer.Option(help="What to optimise (default: urisk); repeatable, for comparison.")
]
MeasureOption = Annotated[str, typer.Option("--measure", "-m", help="The measure to optimise and judge.")]
AlsoOption = Annotated[list[str] | None, typer.Option(help="Another measure to show; repeatable.")]
AlphaOption = Annotated[
    list[str] | None, typer.Option("--alpha", "-a", help=f"The grid of alpha (default: {USUAL}); repeatable.")
]
VaryOption = Annotated[
    str | None, typer.Option(metavar="NAME=VALUES", help="Vary another parameter instead: n_leaves=7,15,31.")
]
SelectOption = Annotated[
    list[str] | None,
    typer.Option(
        help="Also use the reference model (the first objective's, with the value nearest to 0) selectively, by a "
        "predictor: 'max feature:110', margin, agreement, gain; repeatable."
    ),
]
WithOption = Annotated[
    list[str] | None, typer.Option("--with", metavar="NAME=VALUE", help="Another parameter of the objectives.")
]
SetOption = Annotated[list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="A parameter of the ranker.")]
HtmlOption = Annotated[Path | None, typer.Option(help="Where to write the report (default: DIR/report.html).")]
TablesOption = Annotated[bool, typer.Option("--tables", help="Print all numbers.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")]


@takes_point
@takes_ranker("n_trees", "n_leaves", "min_docs_in_leaf", "learning_rate", "early_stopping", "engine")
@takes_table("query", "label", "document", "features", "drop", "categories", "weight", "split", "cache")
def command(
    context: typer.Context,
    train: TrainArgument,
    output: OutputFolderOption,
    baseline: BaselineOption,
    test: TestOption = None,
    valid: ValidOption = None,
    calibration: CalibrationOption = None,
    folds: FoldsOption = None,
    weights: WeightsOption = None,
    ranker: RankerOption = "LambdaMART",
    objective: ObjectiveOption = None,
    measure: MeasureOption = "nDCG@10",
    also: AlsoOption = None,
    alpha: AlphaOption = None,
    vary: VaryOption = None,
    select: SelectOption = None,
    with_: WithOption = None,
    set_: SetOption = None,
    n_jobs: JobsOption = None,
    cluster: ClusterOption = None,
    memory: MemoryOption = None,
    random_state: RankerSeedOption = 0,
    html: HtmlOption = None,
    overwrite: OverwriteOption = False,
    tables: TablesOption = False,
    as_json: JsonOption = False,
    zero_based: ZeroBasedFilesOption = False,
    verbose: QuietOption = None,
    *,
    table: TableOptions,
    wanted: PointOptions,
) -> None:
    """Train models that risk less and less, and show what each risk buys. If interrupted, it resumes where it stopped.

    riskrank sweep train.txt --test test.txt -b feature:1 --alpha 0,1,5 -o sweep
    """
    from riskrank.data.shards.sharded_data import check_in_shards

    parameter, values = _grid(alpha, vary)
    given: dict[str, Any] = {"train": train, "valid": valid, "test": test, "calibration": calibration}
    is_sharded = table.means_shards(train, weights, zero_based=zero_based)
    most_bytes = bytes_of(memory)
    check_in_shards(train, cluster=cluster, memory=memory)
    has_fold_files = not is_sharded and _check_data(table, given, folds, weights, output, zero_based=zero_based)
    rankers = _rankers(context, ranker, objective, measure=measure, with_=with_, set_=set_)
    if table.split is not None:
        given = {**table.read_parts(train)}
    has = {f"has_{part}": given.get(part) is not None for part in ("valid", "calibration")}
    is_weighted = bool(weights or table.weight) or (is_sharded and _have_weights(given))
    has |= {"has_folds": folds is not None or has_fold_files, "is_weighted": is_weighted}
    wanted.check(rankers.values(), select or [], n_baselines=len(baseline), **has)
    data = given if has_fold_files or is_sharded else _read(table, given, zero_based)
    others = [test, valid, calibration, *baseline, *weights_file(weights)]
    page, baselines = _page_path(html, output, train, others), baselines_from(baseline)
    from riskrank.tradeoff.run_sweep import sweep
    from riskrank.tradeoff.sweep_files import is_interrupted_sweep, sweep_folder

    with resumable_work(sweep_folder(output), goes_on=is_interrupted_sweep(output)):
        result = sweep(
            data["train"], rankers, baseline=baselines, values=values, parameter=parameter, valid=data.get("valid"),
            test=data.get("test"), calibration=data.get("calibration"), folds=folds, weights=weights,
            measures=also or [], predictors=select or [], folder=output, n_jobs=n_jobs, cluster=cluster,
            memory=most_bytes, random_state=random_state, zero_based=zero_based, cache=table.cache, verbose=verbose,
        )  # fmt: skip
    point = wanted.choose(result)
    text = _finished(result, point, output, page, next(iter(baselines.values())), tables=tables, as_json=as_json)
    emit(text, is_data=as_json, beside=_pages(result, point, test or train, page), overwrite=overwrite)


def _have_weights(given: Mapping[str, Any]) -> bool:
    """Do any queries in shards count more than others?"""
    from riskrank.data.shards.sharded_data import shards_of

    parts = map(shards_of, given.values())
    return any(part.manifest.weights is not None for part in parts if part is not None)


def _check_data(
    table: TableOptions,
    given: dict[str, Any],
    folds: int | None,
    weights: str | None,
    output: Path,
    *,
    zero_based: bool,
) -> bool:
    """Refuse what cannot be read, and what is said twice; is the training data a folder of folds?"""
    from riskrank.tradeoff.query_splits import is_fold_folder

    table.check_weights(weights)
    has_fold_files = is_fold_folder(given["train"])
    paths = (path for name, path in given.items() if name != "train" or not has_fold_files)
    table.check(*paths, zero_based=zero_based, output=output)
    others = [name for name in ("valid", "test", "calibration") if given[name] is not None]
    others += [] if folds is None else ["folds"]
    if table.split is not None and others:
        raise ParameterError(f"split= makes all parts of one table: leave {others[0]}= out.")
    return has_fold_files


def _read(table: TableOptions, given: Mapping[str, Any], zero_based: bool) -> dict[str, Any]:
    """Tables are read, with the features of the training data; LETOR files stay paths, and so does what was read."""
    from riskrank.data.feature_tables.ranking_files import is_feature_table

    data: dict[str, Any] = dict(given)
    for name, path in given.items():
        if isinstance(path, str) and is_feature_table(path):
            first = None if name == "train" or isinstance(data["train"], str) else data["train"]
            data[name] = table.read(path, like=first, zero_based=zero_based)
    return data


def _page_path(html: Path | None, output: Path, train: str, others: Sequence[str | None]) -> Path:
    """Where the report goes; neither it nor the sweep may be an input."""
    from riskrank.data.feature_tables.separate_outputs import check_separate
    from riskrank.tradeoff.query_splits import is_fold_folder
    from riskrank.tradeoff.sweep_files import FILES

    check_separate(
        [output], others if is_fold_folder(train) else [train, *others]
    )  # folds are files of their own names
    page = html or output / "report.html"
    if page.resolve().parent != output.resolve():  # which the sweep checks
        check_outputs([page], [])
        check_separate([page], [train, *others])
    elif page.name in FILES:
        raise FileError(page, "is part of the sweep. Choose another place.")
    return page


def _grid(alpha: Sequence[str] | None, vary: str | None) -> tuple[str, list[float]]:
    """The parameter that varies, and its values."""
    if vary is None:
        return "alpha", numbers_from(alpha or [USUAL], "--alpha")
    if alpha:
        raise ParameterError("give --alpha or --vary, not both: a sweep varies one parameter.")
    name, equals, values = vary.partition("=")
    if not equals or not name.strip():
        raise ParameterError(f"--vary takes NAME=VALUES like n_leaves=7,15,31, got {quoted(vary)}.")
    return name.strip(), numbers_from([values], "--vary")


def _rankers(
    context: typer.Context,
    ranker: str,
    objectives: Sequence[str] | None,
    *,
    measure: str,
    with_: Sequence[str] | None,
    set_: Sequence[str] | None,
) -> dict[str, Ranker]:
    """A ranker for each objective, by the objective's name; or one that takes none, by its own."""
    wanted: Sequence[str | None] = objectives or ["urisk" if takes_objective(ranker) else None]
    rankers: dict[str, Ranker] = {}
    for name in wanted:
        unfitted = ranker_from(context, ranker, objective=name, measure=measure, with_=with_, set_=set_)
        title = type(unfitted.own_objective or unfitted).__name__
        if title in rankers:
            raise ParameterError(f"the objective {name} is given twice.")
        rankers[title] = unfitted
    return rankers


def _pages(result: Sweep, point: OperatingPoint | None, source: str, place: Path) -> dict[Path, str]:
    """The report, by where it goes."""
    from riskrank.report.page.sweeps.sweep_page import sweep_page

    return {place: sweep_page(result, point=point, source=Path(source).name)}


def _finished(
    result: Sweep, point: OperatingPoint | None, output: Path, page: Path, baseline: OneBaseline, *, tables: bool,
    as_json: bool,
) -> str:  # fmt: skip
    """Keep the chosen ranker; JSON, or the first screen or all numbers, then where it and the report are."""
    from riskrank.report.text.sweep_text import sweep_numbers, sweep_text

    said = save_chosen(point, output, baseline)
    if as_json:
        return result.summary.write_json()
    first = sweep_numbers(result, point) if tables else sweep_text(result, point, styled=is_coloured())
    more = "" if tables else "--tables  all numbers    "
    places = "\n".join([*said, f"{more}{page}  the curve and every query"])
    return f"{first}\n\n{places}"
