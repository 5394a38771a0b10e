"""A log on disk, day by day: what is needed to go through it in the order of time in little memory."""

from __future__ import annotations

from dataclasses import fields
from typing import IO, TYPE_CHECKING

import numpy as np

from riskrank.clicks.impressions import Impressions, one_batch

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from riskrank.files.scratch import Scratch
    from riskrank.typing import Integers

PAGES_AT_ONCE = 50_000
NO_DAY = -1


class Spill:
    """Impressions in a folder, by the days on which their sessions begin and end, in the order in which they came.

    Knows what the log has: its days and their pages, and whether there are users, domains, terms and scores.
    """

    def __init__(self, scratch: Scratch) -> None:
        self._scratch = scratch
        self.pages: dict[int, int] = {}  # of sessions that begin on a day
        self._spans: dict[tuple[int, int], int] = {}  # first and last day of sessions: their pages
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

    def add(self, batch: Impressions) -> None:
        """Another batch of whole sessions."""
        self._has["user"] |= bool((batch.user >= 0).any())
        self._has["domain"] |= bool((batch.domain >= 0).any())
        self._has["term"] |= bool(len(batch.term))
        self._has["score"] |= bool(np.isfinite(batch.score).any())
        first, last = session_days(batch)
        for begin, end in sorted(set(zip(first.tolist(), last.tolist(), strict=True))):
            chosen = batch.take((first == begin) & (last == end))
            self.pages[begin] = self.pages.get(begin, 0) + len(chosen)
            self._spans[begin, end] = self._spans.get((begin, end), 0) + len(chosen)
            with self._scratch.appended(self._file(begin, end).name) as file:
                for each in fields(Impressions):
                    np.save(file, getattr(chosen, each.name), allow_pickle=False)

    def starting(self, day: int) -> Iterator[Impressions]:
        """Batches of the sessions that begin on a day."""
        return self._read([span for span in sorted(self._spans) if span[0] == day])

    def ending(self, after: int, until: int) -> Iterator[Impressions]:
        """Batches of the sessions that end after a day, up to another one."""
        return self._read([span for span in sorted(self._spans) if span[0] >= 0 and after < span[1] <= until])

    def _read(self, spans: list[tuple[int, int]]) -> Iterator[Impressions]:
        waiting: list[Impressions] = []
        for begin, end in spans:
            with open(self._file(begin, end), "rb") as file:
                while batch := _next(file):
                    waiting.append(batch)
                    if sum(map(len, waiting)) >= PAGES_AT_ONCE:
                        yield one_batch(waiting)
                        waiting = []
        if waiting:
            yield one_batch(waiting)

    def _file(self, begin: int, end: int) -> Path:
        return self._scratch.path / f"day{begin}-{end}.npy"


def session_days(batch: Impressions) -> tuple[Integers, Integers]:
    """For each page, the days on which its session begins and ends; −1 where one of its pages has none."""
    starts = batch.session_starts
    lengths = np.diff(np.append(starts, len(batch)))
    first, last = np.minimum.reduceat(batch.day, starts), np.maximum.reduceat(batch.day, starts)
    return np.repeat(first, lengths), np.repeat(np.where(first < 0, first, last), lengths)


def _next(file: IO[bytes]) -> Impressions | None:
    try:
        return Impressions(**{each.name: np.load(file, allow_pickle=False) for each in fields(Impressions)})
    except EOFError:
        return None
