"""The keys of a budget file: what they mean, and what they may be."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, NamedTuple, get_args

from riskrank.parameters import HEAVIEST
from riskrank.risk.budget.budget import DEFAULT_BUDGET, Budget
from riskrank.typing import WithoutRelevant


class Key(NamedTuple):
    """A key of a file, as JSON schemas describe it."""

    meaning: str
    rule: dict[str, Any]


SHARE = {"type": "number", "minimum": 0, "maximum": 1}
SIZE = {"type": "number", "minimum": 0}
WEIGHT = {**SIZE, "maximum": HEAVIEST}
NUMBER = {"type": "number"}
LEVEL = {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}
TRUTH = {"type": "boolean"}
TEXT = {"type": "string", "minLength": 1}
TOPIC = {"type": ["string", "integer"], "minLength": 1}

LIMITS = {
    "alpha": Key("losses weigh 1 + alpha in URisk, TRisk and the test of a significant loss", WEIGHT),
    "max_hurt": Key("largest share of topics that may lose more than the tolerance", SHARE),
    "tolerance": Key("smaller losses do not count as hurt", SIZE),
    "max_severe": Key("largest share of topics that may lose more than severe_loss", SHARE),
    "severe_loss": Key("larger losses are severe", SIZE),
    "max_loss": Key("largest loss that any single topic may have", SIZE),
    "max_risk": Key("largest mean loss per topic", SIZE),
    "min_urisk": Key("least URisk: mean change, losses weighing 1 + alpha", NUMBER),
    "min_trisk": Key("least TRisk: URisk over its standard error", NUMBER),
    "min_gain": Key("least mean change", NUMBER),
    "max_worse": Key("non-inferiority: the mean is at most this much worse, with confidence 1 - level", SIZE),
    "no_significant_loss": Key("URisk must not be significantly below 0", TRUTH),
    "level": Key("of tests; intervals have the confidence 1 - level", LEVEL),
    "strict": Key("a check must surely hold: its whole interval keeps the limit", TRUTH),
}

NEEDS = {"tolerance": "max_hurt", "severe_loss": "max_severe"}  # limits without which they say nothing

ACCEPTED = {
    "topic": Key("the topic whose loss is accepted", TOPIC),
    "reason": Key("why it is", {**TEXT, "pattern": r"\S"}),
    "until": Key("the last day on which it is, a date like 2027-01-31", {"type": "string", "format": "date"}),
    "at_most": Key("how large the loss may be; without it, any loss", {"type": "number", "exclusiveMinimum": 0}),
}

TOP = {
    "measures": Key("the measures that count", {"type": "array", "items": TEXT, "minItems": 1}),
    "must_not_break": Key(
        "topics that must not lose anything, or the path of a file with one a line",
        {"oneOf": [{"type": "array", "items": TOPIC}, TEXT]},
    ),
    "segments": Key("a table of topics and segments, as path or path:column", TEXT),
    "fewest_in_segment": Key("smaller segments are pooled", {"type": "integer", "minimum": 1}),
    "weights": Key("a table of topics and weights, as path or path:column", TEXT),
    "without_relevant": Key(
        "topics without a relevant document: score zero, or drop them", {"enum": list(get_args(WithoutRelevant))}
    ),
}


def schema() -> dict[str, Any]:
    """The JSON schema of budget files, by which editors complete and check them."""
    names = [name for name in LIMITS if name.startswith(("max_", "min_"))]
    is_not_off = {"properties": {"no_significant_loss": {"const": True}}}  # alone, false would set nothing
    limits = {
        **_table(LIMITS),
        "dependentRequired": {name: [needed] for name, needed in NEEDS.items()},
        "anyOf": [is_not_off, *({"required": [name]} for name in names)],
    }
    is_tested = {**is_not_off, "required": ["no_significant_loss"]}
    has_limit = {"anyOf": [*({"required": [name]} for name in names), is_tested]}
    accepted = {**_table(ACCEPTED), "required": ["topic", "reason", "until"]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "riskrank budget",
        **_table(TOP, {
            "limits": {**limits, "description": "limits for all topics, by every measure"},
            "measure": {
                "type": "object", "additionalProperties": limits,
                "description": "limits in place of [limits], by measure: [measure.\"nDCG@10\"]",
            },
            "segment": {
                "type": "object", "additionalProperties": {**limits, **has_limit},
                "description": "of a segment: [segment.mobile]",
            },
            "accepted": {"type": "array", "items": accepted, "description": "losses that are known: [[accepted]]"},
        }),
    }  # fmt: skip


def _table(keys: dict[str, Key], more: dict[str, Any] | None = None) -> dict[str, Any]:
    properties = {name: {**key.rule, "description": key.meaning} for name, key in keys.items()}
    return {"type": "object", "additionalProperties": False, "properties": {**properties, **(more or {})}}


def limits_of(budget: Budget) -> dict[str, float | bool]:
    """What a budget sets that others leave: its file's [limits]."""
    usual = Budget()
    return {
        each.name: getattr(budget, each.name)
        for each in fields(Budget)
        if getattr(budget, each.name) != getattr(usual, each.name)
    }


DEFAULT_LIMITS = limits_of(DEFAULT_BUDGET)
