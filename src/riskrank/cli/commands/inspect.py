"""`riskrank inspect`: what a model is."""

from __future__ import annotations

from typing import Annotated

import typer

from riskrank.cli.options import ModelArgument
from riskrank.cli.output import emit

FeaturesOption = Annotated[int, typer.Option(help="How many features to show.", min=0)]
RowsOption = Annotated[int, typer.Option(help="How many rows of the history to show.", min=2)]
JsonOption = Annotated[bool, typer.Option("--json", help="Everything, as JSON.")]


def command(
    model: ModelArgument, features: FeaturesOption = 10, rows: RowsOption = 10, as_json: JsonOption = False
) -> None:
    """Show a model's card, its most important features and the history of its training.

    riskrank inspect model
    """
    from riskrank.report.text.model_text import model_json, model_text

    emit(model_json(model) if as_json else model_text(model, n_features=features, n_rows=rows), is_data=as_json)
