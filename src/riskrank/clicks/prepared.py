"""Prepared impressions on disk: Parquet files of documents with features and grades, for training and judging."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.clicks.prepared_card import PreparedCard
from riskrank.data.ranking_data import RankingData
from riskrank.data.tables.parquet_damage import parquet_told
from riskrank.errors import FileError, ParameterError, listing
from riskrank.files.own_folder import settle
from riskrank.files.reading import LARGEST_CARD, read_json
from riskrank.files.records import check_version, decode

if TYPE_CHECKING:
    from collections.abc import Iterator

    import polars as pl

    from riskrank.typing import PathLike

CARD = "prepared.json"
FORMAT, VERSION = "riskrank clicks", 1
BASELINE = 1  # the number of the feature that holds the presented order
AGAIN = "Prepare the log again."
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
        settle(place)
        try:
            return cls(place, read_prepared_card(place / CARD))
        except FileError as error:
            if error.is_newer:
                raise
            reason = f"no readable {CARD}: {error.reason.rstrip('.')}"
            message = f"is not a folder of prepared clicks ({reason}). Make it with riskrank clicks prepare."
            raise FileError(folder, message) from None

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
        return self._data(self._files(part))

    def batches(self, part: str) -> Iterator[RankingData]:
        """The same, a file at a time."""
        for file in self._files(part):
            yield self._data([file])

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
            raise FileError(self.folder / part, f"lacks files. {AGAIN}")
        return files

    def _data(self, files: list[Path]) -> RankingData:
        features = np.empty((sum(map(_n_rows, files)), len(self.features)), np.float32)  # never twice in memory
        frames = []
        n_filled = 0
        for file in files:
            frame = self._frame(file)
            for column, name in enumerate(self.features):
                features[n_filled : n_filled + len(frame), column] = frame[name].to_numpy()
            n_filled += len(frame)
            frames.append(frame.select("page", "grade", "is_clicked"))
        page, labels, is_clicked = (
            np.concatenate([frame[name].to_numpy() for frame in frames]) for name in ("page", "grade", "is_clicked")
        )
        starts = np.flatnonzero(np.concatenate([[True], page[1:] != page[:-1]]))
        names = tuple(map(str, page[starts].tolist()))
        offsets = np.append(starts, len(page))
        return RankingData(
            features, labels, offsets, names, first_feature=BASELINE, is_presented=True, is_clicked=is_clicked,
            feature_names=tuple(self.features),
        )  # fmt: skip

    def _frame(self, file: Path) -> pl.DataFrame:
        import polars as pl

        types = pl.Schema({
            "page": pl.Int64, "grade": pl.Float64, "dwell": pl.Float64, **dict.fromkeys(self.features, pl.Float32)
        })  # fmt: skip
        with parquet_told(file, way_out=AGAIN):
            frame = pl.read_parquet(file, columns=list(types)).cast(types)
            frame = frame.with_columns(is_clicked=pl.col("dwell").is_not_nan().fill_null(value=False)).drop("dwell")
        if not len(frame) or frame["page"].null_count() or frame["grade"].null_count():
            raise FileError(file, f"is damaged (pages or grades are missing). {AGAIN}")
        return frame

    def __repr__(self) -> str:
        sizes = ", ".join(f"{pages:,} {name}" for name, pages in self.parts.items())
        return f"Prepared: pages {sizes}; {len(self.features)} features"


def read_prepared_card(path: Path) -> dict[str, Any]:
    """A card of prepared clicks, checked."""
    card = read_json(path, largest=LARGEST_CARD)
    check_version(card, path, VERSION)
    decode(PreparedCard, card, path)
    return dict(card) if isinstance(card, dict) else {}


def _n_rows(file: Path) -> int:
    import polars as pl

    with parquet_told(file, way_out=AGAIN):
        return int(pl.scan_parquet(file).select(pl.len()).collect().item())
