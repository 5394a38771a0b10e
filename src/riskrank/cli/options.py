"""Options that several commands share."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

Missing = Literal["zero", "intersect", "error"]  # as riskrank.typing has it, which only type checkers load
MatrixRows = Literal["auto", "topics", "systems"]

JUDGMENTS_HELP = (
    "Relevance judgments: TREC qrels, or a LETOR file with labels; "
    "or a .csv, .tsv or .parquet matrix of per-topic scores."
)
JudgmentsArgument = Annotated[str, typer.Argument(metavar="QRELS", help=JUDGMENTS_HELP, show_default=False)]
MatrixRowsOption = Annotated[MatrixRows, typer.Option(help="What the rows of a score matrix are.")]
ZeroBasedLetorOption = Annotated[bool, typer.Option("--zero-based", help="Features of the LETOR file count from 0.")]


def numbers_from(texts: list[str], option: str) -> list[float]:
    """Numbers between commas, of an option that may be repeated."""
    from riskrank.errors import ParameterError, quoted

    found = []
    for text in texts:
        for part in text.split(","):
            try:
                found.append(float(part))
            except ValueError:
                raise ParameterError(f"{option} takes numbers like 0,1,5,10, got {quoted(text)}.") from None
    return found
