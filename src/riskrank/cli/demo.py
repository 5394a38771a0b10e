"""`riskrank demo`: the whole story on embedded data, from an evaluation to an operating point and its report."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Optional

import typer

ALPHAS = (0, 1, 2, 5, 10)
BUDGET = 0.015
PARTS = ("evaluate", "sweep")


def demo_command(
    save: Annotated[
        Optional[Path],
        typer.Option(help="Write the example's files to this folder, to play with.", show_default=False),
    ] = None,
    only: Annotated[Optional[str], typer.Option(help="Only one part: evaluate or sweep.", show_default=False)] = None,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="Folder for the sweep and its report.")
    ] = Path("riskrank-demo"),
) -> None:
    """Evaluate rankers that might replace an old one, then train some that risk less and less, and choose.

    The second part makes up 3,000 web searches, trains LambdaMART for gain only and for less and less risk, shows what
    each risk buys, picks the point with the largest gain within a budget of risk, and writes a report.
    """
    from riskrank.cli.output import emit
    from riskrank.data.example import save_example
    from riskrank.errors import ParameterError

    if only not in (None, *PARTS):
        raise ParameterError(f"--only takes {' or '.join(PARTS)}, got {only}.")
    if save is not None:
        for path in save_example(save):
            emit(str(path))
        return
    if only != "sweep":
        emit(_evaluation())
    if only is None:
        emit("")
    if only != "evaluate":
        emit(_sweep(output))


def _evaluation() -> str:
    from riskrank.data.example import example_files
    from riskrank.measures.evaluate import evaluate
    from riskrank.report.assess import assess
    from riskrank.report.text import assessment_text

    qrels, runs = example_files()
    scores = evaluate(qrels, runs, "nDCG@10")
    return assessment_text(assess(scores, "bm25", alphas=(0, 1, 5)), bold=sys.stdout.isatty())


def _sweep(output: Path) -> str:
    from riskrank.data.feature import Feature
    from riskrank.data.synthetic_features import web_search_data
    from riskrank.objectives import URisk
    from riskrank.rankers.lambdamart import LambdaMART
    from riskrank.report.sweep import sweep
    from riskrank.report.sweep_text import sweep_text

    data = web_search_data(3000, documents_per_query=60, n_features=40, random_state=2016)
    train, valid, test = (data.take(slice(begin, begin + 1000)) for begin in (0, 1000, 2000))
    ranker = LambdaMART(URisk("nDCG@10"), n_trees=100, n_leaves=15, min_docs_in_leaf=50)
    found = sweep(
        train,
        ranker,
        baseline=Feature(1),
        values=ALPHAS,
        valid=valid,
        test=test,
        measures=["nDCG@1"],
        predictors=["max feature:1"],
        folder=output,
    )
    point = found.guarantee(BUDGET)
    report = output / "report.html"
    found.to_html(report, point=point)
    return "\n".join(
        [
            "LambdaMART on made-up web search, 1,000 queries to train, 1,000 to choose by, 1,000 to test;",
            "feature:1 is a text score, and losses against it weigh 1 + α in training",
            "",
            sweep_text(found, point),
            "",
            f"Report: {report}",
        ]
    )
