"""GitLab's code-quality report, which merge requests show."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from riskrank.report.gate_formats.places import NOWHERE
from riskrank.report.gate_formats.problems import fingerprints, problems
from riskrank.report.gate_formats.rules import PREFIX

if TYPE_CHECKING:
    from riskrank.assessment.gating.gate_result import GateResult
    from riskrank.report.gate_formats.problems import Problem

BLOCKERS = ("missing", "protected")  # whatever else the candidate gains


def gitlab_json(result: GateResult) -> str:
    """An entry for each broken check and topic; none where all hold."""
    broken = problems(result)
    entries = [_entry(problem, mark) for problem, mark in zip(broken, fingerprints(broken), strict=True)]
    return json.dumps(entries, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def _entry(problem: Problem, mark: str) -> dict[str, Any]:
    place = problem.place or NOWHERE
    return {
        "description": problem.text,
        "check_name": PREFIX + problem.rule,
        "fingerprint": mark,
        "severity": _severity(problem),
        "location": {"path": place.path, "lines": {"begin": place.line}},
    }


def _severity(problem: Problem) -> str:
    if problem.rule in BLOCKERS:
        return "blocker"
    if problem.rule != "topic":
        return "critical"
    return "minor" if problem.is_doubtful else "major"
