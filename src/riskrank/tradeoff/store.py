"""What is kept of a finished model of a sweep, beside the model: a JSON file and a table of its queries."""

from __future__ import annotations

import io
import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.data.files import write_atomically

if TYPE_CHECKING:
    from pathlib import Path

    from riskrank.typing import Floats


NAME = "finished.json"
QUERIES = "queries.parquet"


@dataclass(frozen=True, eq=False)
class Finished:
    """A model's digest, its numbers on training queries, how it learned, and a table for each set of queries.

    `judged` is a digest of how it was judged: on which queries, by which measures.
    """

    digest: str
    judged: str
    train_gain: float
    train_risk: float
    learning: Floats
    unit: str
    sets: dict[str, dict[str, Any]]


def write_finished(folder: Path, found: Finished) -> None:
    """Write the table first: the JSON file says that all is there."""
    import polars as pl

    frames = [pl.DataFrame({"set": [name] * len(t["query"]), **t}) for name, t in found.sets.items()]
    buffer = io.BytesIO()
    pl.concat(frames).write_parquet(buffer)
    write_atomically(folder / QUERIES, buffer.getvalue())
    content = {
        "digest": found.digest,
        "judged": found.judged,
        "train_gain": found.train_gain,
        "train_risk": found.train_risk,
        "unit": found.unit,
        "learning": [None if math.isnan(value) else value for value in found.learning.tolist()],
    }
    write_atomically(folder / NAME, json.dumps(content, indent=1) + "\n")


def read_finished(folder: Path, digest: str) -> Finished | None:
    """What was kept of this very model; None if there is none, or it is damaged, or it is another one."""
    import polars as pl

    try:
        content = json.loads((folder / NAME).read_text(encoding="utf-8"))
        if content["digest"] != digest:
            return None
        frame = pl.read_parquet(folder / QUERIES)
        sets: dict[str, dict[str, Any]] = {}
        for (name,), part in frame.group_by("set", maintain_order=True):
            columns = part.drop("set").to_dict(as_series=False)
            sets[str(name)] = {c: v if c == "query" else np.array(v) for c, v in columns.items()}
        return Finished(
            digest=digest,
            judged=str(content["judged"]),
            train_gain=float(content["train_gain"]),
            train_risk=float(content["train_risk"]),
            learning=np.array([math.nan if value is None else value for value in content["learning"]]),
            unit=str(content["unit"]),
            sets=sets,
        )
    except (OSError, ValueError, KeyError, TypeError, pl.exceptions.PolarsError):
        return None
