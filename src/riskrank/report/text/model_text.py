"""A saved model and its training, in words, tables and JSON."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.rankers import load
from riskrank.rankers.card import MODEL, read_card
from riskrank.rankers.fitting.history import NUMBERS
from riskrank.rankers.fitting.history import QUERY_SETS as SIDES
from riskrank.report.findings.digits import Digits
from riskrank.report.findings.words import listed, short_name, words
from riskrank.report.text.formatting import aligned, decimals, signed
from riskrank.report.text.terminal import paragraph
from riskrank.risk.inference.mirror_shift import GAIN, weighted_mirror
from riskrank.risk.intervals import USUAL_CONFIDENCE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from riskrank.rankers.ranker import Ranker
    from riskrank.typing import PathLike


def training_text(ranker: Ranker, folder: PathLike) -> str:
    """What was trained, why training ended, what it gains, and the numbers of the step that is used."""
    card, unit, best = ranker.card_, ranker.unit, ranker.best_steps_
    extent = f"{card[unit]} {unit}" if unit == "trees" else f"after {best} of {card[unit]} {unit}"
    best_ones = "the first one is" if best == 1 else f"the best {best} are"
    used = f", {best_ones} used" if unit == "trees" and best != card[unit] else ""
    goal = f" for {ranker.own_objective!r}" if ranker.own_objective is not None else ""
    ending = "" if card["ending"].startswith("all ") else f" ({card['ending']})"
    title = paragraph(words(f"{folder}: {type(ranker).__name__}{goal}, {extent}{used}{ending}."))
    if not len(ranker.history_):
        return title
    row = max(best, 1) - 1
    values = {(side, name): ranker.history_[f"{side}_{name}"][row] for side in SIDES for name in NUMBERS}
    known = {key: value for key, value in values.items() if not math.isnan(value)}
    sides = list(dict.fromkeys(side for side, _ in known))
    names = list(dict.fromkeys(name for _, name in known))
    titles = {"effectiveness": str(ranker.training_objective.measure), "urisk": "URisk"}
    rows = [[side, *(decimals(known[side, name]) for name in names)] for side in sides]
    legend = ""
    if "urisk" in names:
        alpha = ranker.training_objective.alpha
        legend = f"reward, risk: mean win, mean loss; URisk: reward − (1 + α) × risk, α = {alpha:g}"
    table = aligned(["", *(titles.get(name, name) for name in names)], rows)
    parts = [title, _trained_gain(ranker, known), table, legend]
    return "\n\n".join(part for part in parts if part)


def _trained_gain(ranker: Ranker, known: Mapping[tuple[str, str], float]) -> str:
    """What the model gains over its baseline, where it has one; on training queries that says little."""
    side = next((side for side in reversed(SIDES) if (side, "reward") in known), None)
    if side is None:
        return ""
    gain, risk = known[side, "reward"] - known[side, "risk"], known[side, "risk"]
    change = f"gains {signed(gain)}" if gain > 0 else f"loses {decimals(-gain)}"
    measure, baselines = ranker.training_objective.measure, [short_name(name) for name in ranker.card_["baselines"]]
    against = baselines[0] if len(baselines) == 1 else f"the mean of {listed(baselines)}"
    compared = f"{'over' if gain > 0 else 'against'} {against}"
    if side == "train":
        start, sure, other = "On the training queries it ", "", " Other queries tell more (--valid)."
    else:
        chose = ", which also chose the best step," if ranker.uses_best_step(True) else ""
        start, sure, other = f"On the validation queries{chose} it ", _sureness(ranker), ""
    return paragraph(words(f"{start}{change} {measure} {compared}{sure}, with a mean loss of {decimals(risk)}.{other}"))


def _sureness(ranker: Ranker) -> str:
    """The interval of the mean change of validation queries."""
    if ranker.valid_changes_ is None:
        return ""
    mirror = weighted_mirror(ranker.valid_changes_, ranker.valid_weights_)
    return Digits(4).bracketed(mirror.interval(GAIN, USUAL_CONFIDENCE), USUAL_CONFIDENCE)


def model_text(folder: PathLike, *, n_features: int = 10, n_rows: int = 10) -> str:
    """A model's card, its most important features and some rows of the history of its training."""
    model = _InspectedModel.read(folder)
    lines = [f"{name:<16} {value}" for name, value in [*model.use, *_card_facts(model.card, model.ranker.unit)]]
    lines += _feature_table(model.ranker, n_features)
    lines += _history_table(model.ranker, n_rows)
    return "\n".join(lines)


def model_json(folder: PathLike) -> str:
    """A model's card, the importances of all its features and the whole history of its training."""
    model = _InspectedModel.read(folder)
    importances = {
        kind: dict(zip(model.ranker.columns_.keys, values.tolist(), strict=True))
        for kind, values in model.ranker.importances().items()
    }
    content = {**model.card, "importances": importances, "history": model.ranker.history_.to_json()}
    return json.dumps(content, indent=2)


@dataclass(frozen=True)
class _InspectedModel:
    """A ranker with its card; of one that is used on some queries only, the ranker within and how it is used."""

    ranker: Ranker
    card: dict[str, Any]
    use: list[tuple[str, str]]

    @classmethod
    def read(cls, folder: PathLike) -> _InspectedModel:
        ranker, card = load(folder), read_card(folder)
        if not hasattr(ranker, "ranker_"):
            return cls(ranker, card, [])
        use = [("used", _use(ranker.get_params(deep=False), card)), ("others ranked by", ", ".join(card["baselines"]))]
        return cls(ranker.ranker_, {**card, **read_card(Path(folder) / MODEL)}, use)


def _use(parameters: dict[str, Any], card: dict[str, Any]) -> str:
    """Where a mixed or selective ranker uses the model within."""
    if card["kind"] == "Mixed":
        return f"on {parameters['probability']:.0%} of queries, by a coin (seed {parameters['random_state']})"
    predictor = {name: value for name, value in card["predictor"].items() if not isinstance(value, list)}
    words = " ".join(str(value) for value in predictor.values())
    return f"on queries with {words} {parameters['apply']} {parameters['threshold']:g}"


def _card_facts(card: dict[str, Any], unit: str) -> list[tuple[str, str]]:
    data = card["training_data"]
    goal = ("measure", str(card["parameters"].get("measure")))
    objective = card.get("objective")
    if objective:
        options = ", ".join(f"{n} {value}" for n, value in objective.items() if n not in ("objective", "measure"))
        goal = ("objective", f"{objective['objective']} of {objective.get('measure')}; {options}")
    facts = [
        ("model", f"{card['kind']} {_extent(card, unit)} ({card.get('ending', '')})"),
        goal,
        ("baselines", ", ".join(card["baselines"]) or "none"),
        ("trained on", _extent_of_data(data)),
        ("parameters", ", ".join(f"{name} {value}" for name, value in card["parameters"].items() if value is not None)),
        ("created", f"{card.get('created', '')} with " + ", ".join(f"{n} {v}" for n, v in card["versions"].items())),
    ]
    if card["needs_baseline"]:
        facts.insert(3, ("starts from", f"its baseline's scores × {card['start_scale']:.4g}; predicting needs them"))
    return facts


def _extent_of_data(data: dict[str, Any]) -> str:
    parts = []
    for unit in ("queries", "documents"):
        effective = data.get(f"effective_{unit}")
        parts.append(f"{data[unit]:,} {unit}" + (f" (by weight as {effective:,.1f})" if effective else ""))
    return f"{', '.join(parts)}, {data['features']} features"


def _extent(card: dict[str, Any], unit: str) -> str:
    done, best = card[unit], card[f"best_{unit}"]
    return f"of {done} {unit}, {best} used" if unit == "trees" else f"after {best} of {done} {unit}"


def _feature_table(ranker: Ranker, most: int) -> list[str]:
    """A table of the features that matter most, for models that can tell."""
    kinds = ranker.importances()
    if not kinds:
        return []
    size = np.abs(next(iter(kinds.values())))
    share = size / (size.sum() or 1.0)
    best = [i for i in share.argsort(kind="stable")[::-1][:most] if share[i] > 0]
    others = {kind: values for kind, values in kinds.items() if kind != "gain"}
    keys = ranker.columns_.keys
    body = [[short_name(keys[i]), f"{100 * share[i]:.1f}%", *(f"{v[i]:.5g}" for v in others.values())] for i in best]
    header = ["feature", "gain" if "gain" in kinds else "share", *others]
    return ["", "Features that matter most", aligned(header, body)] if body else []


def _history_table(ranker: Ranker, n_rows: int) -> list[str]:
    """About this many rows of the history, evenly spread, with the first and the last."""
    frame = ranker.history_.frame
    if not len(frame):
        return []
    step = max(1, (len(frame) - 1) // (n_rows - 1))
    kept = sorted({*range(0, len(frame), step), len(frame) - 1})
    header = [name.replace("_", " ") for name in frame.columns]
    rows = [[str(value) if isinstance(value, int) else decimals(value) for value in frame.row(i)] for i in kept]
    return ["", "History", aligned(header, rows)]
