"""`riskrank inspect`: what a model is."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer


def inspect_command(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="A model's folder.", show_default=False)],
    features: Annotated[int, typer.Option(help="How many features to show.", min=0)] = 10,
    rows: Annotated[int, typer.Option(help="How many rows of the history to show.", min=2)] = 10,
    as_json: Annotated[bool, typer.Option("--json", help="Everything, as JSON.")] = False,
) -> None:
    """Show a model's card, its most important features and the history of its training."""
    from riskrank.cli.output import emit
    from riskrank.rankers import load
    from riskrank.rankers.card import read_card
    from riskrank.report.text import aligned

    ranker = load(model)
    card, importances = read_card(model), ranker.model_.importances()
    first = card["first_feature"]
    if as_json:
        found = {kind: {str(first + i): float(v) for i, v in enumerate(values)} for kind, values in importances.items()}
        emit(json.dumps({**card, "importances": found, "history": ranker.history_.to_json()}, indent=2))
        return
    lines = [f"{name:<16} {value}" for name, value in _facts(card)]
    share = ranker.feature_importances_
    best = share.argsort(kind="stable")[::-1][:features]
    body = [[f"{first + i}", f"{100 * share[i]:.1f} %", f"{importances['split'][i]:.0f}"] for i in best if share[i] > 0]
    if body:
        lines += ["", "Features that gained most", aligned(["feature", "gain", "splits"], body)]
    frame = ranker.history_.frame
    if len(frame):
        step = max(1, (len(frame) - 1) // (rows - 1))
        kept = sorted({*range(0, len(frame), step), len(frame) - 1})
        header = [name.replace("_", " ") for name in frame.columns]
        shown = [[_number(value) for value in frame.row(i)] for i in kept]
        lines += ["", "History", aligned(header, shown)]
    emit("\n".join(lines))


def _facts(card: dict[str, Any]) -> list[tuple[str, str]]:
    objective = card["objective"]
    options = ", ".join(f"{name} {value}" for name, value in objective.items() if name not in ("objective", "measure"))
    data = card["training_data"]
    facts = [
        ("model", f"{card['kind']} of {card['trees']} trees, {card['best_trees']} used ({card['ending']})"),
        ("objective", f"{objective['objective']} of {objective['measure']}; {options}"),
        ("baselines", ", ".join(card["baselines"]) or "none"),
        ("trained on", f"{data['queries']:,} queries, {data['documents']:,} documents, {data['features']} features"),
        ("parameters", ", ".join(f"{name} {value}" for name, value in card["parameters"].items() if value is not None)),
        ("created", f"{card['created']} with " + ", ".join(f"{n} {v}" for n, v in card["versions"].items())),
    ]
    if card["needs_baseline"]:
        facts.insert(3, ("starts from", f"its baseline's scores × {card['start_scale']:.4g}; predicting needs them"))
    return facts


def _number(value: Any) -> str:
    return str(value) if isinstance(value, int) else f"{value:.4f}"
