"""`riskrank synthesise`: synthetic data to learn from, or runs to compare."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Annotated

import typer

from riskrank.cli.options import OverwriteOption, SeedOption, numbers_from
from riskrank.cli.output import emit

KindArgument = Annotated[
    str,
    typer.Argument(
        metavar="KIND",
        help="cubic (grades by a cubic polynomial, no noise), web-search (feature 1 is a text score), or runs.",
    ),
]
OutputOption = Annotated[
    Path, typer.Option("--output", "-o", metavar="PATH", help="A LETOR file; a folder for several files, or for runs.")
]
QueriesOption = Annotated[
    str, typer.Option("--queries", "-n", help="How many; 600,300,300: train.txt, valid.txt and test.txt of one draw.")
]
DocumentsOption = Annotated[
    int | None, typer.Option("--documents", help="Documents per query (web-search: on average).")
]
FeaturesOption = Annotated[int | None, typer.Option("--features", help="How many features.")]


def command(
    kind: KindArgument,
    output: OutputOption,
    n_queries: QueriesOption = "1000",
    documents_per_query: DocumentsOption = None,
    n_features: FeaturesOption = None,
    random_state: SeedOption = 0,
    overwrite: OverwriteOption = False,
) -> None:
    """Write synthetic data: queries with features and labels to learn from, or judgments and runs to compare.

    riskrank synthesise cubic -o cubic --queries 600,300,300
    """
    gc.enable()  # see main.run
    from riskrank.data.synthetic.synthetic_files import write_synthetic
    from riskrank.errors import ParameterError

    counts = numbers_from([n_queries], "--queries")
    if not all(float(count).is_integer() for count in counts):
        raise ParameterError("--queries takes whole numbers.")
    written = write_synthetic(
        kind, output, n_queries=[int(count) for count in counts], documents_per_query=documents_per_query,
        n_features=n_features, random_state=random_state, overwrite=overwrite,
    )  # fmt: skip
    for path in written:
        emit(str(path))
