"""Synthetic search logs: users with tastes, ambiguous queries, and clicks with all their biases.

Nothing in the log says what is right. A query has one or several intents (topics); a user has tastes, which decide what
an ambiguous query means to them, nearly always the same. Users come back to their own queries and to documents that
suited them. The page is ranked for everybody, by quality and by how common an intent is: right for most users of most
queries, wrong for some. Users read from the top, click what looks good, stay where it is good and stop when satisfied
(a dynamic Bayesian model), and sometimes click by mistake. So clicks favour what stands on top, and a document that
suited before suits again, but not always: tastes have exceptions, and a few queries mean something new each time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.clicks.impressions import FIRST_CLICK, Impressions
from riskrank.data.hashing import hashed
from riskrank.parameters import positive, share, whole

if TYPE_CHECKING:
    from collections.abc import Iterator

    from riskrank.typing import Floats, Integers

N_SHOWN = 10
N_TOPICS = 24
POOL = 16  # documents that could answer a query
SESSIONS_AT_ONCE = 20_000
TERMS = 3
PER_SESSION = 2.2  # pages, about
DAYS = 28
OWN = 6  # queries that a user comes back to
LONGEST = 2000.0  # units that a click may last


@dataclass(frozen=True)
class World:
    """Sizes of a synthetic world; queries and users are told from their numbers alone, so it takes no memory."""

    pages_per_user: float = 16.0
    pages_per_query: float = 3.0  # a few are asked very often, most once or twice
    ambiguous: float = 0.35  # share of queries with more than one intent
    fresh: float = 0.15  # share of queries that mean something new each time
    refinding: float = 0.45  # share of queries that are one of the user's own
    habits: float = 0.5  # share of a user's queries with a document that they go for each time, or nearly
    mistakes: float = 0.015  # clicks by accident, per document read
    random_state: int = 0

    def __post_init__(self) -> None:
        for name in ("pages_per_user", "pages_per_query"):
            positive(name, getattr(self, name))
        whole("random_state", self.random_state, 0)
        for name in ("ambiguous", "fresh", "refinding", "habits", "mistakes"):
            share(name, getattr(self, name))

    def log(self, n_impressions: int) -> Iterator[Impressions]:
        """Batches of a log, day after day: this many result pages, and what is left of the last session."""
        whole("n_impressions", n_impressions, 1)
        return self._log(n_impressions)

    def _log(self, n_impressions: int) -> Iterator[Impressions]:
        left, first = n_impressions, 0
        while left > 0:
            n_sessions = min(SESSIONS_AT_ONCE, max(1, round(left / PER_SESSION)))
            batch = self._sessions(first, n_sessions, n_impressions)
            if len(batch) > left:
                batch = batch.take(batch.session <= batch.session[left - 1])
            yield batch
            left -= len(batch)
            first += n_sessions

    def _sessions(self, first: int, n_sessions: int, n_impressions: int) -> Impressions:
        rng = np.random.default_rng((self.random_state, first))
        n_users, n_queries = (max(2, round(n_impressions / per)) for per in (self.pages_per_user, self.pages_per_query))
        users = (n_users * rng.random(n_sessions) ** 1.7).astype(np.int64)
        days = (first + np.arange(n_sessions)) * (DAYS * PER_SESSION / n_impressions)
        lengths = rng.geometric(0.45, n_sessions).clip(max=8)
        session = np.repeat(np.arange(n_sessions), lengths)
        first_page = np.repeat(np.cumsum(lengths) - lengths, lengths)  # of each page's session
        n = len(session)
        user = users[session]
        query = self._queries(rng, user, np.arange(n) - first_page, n_queries)
        intent = self._intents(rng, user, query)
        document, domain, topic, quality, score = self._pages(query, n_queries)
        appeal = self._appeal(rng, user, query, intent, document, domain, topic, quality)
        dwell = self._clicks(rng, appeal)
        spent = np.nan_to_num(dwell)
        pause = rng.integers(3, 40, n)  # until the next query
        clock = np.concatenate([[0], np.cumsum(spent.sum(axis=1) + pause)[:-1].astype(np.int64)])
        time = clock - clock[first_page]
        is_clicked = ~np.isnan(dwell)
        click_time = np.where(is_clicked, time[:, None] + FIRST_CLICK + np.cumsum(spent, axis=1) - spent, np.nan)
        last_click = N_SHOWN - 1 - np.argmax(is_clicked[:, ::-1], axis=1)  # users read downwards
        pages = np.flatnonzero(is_clicked.any(axis=1))
        dwell[pages, last_click[pages]] += pause[pages] - FIRST_CLICK  # as far as a log can tell: until the next query
        is_last = np.concatenate([session[1:] != session[:-1], [True]])
        pages = pages[is_last[pages]]
        dwell[pages, last_click[pages]] = np.inf
        return Impressions(
            session=first + session, user=user, day=days.astype(np.int64).clip(max=DAYS - 1)[session], time=time,
            query=query, is_test=np.zeros(n, bool), document_offset=np.arange(n + 1) * N_SHOWN,
            document=document.ravel(), domain=domain.ravel(), dwell=dwell.ravel(), click_time=click_time.ravel(),
            score=score.ravel(), term_offset=np.arange(n + 1) * TERMS, term=self._terms(query).ravel(),
        )  # fmt: skip

    def _queries(self, rng: np.random.Generator, user: Integers, place: Integers, n_queries: int) -> Integers:
        """Popular queries, queries of the user's own, and those of the session over again; `place`: in the session."""
        n = len(user)
        popular = (n_queries ** rng.random(n)).astype(np.int64) - 1  # the k-th is asked 1 / k as often as the first
        own = (hashed(user, (OWN * rng.random(n) ** 2.5).astype(np.int64), salt=11) * n_queries).astype(np.int64)
        query = np.where(rng.random(n) < self.refinding, own, popular)
        draw = rng.random(n)
        for k in range(1, int(place.max(initial=0)) + 1):  # a session goes on from its last query
            pages = np.flatnonzero(place == k)
            before = query[pages - 1]
            related = before ^ 1
            chosen = np.where(draw[pages] < 0.15, before, np.where(draw[pages] < 0.4, related, query[pages]))
            query[pages] = np.minimum(chosen, n_queries - 1)
        return query

    def _topics(self, query: Integers) -> tuple[Integers, Floats]:
        """Up to three intents of each query, and how common they are."""
        topics = np.stack([(hashed(query // 2, k, salt=3) * N_TOPICS).astype(np.int64) for k in range(3)], axis=1)
        second = 0.2 + 0.3 * hashed(query, 0, salt=5)
        third = 0.15 * hashed(query, 1, salt=5)
        is_clear = hashed(query, 2, salt=5) >= self.ambiguous
        shares = np.stack([np.ones(len(query)), np.where(is_clear, 0, second), np.where(is_clear, 0, third)], axis=1)
        return topics, shares / shares.sum(axis=1, keepdims=True)

    def _intents(self, rng: np.random.Generator, user: Integers, query: Integers) -> Integers:
        """What the query means to the user now."""
        topics, shares = self._topics(query)
        tastes = hashed(user[:, None], topics, salt=7) ** 4 * 6 + 0.15
        weights = np.cumsum(shares * tastes, axis=1)
        is_fresh = (hashed(query, 3, salt=5) < self.fresh) | (rng.random(len(query)) < 0.08)
        draw = np.where(is_fresh, rng.random(len(query)), hashed(user, query, salt=13)) * weights[:, -1]
        chosen = np.minimum((draw[:, None] >= weights).sum(axis=1), 2)
        return np.asarray(topics[np.arange(len(query)), chosen])

    def _pages(self, query: Integers, n_queries: int) -> tuple[Any, ...]:
        """The documents shown, ranked for everybody, with their domains, topics, quality and scores.

        Queries that follow each other share documents; a few domains are on most pages.
        """
        document = (query // 2)[:, None] * POOL + np.arange(POOL)
        n_domains = max(10, n_queries // 4)
        domain = (n_domains ** hashed(document, 5, salt=17)).astype(np.int64) - 1
        topics, shares = self._topics(query)
        draw = hashed(document, 0, salt=17)
        chosen = np.minimum((draw[:, :, None] >= np.cumsum(shares, axis=1)[:, None, :]).sum(axis=2), 2)
        topic = np.take_along_axis(topics, chosen, axis=1)
        is_odd = hashed(document, 1, salt=17) < 0.12
        topic = np.where(is_odd, (hashed(document, 2, salt=17) * N_TOPICS).astype(np.int64), topic)
        quality = 0.6 * hashed(document, 3, salt=17) + 0.4 * hashed(domain, 0, salt=37)
        common = np.where(topic[:, :, None] == topics[:, None, :], shares[:, None, :], 0).max(axis=2)
        noise = hashed(query[:, None], document, salt=41)
        score = 1.3 * quality + 1.1 * common + 0.4 * noise  # nearly as good for all as can be
        order = np.argsort(-score, axis=1, kind="stable")[:, :N_SHOWN]
        return tuple(np.take_along_axis(each, order, axis=1) for each in (document, domain, topic, quality, score))

    def _appeal(
        self, rng: np.random.Generator, user: Integers, query: Integers, intent: Integers, document: Integers,
        domain: Integers, topic: Integers, quality: Floats,
    ) -> Floats:  # fmt: skip
        """How much the user would like each document now, from 0 to 1."""
        is_meant = topic == intent[:, None]
        personal = hashed(user[:, None], document, salt=19)  # a liking of one's own, which lasts
        trust = hashed(user[:, None], domain, salt=43)
        score = -3.0 + 2.6 * is_meant + 1.6 * (quality - 0.5) + 0.8 * (personal - 0.5) + 0.5 * (trust - 0.5)
        score += 0.5 * rng.normal(size=is_meant.shape)
        has_habit = (hashed(user, query, salt=29) < self.habits) & (rng.random(len(query)) < 0.9)
        favourite = (hashed(user, query, salt=31) ** 3.0 * N_SHOWN).astype(np.int64)  # half of them on top
        is_favourite = np.arange(N_SHOWN) == favourite[:, None]
        score += np.where(has_habit[:, None], np.where(is_favourite, 4.0, -1.5), 0.0)
        return np.asarray(1 / (1 + np.exp(-score)))

    def _clicks(self, rng: np.random.Generator, appeal: Floats) -> Floats:
        """Read from the top, click what looks good, stop when satisfied; NaN where nothing was clicked."""
        n = len(appeal)
        dwell = np.full(appeal.shape, np.nan)
        is_reading = np.ones(n, bool)
        for k in range(N_SHOWN):
            looks_good = rng.random(n) < (0.08 + 0.85 * appeal[:, k]) * 0.95
            is_clicked = is_reading & (looks_good | (rng.random(n) < self.mistakes))
            is_satisfying = is_clicked & (rng.random(n) < appeal[:, k] * 1.05)
            stay = np.exp(np.where(is_satisfying, rng.normal(5.2, 0.8, n), rng.normal(2.3, 0.8, n)))
            dwell[is_clicked, k] = np.minimum(np.round(stay[is_clicked]), LONGEST)
            is_reading &= ~is_satisfying & (rng.random(n) < 0.9)
        return dwell

    def _terms(self, query: Integers) -> Integers:
        """Queries that follow each other share terms."""
        pair = query // 2
        return np.stack([pair * 2, (hashed(pair, 1, salt=23) * 5000).astype(np.int64) * 2 + 1, 10**7 + query], axis=1)
