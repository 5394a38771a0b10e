"""How training went, step by step."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from riskrank.data.json_numbers import JsonNumber, from_json_numbers, to_json_numbers
from riskrank.errors import FileError, one_line
from riskrank.files.reading import parse_json
from riskrank.files.records import decode
from riskrank.rankers.model_records import HistoryColumns
from riskrank.risk.outcomes import reward, risk
from riskrank.weights import weighted_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import polars as pl

    from riskrank.typing import Floats, PathLike

QUERY_SETS = ("train", "valid")
NUMBERS = ("effectiveness", "reward", "risk", "urisk")
WATCHED, FORMERLY_WATCHED = "watched", "target"  # a column, by its name and by that in former versions


@dataclass
class History:
    """One row per step: effectiveness, reward, risk and URisk on training and validation queries.

    Against the baseline; without one, only the effectiveness. Steps are counted in a `unit`: trees, epochs, rounds.
    The column `watched` is the value that decides which step is best. NaN stands for what is not known.
    """

    unit: str = "trees"
    columns: dict[str, list[float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        n_rows = len(self.columns.setdefault(self.unit, []))
        for name in (*(f"{query_set}_{number}" for query_set in QUERY_SETS for number in NUMBERS), WATCHED):
            self.columns.setdefault(name, [math.nan] * n_rows)

    def add(self, row: dict[str, float]) -> None:
        for name, values in self.columns.items():
            values.append(row.get(name, math.nan))

    def __len__(self) -> int:
        return len(self.columns[self.unit])

    def __getitem__(self, name: str) -> Floats:
        if name == FORMERLY_WATCHED:
            warnings.warn(f"the column {name} is called {WATCHED} now.", DeprecationWarning, stacklevel=2)
            name = WATCHED
        return np.array(self.columns[name])

    @property
    def frame(self) -> pl.DataFrame:
        """As a table; columns without any number are left out."""
        import polars as pl

        known = {name: values for name, values in self.columns.items() if not all(map(math.isnan, values))}
        frame = pl.DataFrame(known)
        return frame.with_columns(pl.col(self.unit).cast(pl.Int64)) if len(frame) else frame

    def update(self, step: int, row: dict[str, float]) -> None:
        """Numbers of a step that were not known when its row was added."""
        for name, value in row.items():
            self.columns[name][step - 1] = value

    def newest(self) -> str:
        """The newest numbers that are known, in words."""
        shown = []
        for query_set in QUERY_SETS:
            effectiveness, risk = (self._newest(f"{query_set}_{number}") for number in ("effectiveness", "risk"))
            if not math.isnan(effectiveness):
                shown.append(f"{query_set} {effectiveness:.4f}" + ("" if math.isnan(risk) else f" risk {risk:.4f}"))
        return " | ".join(shown)

    def _newest(self, name: str) -> float:
        return next((value for value in reversed(self.columns[name][-2:]) if not math.isnan(value)), math.nan)

    def to_json(self) -> dict[str, list[JsonNumber]]:
        """Plain values, as JSON keeps them."""
        return {name: to_json_numbers(values) for name, values in self.columns.items()}

    @classmethod
    def from_json(cls, columns: Mapping[str, Iterable[JsonNumber]]) -> History:
        """What `to_json` gave; the first column is the steps'."""
        names = {FORMERLY_WATCHED: WATCHED}
        known = {names.get(name, name): from_json_numbers(values).tolist() for name, values in columns.items()}
        unit = next(iter(known), "trees")
        known[unit] = [int(step) for step in known.get(unit, ())]
        return cls(unit, known)

    @classmethod
    def read(cls, content: bytes, path: PathLike) -> History:
        """From the file that a model has; `path` is for messages."""
        return cls.of_columns(decode(HistoryColumns, parse_json(content, path), path), path)

    @classmethod
    def of_columns(cls, columns: Mapping[str, Sequence[float]], path: PathLike) -> History:
        """From columns in a file, which must be equally long; the first counts steps."""
        if len({len(values) for values in columns.values()}) > 1:
            raise FileError(path, "history: must have columns of one length.")
        unit, steps = next(iter(columns.items()), ("", []))
        if not all(float(step).is_integer() for step in steps):
            raise FileError(path, f"history: must count steps in its first column, {one_line(unit, limit=40)}.")
        return cls.from_json(columns)


def summary(
    query_set: str, values: Floats, baselines: Floats, alpha: float, weights: Floats | None = None
) -> dict[str, float]:
    """The numbers of a row for training or validation queries; several baselines count by their within-query mean."""
    row = {f"{query_set}_effectiveness": float(weighted_mean(values, weights))}
    if len(baselines):
        baseline = baselines.mean(axis=0)
        won, lost = reward(values, baseline, weights=weights), risk(values, baseline, weights=weights)
        urisk = won - (1 + alpha) * lost
        row |= {f"{query_set}_reward": won, f"{query_set}_risk": lost, f"{query_set}_urisk": urisk}
    return row
