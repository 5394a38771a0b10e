"""Compiled features of impressions: what earlier pages of the session, and the memory of all others, say of a page."""

from __future__ import annotations

from riskrank.kernels.click_columns import COLUMN
from riskrank.kernels.click_counts import (
    CLICKED,
    KIND,
    SATISFIED,
    SHOWN,
    SKIPPED,
    count_of,
    find_key,
    is_first_term,
    is_known_click,
    key_of,
    lowest_click,
    most_new_keys,
    remember_page,
)
from riskrank.kernels.compiled import compiled

# What runs for each document is inlined: to hand over all arrays each time would cost a fifth of the speed.
LOOK_BACK = 30  # earlier pages of a session that are looked at


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
        _page_features(pages, page, begin, memory, smoothing, out)


@compiled
def _page_features(pages, page, begin, memory, smoothing, out):
    query, user = pages.query[page], pages.user[page]
    start, end = pages.document_offset[page], pages.document_offset[page + 1]
    out[start:end] = 0.0
    before = pages.query[page - 1] if begin < page else 0
    followed = count_of(memory, key_of(KIND.followed, before, 0, 0), SHOWN) if begin < page else 0.0
    succession = count_of(memory, key_of(KIND.succession, before, query, 0), SHOWN) if begin < page else 0.0
    overall = memory.totals[SATISFIED] / memory.totals[SHOWN] if memory.totals[SHOWN] > 0 else 0.0
    query_pages = count_of(memory, key_of(KIND.query, query, 0, 0), SHOWN)
    user_pages = count_of(memory, key_of(KIND.user, user, 0, 0), SHOWN) if user >= 0 else 0.0
    user_query_pages = count_of(memory, key_of(KIND.user_query, user, query, 0), SHOWN) if user >= 0 else 0.0
    for d in range(start, end):
        document, domain = pages.document[d], pages.domain[d]
        out[d, COLUMN.presented] = -(d - start + 1)
        out[d, COLUMN.original_score] = pages.score[d]
        out[d, COLUMN.session_pages] = page - begin
        out[d, COLUMN.succession] = succession / followed if followed > 0 else 0.0
        out[d, COLUMN.query_pages] = query_pages
        out[d, COLUMN.document_rate] = _rate(memory, key_of(KIND.document, document, 0, 0), overall, smoothing)
        out[d, COLUMN.domain_rate] = overall
        if domain >= 0:
            out[d, COLUMN.domain_rate] = _rate(memory, key_of(KIND.domain, domain, 0, 0), overall, smoothing)
        at = find_key(memory.keys, key_of(KIND.query_document, query, document, 0))
        out[d, COLUMN.query_document_shown] = memory.counts[at, SHOWN]
        out[d, COLUMN.query_document_rate] = _rate_at(memory, at, out[d, COLUMN.document_rate], smoothing)
        out[d, COLUMN.after_rate] = out[d, COLUMN.query_document_rate]
        if begin < page:
            key = key_of(KIND.after_document, before, document, 0)
            out[d, COLUMN.after_rate] = _rate(memory, key, out[d, COLUMN.query_document_rate], smoothing)
        if user_pages > 0:  # else nothing is known of the user
            out[d, COLUMN.user_pages] = user_pages
            out[d, COLUMN.user_query_pages] = user_query_pages
            _user_features(pages, page, d, memory, out)
    for other in range(begin, page):
        _session_features(pages, page, other, out)


@compiled(inline="always")
def _rate(memory, key, prior, smoothing):
    return _rate_at(memory, find_key(memory.keys, key), prior, smoothing)


@compiled(inline="always")
def _rate_at(memory, at, prior, smoothing):
    return (memory.counts[at, SATISFIED] + smoothing * prior) / (memory.counts[at, SHOWN] + smoothing)


@compiled(inline="always")
def _user_features(pages, page, d, memory, out):
    """What the user's own pages say of a document."""
    query, user, document, domain = pages.query[page], pages.user[page], pages.document[d], pages.domain[d]
    at = find_key(memory.keys, key_of(KIND.user_document, user, document, 0))
    out[d, COLUMN.user_clicked] = memory.counts[at, CLICKED]
    out[d, COLUMN.user_satisfied] = memory.counts[at, SATISFIED]
    out[d, COLUMN.user_skipped] = memory.counts[at, SKIPPED]
    if domain >= 0:
        at = find_key(memory.keys, key_of(KIND.user_domain, user, domain, 0))
        out[d, COLUMN.user_domain_clicked] = memory.counts[at, CLICKED]
        out[d, COLUMN.user_domain_skipped] = memory.counts[at, SKIPPED]
    if out[d, COLUMN.user_clicked] == 0 and out[d, COLUMN.user_skipped] == 0:
        return
    if out[d, COLUMN.user_query_pages] > 0:
        at = find_key(memory.keys, key_of(KIND.user_query_document, user, query, document))
        out[d, COLUMN.user_query_clicked] = memory.counts[at, CLICKED]
        out[d, COLUMN.user_query_satisfied] = memory.counts[at, SATISFIED]
        out[d, COLUMN.user_query_skipped] = memory.counts[at, SKIPPED]
    n_terms, clicks = 0, 0.0
    for t in range(pages.term_offset[page], pages.term_offset[page + 1]):
        if is_first_term(pages, page, t):
            n_terms += 1
            clicks += count_of(memory, key_of(KIND.user_term_document, user, pages.term[t], document), CLICKED)
    out[d, COLUMN.user_terms_clicked] = clicks / n_terms if n_terms > 0 else 0.0


@compiled(inline="always")
def _session_features(pages, page, other, out):
    """What an earlier page of the session says of the documents of this one."""
    overlap = _overlap(pages, page, other)
    is_same = pages.query[other] == pages.query[page]
    now = pages.time[page]
    lowest = lowest_click(pages, other, now)
    start, end = pages.document_offset[page], pages.document_offset[page + 1]
    if other == page - 1:
        out[start:end, COLUMN.similar_terms] = overlap
    for e in range(pages.document_offset[other], pages.document_offset[other + 1]):
        clicked = is_known_click(pages, e, now)
        skipped = not clicked and e < lowest
        satisfied = clicked and pages.is_satisfied[e] and not pages.dwell_end[e] > now
        document, domain = pages.document[e], pages.domain[e]
        for d in range(start, end):
            if pages.document[d] == document:
                out[d, COLUMN.session_clicked] += clicked
                out[d, COLUMN.session_satisfied] += satisfied
                out[d, COLUMN.session_skipped] += skipped
                out[d, COLUMN.session_shown] += 1
                out[d, COLUMN.session_query_clicked] += clicked and is_same
                out[d, COLUMN.similar_clicked] += overlap * clicked
                out[d, COLUMN.similar_skipped] += overlap * skipped
            if domain >= 0 and pages.domain[d] == domain:
                out[d, COLUMN.session_domain_clicked] += clicked
                out[d, COLUMN.session_domain_skipped] += skipped
                out[d, COLUMN.session_domain_shown] += 1


@compiled
def _overlap(pages, one, other):
    """Terms that two pages' queries share, of all that they have (Jaccard); each term counts once."""
    both = n_one = n_other = 0
    for s in range(pages.term_offset[other], pages.term_offset[other + 1]):
        n_other += 1 if is_first_term(pages, other, s) else 0
    for t in range(pages.term_offset[one], pages.term_offset[one + 1]):
        if not is_first_term(pages, one, t):
            continue
        n_one += 1
        for s in range(pages.term_offset[other], pages.term_offset[other + 1]):
            if pages.term[s] == pages.term[t]:
                both += 1
                break
    every = n_one + n_other - both
    return both / every if every > 0 else 0.0


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
        if memory.state[0] + most_new_keys(pages, page, end) > most:
            return page
        features(pages, page, end, memory, smoothing, out)
        for each in range(page, end):
            remember_page(pages, each, memory)
        page = end
    return page
