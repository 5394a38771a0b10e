"""Prepared impressions on disk: Parquet files of documents with features and grades, for training and judging."""

from __future__ import annotations

import json
import warnings
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.data.files import read_file
from riskrank.data.ranking_data import RankingData
from riskrank.data.tables.parquet_sizes import check_parquet
from riskrank.errors import FileError, ParameterError, listing
from riskrank.files.own_folder import settle
from riskrank.parameters import is_number, is_whole

if TYPE_CHECKING:
    from collections.abc import Iterator

    import polars as pl

    from riskrank.typing import PathLike

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
        settle(place)
        try:
            card = json.loads(read_file(place / CARD))
            is_newer = card["format"] == FORMAT and card["version"] > VERSION
            is_good = is_newer or _is_good(card)
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            is_good = False
        if not is_good:
            hint = "Make it with riskrank clicks prepare."
            raise FileError(folder, f"is not a folder of prepared clicks (no readable {CARD}). {hint}")
        if is_newer:
            raise FileError(place / CARD, "was written by a newer riskrank. Update riskrank.")
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
            raise FileError(self.folder / part, "lacks files. Prepare the log again.")
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
            frames.append(frame.select("page", "grade"))
        page, labels = (np.concatenate([frame[name].to_numpy() for frame in frames]) for name in ("page", "grade"))
        starts = np.flatnonzero(np.concatenate([[True], page[1:] != page[:-1]]))
        names = tuple(map(str, page[starts].tolist()))
        offsets = np.append(starts, len(page))
        return RankingData(features, labels, offsets, names, first_feature=BASELINE, is_presented=True)

    def _frame(self, file: Path) -> pl.DataFrame:
        import polars as pl

        types = pl.Schema({"page": pl.Int64, "grade": pl.Float64, **dict.fromkeys(self.features, pl.Float32)})
        with _damage_told(file):
            frame = pl.read_parquet(file, columns=list(types)).cast(types)
        if not len(frame) or frame["page"].null_count() or frame["grade"].null_count():
            raise FileError(file, "is damaged (pages or grades are missing). Prepare the log again.")
        return frame

    def __repr__(self) -> str:
        sizes = ", ".join(f"{pages:,} {name}" for name, pages in self.parts.items())
        return f"Prepared: pages {sizes}; {len(self.features)} features"


def _is_good(card: dict[str, Any]) -> bool:
    """Is all that is read from a card there, and of the right kind?"""
    features, limits, parts, files = (card[name] for name in ("features", "limits", "parts", "files"))
    return (
        card["format"] == FORMAT
        and isinstance(features, list) and all(isinstance(name, str) for name in features)
        and isinstance(limits, list) and all(is_number(limit) for limit in limits)
        and all(is_whole(number) for number in [*parts.values(), *files.values()])
        and all(part in files for part, n_pages in parts.items() if n_pages)
    )  # fmt: skip


def _n_rows(file: Path) -> int:
    import polars as pl

    check_parquet(file)
    with _damage_told(file):
        return int(pl.scan_parquet(file).select(pl.len()).collect().item())


@contextmanager
def _damage_told(file: Path) -> Iterator[None]:
    import polars as pl

    try:
        yield
    except (OSError, pl.exceptions.PolarsError) as error:
        raise FileError(file, f"is damaged ({str(error).splitlines()[0]}). Prepare the log again.") from None
