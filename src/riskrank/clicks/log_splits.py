"""Which pages are for training, validation and testing, so that nobody's future is known in their past."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from riskrank.data.hashing import hashed
from riskrank.errors import ParameterError
from riskrank.parameters import between, is_number, one_of, whole
from riskrank.typing import PartName, SplitKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.clicks.impressions import Impressions
    from riskrank.clicks.spill import Spill
    from riskrank.typing import Integers

PARTS: tuple[PartName, ...] = get_args(PartName)
HISTORY = -1  # pages that are only remembered


class LogSplits:
    """Tells the part of each page: 0, 1, 2 for train, valid and test, −1 for pages that are only remembered.

    ``"time"``: whole days one after the other (in a log without days, sessions in the order of the log).
    ``"user"``: every user is in one part with all pages. ``"session"``: every session is; only for logs without users,
    where sessions have nothing to do with each other. The first pages, a share of `history`, are only remembered.
    With a `boundary`, users (or sessions) whose numbers are at least that are for testing, and the others for training
    and validation, by the first two shares.
    """

    def __init__(
        self, spill: Spill, kind: str, shares: Sequence[float], history: float, random_state: int,
        boundary: int | None = None,
    ) -> None:  # fmt: skip
        check_split(kind, shares, history, boundary)
        has_users = "user" not in spill.lacking
        if kind == "user" and not has_users:
            raise ParameterError("this log has no users: split it by session or time.")
        if kind == "session" and has_users:
            reason = "this log has users, whose sessions would end up on both sides"
            raise ParameterError(f"{reason}: split it by user or time.")
        self._kind, self._has_days, self._random_state = kind, spill.has_days, random_state
        self._bounds = np.cumsum(np.asarray(shares, np.float64) / sum(shares))[:-1]
        self._boundary = boundary
        pages = np.array([spill.pages[day] for day in spill.days])
        self._total = int(pages.sum())
        self._first = round(history * self._total)
        self._day: dict[int, int] = {}  # the part of each day, where there are days
        if spill.has_days:
            n_history = self._days_of_history(pages, history)
            parts = self._parts_of_days(pages[n_history:]) if kind == "time" else np.zeros(len(pages) - n_history, int)
            self._day = dict(zip(spill.days, [*([HISTORY] * n_history), *parts.tolist()], strict=True))

    def _days_of_history(self, pages: Integers, history: float) -> int:
        """The first days, as near to the share as can be."""
        if history == 0:
            return 0
        needed = len(PARTS) if self._kind == "time" else 1
        if len(pages) <= needed:
            lack = f"too few to remember the first and split the others by {self._kind}"
            raise ParameterError(f"the log has {len(pages)} days, {lack}. {_advice(len(pages), self._kind)}")
        before = np.cumsum(pages) - pages
        return int(np.clip(np.abs(before - history * pages.sum()).argmin(), 1, len(pages) - needed))

    def _parts_of_days(self, pages: Integers) -> Integers:
        """Days one after the other, as near to the shares as can be, and at least one for each part."""
        days = len(pages)
        if days < len(PARTS):
            raise ParameterError(f"the log has {days} days, too few to split it by time. {_advice(days, 'time')}")
        share = np.cumsum(pages)[:-1] / pages.sum()  # before the second day, the third, …
        second = int(np.clip(np.abs(share - self._bounds[0]).argmin() + 1, 1, days - 2))
        third = int(np.clip(np.abs(share - self._bounds[1]).argmin() + 1, second + 1, days - 1))
        return np.repeat([0, 1, 2], [second, third - second, days - third])

    def parts(self, pages: Impressions, first: int) -> Integers:
        """The part of each page of sessions that begin on the same day; `first`: how many pages came before."""
        n = len(pages)
        if not n:
            return np.zeros(0, np.int64)
        day = int(pages.day.min())
        if self._has_days and (self._kind == "time" or self._day[day] == HISTORY):
            return np.full(n, self._day[day])
        starts = pages.session_starts
        place = first + np.repeat(starts, np.diff(np.append(starts, n)))  # a session is where it begins
        if self._kind == "time":
            share = (place - self._first) / max(self._total - self._first, 1)
        else:
            owner = pages.user if self._kind == "user" else pages.session
            share = hashed(owner, 0, salt=101 + self._random_state)
            if self._boundary is not None:
                share = np.where(owner >= self._boundary, 1.0, share * self._bounds[-1])
        parts = np.searchsorted(self._bounds, share, side="right")
        return parts if self._has_days else np.where(place < self._first, HISTORY, parts)


def _advice(n_days: int, kind: str) -> str:
    if n_days == 1:
        return (
            "Where times count from the beginning of a session, give the days in a column of their own; or remember "
            "nothing (history 0) and split by user or session."
        )
    return "Remember nothing (history 0)." if kind != "time" or n_days > 2 else "Split by user or session."


def check_split(kind: str, shares: Sequence[float], history: float, boundary: int | None = None) -> None:
    """Refuse what cannot be meant, before any log is read."""
    one_of("split", kind, get_args(SplitKind))
    several: list[Any] = list(shares) if isinstance(shares, Iterable) else [shares]
    if len(several) != len(PARTS) or not all(is_number(share) and share > 0 for share in several):
        raise ParameterError(
            f"shares must be three numbers above 0, for train, valid and test, got {shares!r}.", "shares"
        )
    between("history", history, 0, 1)
    whole("boundary", boundary, 0, optional=True)
    if boundary is not None and kind == "time":
        raise ParameterError("a boundary is a number of users or sessions: split by user or session.", "boundary")
