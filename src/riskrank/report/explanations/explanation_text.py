"""What a model's features do, in tables, words and JSON: to effectiveness and risk, and to two documents' order."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.errors import counted
from riskrank.report.findings.words import listed, short_name, words
from riskrank.report.text.formatting import aligned, decimals, signed
from riskrank.report.text.terminal import paragraph

if TYPE_CHECKING:
    from collections.abc import Mapping

    from riskrank.rankers.explaining.permutation import PermutationImportance
    from riskrank.rankers.explaining.query_explanation import QueryExplanation, RankedDocument
    from riskrank.typing import QuantityName

LEFT = ("feature", "document")
TARGETS: tuple[QuantityName, ...] = ("gain", "risk", "urisk")


def query_text(explained: QueryExplanation, *, n_features: int = 10, n_rows: int = 10, note: str = "") -> str:
    """A query's ranking, and why one document stands above the other."""
    shown = [each for each in explained.documents if each.rank <= n_rows or each in (explained.first, explained.second)]
    rows = [[str(each.rank), short_name(each.document), *_label(each), decimals(each.score)] for each in shown]
    header = ["rank", "document", *("label" for _ in _label(explained.first)), "score"]
    count = counted(len(explained.documents), "document")
    title = paragraph(words(f"Query {explained.query}: {count}.{note and ' '}{note}"))
    return "\n\n".join(
        [title, aligned(header, rows, left=LEFT), _order(explained), _contributions(explained, n_features)]
    )


def _label(document: RankedDocument) -> list[str]:
    """A cell with the label, or none where it is not known."""
    return [] if document.label is None else [f"{document.label:g}"]


def _order(explained: QueryExplanation) -> str:
    first, second = explained.first, explained.second
    where = "above" if first.rank < second.rank else "below"
    difference = first.score - second.score
    size = f"scores {decimals(abs(difference))} {'more' if difference > 0 else 'less'}"
    if difference == 0:
        size = "has the same score"
    names = [f"{short_name(each.document)} (rank {each.rank})" for each in (first, second)]
    return paragraph(words(f"{names[0]} stands {where} {names[1]}: it {size}. What each feature adds to that:"))


def _contributions(explained: QueryExplanation, n_features: int) -> str:
    """The features that make the most difference, the rest of them, and the sum."""
    parts, start = explained.contributions[:-1], float(explained.contributions[-1])
    order = [i for i in np.argsort(-np.abs(parts), kind="stable") if parts[i] != 0]
    keys = explained.columns.keys
    rows = [[short_name(keys[i]), *map(_value, explained.shown(i)), signed(parts[i])] for i in order[:n_features]]
    rest = order[n_features:]
    if rest:
        rows.append([counted(len(rest), "other"), "", "", signed(float(parts[rest].sum()))])
    if start:
        rows.append(["what the model starts from", "", "", signed(start)])
    rows.append(["sum", "", "", signed(float(explained.contributions.sum()))])
    header = ["feature", short_name(explained.first.document), short_name(explained.second.document), "adds"]
    return aligned(header, rows, left=LEFT)


def query_json(explained: QueryExplanation, *, note: str = "") -> str:
    """All of it."""
    keys, parts = explained.columns.keys, explained.contributions
    content: dict[str, Any] = {
        "query": explained.query,
        "note": note,
        "documents": [vars(each) for each in explained.documents],
        "first": explained.first.document,
        "second": explained.second.document,
        "difference": explained.first.score - explained.second.score,
        "contributions": [
            dict(
                zip(("feature", "first", "second", "adds"), (key, *map(_plain, explained.shown(i)), part), strict=True)
            )
            for i, (key, part) in enumerate(zip(keys, parts[:-1].tolist(), strict=True))
        ],
        "start": float(parts[-1]),
    }
    return json.dumps(content, indent=2)


def permutation_text(
    importances: Mapping[QuantityName, PermutationImportance], *, n_queries: int, n_features: int = 10, note: str = ""
) -> str:
    """The features without which the model would do worst, in the measure and, against a baseline, in risk."""
    gain = importances["gain"]
    repeats = counted(gain.values.shape[1], "repeat")
    queries = counted(n_queries, "query")
    title = paragraph(words(
        f"How much worse the model would do on {queries} if the values of a feature were permuted over all documents: "
        f"by how much {_changes(importances)}, as the mean of {repeats} ± their spread.{note and ' '}{note}"
    ))  # fmt: skip
    targets = [target for target in TARGETS if target in importances]
    titles = {"gain": gain.measure, "risk": "risk", "urisk": f"URisk (α = {gain.alpha:g})"}
    shown = [i for i in gain.order if any(importances[target].values[i].any() for target in targets)]
    rows = [
        [short_name(gain.columns.keys[i]), *(_spread(importances[target], i) for target in targets)]
        for i in shown[:n_features]
    ]
    if not rows:
        return f"{title}\n\nNothing: the model looks at no feature."
    parts = [title, aligned(["feature", *(titles[target] for target in targets)], rows, left=LEFT)]
    if "risk" in importances:
        parts.append(_losses(importances["risk"]))
    return "\n\n".join(parts)


def _changes(importances: Mapping[QuantityName, PermutationImportance]) -> str:
    measure = importances["gain"].measure
    return f"{measure} and URisk fall and risk grows" if "risk" in importances else f"{measure} falls"


def _spread(importance: PermutationImportance, i: int) -> str:
    return f"{signed(float(importance.mean[i]))} ±{decimals(float(importance.spread[i]))}"


def _losses(risk: PermutationImportance) -> str:
    """Which features cause losses, by more than permutations differ."""
    harmful = [i for i in risk.order[::-1] if risk.mean[i] + risk.spread[i] < 0]
    against = listed([short_name(name) for name in risk.baselines])
    start = f"Risk is {decimals(risk.intact)} against {against}"
    if not harmful:
        said = f"{start}. There is no feature without which there would clearly be less."
    else:
        names = [f"{short_name(risk.columns.keys[i])} ({decimals(-float(risk.mean[i]))})" for i in harmful[:5]]
        said = f"{start}. What causes losses: there would be less without {listed(names)}."
    return paragraph(words(said))


def permutation_json(importances: Mapping[QuantityName, PermutationImportance], *, note: str = "") -> str:
    """All features, for every quantity."""
    gain = importances["gain"]
    content: dict[str, Any] = {
        "measure": gain.measure,
        "baselines": list(gain.baselines),
        "alpha": gain.alpha,
        "repeats": gain.values.shape[1],
        "note": note,
        "intact": {target: each.intact for target, each in importances.items()},
        "permutation_importances": {
            target: {
                key: {"mean": float(each.mean[i]), "spread": float(each.spread[i])}
                for i, key in enumerate(each.columns.keys)
            }
            for target, each in importances.items()
        },
    }
    return json.dumps(content, indent=2)


def _value(value: str | float) -> str:
    if isinstance(value, str):
        return short_name(value)
    return "missing" if np.isnan(value) else f"{value:.5g}".replace("-", "−")


def _plain(value: str | float) -> str | float | None:
    """JSON has no NaN; a missing value is null."""
    return value if isinstance(value, str) or not np.isnan(value) else None
