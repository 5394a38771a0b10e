"""FinishedModel: what is kept of a model of a sweep beside the model itself, as a JSON file and a table of queries."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.data.files import write_atomically, write_parquet
from riskrank.data.json_numbers import from_json_numbers, to_json_numbers

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from riskrank.typing import Floats

NAME = "finished.json"
QUERIES = "queries.parquet"


@dataclass(frozen=True, eq=False)
class FinishedModel:
    """A model's digest, its numbers on training queries, how it learned, and a table for each set of queries.

    `judged` is a digest of how it was judged: on which queries, by which measures. A table has the columns query,
    baseline, effectiveness, kendall_distance, is_reranked, and one for each further measure.
    """

    digest: str
    judged: str
    train_gain: float
    train_risk: float
    learning: Floats
    unit: str
    tables: Mapping[str, Mapping[str, Any]]


def write_finished(folder: Path, model: FinishedModel) -> None:
    """Write the table first: the JSON file says that all is there."""
    import polars as pl

    frames = [pl.DataFrame({"set": [name] * len(t["query"]), **t}) for name, t in model.tables.items()]
    write_parquet(folder / QUERIES, pl.concat(frames))
    content = {
        "digest": model.digest,
        "judged": model.judged,
        "train_gain": model.train_gain,
        "train_risk": model.train_risk,
        "unit": model.unit,
        "learning": to_json_numbers(model.learning),
    }
    write_atomically(folder / NAME, json.dumps(content, indent=1) + "\n")


def read_finished(folder: Path, digests: Sequence[str]) -> FinishedModel | None:
    """What was kept of a model with one of these digests; None if there is none, or it is damaged, or another one."""
    import polars as pl

    try:
        content = json.loads((folder / NAME).read_text(encoding="utf-8"))
        if content["digest"] not in digests:
            return None
        frame = pl.read_parquet(folder / QUERIES)
        tables: dict[str, dict[str, Any]] = {}
        for (name,), part in frame.group_by("set", maintain_order=True):
            columns = part.drop("set").to_dict(as_series=False)
            tables[str(name)] = {c: v if c == "query" else np.array(v) for c, v in columns.items()}
        return FinishedModel(
            digest=str(content["digest"]),
            judged=str(content["judged"]),
            train_gain=float(content["train_gain"]),
            train_risk=float(content["train_risk"]),
            learning=from_json_numbers(content["learning"]),
            unit=str(content["unit"]),
            tables=tables,
        )
    except (OSError, ValueError, KeyError, TypeError, pl.exceptions.PolarsError):
        return None
