"""PageWriter: pages with their features and grades, as Parquet files by part."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from riskrank.clicks.features import FEATURES
from riskrank.clicks.impressions import Impressions, one_batch
from riskrank.clicks.log_splits import PARTS
from riskrank.data.hashing import hashed
from riskrank.files.writing import as_parquet

if TYPE_CHECKING:
    from riskrank.files.own_folder import FolderChange
    from riskrank.typing import Booleans, Integers, Singles

WITHHELD = "withheld"
DOCUMENTS_IN_FILE = 500_000


def file_name(part: str, number: int) -> str:
    """Of one of the files of a part."""
    return f"{part}/{number:05d}.parquet"


@dataclass
class PageWriter:
    """Pages of each part, gathered into files of a good size.

    `columns`: of the features that are written. `limits`: those of the grades. `samples`: the share of users (or
    sessions) of each part whose pages are. Counts the `pages` and `files` of each part.
    """

    change: FolderChange
    columns: list[int]
    limits: list[float]
    keep_unsatisfied: bool
    samples: dict[str, float]
    random_state: int
    pages: dict[str, int] = field(default_factory=lambda: dict.fromkeys(PARTS, 0))
    files: dict[str, int] = field(default_factory=dict)
    _waiting: dict[str, list[tuple[Impressions, Singles]]] = field(default_factory=dict, init=False)

    def add(self, batch: Impressions, features: Singles, parts: Integers) -> None:
        """Sort the pages of a batch into their `parts`, told by number."""
        owner = np.where(batch.user >= 0, batch.user, batch.session)
        draw = hashed(owner, 0, salt=211 + self.random_state)
        is_wanted = self.is_wanted(batch)
        for number, name in enumerate(PARTS):
            self._take(name, batch, features, is_wanted & (parts == number) & (draw < self.samples[name]))
        self._take(WITHHELD, batch, features, batch.is_withheld & (draw < self.samples[WITHHELD]))

    def is_wanted(self, batch: Impressions) -> Booleans:
        """Pages that teach something of clicks, or are kept all the same; none whose clicks are withheld."""
        best = np.maximum.reduceat(batch.grades(self.limits), batch.document_offset[:-1])
        return np.asarray(((best > 0) | self.keep_unsatisfied) & ~batch.is_withheld)

    def close(self) -> None:
        """Write what is waiting."""
        for name in list(self._waiting):
            self._write(name)

    def _take(self, name: str, batch: Impressions, features: Singles, chosen: Booleans) -> None:
        if not chosen.any():
            return
        rows = np.repeat(chosen, np.diff(batch.document_offset))
        self._waiting.setdefault(name, []).append((batch.take(chosen), features[rows][:, self.columns]))
        if sum(len(matrix) for _, matrix in self._waiting[name]) >= DOCUMENTS_IN_FILE:
            self._write(name)

    def _write(self, name: str) -> None:
        import polars as pl

        waiting = self._waiting.pop(name)
        pages, features = one_batch([batch for batch, _ in waiting]), np.concatenate([matrix for _, matrix in waiting])
        page = pages.page
        n_before, n_files = self.pages.get(name, 0), self.files.get(name, 0)
        frame = pl.DataFrame(
            {
                "page": n_before + 1 + page, "session": pages.session[page], "user": pages.user[page],
                "day": pages.day[page], "query": pages.query[page], "document": pages.document,
                "position": pages.position.astype(np.int32), "dwell": pages.dwell,
                "grade": pages.grades(self.limits).astype(np.int8),
                **{FEATURES[column].name: features[:, k] for k, column in enumerate(self.columns)},
            }
        )  # fmt: skip
        self.change.write(file_name(name, n_files), as_parquet(frame))
        self.files[name] = n_files + 1
        self.pages[name] = n_before + len(pages)
