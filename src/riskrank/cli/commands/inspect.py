"""`riskrank inspect`: what a model is."""

from __future__ import annotations

import json
from pathlib import Path
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
    from riskrank.rankers.selective.wrapped import MODEL
    from riskrank.report.text.formatting import aligned

    ranker = load(model)
    card = read_card(model)
    around = []
    if hasattr(ranker, "ranker_"):
        around = [("used", _use(card)), ("others ranked by", ", ".join(card["baselines"]))]
        ranker, card = ranker.ranker_, {**card, **read_card(Path(model) / MODEL)}
    if as_json:
        found = {kind: values.tolist() for kind, values in ranker.importances().items()}
        first = card["first_feature"]
        by_feature = {kind: {str(first + i): v for i, v in enumerate(values)} for kind, values in found.items()}
        emit(json.dumps({**card, "importances": by_feature, "history": ranker.history_.to_json()}, indent=2))
        return
    lines = [f"{name:<16} {value}" for name, value in [*around, *_facts(card, ranker.unit)]]
    lines += _features(ranker, card["first_feature"], features)
    frame = ranker.history_.frame
    if len(frame):
        step = max(1, (len(frame) - 1) // (rows - 1))
        kept = sorted({*range(0, len(frame), step), len(frame) - 1})
        header = [name.replace("_", " ") for name in frame.columns]
        shown = [[_number(value) for value in frame.row(i)] for i in kept]
        lines += ["", "History", aligned(header, shown)]
    emit("\n".join(lines))


def _use(card: dict[str, Any]) -> str:
    """Where a mixed or selective ranker uses the model within."""
    parameters = card["parameters"]
    if card["kind"] == "Mixed":
        return f"on {parameters['probability']:.0%} of queries, by a coin (seed {parameters['random_state']})"
    predictor = {name: value for name, value in card["predictor"].items() if not isinstance(value, list)}
    words = " ".join(str(value) for value in predictor.values())
    return f"on queries with {words} {parameters['apply']} {parameters['threshold']:g}"


def _features(ranker: Any, first: int, most: int) -> list[str]:
    """A table of the features that matter most, for models that can tell."""
    from riskrank.report.text.formatting import aligned

    kinds = ranker.importances()
    if not kinds:
        return []
    share = ranker.feature_importances_
    best = [i for i in share.argsort(kind="stable")[::-1][:most] if share[i] > 0]
    others = {kind: values for kind, values in kinds.items() if kind != "gain"}
    body = [[f"{first + i}", f"{100 * share[i]:.1f} %", *(f"{v[i]:.5g}" for v in others.values())] for i in best]
    header = ["feature", "gain" if "gain" in kinds else "share", *others]
    return ["", "Features that matter most", aligned(header, body)] if body else []


def _facts(card: dict[str, Any], unit: str) -> list[tuple[str, str]]:
    data = card["training_data"]
    goal = ("measure", str(card["parameters"].get("measure")))
    if "objective" in card:
        objective = card["objective"]
        options = ", ".join(f"{n} {value}" for n, value in objective.items() if n not in ("objective", "measure"))
        goal = ("objective", f"{objective['objective']} of {objective['measure']}; {options}")
    facts = [
        ("model", f"{card['kind']} {_extent(card, unit)} ({card['ending']})"),
        goal,
        ("baselines", ", ".join(card["baselines"]) or "none"),
        ("trained on", f"{data['queries']:,} queries, {data['documents']:,} documents, {data['features']} features"),
        ("parameters", ", ".join(f"{name} {value}" for name, value in card["parameters"].items() if value is not None)),
        ("created", f"{card['created']} with " + ", ".join(f"{n} {v}" for n, v in card["versions"].items())),
    ]
    if card["needs_baseline"]:
        facts.insert(3, ("starts from", f"its baseline's scores × {card['start_scale']:.4g}; predicting needs them"))
    return facts


def _extent(card: dict[str, Any], unit: str) -> str:
    done, best = card[unit], card[f"best_{unit}"]
    return f"of {done} {unit}, {best} used" if unit == "trees" else f"after {best} of {done} {unit}"


def _number(value: Any) -> str:
    return str(value) if isinstance(value, int) else f"{value:.4f}"
