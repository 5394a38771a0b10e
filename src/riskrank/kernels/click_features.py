"""Compiled loops behind the features of impressions: what is remembered of earlier pages, and what that says now."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from riskrank.kernels.compiled import compiled

SHOWN, CLICKED, SATISFIED, SKIPPED = 0, 1, 2, 3  # what is counted
(QUERY, QUERY_DOCUMENT, DOCUMENT, DOMAIN, USER, USER_DOCUMENT, USER_DOMAIN, USER_QUERY, USER_QUERY_DOCUMENT,
 USER_TERM_DOCUMENT, SUCCESSION, FOLLOWED, AFTER_DOCUMENT) = range(1, 14)  # of what  # fmt: skip
LOOK_BACK = 30  # earlier pages of a session that are looked at
FULL = 0.9  # share of places from which on nothing new is taken in
N_FEATURES = 32


class Pages(NamedTuple):
    """Impressions as the loops take them."""

    session: np.ndarray
    user: np.ndarray
    time: np.ndarray
    query: np.ndarray
    is_test: np.ndarray
    document_offset: np.ndarray
    document: np.ndarray
    domain: np.ndarray
    is_clicked: np.ndarray
    is_satisfied: np.ndarray
    click_time: np.ndarray
    dwell_end: np.ndarray
    score: np.ndarray
    term_offset: np.ndarray
    term: np.ndarray


class Memory(NamedTuple):
    """An open hash table: a key of 64 bits (0: free) and four counts in each place, and the counts of all documents.

    `state`: places used, and how often something new found no place.
    """

    keys: np.ndarray
    counts: np.ndarray
    totals: np.ndarray
    state: np.ndarray


@compiled
def _mixed(x):
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@compiled
def _key(kind, one, two, three):
    """64 bits for what is counted: two different ones are as good as never alike."""
    x = _mixed(np.uint64(kind) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(one))
    x = _mixed(x + np.uint64(0x9E3779B97F4A7C15) + np.uint64(two))
    x = _mixed(x + np.uint64(0x9E3779B97F4A7C15) + np.uint64(three))
    return x | np.uint64(1)


@compiled
def _place(keys, key):
    """Where a key is or would be; there are always free places."""
    mask = np.uint64(len(keys) - 1)
    at = (key >> np.uint64(1)) & mask
    while keys[at] != key and keys[at] != 0:
        at = (at + np.uint64(1)) & mask
    return np.int64(at)


@compiled
def _count(memory, key, what):
    at = _place(memory.keys, key)
    return np.float64(memory.counts[at, what])  # 0 in a free place


@compiled
def _add(memory, key, shown, clicked, satisfied, skipped):
    at = _place(memory.keys, key)
    if memory.keys[at] == 0:
        if memory.state[0] >= FULL * len(memory.keys):
            memory.state[1] += 1
            return
        memory.keys[at] = key
        memory.state[0] += 1
    memory.counts[at, SHOWN] += shown
    memory.counts[at, CLICKED] += clicked
    memory.counts[at, SATISFIED] += satisfied
    memory.counts[at, SKIPPED] += skipped


@compiled
def moved(old, new):
    """Bring everything into a larger table."""
    for i in range(len(old.keys)):
        if old.keys[i] != 0:
            at = _place(new.keys, old.keys[i])
            new.keys[at] = old.keys[i]
            new.counts[at] = old.counts[i]
    new.state[:] = old.state
    new.totals[:] = old.totals


@compiled
def _is_known(pages, d, now):
    """Was the document clicked, for the last time, before now?"""
    return pages.is_clicked[d] and not pages.click_time[d] >= now  # NaN: before the next page


@compiled
def _lowest_click(pages, page, now):
    lowest = -1
    for d in range(pages.document_offset[page], pages.document_offset[page + 1]):
        if _is_known(pages, d, now):
            lowest = d
    return lowest


@compiled
def _room_for(pages, first, last):
    """How many keys some pages can add at most."""
    most = 0
    for page in range(first, last):
        documents = pages.document_offset[page + 1] - pages.document_offset[page]
        most += 5 + documents * (7 + pages.term_offset[page + 1] - pages.term_offset[page])
    return most


@compiled
def remember(pages, first, memory, most):
    """Count pages from `first` on; stops before the table could hold more than `most` keys. Returns the next page."""
    n = len(pages.query)
    page = first
    while page < n:
        if memory.state[0] + _room_for(pages, page, page + 1) > most:
            return page
        _remember(pages, page, memory)
        page += 1
    return page


@compiled
def _remember(pages, page, memory):
    if pages.is_test[page]:
        return
    query, user = pages.query[page], pages.user[page]
    is_later = page > 0 and pages.session[page - 1] == pages.session[page] and pages.user[page - 1] == user
    before = pages.query[page - 1] if is_later else 0
    lowest = _lowest_click(pages, page, np.inf)
    _add(memory, _key(QUERY, query, 0, 0), 1, 0, 0, 0)
    if is_later:
        _add(memory, _key(FOLLOWED, before, 0, 0), 1, 0, 0, 0)
        _add(memory, _key(SUCCESSION, before, query, 0), 1, 0, 0, 0)
    if user >= 0:
        _add(memory, _key(USER, user, 0, 0), 1, 0, 0, 0)
        _add(memory, _key(USER_QUERY, user, query, 0), 1, 0, 0, 0)
    for d in range(pages.document_offset[page], pages.document_offset[page + 1]):
        document, domain = pages.document[d], pages.domain[d]
        clicked = 1 if pages.is_clicked[d] else 0
        satisfied = 1 if pages.is_satisfied[d] else 0
        skipped = 1 if not clicked and d < lowest else 0
        memory.totals[SHOWN] += 1
        memory.totals[SATISFIED] += satisfied
        _add(memory, _key(QUERY_DOCUMENT, query, document, 0), 1, clicked, satisfied, skipped)
        _add(memory, _key(DOCUMENT, document, 0, 0), 1, clicked, satisfied, skipped)
        if domain >= 0:
            _add(memory, _key(DOMAIN, domain, 0, 0), 1, clicked, satisfied, skipped)
        if is_later:
            _add(memory, _key(AFTER_DOCUMENT, before, document, 0), 1, clicked, satisfied, skipped)
        if user >= 0 and (clicked or skipped):
            _add(memory, _key(USER_DOCUMENT, user, document, 0), 1, clicked, satisfied, skipped)
            _add(memory, _key(USER_QUERY_DOCUMENT, user, query, document), 1, clicked, satisfied, skipped)
            if domain >= 0:
                _add(memory, _key(USER_DOMAIN, user, domain, 0), 1, clicked, satisfied, skipped)
            if clicked:
                for t in range(pages.term_offset[page], pages.term_offset[page + 1]):
                    if _is_first(pages, page, t):
                        _add(memory, _key(USER_TERM_DOCUMENT, user, pages.term[t], document), 1, clicked, satisfied, 0)


@compiled
def features(pages, first, last, memory, smoothing, out):
    """The features of the documents of pages `first` to `last`, from earlier pages of the session and from memory."""
    for page in range(first, last):
        begin = page
        while (
            begin > 0
            and page - begin < LOOK_BACK
            and pages.session[begin - 1] == pages.session[page]
            and pages.user[begin - 1] == pages.user[page]
        ):
            begin -= 1
        _features(pages, page, begin, memory, smoothing, out)


@compiled
def _overlap(pages, one, other):
    """Terms that two pages' queries share, of all that they have (Jaccard); each term counts once."""
    both = n_one = n_other = 0
    for s in range(pages.term_offset[other], pages.term_offset[other + 1]):
        n_other += 1 if _is_first(pages, other, s) else 0
    for t in range(pages.term_offset[one], pages.term_offset[one + 1]):
        if not _is_first(pages, one, t):
            continue
        n_one += 1
        for s in range(pages.term_offset[other], pages.term_offset[other + 1]):
            if pages.term[s] == pages.term[t]:
                both += 1
                break
    every = n_one + n_other - both
    return both / every if every > 0 else 0.0


@compiled
def _is_first(pages, page, t):
    return np.all(pages.term[pages.term_offset[page] : t] != pages.term[t])


@compiled
def _rate(memory, key, prior, smoothing):
    at = _place(memory.keys, key)
    return (memory.counts[at, SATISFIED] + smoothing * prior) / (memory.counts[at, SHOWN] + smoothing)


@compiled
def _features(pages, page, begin, memory, smoothing, out):
    query, user = pages.query[page], pages.user[page]
    start, end = pages.document_offset[page], pages.document_offset[page + 1]
    out[start:end] = 0.0
    before = pages.query[page - 1] if begin < page else 0
    followed = _count(memory, _key(FOLLOWED, before, 0, 0), SHOWN) if begin < page else 0.0
    succession = _count(memory, _key(SUCCESSION, before, query, 0), SHOWN) if begin < page else 0.0
    overall = memory.totals[SATISFIED] / memory.totals[SHOWN] if memory.totals[SHOWN] > 0 else 0.0
    query_pages = _count(memory, _key(QUERY, query, 0, 0), SHOWN)
    user_pages = _count(memory, _key(USER, user, 0, 0), SHOWN) if user >= 0 else 0.0
    user_query_pages = _count(memory, _key(USER_QUERY, user, query, 0), SHOWN) if user >= 0 else 0.0
    for d in range(start, end):
        document, domain = pages.document[d], pages.domain[d]
        out[d, 0] = -(d - start + 1)
        out[d, 1] = pages.score[d]
        out[d, 2] = page - begin
        out[d, 14] = succession / followed if followed > 0 else 0.0
        out[d, 27] = query_pages
        out[d, 30] = _rate(memory, _key(DOCUMENT, document, 0, 0), overall, smoothing)
        out[d, 31] = _rate(memory, _key(DOMAIN, domain, 0, 0), overall, smoothing) if domain >= 0 else overall
        at = _place(memory.keys, _key(QUERY_DOCUMENT, query, document, 0))
        out[d, 28] = memory.counts[at, SHOWN]
        out[d, 29] = (memory.counts[at, SATISFIED] + smoothing * out[d, 30]) / (memory.counts[at, SHOWN] + smoothing)
        out[d, 15] = out[d, 29]
        if begin < page:
            out[d, 15] = _rate(memory, _key(AFTER_DOCUMENT, before, document, 0), out[d, 29], smoothing)
        if user < 0:
            continue
        out[d, 16] = user_pages
        if user_pages == 0:
            continue  # nothing is known of the user
        out[d, 22] = user_query_pages
        at = _place(memory.keys, _key(USER_DOCUMENT, user, document, 0))
        for k in range(3):
            out[d, 17 + k] = memory.counts[at, CLICKED + k]
        if domain >= 0:
            at = _place(memory.keys, _key(USER_DOMAIN, user, domain, 0))
            out[d, 20], out[d, 21] = memory.counts[at, CLICKED], memory.counts[at, SKIPPED]
        if out[d, 17] == 0 and out[d, 19] == 0:
            continue  # a document that the user neither clicked nor passed over
        if user_query_pages > 0:
            at = _place(memory.keys, _key(USER_QUERY_DOCUMENT, user, query, document))
            for k in range(3):
                out[d, 23 + k] = memory.counts[at, CLICKED + k]
        n_terms, clicks = 0, 0.0
        for t in range(pages.term_offset[page], pages.term_offset[page + 1]):
            if _is_first(pages, page, t):
                n_terms += 1
                clicks += _count(memory, _key(USER_TERM_DOCUMENT, user, pages.term[t], document), CLICKED)
        out[d, 26] = clicks / n_terms if n_terms > 0 else 0.0
    for other in range(begin, page):
        _session_features(pages, page, other, out)


@compiled
def _session_features(pages, page, other, out):
    """What an earlier page of the session says of the documents of this one."""
    overlap = _overlap(pages, page, other)
    is_same = pages.query[other] == pages.query[page]
    now = pages.time[page]
    lowest = _lowest_click(pages, other, now)
    for d in range(pages.document_offset[page], pages.document_offset[page + 1]):
        if other == page - 1:
            out[d, 11] = overlap
        for e in range(pages.document_offset[other], pages.document_offset[other + 1]):
            clicked = _is_known(pages, e, now)
            skipped = not clicked and e < lowest
            if pages.document[e] == pages.document[d]:
                out[d, 3] += clicked
                out[d, 4] += clicked and pages.is_satisfied[e] and not pages.dwell_end[e] > now
                out[d, 5] += skipped
                out[d, 6] += 1
                out[d, 10] += clicked and is_same
                out[d, 12] += overlap * clicked
                out[d, 13] += overlap * skipped
            if pages.domain[e] >= 0 and pages.domain[e] == pages.domain[d]:
                out[d, 7] += clicked
                out[d, 8] += skipped
                out[d, 9] += 1


@compiled
def features_in_order(pages, first, memory, smoothing, most, out):
    """Features of session after session, each remembered before the next; stops before the table is too full.

    Returns the first page that is left, where a session begins.
    """
    n = len(pages.query)
    page = first
    while page < n:
        end = page + 1
        while end < n and pages.session[end] == pages.session[page] and pages.user[end] == pages.user[page]:
            end += 1
        if memory.state[0] + _room_for(pages, page, end) > most:
            return page
        features(pages, page, end, memory, smoothing, out)
        for each in range(page, end):
            _remember(pages, each, memory)
        page = end
    return page
