"""Prepared impressions on disk: Parquet files of documents with features and grades, for training and judging."""

from __future__ import annotations

import json
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.data.ranking_data import RankingData
from riskrank.errors import FileError, ParameterError, listing

if TYPE_CHECKING:
    from collections.abc import Iterator

    import polars as pl
    from numpy.typing import NDArray

    from riskrank.typing import PathLike, Singles

CARD = "prepared.json"
FORMAT, VERSION = "riskrank clicks", 1
BASELINE = 1  # the number of the feature that holds the presented order
KEYS = ("page", "session", "user", "day", "query", "document", "position", "dwell", "grade")


@dataclass(frozen=True)
class Prepared:
    """A folder that `prepare` wrote: `train`, `valid` and `test`, each with Parquet files of whole pages, and perhaps
    `withheld`, the pages whose clicks are.

    A row is a document; `grade` is 0, or from 1 up for satisfied clicks. Columns of features stand after those of
    `KEYS`, the presented order first.
    """

    folder: Path
    card: dict[str, Any]

    @classmethod
    def open(cls, folder: PathLike) -> Prepared:
        """What lies in a folder."""
        place = Path(folder)
        try:
            card = json.loads((place / CARD).read_text(encoding="utf-8"))
            if card["format"] != FORMAT:
                raise KeyError("format")
            if card["version"] > VERSION:
                raise FileError(place / CARD, "was written by a newer riskrank. Update riskrank.")
            kinds = {"features": list, "limits": list, "parts": dict, "files": dict}
            if not all(isinstance(card[name], kind) for name, kind in kinds.items()):
                raise KeyError("features")
        except (OSError, ValueError, KeyError, TypeError) as error:
            if isinstance(error, FileError):
                raise
            hint = "Make it with riskrank clicks prepare."
            raise FileError(folder, f"is not a folder of prepared clicks (no good {CARD}). {hint}") from None
        return cls(place, card)

    @property
    def features(self) -> tuple[str, ...]:
        """The names of the features, in the order of their numbers (from 1)."""
        return tuple(self.card["features"])

    @property
    def parts(self) -> dict[str, int]:
        """How many pages each part has."""
        return dict(self.card["parts"])

    def number(self, feature: str) -> int:
        """A feature's number."""
        if feature not in self.features:
            raise ParameterError(f"these data have no feature {feature}. They have: {listing(self.features)}.")
        return self.features.index(feature) + 1

    def read(self, part: str) -> RankingData:
        """A part as data for rankers: pages are queries, grades are labels, documents are in presented order."""
        files = self._files(part)
        sizes = [_rows(file) for file in files]
        features = np.empty((sum(sizes), len(self.features)), np.float32)  # filled in place: never twice in memory
        labels = np.empty(len(features))
        pages = []
        at = 0
        for file, size in zip(files, sizes, strict=True):
            frame = self._frame(file)
            self._fill(frame, features[at : at + size])
            labels[at : at + size] = frame["grade"].to_numpy()
            pages.append(frame["page"].to_numpy())
            at += size
        return _ranking_data(features, labels, np.concatenate(pages))

    def batches(self, part: str) -> Iterator[RankingData]:
        """The same, a file at a time."""
        for file in self._files(part):
            frame = self._frame(file)
            features = np.empty((len(frame), len(self.features)), np.float32)
            self._fill(frame, features)
            yield _ranking_data(features, frame["grade"].to_numpy(), frame["page"].to_numpy())

    def stretches(self, part: str) -> Iterator[RankingData]:
        """Deprecated name of `batches`."""
        warnings.warn("Prepared.stretches is now called batches.", DeprecationWarning, stacklevel=2)
        return self.batches(part)

    def _files(self, part: str) -> list[Path]:
        known = [name for name, pages in self.parts.items() if pages]
        if part not in known:
            raise FileError(self.folder, f"has no part {part}. It has: {listing(known)}.")
        files = sorted((self.folder / part).glob("*.parquet"))
        if len(files) != self.card["files"][part]:
            raise FileError(self.folder / part, "lacks files. Prepare the log again.")
        return files

    def _frame(self, file: Path) -> pl.DataFrame:
        import polars as pl

        try:
            return pl.read_parquet(file, columns=["page", "grade", *self.features])
        except (OSError, pl.exceptions.PolarsError) as error:
            raise FileError(file, f"is damaged ({str(error).splitlines()[0]}). Prepare the log again.") from None

    def _fill(self, frame: pl.DataFrame, out: Singles) -> None:
        for column, name in enumerate(self.features):
            out[:, column] = frame[name].to_numpy()

    def __repr__(self) -> str:
        sizes = ", ".join(f"{pages:,} {name}" for name, pages in self.parts.items())
        return f"Prepared: pages {sizes}; {len(self.features)} features"


def _rows(file: Path) -> int:
    import polars as pl

    try:
        return int(pl.scan_parquet(file).select(pl.len()).collect().item())
    except (OSError, pl.exceptions.PolarsError) as error:
        raise FileError(file, f"is damaged ({str(error).splitlines()[0]}). Prepare the log again.") from None


def _ranking_data(features: Singles, labels: NDArray[Any], page: NDArray[Any]) -> RankingData:
    starts = np.flatnonzero(np.concatenate([[True], page[1:] != page[:-1]]))
    names = tuple(map(str, page[starts].tolist()))
    return RankingData(features, labels, np.append(starts, len(page)), names, first_feature=BASELINE)
