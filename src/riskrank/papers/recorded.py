"""How far each experiment was reproduced when that was last recorded, for lists; `docs/make_papers.py` records it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files

RECORD = "recorded.json"


@dataclass(frozen=True)
class RecordedOutcome:
    """An experiment's state, what agreed, and on which data."""

    state: str
    count: str
    data: str


def recorded_outcomes() -> dict[tuple[str, str], RecordedOutcome]:
    """By paper and experiment."""
    content = json.loads(files("riskrank.papers").joinpath(RECORD).read_text(encoding="utf-8"))
    return {
        (paper, key): RecordedOutcome(**outcome) for paper, known in content.items() for key, outcome in known.items()
    }
