"""Options that several commands share, and what is written in them."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Annotated, Any, Literal, Optional

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

ModelArgument = Annotated[str, typer.Argument(metavar="MODEL", help="A model's folder.", show_default=False)]
ValidOption = Annotated[Optional[str], typer.Option(help="A LETOR file with validation queries.")]
OptimisedMeasureOption = Annotated[str, typer.Option("--measure", "-m", help="The measure to optimise.")]
TreesOption = Annotated[Optional[int], typer.Option(help="How many trees (default: 300).")]
LeavesOption = Annotated[Optional[int], typer.Option(help="Leaves of a tree (default: 31).")]
MinDocsOption = Annotated[Optional[int], typer.Option(help="Least documents in a leaf (LightGBM; default: 20).")]
RateOption = Annotated[Optional[float], typer.Option(help="Learning rate (trees: 0.1, nets: 0.001).")]
EarlyStoppingOption = Annotated[
    Optional[int], typer.Option(help="Stop when validation has not improved for so many steps.")
]
EngineOption = Annotated[Optional[str], typer.Option(help="lightgbm (default) or xgboost.")]
ThreadsOption = Annotated[Optional[int], typer.Option(help="Threads (default: all cores).")]
JobsOption = Annotated[Optional[int], typer.Option(help="Models trained side by side (default: all cores).")]
SeedOption = Annotated[int, typer.Option(help="Seed of all random numbers.")]
ZeroBasedFileOption = Annotated[bool, typer.Option("--zero-based", help="Features of the file count from 0.")]
ZeroBasedFilesOption = Annotated[bool, typer.Option("--zero-based", help="Features of the files count from 0.")]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar.")]


def numbers_from(texts: Sequence[str], option: str) -> list[float]:
    """Numbers between commas, of an option that may be repeated."""
    from riskrank.errors import ParameterError, quoted

    numbers = []
    for text in texts:
        for part in text.split(","):
            try:
                numbers.append(float(part))
            except ValueError:
                raise ParameterError(f"{option} takes numbers like 0,1,5,10, got {quoted(text)}.") from None
    return numbers


def named_values(texts: Sequence[str] | None, option: str) -> dict[str, Any]:
    """NAME=VALUE with numbers, True and None read as such."""
    from riskrank.errors import ParameterError, quoted

    values: dict[str, Any] = {}
    for text in texts or ():
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise ParameterError(f"{option} takes NAME=VALUE, got {quoted(text)}.")
        try:
            values[name.strip()] = ast.literal_eval(value)
        except (ValueError, SyntaxError):
            values[name.strip()] = {"true": True, "false": False, "none": None}.get(value.lower(), value)
    return values
