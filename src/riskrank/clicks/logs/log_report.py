"""LogReport: what a log holds."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.clicks.impressions import Impressions
    from riskrank.typing import PathLike

KEPT = 1000  # numbers of bad lines that are remembered


@dataclass
class LogReport:
    """Lines, pages, clicks on documents that were not shown, and lines that make no sense."""

    lines: int = 0
    pages: int = 0
    clicks: int = 0
    lost_clicks: int = 0
    bad: int = 0
    bad_lines: list[int] = field(default_factory=list)
    bad_files: list[str] = field(default_factory=list)

    def add(self, batch: Impressions, *, lines: int = 0, lost_clicks: int = 0) -> None:
        """Count another batch."""
        self.lines += lines
        self.pages += len(batch)
        self.clicks += int((~np.isnan(batch.dwell)).sum())
        self.lost_clicks += lost_clicks

    def add_bad(self, path: PathLike, numbers: Sequence[int]) -> None:
        """Count lines of a file that make no sense; the first ones are remembered, by file and number."""
        self.bad += len(numbers)
        kept = numbers[: KEPT - len(self.bad_lines)]
        self.bad_lines += kept
        self.bad_files += [os.fspath(path)] * len(kept)

    def __str__(self) -> str:
        text = f"{self.lines:,} lines, {self.pages:,} result pages, {self.clicks:,} clicked documents"
        if self.lost_clicks:
            text += f", {self.lost_clicks:,} clicks on documents that were not shown"
        if self.bad:
            places = list(zip(self.bad_files, self.bad_lines, strict=True))[:5]
            shown = ", ".join(f"{os.path.basename(path)}:{number}" for path, number in places)
            text += f"; {self.bad:,} lines are not understood (first: {shown})"
        return text
