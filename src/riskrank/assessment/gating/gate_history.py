"""How the budget was used over releases: an append-only file with a line for each gate."""

from __future__ import annotations

import json
import math
import os
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from riskrank.assessment.gating.past_gates import PastGateRecord
from riskrank.data.files import HEAD, is_packed, opened
from riskrank.errors import FileError, one_line
from riskrank.files.appending import append_line
from riskrank.files.reading import check_regular, parse_json
from riskrank.files.records import check_version, decode
from riskrank.rendered import Rendered

if TYPE_CHECKING:
    from riskrank.assessment.gating.comparison import Comparison
    from riskrank.assessment.gating.gate_result import GateResult
    from riskrank.assessment.gating.past_gates import PastGate
    from riskrank.risk.budget.check import Check
    from riskrank.typing import PathLike

FORMAT, VERSION = "riskrank gate history", 1
LONGEST_LINE = 1 << 24  # bytes that are looked at, to tell a history from another file
START = json.dumps({"format": FORMAT}).encode().removesuffix(b"}")  # of every line that is appended


@dataclass(frozen=True, repr=False)
class GateHistory(Rendered):
    """All verdicts of a file, in the order in which they were given; it shows how the budget was used over releases.

    `cautions` tell of lines that were cut off, whose verdicts are lost.
    """

    gates: tuple[PastGate, ...]
    cautions: tuple[str, ...] = ()

    view = "gate_history"

    @classmethod
    def read(cls, path: PathLike) -> GateHistory:
        """From the file that `append_to_history` keeps."""
        with opened(path) as file:
            head = file.read(HEAD)
            if len(head) == HEAD and not head.strip(b"\0"):  # a file of nothing but holes may be larger than memory
                raise FileError(path, "is a binary file, text is needed.")
            lines = [(n, line) for n, line in enumerate((head + file.read()).split(b"\n"), start=1) if line.strip()]
        cut_off = [number for number, line in lines if _is_cut_off(line)]
        gates = tuple(_read_gate(path, number, line) for number, line in lines if number not in cut_off)
        reason = "the line was cut off, perhaps when a job was killed; it is left out. Delete it."
        return cls(gates, tuple(str(FileError(path, reason, line=number)) for number in cut_off))


def check_history(path: PathLike) -> None:
    """Refuse to append to a file that is something else; its first line may have been cut off."""
    if os.path.exists(path):
        check_regular(path, os.stat(path))
    if not os.path.isfile(path) or not os.path.getsize(path):
        return
    if is_packed(path):
        raise FileError(path, "is compressed, no line can be added to it. Unpack it first.")
    with opened(path) as file:
        first = file.readline(LONGEST_LINE)
    if not first.startswith(START) and not START.startswith(first):
        try:
            _read_gate(path, 1, first)
        except FileError:
            raise FileError(path, "is not a gate's history. Name another file.", line=1) from None


def append_to_history(result: GateResult, path: PathLike, *, label: str = "", time: datetime | None = None) -> None:
    """Add a line about a gate; two jobs may do so at once, and a line that was cut off by a crash harms no other."""
    check_history(path)
    append_line(path, history_line(result, label=label, time=time))


def history_line(result: GateResult, *, label: str = "", time: datetime | None = None) -> bytes:
    """What a history says of a gate."""
    content = {
        "format": FORMAT,
        "version": VERSION,
        "time": (time or datetime.now(UTC)).astimezone(UTC).isoformat(timespec="seconds"),
        "label": label or result.comparisons[0].candidate,
        "passed": result.passed,
        "comparisons": [_comparison(each) for each in result.comparisons],
    }
    return json.dumps(content, ensure_ascii=False, allow_nan=False).encode(errors="replace")


def _comparison(each: Comparison) -> dict[str, Any]:
    return {
        "candidate": each.candidate,
        "baseline": each.baseline,
        "measure": each.measure,
        "n_topics": len(each.scores.topics),
        "gain": each.gain,
        "candidate_mean": float(each.scores[each.candidate].mean()),
        "baseline_mean": float(each.scores[each.baseline].mean()),
        "checks": [_check(check, segment) for _, segment, check in each.named_checks()],
    }


def _check(check: Check, segment: str) -> dict[str, Any]:
    numbers = {
        name: None if math.isnan(value) else value for name, value in (("value", check.value), ("limit", check.limit))
    }
    return {"name": check.name, "segment": segment, **numbers, "holds": check.holds}


def _is_cut_off(line: bytes) -> bool:
    """Does it begin as our lines do, but end too early?"""
    if not line.startswith(START):
        return START.startswith(line)
    try:
        json.loads(line.decode(errors="replace"))
    except json.JSONDecodeError as error:
        return not line.rstrip().endswith(b"}") or not error.doc[error.pos :].strip()
    except (ValueError, RecursionError):
        pass
    return False


def _read_gate(path: PathLike, number: int, line: bytes) -> PastGate:
    try:
        content = parse_json(line, path, line=number)
        check_version(content, path, VERSION)
        return decode(PastGateRecord, content, path, line=number)
    except FileError as problem:
        if problem.is_newer:
            raise
        reason = one_line(problem.reason.rstrip("."), limit=120)
        message = f"is not a line of a gate's history: {reason}. Delete the line."
        raise FileError(path, message, line=number) from None
