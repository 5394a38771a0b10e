"""`riskrank demo`: the evaluation of the embedded example."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Optional

import typer


def demo_command(
    save: Annotated[
        Optional[Path],
        typer.Option(help="Write the example's files to this folder, to play with.", show_default=False),
    ] = None,
) -> None:
    """Evaluate the embedded example: a search engine's old ranker and three that might replace it."""
    from riskrank.cli.output import emit
    from riskrank.data.example import example_files, save_example
    from riskrank.measures.evaluate import evaluate
    from riskrank.report.assess import assess
    from riskrank.report.text import assessment_text

    if save is not None:
        for path in save_example(save):
            emit(str(path))
        return
    qrels, runs = example_files()
    scores = evaluate(qrels, runs, "nDCG@10")
    emit(assessment_text(assess(scores, "bm25", alphas=(0, 1, 5)), bold=sys.stdout.isatty()))
