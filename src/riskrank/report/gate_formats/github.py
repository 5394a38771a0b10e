"""Annotations that GitHub shows beside a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riskrank.errors import one_line
from riskrank.report.gate_formats.problems import notes, problems

if TYPE_CHECKING:
    from riskrank.assessment.gating.gate_result import GateResult

MOST_CHARACTERS = 2000  # of an annotation
MOST_ANNOTATIONS = 10  # of a kind, that GitHub shows of a step


def github_annotations(result: GateResult) -> str:
    """Workflow commands: an error for each broken check and topic; the last that GitHub shows counts the rest."""
    errors = [_annotation("error", each.text, title=each.title) for each in problems(result)]
    if len(errors) > MOST_ANNOTATIONS:
        rest = len(errors) - MOST_ANNOTATIONS + 1
        errors[MOST_ANNOTATIONS - 1 :] = [_annotation("error", f"… and {rest:,} more, in the output of the gate")]
    warnings = [_annotation("warning", note) for note in notes(result)[:MOST_ANNOTATIONS]]
    passed = "; ".join(each.check.words for each in result.named_checks())
    return "\n".join([*errors, *warnings, *([_annotation("notice", passed)] if result.passed else [])])


def _annotation(kind: str, text: str, *, title: str = "riskrank gate") -> str:
    """A workflow command; nothing in its title or text ends it, or begins another."""
    shown, data = (one_line(each, limit=MOST_CHARACTERS).replace("%", "%25") for each in (title, text))
    return f"::{kind} title={shown.replace(':', '%3A').replace(',', '%2C')}::{data}"
