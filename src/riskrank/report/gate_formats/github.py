"""Annotations that GitHub shows beside a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riskrank.errors import FileError, one_line
from riskrank.report.gate_formats.places import Place, in_repository
from riskrank.report.gate_formats.problems import notes, problems

if TYPE_CHECKING:
    from riskrank.assessment.gating.gate_result import GateResult
    from riskrank.errors import RiskrankError

MOST_CHARACTERS = 2000  # of an annotation
MOST_ANNOTATIONS = 10  # of a kind, that GitHub shows of a step


def github_annotations(result: GateResult) -> str:
    """Workflow commands: an error for each broken check and topic; the last that GitHub shows counts the rest."""
    errors = [_annotation("error", each.text, title=each.title, place=each.place) for each in problems(result)]
    warnings = [_annotation("warning", note) for note in notes(result)]
    passed = "; ".join(each.check.words for each in result.named_checks())
    notices = [_annotation("notice", passed)] if result.passed else []
    return "\n".join([*_shown("error", errors), *_shown("warning", warnings), *notices])


def error_annotation(error: RiskrankError, message: str) -> str:
    """A workflow command about bad input, at its file and line where they are in the repository."""
    path = in_repository(error.path) if isinstance(error, FileError) else ""
    place = Place(path, error.line or 1) if isinstance(error, FileError) and path else None
    return _annotation("error", message, place=place)


def _shown(kind: str, annotations: list[str]) -> list[str]:
    if len(annotations) <= MOST_ANNOTATIONS:
        return annotations
    rest = len(annotations) - MOST_ANNOTATIONS + 1
    more = _annotation(kind, f"… and {rest:,} more, in the output of the gate")
    return [*annotations[: MOST_ANNOTATIONS - 1], more]


def _annotation(kind: str, text: str, *, title: str = "riskrank gate", place: Place | None = None) -> str:
    """A workflow command; nothing in its properties or text ends it, or begins another."""
    where = f"file={_property(place.path)},line={place.line}," if place is not None else ""
    return f"::{kind} {where}title={_property(title)}::{_data(text)}"


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _data(text: str) -> str:
    return one_line(text, limit=MOST_CHARACTERS).replace("%", "%25")
