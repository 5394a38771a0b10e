"""A log on disk, day by day: what is needed to go through it in the order of time in little memory."""

from __future__ import annotations

from dataclasses import fields
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from riskrank.clicks.impressions import Impressions, joined

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PAGES_AT_ONCE = 50_000


class Spill:
    """Impressions in a folder, one file per day, in the order in which they came.

    Knows what the log has: its days and their pages, sessions, and whether there are users, domains, terms and scores.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.pages: dict[int, int] = {}
        self._has = {"user": False, "domain": False, "term": False, "score": False}

    @property
    def days(self) -> list[int]:
        """The days, in order; −1 alone for a log without days."""
        return sorted(self.pages)

    @property
    def has_days(self) -> bool:
        """Does the log tell days apart?"""
        return any(day >= 0 for day in self.pages)

    @property
    def lacking(self) -> list[str]:
        """What no page has, of user, domain, term and score."""
        return [name for name, has in self._has.items() if not has]

    def add(self, part: Impressions) -> None:
        """Another stretch of whole sessions."""
        self._has["user"] |= bool((part.user >= 0).any())
        self._has["domain"] |= bool((part.domain >= 0).any())
        self._has["term"] |= bool(len(part.term))
        self._has["score"] |= bool(np.isfinite(part.score).any())
        for day in np.unique(part.day).tolist():
            chosen = part if (part.day == day).all() else part.take(part.day == day)
            self.pages[day] = self.pages.get(day, 0) + len(chosen)
            with open(self._file(day), "ab") as file:
                for each in fields(Impressions):
                    np.save(file, getattr(chosen, each.name), allow_pickle=False)

    def read(self, day: int) -> Iterator[Impressions]:
        """The stretches of a day, small ones together."""
        waiting: list[Impressions] = []
        with open(self._file(day), "rb") as file:
            while part := _next(file):
                waiting.append(part)
                if sum(map(len, waiting)) >= PAGES_AT_ONCE:
                    yield joined(waiting)
                    waiting = []
        if waiting:
            yield joined(waiting)

    def _file(self, day: int) -> Path:
        return self.folder / f"day{day}.npy"


def _next(file: IO[bytes]) -> Impressions | None:
    arrays: dict[str, Any] = {}
    for each in fields(Impressions):
        try:
            arrays[each.name] = np.load(file, allow_pickle=False)
        except EOFError:
            return None
    return Impressions(**arrays)
