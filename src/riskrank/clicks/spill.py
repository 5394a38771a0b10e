"""A log on disk, day by day: what is needed to go through it in the order of time in little memory."""

from __future__ import annotations

from dataclasses import fields
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from riskrank.clicks.impressions import Impressions, joined

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

PAGES_AT_ONCE = 50_000
NO_DAY = -1


class Spill:
    """Impressions in a folder, by the days on which their sessions begin and end, in the order in which they came.

    Knows what the log has: its days and their pages, and whether there are users, domains, terms and scores.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.pages: dict[int, int] = {}  # of sessions that begin on a day
        self._parts: dict[tuple[int, int], int] = {}  # first and last day of sessions: their pages
        self._has = {"user": False, "domain": False, "term": False, "score": False}

    @property
    def days(self) -> list[int]:
        """The days on which sessions begin, in order; −1 alone for a log without days."""
        return sorted(day for day in self.pages if day >= 0) or sorted(self.pages)

    @property
    def has_days(self) -> bool:
        """Does the log tell days apart?"""
        return any(day >= 0 for day in self.pages)

    @property
    def n_without_day(self) -> int:
        """Pages that have no day in a log of days: nobody knows when they were."""
        return self.pages.get(NO_DAY, 0) if self.has_days else 0

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
        first, last = session_days(part)
        for begin, end in sorted(set(zip(first.tolist(), last.tolist(), strict=True))):
            chosen = part.take((first == begin) & (last == end))
            self.pages[begin] = self.pages.get(begin, 0) + len(chosen)
            self._parts[begin, end] = self._parts.get((begin, end), 0) + len(chosen)
            with open(self._file(begin, end), "ab") as file:
                for each in fields(Impressions):
                    np.save(file, getattr(chosen, each.name), allow_pickle=False)

    def begun(self, day: int) -> Iterator[Impressions]:
        """The sessions that begin on a day."""
        return self._read([part for part in sorted(self._parts) if part[0] == day])

    def ended(self, after: int, until: int) -> Iterator[Impressions]:
        """The sessions that end after a day, up to another one."""
        return self._read([part for part in sorted(self._parts) if part[0] >= 0 and after < part[1] <= until])

    def _read(self, parts: list[tuple[int, int]]) -> Iterator[Impressions]:
        """Stretches of a good size."""
        waiting: list[Impressions] = []
        for begin, end in parts:
            with open(self._file(begin, end), "rb") as file:
                while part := _next(file):
                    waiting.append(part)
                    if sum(map(len, waiting)) >= PAGES_AT_ONCE:
                        yield joined(waiting)
                        waiting = []
        if waiting:
            yield joined(waiting)

    def _file(self, begin: int, end: int) -> Path:
        return self.folder / f"day{begin}-{end}.npy"


def session_days(part: Impressions) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each page, the days on which its session begins and ends; −1 where one of its pages has none."""
    starts = part.session_starts
    lengths = np.diff(np.append(starts, len(part)))
    first, last = np.minimum.reduceat(part.day, starts), np.maximum.reduceat(part.day, starts)
    return np.repeat(first, lengths), np.repeat(np.where(first < 0, first, last), lengths)


def _next(file: IO[bytes]) -> Impressions | None:
    arrays: dict[str, Any] = {}
    for each in fields(Impressions):
        try:
            arrays[each.name] = np.load(file, allow_pickle=False)
        except EOFError:
            return None
    return Impressions(**arrays)
