"""`riskrank demo`: the embedded example, evaluated, and rankers trained on made-up data."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Optional

import typer

ALPHAS = (0, 1, 5, 10)


def demo_command(
    save: Annotated[
        Optional[Path],
        typer.Option(help="Write the example's files to this folder, to play with.", show_default=False),
    ] = None,
    only: Annotated[Optional[str], typer.Option(help="Only one part: evaluate or train.", show_default=False)] = None,
) -> None:
    """Evaluate an old ranker and three that might replace it, then train rankers that risk less and less."""
    from riskrank.cli.output import emit
    from riskrank.data.example import save_example
    from riskrank.errors import ParameterError

    if only not in (None, "evaluate", "train"):
        raise ParameterError(f"--only takes evaluate or train, got {only}.")
    if save is not None:
        for path in save_example(save):
            emit(str(path))
        return
    if only != "train":
        emit(_evaluation())
    if only is None:
        emit("")
    if only != "evaluate":
        emit(_training())


def _evaluation() -> str:
    from riskrank.data.example import example_files
    from riskrank.measures.evaluate import evaluate
    from riskrank.report.assess import assess
    from riskrank.report.text import assessment_text

    qrels, runs = example_files()
    scores = evaluate(qrels, runs, "nDCG@10")
    return assessment_text(assess(scores, "bm25", alphas=(0, 1, 5)), bold=sys.stdout.isatty())


def _training() -> str:
    from riskrank.data.feature import Feature
    from riskrank.data.synthetic_features import web_search_data
    from riskrank.measures.evaluate import evaluate
    from riskrank.objectives import URisk
    from riskrank.rankers.lambdamart import LambdaMART
    from riskrank.report.assess import assess
    from riskrank.report.text import effect_table

    data = web_search_data(2000, documents_per_query=60, n_features=40, random_state=2016)
    train, test = data.take(slice(0, 1000)), data.take(slice(1000, None))
    text = Feature(1)
    scores = {"text score": text.scores(test)}
    for alpha in ALPHAS:
        ranker = LambdaMART(URisk("nDCG@10", alpha=alpha), n_trees=100, n_leaves=15, min_docs_in_leaf=50)
        ranker.fit(train, baseline=text)
        scores["gain only" if alpha == 0 else f"URisk, α = {alpha}"] = ranker.predict(test)
    assessment = assess(evaluate(test, scores, "nDCG@10"), "text score", alphas=ALPHAS)
    first, last = assessment["gain only"], assessment[f"URisk, α = {ALPHAS[-1]}"]
    return "\n".join(
        [
            f"LambdaMART on made-up web search, {train.n_queries} queries to train, "
            f"{test.n_queries} to test; losses against the text score weigh 1 + α",
            "",
            effect_table(assessment),
            "",
            f"At α = {ALPHAS[-1]} the model keeps {last.reward / first.reward:.0%} of the reward "
            f"with {last.risk / first.risk:.0%} of the risk.",
        ]
    )
