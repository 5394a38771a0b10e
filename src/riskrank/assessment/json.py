"""Assessments as JSON: a file or text holds one or several of them, NaN as null."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from riskrank.assessment.assessment_record import AssessmentRecord, assessment_of_today
from riskrank.data.files import read_bytes
from riskrank.errors import FileError, ParameterError
from riskrank.files.reading import parse_json
from riskrank.files.records import check_version, decode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.assessment.assessment import Assessment
    from riskrank.assessment.gating.gate_records import ComparisonRecord
    from riskrank.data.effectiveness import Effectiveness
    from riskrank.typing import PathLike

    Plain = dict[str, Any] | list[Any] | tuple[Any, ...] | float | str | None

FORMAT = "riskrank assessments"
VERSION = 2
DATA_FACTS = {  # names in files, and those of Effectiveness
    "description": "description",
    "aggregate": "aggregate",
    "unit": "unit",
    "topics_without_relevant": "without_relevant",
    "missing_topics": "missing",
    "ties_at_cutoff": "ties_at_cutoff",
    "dropped_topics": "dropped",
    "left_out_without_relevant": "left_out",
    "unjudged": "unjudged",
}


def assessments_to_json(assessments: Sequence[Assessment], *, more: Sequence[dict[str, Any]] = ()) -> str:
    """The text of a file; `more` has further entries for each assessment, which are not read back."""
    contents = [each.to_dict() for each in assessments]
    for assessed, entries in zip(contents, more, strict=bool(more)):
        assessed.update(entries)
    content = {"format": FORMAT, "version": VERSION, "assessments": contents}
    return json.dumps(content, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def assessments_in(source: PathLike) -> list[AssessmentRecord]:
    """The assessments of a JSON file or text."""
    what = "a riskrank assessment"
    content, origin = read_form(source, FORMAT, VERSION, what)
    several = content.get("assessments")
    if not isinstance(several, list):
        raise FileError(origin, f"is not {what} (assessments: must be a list).")
    return [
        decode(AssessmentRecord, assessment_of_today(each), origin, field=f"assessments[{i}]")
        for i, each in enumerate(several)
    ]


def data_facts(scores: Effectiveness) -> dict[str, Any]:
    """What is known of scores beside their values, as files have it."""
    values = {name: getattr(scores, fact) for name, fact in DATA_FACTS.items()}
    return {name: dict(value) if isinstance(value, Mapping) else value for name, value in values.items()}


def weight_facts(scores: Effectiveness) -> dict[str, Any]:
    """The weights of topics, and as how many of equal weight they count; nothing where they have none."""
    if scores.weights is None:
        return {}
    light = {"topics_without_weight": scores.without_weight} if scores.without_weight else {}
    return {"weights": scores.weights.tolist(), "n_effective": scores.n_effective, **light}


def data_facts_in(record: AssessmentRecord | ComparisonRecord) -> dict[str, Any]:
    """The same from what a file says, as `Effectiveness` takes it."""
    return {fact: getattr(record, name) for name, fact in DATA_FACTS.items()}


def read_form(source: PathLike, form: str, version: int, what: str) -> tuple[dict[str, Any], str]:
    """The content of a JSON file or text, up to a version of its format, and what messages call it."""
    if not isinstance(source, str | os.PathLike):
        raise ParameterError(f"{what} is read from a path or a text, got {type(source).__name__}.")
    is_text = isinstance(source, str) and source.lstrip()[:1] in ("{", "[", '"')
    origin = "JSON text" if is_text else os.fspath(source)
    text = str(source) if is_text else read_bytes(source)
    try:
        content = parse_json(text, origin)
    except FileError as error:
        raise FileError(origin, f"is not {what} ({error.reason.rstrip('.')}).") from None
    if not isinstance(content, dict) or content.get("format") != form:
        raise FileError(origin, f"is not {what} (its format is not {form!r}).")
    check_version(content, origin, version)
    return content, origin


def without_nan(value: Plain) -> Any:
    """Plain values with None for what is no finite number, however deep it lies."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: without_nan(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [without_nan(item) for item in value]
    return value
