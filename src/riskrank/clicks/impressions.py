"""Impressions: result pages that were shown, and what was clicked on them."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from riskrank.typing import Booleans, Floats, Integers

SATISFIED = 30.0  # seconds that a satisfied user stays at least (Bennett et al. 2015, §1)
FIRST_CLICK = 1  # units from a page to the first click on it, in logs that we write
OF_PAGES = ("session", "user", "day", "time", "query", "is_withheld")
OF_DOCUMENTS = ("document", "domain", "dwell", "click_time", "score")
UNKNOWN = {"user": -1, "day": -1, "time": 0, "is_withheld": False, "domain": -1, "score": np.nan, "click_time": np.nan}
GRADES_2014 = (50.0, 400.0)  # units of the 2013/14 log from which a click is relevant, and highly relevant


def _untold() -> NDArray[Any]:
    return np.zeros(0, np.int64)


@dataclass(frozen=True, eq=False)
class Impressions:
    """Result pages in the order of a log, sessions together: one value per page, or per document of each page.

    The documents of page i are ``document_offset[i]:document_offset[i + 1]``, in presented order, and its terms lie
    likewise. `dwell`: NaN without a click, infinite for the click that ends a session. What a log does not tell is left
    out: then `user`, `day` and `domain` are −1, `time`, which counts from the beginning of the session, is 0, and
    `score`, the search engine's own, is NaN. `click_time`: when the document was clicked last; where that is NaN, the
    click counts as one before the next page. `is_withheld`: pages whose clicks are withheld.

    >>> shown = Impressions(session=np.array([7, 7]), query=np.array([1, 2]), document_offset=np.array([0, 2, 3]),
    ...     document=np.array([5, 6, 5]), dwell=np.array([np.nan, 12.0, np.inf]))
    >>> shown.position.tolist(), shown.satisfied().tolist()
    ([1, 2, 1], [False, False, True])
    """

    session: Integers
    query: Integers
    document_offset: Integers
    document: Integers
    dwell: Floats
    user: Integers = field(default_factory=_untold)
    day: Integers = field(default_factory=_untold)
    time: Integers = field(default_factory=_untold)
    is_withheld: Booleans = field(default_factory=_untold)
    domain: Integers = field(default_factory=_untold)
    score: Floats = field(default_factory=_untold)
    click_time: Floats = field(default_factory=_untold)
    term_offset: Integers = field(default_factory=_untold)
    term: Integers = field(default_factory=_untold)

    def __post_init__(self) -> None:
        for name, value in UNKNOWN.items():
            if not len(getattr(self, name)):
                n = len(self.document if name in OF_DOCUMENTS else self.query)
                object.__setattr__(self, name, np.full(n, value))
        if not len(self.term_offset):
            object.__setattr__(self, "term_offset", np.zeros(len(self) + 1, np.int64))

    def __len__(self) -> int:
        return len(self.query)

    @classmethod
    def none(cls) -> Impressions:
        """No page at all."""
        none = np.zeros(0, np.int64)
        return cls(session=none, query=none, document_offset=np.zeros(1, np.int64), document=none, dwell=np.zeros(0))

    @property
    def is_test(self) -> Booleans:
        """The old name of `is_withheld`."""
        warnings.warn("Impressions.is_test is called is_withheld now.", DeprecationWarning, stacklevel=2)
        return self.is_withheld

    @property
    def session_starts(self) -> Integers:
        """The first page of each session; numbers of sessions may be those of other users too."""
        is_first = np.ones(len(self), bool)
        is_first[1:] = (np.diff(self.session) != 0) | (np.diff(self.user) != 0)
        return np.flatnonzero(is_first)

    @property
    def page(self) -> Integers:
        """The page of each document."""
        return np.repeat(np.arange(len(self)), np.diff(self.document_offset))

    @property
    def position(self) -> Integers:
        """Each document's rank on its page, from 1."""
        return np.arange(len(self.document)) - self.document_offset[self.page] + 1

    def satisfied(self, threshold: float = SATISFIED) -> Booleans:
        """Documents with a satisfied click: long enough, or ending the session."""
        if not threshold >= 0:
            raise ParameterError(f"threshold must be a number from 0, got {threshold!r}.")
        return np.asarray(self.dwell >= threshold)  # NaN is not

    def grades(self, limits: Sequence[float] = GRADES_2014) -> Integers:
        """0, 1, 2, …: how many of the limits a click's dwell time reaches; a click that ends a session reaches all.

        The default are those of the 2013/14 challenge: relevant from 50 units on, highly relevant from 400.
        """
        bounds = np.asarray(limits, dtype=np.float64)
        if bounds.ndim != 1 or not len(bounds) or np.isnan(bounds).any() or (np.diff(bounds) <= 0).any():
            raise ParameterError(f"limits must be numbers that rise, got {limits!r}.")
        return np.where(np.isnan(self.dwell), 0, np.searchsorted(bounds, self.dwell, side="right"))

    def take(self, pages: NDArray[Any]) -> Impressions:
        """Some of the pages, by a mask or positions from 0."""
        given = np.asarray(pages)
        is_mask = given.dtype == bool
        chosen = np.flatnonzero(given) if is_mask else given.astype(np.int64)
        if given.ndim != 1 or (len(given) != len(self) if is_mask else ((chosen < 0) | (chosen >= len(self))).any()):
            raise ParameterError(f"pages are taken by a mask of {len(self)}, or by positions below that.")
        documents, document_offset = _rows(self.document_offset, chosen)
        terms, term_offset = _rows(self.term_offset, chosen)
        parts: dict[str, Any] = {"document_offset": document_offset, "term_offset": term_offset}
        parts |= {name: getattr(self, name)[chosen] for name in OF_PAGES}
        parts |= {name: getattr(self, name)[documents] for name in OF_DOCUMENTS}
        return Impressions(**parts, term=self.term[terms])


def _rows(offsets: Integers, chosen: Integers) -> tuple[Integers, Integers]:
    sizes = np.diff(offsets)[chosen]
    ends = np.cumsum(sizes)
    rows = np.repeat(offsets[chosen] - (ends - sizes), sizes) + np.arange(int(sizes.sum()))
    return rows, np.concatenate([[0], ends])


def one_batch(batches: Sequence[Impressions]) -> Impressions:
    """Several batches of a log as one."""
    if len(batches) < 2:
        return batches[0] if batches else Impressions.none()
    columns: dict[str, Any] = {}
    for each in fields(Impressions):
        arrays = [getattr(batch, each.name) for batch in batches]
        if each.name.endswith("_offset"):
            sizes = np.concatenate([np.diff(array) for array in arrays])
            columns[each.name] = np.concatenate([[0], np.cumsum(sizes)])
        else:
            columns[each.name] = np.concatenate(arrays)
    return Impressions(**columns)
