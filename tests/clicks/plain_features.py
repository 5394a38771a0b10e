"""Click features counted plainly, by their meanings, and small logs to count them on."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from riskrank.clicks.click_memory import ClickMemory
from riskrank.clicks.features import FEATURES
from riskrank.clicks.impressions import Impressions

NAMES = [feature.name for feature in FEATURES]
LOOK_BACK = 30
LONG_ENOUGH = 30.0


@dataclass(frozen=True)
class Document:
    name: int
    domain: int = -1
    dwell: float = math.nan
    score: float = math.nan

    @property
    def is_clicked(self):
        return not math.isnan(self.dwell)

    @property
    def is_satisfied(self):
        return self.dwell >= LONG_ENOUGH


@dataclass(frozen=True)
class Page:
    session: int
    query: int
    documents: tuple[Document, ...]
    user: int = -1
    day: int = -1
    terms: tuple[int, ...] = ()
    is_withheld: bool = False

    @property
    def owner(self):
        return self.session, self.user

    def is_passed_over(self, rank):
        """Not clicked, above a click."""
        return not self.documents[rank].is_clicked and any(each.is_clicked for each in self.documents[rank + 1 :])


def impressions(log):
    """Pages as the program takes them."""
    documents = [document for page in log for document in page.documents]
    return Impressions(
        session=np.array([page.session for page in log], np.int64),
        user=np.array([page.user for page in log], np.int64),
        day=np.array([page.day for page in log], np.int64),
        time=np.zeros(len(log), np.int64),
        query=np.array([page.query for page in log], np.int64),
        is_withheld=np.array([page.is_withheld for page in log], bool),
        document_offset=np.cumsum([0, *(len(page.documents) for page in log)]),
        document=np.array([each.name for each in documents], np.int64),
        domain=np.array([each.domain for each in documents], np.int64),
        dwell=np.array([each.dwell for each in documents], np.float64),
        score=np.array([each.score for each in documents], np.float64),
        term_offset=np.cumsum([0, *(len(page.terms) for page in log)]),
        term=np.array([term for page in log for term in page.terms], np.int64),
    )


# The reference: what was there before a page is looked up in the log itself, and every feature is counted over it.


def before_it(log, at, *, by_day):
    """Earlier pages of the session, and what may be known beyond it, each page with the query before it (or None)."""
    page = log[at]
    own = [other for other in log[:at] if other.owner == page.owner]
    past = []
    for place, other in enumerate(log):
        is_before = other.day < page.day if by_day else place < at and other.owner != page.owner
        if is_before and not other.is_withheld:
            before = [each.query for each in log[:place] if each.owner == other.owner]
            past.append((other, before[-1] if before else None))
    return own, past


def jaccard(one, other):
    every = set(one.terms) | set(other.terms)
    return len(set(one.terms) & set(other.terms)) / len(every) if every else 0.0


def expected_rows(log, *, by_day, smoothing=10.0):
    rows = []
    for at, page in enumerate(log):
        own, past = before_it(log, at, by_day=by_day)
        rows += [expected(page, rank, own[-LOOK_BACK:], past, smoothing) for rank in range(len(page.documents))]
    return rows


def expected(page, rank, own, past, smoothing):
    document = page.documents[rank]
    row = dict.fromkeys(NAMES, 0.0)
    row["presented"] = -(rank + 1)
    row["original_score"] = document.score

    row["session_pages"] = len(own)
    for other_page in own:
        shared = jaccard(page, other_page)
        for k, other in enumerate(other_page.documents):
            is_passed_over = other_page.is_passed_over(k)
            if other.name == document.name:
                row["session_shown"] += 1
                row["session_clicked"] += other.is_clicked
                row["session_satisfied"] += other.is_satisfied
                row["session_skipped"] += is_passed_over
                row["session_query_clicked"] += other.is_clicked and other_page.query == page.query
                row["similar_clicked"] += shared * other.is_clicked
                row["similar_skipped"] += shared * is_passed_over
            if other.domain == document.domain != -1:
                row["session_domain_shown"] += 1
                row["session_domain_clicked"] += other.is_clicked
                row["session_domain_skipped"] += is_passed_over

    if own:
        last = own[-1]
        row["similar_terms"] = jaccard(page, last)
        following = [other.query for other, query_before in past if query_before == last.query]
        row["succession"] = following.count(page.query) / len(following) if following else 0.0

    shown = [(other, k, each) for other, _ in past for k, each in enumerate(other.documents)]
    if page.user >= 0:
        row["user_pages"] = sum(other.user == page.user for other, _ in past)
        row["user_query_pages"] = sum(other.user == page.user and other.query == page.query for other, _ in past)
        for other, k, each in shown:
            if other.user != page.user:
                continue
            is_passed_over = other.is_passed_over(k)
            if each.name == document.name:
                row["user_clicked"] += each.is_clicked
                row["user_satisfied"] += each.is_satisfied
                row["user_skipped"] += is_passed_over
                if other.query == page.query:
                    row["user_query_clicked"] += each.is_clicked
                    row["user_query_satisfied"] += each.is_satisfied
                    row["user_query_skipped"] += is_passed_over
                for term in set(page.terms):
                    row["user_terms_clicked"] += each.is_clicked * (term in other.terms) / len(set(page.terms))
            if each.domain == document.domain != -1:
                row["user_domain_clicked"] += each.is_clicked
                row["user_domain_skipped"] += is_passed_over

    def rate(some, prior):
        return (sum(each.is_satisfied for each in some) + smoothing * prior) / (len(some) + smoothing)

    overall = sum(each.is_satisfied for _, _, each in shown) / len(shown) if shown else 0.0
    alike = [each for _, _, each in shown if each.name == document.name]
    for_query = [each for other, _, each in shown if each.name == document.name and other.query == page.query]
    row["query_pages"] = sum(other.query == page.query for other, _ in past)
    row["query_document_shown"] = len(for_query)
    row["document_rate"] = rate(alike, overall)
    row["query_document_rate"] = rate(for_query, row["document_rate"])
    row["after_rate"] = row["query_document_rate"]  # nothing to tell apart on the first page of a session
    if own:
        after = [
            each
            for other, query_before in past
            if query_before == own[-1].query
            for each in other.documents
            if each.name == document.name
        ]
        row["after_rate"] = rate(after, row["query_document_rate"])
    row["domain_rate"] = overall
    if document.domain >= 0:
        row["domain_rate"] = rate([each for _, _, each in shown if each.domain == document.domain], overall)
    return row


# What the program computes.


def batches(log, cuts=()):
    """Batches of whole sessions, cut at some of the places between sessions."""
    places = [i for i in range(1, len(log)) if log[i].owner != log[i - 1].owner]
    chosen = sorted({places[cut % len(places)] for cut in cuts} if places else set())
    return [impressions(log[a:b]) for a, b in zip([0, *chosen], [*chosen, len(log)], strict=True)]


def features_in_order(log, cuts=(), **options):
    memory = ClickMemory(**options)
    return np.concatenate([memory.features_in_order(part, part.satisfied(LONG_ENOUGH)) for part in batches(log, cuts)])


def features_by_day(log, cuts=(), **options):
    """The features of all pages of a day, then the day is remembered; rows as in the log."""
    memory = ClickMemory(**options)
    offsets = np.cumsum([0, *(len(page.documents) for page in log)])
    features = np.empty((offsets[-1], len(FEATURES)), np.float32)
    for day in sorted({page.day for page in log}):
        places = [i for i, page in enumerate(log) if page.day == day]
        parts = batches([log[i] for i in places], cuts)
        rows = np.concatenate([np.arange(offsets[i], offsets[i + 1]) for i in places])
        features[rows] = np.concatenate([memory.features(part, part.satisfied(LONG_ENOUGH)) for part in parts])
        for part in parts:
            memory.remember(part, part.satisfied(LONG_ENOUGH))
    return features


def assert_same(features, rows):
    wanted = np.array([[row[name] for name in NAMES] for row in rows])
    for column, name in enumerate(NAMES):
        np.testing.assert_allclose(features[:, column], wanted[:, column], rtol=1e-5, atol=1e-6, err_msg=name)


def by_name(features):
    return [dict(zip(NAMES, row, strict=True)) for row in features.tolist()]


# Logs of all kinds: few names, so that everything comes again.

dwell_times = st.sampled_from([math.nan, math.nan, math.nan, 0.0, 29.0, 30.0, 400.0, math.inf])


@st.composite
def some_documents(draw, *, with_domains, is_withheld=False):
    names = draw(st.lists(st.integers(0, 5), min_size=1, max_size=4))
    domains = draw(st.lists(st.integers(-1, 2), min_size=len(names), max_size=len(names))) if with_domains else None
    times = draw(st.lists(dwell_times, min_size=len(names), max_size=len(names)))
    scores = draw(st.sampled_from([[math.nan] * 4, [0.5, 2.0, math.nan, -1.0]]))
    return tuple(
        Document(name, domains[k] if domains else -1, math.nan if is_withheld else times[k], scores[k])
        for k, name in enumerate(names)
    )


@st.composite
def logs(draw, *, least_sessions=1, most_sessions=7):
    with_users, with_domains, with_terms = draw(st.tuples(st.booleans(), st.booleans(), st.booleans()))
    log = []
    for session in range(draw(st.integers(least_sessions, most_sessions))):
        user = draw(st.integers(-1, 2)) if with_users else -1
        day = draw(st.integers(0, 3))
        for _ in range(draw(st.integers(1, 4))):
            is_withheld = draw(st.integers(0, 9)) == 9
            documents = draw(some_documents(with_domains=with_domains, is_withheld=is_withheld))
            terms = draw(st.lists(st.integers(0, 3), max_size=3, unique=True)) if with_terms else ()
            log.append(Page(session, draw(st.integers(0, 2)), documents, user, day, tuple(terms), is_withheld))
    return log


def random_log(rng, n_sessions, longest, *, n_days=4):
    """A larger one, with sessions longer than one looks back."""
    log = []
    for session in range(n_sessions):
        user, day = int(rng.integers(-1, 3)), int(rng.integers(n_days))
        for _ in range(int(rng.integers(1, longest))):
            is_withheld = rng.random() < 0.1
            documents = tuple(
                Document(
                    int(rng.integers(8)),
                    int(rng.integers(-1, 3)),
                    math.nan if is_withheld or rng.random() < 0.5 else float(rng.choice([5.0, 30.0, 100.0, math.inf])),
                )
                for _ in range(int(rng.integers(1, 5)))
            )
            terms = tuple(rng.permutation(4)[: rng.integers(0, 4)].tolist())
            log.append(Page(session, int(rng.integers(3)), documents, user, day, terms, is_withheld))
    return log
