"""What becomes of a worker's job, as text: what was made, or why it could not be."""

from __future__ import annotations

import json
from typing import Any

from riskrank import errors
from riskrank.errors import FileError, RiskrankError, TrainingError

LOST = "lost"  # instead of the name of an error
FAILED = '{"error"'  # how the text of a failure begins
MOST_LOSSES = 3  # one after another, with no more done than before


class LostWorkerError(TrainingError):
    """A worker died, hangs or was cut off: its work can be done again, from the last checkpoint if there is one."""

    n_steps = 0  # that had been done


class LostClusterError(LostWorkerError):
    """The engine itself does not answer, or has no place: trying again does not help."""


def failure(error: RiskrankError) -> str:
    """Of a job that could not be done."""
    kind = LOST if isinstance(error, LostWorkerError) else type(error).__name__
    told: dict[str, Any] = {"kind": kind, "message": str(error), "parameters": error.parameters}
    if isinstance(error, FileError):
        told |= {"path": error.path, "reason": error.reason, "line": error.line}
    return json.dumps({"error": told})


def failure_of(result: str) -> RiskrankError | None:
    """What was wrong with a job, as it would have been raised here; None if it was done."""
    if not result.startswith(FAILED):
        return None
    told: dict[str, Any] = json.loads(result)["error"]
    if told["kind"] == LOST:
        return LostWorkerError(told["message"])
    if "path" in told:
        return FileError(told["path"], told["reason"], line=told["line"])
    known = getattr(errors, told["kind"], None)
    kind = known if isinstance(known, type) and issubclass(known, RiskrankError) else RiskrankError
    return kind(told["message"], *told["parameters"])


def check_done(result: str) -> None:
    """Raise what was wrong with a job."""
    if (error := failure_of(result)) is not None:
        raise error


def decoded(result: str) -> dict[str, Any]:
    """What was made; raises what was wrong."""
    check_done(result)
    content: dict[str, Any] = json.loads(result)
    return content


class Losses:
    """How often workers were lost in a row: after a few times in which no more was done, the work is given up."""

    def __init__(self) -> None:
        self._in_a_row = 0
        self._furthest = 0

    def count(self, lost: LostWorkerError, n_done: int, way_on: str) -> None:
        """One more, after so much was done; raises `TrainingError` if it was one too many."""
        self._in_a_row = self._in_a_row + 1 if n_done <= self._furthest else 1
        self._furthest = max(self._furthest, n_done)
        if self._in_a_row == MOST_LOSSES or isinstance(lost, LostClusterError):
            times = f", {self._in_a_row} times" if self._in_a_row > 1 else ""
            raise TrainingError(f"{lost}{times}. {way_on}") from None
