"""Which pages are for training, validation and testing, so that nobody's future is known in their past."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riskrank.clicks.simulator import hashed
from riskrank.errors import ParameterError
from riskrank.parameters import is_number, one_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from riskrank.clicks.impressions import Impressions
    from riskrank.clicks.spill import Spill

SPLITS = ("time", "user", "session")
PARTS = ("train", "valid", "test")
HISTORY = -1  # pages that are only remembered


class Splits:
    """Tells the part of each page: 0, 1, 2 for train, valid and test, −1 for pages that are only remembered.

    ``"time"``: whole days one after the other (in a log without days, sessions in the order of the log).
    ``"user"``: every user is in one part with all pages. ``"session"``: every session is; only for logs without users,
    where sessions have nothing to do with each other. The first pages, a share of `history`, are only remembered.
    """

    def __init__(self, spill: Spill, kind: str, shares: Sequence[float], history: float, random_state: int) -> None:
        one_of("split", kind, SPLITS)
        if len(shares) != len(PARTS) or not all(is_number(share) and share > 0 for share in shares):
            raise ParameterError(f"shares must be three numbers above 0, for train, valid and test, got {shares!r}.")
        if not (is_number(history) and 0 <= history < 1):
            raise ParameterError(f"history must be a number from 0, below 1, got {history!r}.")
        has_users = "user" not in spill.lacking
        if kind == "user" and not has_users:
            raise ParameterError("this log has no users: split it by session or time.")
        if kind == "session" and has_users:
            raise ParameterError(
                "this log has users, whose sessions would end up on both sides: split it by user or time."
            )
        self._kind, self._spill, self._random_state = kind, spill, random_state
        self._bounds = np.cumsum(np.asarray(shares, np.float64) / sum(shares))[:-1]
        total = sum(spill.pages.values())
        if spill.has_days:
            before = np.cumsum([0, *(spill.pages[day] for day in spill.days)])[:-1]
            self._day = dict(zip(spill.days, self._parts_of_days(before, total, kind, history).tolist(), strict=True))
        self._first, self._total = round(history * total), total

    def _parts_of_days(self, before: NDArray[np.int64], total: int, kind: str, history: float) -> NDArray[np.int64]:
        """The part of each day; for splits that do not go by time, 0 for all after the history."""
        days = len(before)
        n_history = (
            0 if history == 0 else int(np.clip(round(np.interp(history * total, before, np.arange(days))), 1, days))
        )
        if kind != "time":
            if n_history >= days:
                raise ParameterError(f"the log has {days} days, too few to keep the first as history: pass history=0.")
            return np.where(np.arange(days) < n_history, HISTORY, 0)
        if days < len(PARTS) + min(n_history, 1):
            raise ParameterError(f"the log has {days} days, too few to split it by time: split it by user or session.")
        n_history = min(n_history, days - len(PARTS))
        left = total - before[n_history]
        place = (before[n_history:] - before[n_history]) / left
        part = np.searchsorted(self._bounds, place, side="right")
        for k in range(len(PARTS) - 1):  # every part has a day at least
            part[-(len(PARTS) - 1 - k)] = max(part[-(len(PARTS) - 1 - k)], k + 1)
            part[k] = min(part[k], k)
        return np.concatenate([np.full(n_history, HISTORY), np.maximum.accumulate(part)])

    def parts(self, pages: Impressions, first: int) -> NDArray[np.int64]:
        """The part of each page of a stretch; `first`: how many pages of the log came before it."""
        n = len(pages)
        if not n:
            return np.zeros(0, np.int64)
        if self._spill.has_days:
            by_day = np.full(n, self._day[int(pages.day[0])])
            if self._kind == "time" or by_day[0] == HISTORY:
                return by_day
        starts = np.flatnonzero(np.concatenate([[True], pages.session[1:] != pages.session[:-1]]))
        place = first + np.repeat(starts, np.diff(np.append(starts, n)))  # a session is where it begins
        if self._kind == "time":
            share = (place - self._first) / max(self._total - self._first, 1)
        else:
            share = hashed(pages.user if self._kind == "user" else pages.session, 0, salt=101 + self._random_state)
        found = np.searchsorted(self._bounds, share, side="right")
        is_history = ~self._spill.has_days & (place < self._first)
        return np.where(is_history, HISTORY, found)
