"""LogReport: what was found in a log."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.clicks.impressions import Impressions

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

    def add(
        self, part: Impressions, *, lines: int, lost_clicks: int = 0, bad: int = 0, bad_lines: Sequence[int] = ()
    ) -> None:
        """Count another stretch."""
        self.lines += lines
        self.pages += len(part)
        self.clicks += int((~np.isnan(part.dwell)).sum())
        self.lost_clicks += lost_clicks
        self.bad += bad
        self.bad_lines += bad_lines[: KEPT - len(self.bad_lines)]

    def __str__(self) -> str:
        text = f"{self.lines:,} lines, {self.pages:,} result pages, {self.clicks:,} clicked documents"
        if self.lost_clicks:
            text += f", {self.lost_clicks:,} clicks on documents that were not shown"
        if self.bad:
            shown = ", ".join(f"{number:,}" for number in self.bad_lines[:5])
            text += f"; {self.bad:,} lines are not understood (first: {shown})"
        return text
