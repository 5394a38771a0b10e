"""Compiled memory of impressions: what was shown, clicked, satisfying and skipped, counted in a hash table."""

from __future__ import annotations

from collections import namedtuple
from typing import NamedTuple

import numpy as np

from riskrank.kernels.compiled import compiled

SHOWN, CLICKED, SATISFIED, SKIPPED = 0, 1, 2, 3  # what is counted
KIND = namedtuple(  # of what
    "Kinds",
    "query query_document document domain user user_document user_domain user_query user_query_document "
    "user_term_document succession followed after_document",
)(*range(1, 14))
FULL = 0.9  # share of places from which on nothing new is taken in


class Pages(NamedTuple):
    """Impressions as the loops take them."""

    session: np.ndarray
    user: np.ndarray
    time: np.ndarray
    query: np.ndarray
    is_withheld: np.ndarray
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
def key_of(kind, one, two, three):
    """64 bits for what is counted: two different ones are as good as never alike."""
    x = _mixed(np.uint64(kind) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(one))
    x = _mixed(x + np.uint64(0x9E3779B97F4A7C15) + np.uint64(two))
    x = _mixed(x + np.uint64(0x9E3779B97F4A7C15) + np.uint64(three))
    return x | np.uint64(1)


@compiled
def find_key(keys, key):
    """Where a key is or would be; there are always free places."""
    mask = np.uint64(len(keys) - 1)
    at = (key >> np.uint64(1)) & mask
    while keys[at] != key and keys[at] != 0:
        at = (at + np.uint64(1)) & mask
    return np.int64(at)


@compiled
def count_of(memory, key, what):
    """How often: shown, clicked, satisfied or skipped."""
    at = find_key(memory.keys, key)
    return np.float64(memory.counts[at, what])  # 0 in a free place


@compiled
def _add(memory, key, clicked, satisfied, skipped):
    at = find_key(memory.keys, key)
    if memory.keys[at] == 0:
        if memory.state[0] >= FULL * len(memory.keys):
            memory.state[1] += 1
            return
        memory.keys[at] = key
        memory.state[0] += 1
    memory.counts[at, SHOWN] += 1
    memory.counts[at, CLICKED] += clicked
    memory.counts[at, SATISFIED] += satisfied
    memory.counts[at, SKIPPED] += skipped


@compiled
def move(old, new):
    """Bring everything into a larger table."""
    for i in range(len(old.keys)):
        if old.keys[i] != 0:
            at = find_key(new.keys, old.keys[i])
            new.keys[at] = old.keys[i]
            new.counts[at] = old.counts[i]
    new.state[:] = old.state
    new.totals[:] = old.totals


@compiled
def is_known_click(pages, d, now):
    """Was the document clicked, for the last time, before now?"""
    return pages.is_clicked[d] and not pages.click_time[d] >= now  # NaN: before the next page


@compiled
def lowest_click(pages, page, now):
    """The lowest document of a page that was clicked before now; −1 without any."""
    lowest = -1
    for d in range(pages.document_offset[page], pages.document_offset[page + 1]):
        if is_known_click(pages, d, now):
            lowest = d
    return lowest


@compiled
def is_first_term(pages, page, t):
    """Does a term of the page's query stand here for the first time?"""
    s = pages.term_offset[page]
    while pages.term[s] != pages.term[t]:
        s += 1
    return s == t


@compiled
def most_new_keys(pages, first, last):
    """How many keys some pages can add at most."""
    most = 0
    for page in range(first, last):
        documents = pages.document_offset[page + 1] - pages.document_offset[page]
        most += 5 + documents * (7 + pages.term_offset[page + 1] - pages.term_offset[page])
    return most


@compiled
def remember(pages, first, memory, most):
    """Count pages from `first` on; stops before the table could hold more than `most` keys. Returns the next page."""
    for page in range(first, len(pages.query)):
        if memory.state[0] + most_new_keys(pages, page, page + 1) > most:
            return page
        remember_page(pages, page, memory)
    return len(pages.query)


@compiled
def remember_page(pages, page, memory):
    """Count a page and its documents, unless its clicks are withheld."""
    if pages.is_withheld[page]:
        return
    query, user = pages.query[page], pages.user[page]
    is_later = page > 0 and pages.session[page - 1] == pages.session[page] and pages.user[page - 1] == user
    before = pages.query[page - 1] if is_later else 0
    lowest = lowest_click(pages, page, np.inf)
    _add(memory, key_of(KIND.query, query, 0, 0), 0, 0, 0)
    if is_later:
        _add(memory, key_of(KIND.followed, before, 0, 0), 0, 0, 0)
        _add(memory, key_of(KIND.succession, before, query, 0), 0, 0, 0)
    if user >= 0:
        _add(memory, key_of(KIND.user, user, 0, 0), 0, 0, 0)
        _add(memory, key_of(KIND.user_query, user, query, 0), 0, 0, 0)
    for d in range(pages.document_offset[page], pages.document_offset[page + 1]):
        document, domain = pages.document[d], pages.domain[d]
        clicked, satisfied = int(pages.is_clicked[d]), int(pages.is_satisfied[d])
        skipped = int(not clicked and d < lowest)
        memory.totals[SHOWN] += 1
        memory.totals[SATISFIED] += satisfied
        _add(memory, key_of(KIND.query_document, query, document, 0), clicked, satisfied, skipped)
        _add(memory, key_of(KIND.document, document, 0, 0), clicked, satisfied, skipped)
        if domain >= 0:
            _add(memory, key_of(KIND.domain, domain, 0, 0), clicked, satisfied, skipped)
        if is_later:
            _add(memory, key_of(KIND.after_document, before, document, 0), clicked, satisfied, skipped)
        if user >= 0 and (clicked or skipped):
            _add(memory, key_of(KIND.user_document, user, document, 0), clicked, satisfied, skipped)
            _add(memory, key_of(KIND.user_query_document, user, query, document), clicked, satisfied, skipped)
            if domain >= 0:
                _add(memory, key_of(KIND.user_domain, user, domain, 0), clicked, satisfied, skipped)
            if clicked:
                for t in range(pages.term_offset[page], pages.term_offset[page + 1]):
                    if is_first_term(pages, page, t):
                        key = key_of(KIND.user_term_document, user, pages.term[t], document)
                        _add(memory, key, clicked, satisfied, skipped)
