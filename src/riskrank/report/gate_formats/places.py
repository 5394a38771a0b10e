"""Where in a repository a problem is shown: at the limit that was broken, or else at the judgments."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from riskrank.assessment.gating.comparison import NamedCheck
    from riskrank.assessment.gating.gate_result import GateResult
    from riskrank.risk.budget.check import CheckName
    from riskrank.typing import PathLike

KEYS: dict[CheckName, str] = {
    "hurt": "max_hurt",
    "severe": "max_severe",
    "loss": "max_loss",
    "risk": "max_risk",
    "urisk": "min_urisk",
    "trisk": "min_trisk",
    "significance": "no_significant_loss",
    "gain": "min_gain",
    "worse": "max_worse",
    "protected": "must_not_break",
}


class Place(NamedTuple):
    """A line of a file, whose path starts from the root of the repository."""

    path: str
    line: int = 1


NOWHERE = Place("riskrank-gate")  # for formats that cannot do without one


def place_of(result: GateResult, each: NamedCheck) -> Place | None:
    """The line of the budget file that a check is about, or the file of judgments; None where neither is known."""
    lines = result.budget_lines
    if lines is not None and (path := in_repository(lines.path)):
        key = KEYS.get(each.check.name, "")
        tables = (("segment", each.segment), ("measure", each.comparison.measure), ("limits",), ())
        return Place(path, lines.first(*((*table, key) for table in tables)))
    path = in_repository(result.judgments_path) if result.judgments_path else ""
    return Place(path) if path else None


def in_repository(path: PathLike) -> str:
    """A path from the root of its repository, or else from the working directory; empty outside both."""
    place = Path(path).resolve()
    roots = [folder for folder in place.parents if os.path.exists(folder / ".git")]
    root = roots[0] if roots else Path.cwd()
    return place.relative_to(root).as_posix() if place.is_relative_to(root) else ""
