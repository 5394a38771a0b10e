"""Features of impressions: what was known of a document, its page and its user before the page was shown.

Nothing of a page's own clicks, nor of what came after it, is in them. Within a session, earlier pages count (the last
30 of them) with the clicks that were made until then. Beyond the session, sessions that ended on earlier days count
where a log has days, since the order of sessions within a day is not known; without days, all sessions that stand
before it in the log.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.cores import usable_cores
from riskrank.errors import ParameterError, listing, nearest, quoted
from riskrank.parameters import positive, whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from riskrank.clicks.impressions import Impressions

SMOOTHING = 10.0
MEMORY = 2 << 30  # bytes for what is remembered
FULLEST = 0.7  # share of the places of a hash table
SMALLEST = 1 << 16
BYTES = 24  # of a place


@dataclass(frozen=True)
class ClickFeature:
    """A column: its name, the group by which it is switched, what it says, and what a log must have for it."""

    name: str
    group: str
    meaning: str
    needs: str = ""  # one or several of user, domain, term and score


def _several(group: str, needs: str, **meanings: str) -> tuple[ClickFeature, ...]:
    return tuple(ClickFeature(name, group, meaning, needs) for name, meaning in meanings.items())


FEATURES = (
    ClickFeature("presented", "presented", "minus the position at which it was shown: the baseline"),
    ClickFeature("original_score", "presented", "the search engine's own score", "score"),
    *_several(
        "session", "",
        session_pages="earlier pages of the session",
        session_clicked="clicks on this document earlier in the session",
        session_satisfied="satisfied clicks on it earlier in the session",
        session_skipped="times it was passed over earlier in the session: not clicked, above a click",
        session_shown="times it was shown earlier in the session",
    ),
    *_several(
        "session", "domain",
        session_domain_clicked="clicks on documents of its domain earlier in the session",
        session_domain_skipped="documents of its domain passed over earlier in the session",
        session_domain_shown="documents of its domain shown earlier in the session",
    ),
    ClickFeature("session_query_clicked", "session", "clicks on it for this very query earlier in the session"),
    *_several(
        "similarity", "term",
        similar_terms="terms that this query shares with the one before, of all their terms (Jaccard)",
        similar_clicked="clicks on it earlier in the session, each weighted by the terms that the queries share",
        similar_skipped="times it was passed over earlier in the session, weighted in the same way",
    ),
    *_several(
        "similarity", "",
        succession="how often this query followed the one before it, of all times that one was followed by any",
        after_rate="smoothed share of satisfied clicks on it when it was shown after the query before",
    ),
    *_several(
        "user", "user",
        user_pages="pages that the user saw before",
        user_clicked="the user's clicks on it before",
        user_satisfied="the user's satisfied clicks on it before",
        user_skipped="times the user passed it over before",
    ),
    *_several(
        "user", "user domain",
        user_domain_clicked="the user's clicks on its domain before",
        user_domain_skipped="times the user passed over documents of its domain before",
    ),
    *_several(
        "user", "user",
        user_query_pages="times the user asked this query before",
        user_query_clicked="the user's clicks on it for this query before (personal navigation)",
        user_query_satisfied="the user's satisfied clicks on it for this query before",
        user_query_skipped="times the user passed it over for this query before",
    ),
    *_several(
        "user", "user term",
        user_terms_clicked="the user's clicks on it for queries with a term of this one, the mean over its terms",
    ),
    *_several(
        "everyone", "",
        query_pages="times anybody asked this query before",
        query_document_shown="times it was shown for this query before",
        query_document_rate="smoothed share of satisfied clicks on it for this query",
        document_rate="smoothed share of satisfied clicks on it for any query",
    ),
    ClickFeature("domain_rate", "everyone", "smoothed share of satisfied clicks on its domain", "domain"),
)  # fmt: skip
GROUPS = tuple(dict.fromkeys(feature.group for feature in FEATURES))


def chosen_features(wanted: Sequence[str] | None = None, *, without: Iterable[str] = ()) -> list[int]:
    """The columns of some groups or single features (default: all) that a log can have; `presented` is always one.

    `without`: what the log lacks of user, domain, term and score.
    """
    known = [*GROUPS, *(feature.name for feature in FEATURES)]
    for name in wanted or ():
        if name not in known:
            raise ParameterError(
                f"no feature or group {quoted(name)}.{nearest(name, known)} Groups: {listing(GROUPS)}."
            )
    lacking = set(without)
    return [
        column
        for column, feature in enumerate(FEATURES)
        if (column == 0 or wanted is None or feature.name in wanted or feature.group in wanted)
        and not lacking & set(feature.needs.split())
    ]


class ClickMemory:
    """What is remembered of earlier pages, in a hash table that grows up to so many bytes.

    Exact until then; after that, what was not seen before finds no place (`n_lost` tells how often).
    """

    def __init__(self, *, smoothing: float = SMOOTHING, most_bytes: int = MEMORY) -> None:
        positive("smoothing", smoothing)
        whole("most_bytes", most_bytes, SMALLEST * BYTES)
        self.smoothing = float(smoothing)
        self._largest = 1 << int(np.log2(most_bytes / BYTES))
        self._memory = _table(SMALLEST)

    @property
    def n_keys(self) -> int:
        """How many things are remembered."""
        return int(self._memory.state[0])

    @property
    def n_lost(self) -> int:
        """How often something new found no place."""
        return int(self._memory.state[1])

    @property
    def n_bytes(self) -> int:
        """How large the table is."""
        return len(self._memory.keys) * BYTES

    def features(self, part: Impressions, satisfied: NDArray[np.bool_]) -> NDArray[np.float32]:
        """Documents × `FEATURES` of a stretch of whole sessions, from what was remembered before it."""
        from riskrank.kernels import click_features as kernels

        out = np.empty((len(part.document), kernels.N_FEATURES), np.float32)
        pages = _pages(part, satisfied)
        bounds = np.linspace(0, len(part), usable_cores() + 1).astype(np.int64)
        kernels.features(pages, 0, 0, self._memory, self.smoothing, out)  # compiled here, not by all threads at once
        with ThreadPoolExecutor(len(bounds) - 1) as pool:
            list(
                pool.map(
                    lambda first, last: kernels.features(pages, first, last, self._memory, self.smoothing, out),
                    bounds[:-1],
                    bounds[1:],
                )
            )
        return out

    def remember(self, part: Impressions, satisfied: NDArray[np.bool_]) -> None:
        """Add a stretch; pages whose clicks are withheld are left out."""
        from riskrank.kernels import click_features as kernels

        pages = _pages(part, satisfied)
        self._until_done(len(part), lambda page: kernels.remember(pages, page, self._memory, self._most))

    def features_in_order(self, part: Impressions, satisfied: NDArray[np.bool_]) -> NDArray[np.float32]:
        """The same as both, session by session: each is remembered before the next."""
        from riskrank.kernels import click_features as kernels

        pages = _pages(part, satisfied)
        out = np.empty((len(part.document), kernels.N_FEATURES), np.float32)
        self._until_done(
            len(part),
            lambda page: kernels.features_in_order(pages, page, self._memory, self.smoothing, self._most, out),
        )
        return out

    @property
    def _most(self) -> int:
        """Keys from which the table grows; at its largest, none."""
        places = len(self._memory.keys)
        return int(FULLEST * places) if places < self._largest else 2**62

    def _until_done(self, n: int, go_on: Callable[[int], int]) -> None:
        from riskrank.kernels.click_features import moved

        page = 0
        while True:
            page = int(go_on(page))
            if page >= n:
                return
            larger = _table(2 * len(self._memory.keys))
            moved(self._memory, larger)
            self._memory = larger


def _table(places: int) -> Any:
    from riskrank.kernels.click_features import Memory

    return Memory(
        np.zeros(places, np.uint64), np.zeros((places, 4), np.uint32), np.zeros(4), np.zeros(2, np.int64)
    )  # fmt: skip


def _pages(part: Impressions, satisfied: NDArray[np.bool_]) -> Any:
    from riskrank.kernels.click_features import Pages

    return Pages(
        part.session, part.user, part.time, part.query, part.is_test, part.document_offset, part.document, part.domain,
        ~np.isnan(part.dwell), satisfied, part.click_time,
        part.click_time + np.where(np.isfinite(part.dwell), part.dwell, 0.0), part.score, part.term_offset, part.term,
    )  # fmt: skip
