"""Assessments as JSON and back: all values, the scores included, NaN as null."""

from __future__ import annotations

import json
import math
import os
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.assessment.assessment import Assessment, AtAlpha, SystemSummary
from riskrank.data.effectiveness import Effectiveness
from riskrank.data.files import read_bytes
from riskrank.errors import FileError, RiskrankError, one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

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
    cleaned: dict[str, Any] = _without_nan(content)
    return cleaned


def assessments_to_json(assessments: Sequence[Assessment]) -> str:
    """JSON text."""
    content = {
        "format": FORMAT,
        "version": VERSION,
        "assessments": [assessment.to_dict() for assessment in assessments],
    }
    return json.dumps(content, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def assessments_from_json(source: str | os.PathLike[str]) -> dict[str, Assessment]:
    """Assessments by measure, from a file or from JSON text."""
    is_text = isinstance(source, str) and source.lstrip().startswith("{")
    origin = "JSON text" if is_text else os.fspath(source)
    try:
        content = json.loads(source if is_text else read_bytes(source))  # type: ignore[arg-type]
        if content["format"] != FORMAT:
            raise KeyError("format")
        if content["version"] > VERSION:
            raise FileError(origin, f"has format version {content['version']}, newer than this riskrank reads.")
        return {item["measure"]: _assessment(item) for item in content["assessments"]}
    except RiskrankError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as problem:
        raise FileError(origin, f"is not a riskrank assessment ({one_line(str(problem))}).") from None


def _assessment(item: dict[str, Any]) -> Assessment:
    scores = Effectiveness(
        measure=item["measure"],
        systems=tuple(item["scores"]),
        topics=tuple(item["topics"]),
        matrix=np.array([_floats(row) for row in item["scores"].values()]),
        description=item["description"],
        aggregate=item["aggregate"],
        without_relevant=tuple(item["topics_without_relevant"]),
        missing={name: tuple(topics) for name, topics in item["missing_topics"].items()},
        ties_at_cutoff=item["ties_at_cutoff"],
        dropped=tuple(item["dropped_topics"]),
    )
    return Assessment(
        scores=scores,
        baseline=item["baseline"],
        baseline_scores=_floats(item["baseline_scores"]),
        alphas=tuple(item["alphas"]),
        level=item["level"],
        cvar_share=item["cvar_share"],
        confidence=item["confidence"],
        systems=tuple(_summary(system) for system in item["systems"]),
    )


def _summary(content: dict[str, Any]) -> SystemSummary:
    optional = ("kendall_tau", "reranked", "worst_topic")
    values: dict[str, Any] = {k: v if v is not None or k in optional else math.nan for k, v in content.items()}
    at_alphas: list[dict[str, Any]] = [{k: math.nan if v is None else v for k, v in at.items()} for at in content["at"]]
    values["at"] = tuple(AtAlpha(**at) for at in at_alphas)
    values["intervals"] = {name: tuple(_floats(pair).tolist()) for name, pair in content["intervals"].items()}
    return SystemSummary(**values)


def _floats(row: list[float | None]) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.array([math.nan if value is None else value for value in row], dtype=np.float64)


def _without_nan(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _without_nan(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(item) for item in value]
    return value
