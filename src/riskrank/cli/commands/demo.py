"""`riskrank demo`: an evaluation of embedded runs; and, if asked for, an operating point, and learning from clicks."""

from __future__ import annotations

import gc
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from riskrank.cli.options import OverwriteOption
from riskrank.cli.output import emit, is_coloured

ALPHAS = (0, 1, 2, 5, 10)
BUDGET = 0.015
PAGES = 40_000
NEXT = """\
riskrank demo --save example  these files, to play with
riskrank demo sweep           models that risk less and less, and which to use
riskrank demo clicks          models that learn from clicks and move few pages"""

PartArgument = Annotated[str | None, typer.Argument(metavar="[PART]", help="evaluate (default), sweep or clicks.")]
SaveOption = Annotated[Path | None, typer.Option(help="Write the example's files to this folder, to play with.")]
OutputOption = Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Folder for models and reports.")]


def command(
    part: PartArgument = None,
    save: SaveOption = None,
    output: OutputOption = Path("riskrank-demo"),
    overwrite: OverwriteOption = False,
) -> None:
    """Evaluate rankers that might replace an old one; or train some that risk less, or learn from clicks.

    evaluate: three rankers against an old one on 50 topics.

    sweep: LambdaMART on 3,000 synthetic web searches, for gain only and for less and less risk, and the point with the
    largest gain within a budget.

    clicks: a synthetic search log, rankers that learn from its clicks, and how often each re-ranks for what it gains.

    riskrank demo
    """
    gc.enable()  # see main.run
    from riskrank.data.example import save_example
    from riskrank.errors import ParameterError, quoted

    if part not in (None, *PARTS):
        raise ParameterError(f"the demo has the parts {', '.join(PARTS)}, got {quoted(str(part))}.")
    if save is not None:
        for path in save_example(save, overwrite=overwrite):
            emit(str(path))
        return
    text = PARTS[part or "evaluate"](output / (part or "evaluate"))
    emit(text if part else f"{text}\n\n{NEXT}")


def _evaluation(_folder: Path) -> str:
    from riskrank.assessment.assess import assess
    from riskrank.data.example import example_files
    from riskrank.measures.evaluate import evaluate
    from riskrank.report.text.assessment_text import assessment_text
    from riskrank.report.text.system_table import TextOptions

    qrels, runs = example_files()
    scores = evaluate(qrels, runs, "nDCG@10")
    return assessment_text(assess(scores, "bm25", alphas=(0, 1, 5)), TextOptions(styled=is_coloured()))


def _sweep(output: Path) -> str:
    from riskrank.data.feature import Feature
    from riskrank.data.synthetic.synthetic_features import web_search_data
    from riskrank.objectives import URisk
    from riskrank.rankers.trees.lambdamart import LambdaMART
    from riskrank.report.text.sweep_text import sweep_text
    from riskrank.tradeoff.run_sweep import sweep

    data = web_search_data(3000, documents_per_query=60, n_features=40, random_state=2016)
    train, valid, test = (data.take(slice(begin, begin + 1000)) for begin in (0, 1000, 2000))
    ranker = LambdaMART(URisk("nDCG@10"), n_trees=100, n_leaves=15, min_docs_in_leaf=50)
    result = sweep(
        train, ranker, baseline=Feature(1), values=ALPHAS, valid=valid, test=test, measures=["nDCG@1"],
        predictors=["max feature:1"], folder=output,
    )  # fmt: skip
    point = result.guarantee(BUDGET)
    report = output / "report.html"
    result.to_html(report, point=point)
    about = "LambdaMART against a text score (feature:1) on 3,000 synthetic searches."
    return f"{about}\n\n{sweep_text(result, point, styled=is_coloured())}\n\n{report}  the curve and every query"


def _clicks(output: Path) -> str:
    from riskrank.clicks.logs.log_files import write_log
    from riskrank.clicks.preparation import prepare
    from riskrank.clicks.simulator import World
    from riskrank.files.writing import make_folders
    from riskrank.tradeoff.clicks.click_sweep import click_sweep

    make_folders(output)
    log = output / "log.parquet"
    if not log.exists():
        write_log(World(random_state=2015).log(PAGES), log, layout="table")
    data = prepare(log, output / "prepared")
    result = click_sweep(
        data, alphas=(0, 0.2, 1), betas=(0.05, 0.2, 0.5), lowest_betas=(1,), both_alphas=(0.2,), both_betas=(0.2,),
        n_trees=100, early_stopping=20, folder=output / "models",
    )  # fmt: skip
    report = output / "report.html"
    result.to_html(report)
    about = (
        f"Learning from clicks on {PAGES:,} synthetic result pages, {data.parts['train']:,} of them to train\n"
        f"and {data.parts['valid']:,} to choose by."
    )
    return f"{about}\n\n{result!r}\n\n{report}  the curve and all models"


PARTS: dict[str, Callable[[Path], str]] = {"evaluate": _evaluation, "sweep": _sweep, "clicks": _clicks}
