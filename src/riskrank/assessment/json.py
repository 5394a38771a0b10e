"""Assessments as JSON and back: all values, the scores included, NaN as null."""

from __future__ import annotations

import json
import math
import os
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from riskrank.data.files import read_bytes
from riskrank.errors import FileError, RiskrankError, one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from riskrank.assessment.assessment import Assessment
    from riskrank.typing import PathLike

FORMAT = "riskrank assessments"
VERSION = 1


def assessment_to_dict(assessment: Assessment) -> dict[str, Any]:
    """Plain values, NaN as None."""
    scores = assessment.scores
    content = {
        "measure": scores.measure,
        "description": scores.description,
        "aggregate": scores.aggregate,
        "baseline": assessment.baseline,
        "alphas": list(assessment.alphas),
        "level": assessment.level,
        "cvar_share": assessment.cvar_share,
        "confidence": assessment.confidence,
        "systems": [asdict(system) for system in assessment.systems],
        "topics": list(scores.topics),
        "topics_without_relevant": list(scores.without_relevant),
        "missing_topics": {name: list(topics) for name, topics in scores.missing.items()},
        "ties_at_cutoff": dict(scores.ties_at_cutoff),
        "dropped_topics": list(scores.dropped),
        "scores": {name: row.tolist() for name, row in zip(scores.systems, scores.matrix, strict=True)},
        "baseline_scores": assessment.baseline_scores.tolist(),
    }
    return {name: _without_nan(value) for name, value in content.items()}


def assessments_to_json(assessments: Sequence[Assessment]) -> str:
    """JSON text."""
    content = {
        "format": FORMAT,
        "version": VERSION,
        "assessments": [assessment_to_dict(assessment) for assessment in assessments],
    }
    return json.dumps(content, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


@contextmanager
def assessments_in(source: PathLike) -> Iterator[list[dict[str, Any]]]:
    """The assessments of a JSON file or text as plain values.

    They are not checked: whoever makes assessments of them does so within, and what does not fit names the file.
    """
    is_text = isinstance(source, str) and source.lstrip().startswith("{")
    origin = "JSON text" if is_text else os.fspath(source)
    try:
        content = json.loads(str(source) if is_text else read_bytes(source))
        if content["format"] != FORMAT:
            raise KeyError("format")
        if content["version"] > VERSION:
            raise FileError(origin, f"has format version {content['version']}, newer than this riskrank reads.")
        yield content["assessments"]
    except RiskrankError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as problem:
        raise FileError(origin, f"is not a riskrank assessment ({one_line(str(problem))}).") from None


def _without_nan(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _without_nan(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(item) for item in value]
    return value
