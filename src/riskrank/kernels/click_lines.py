"""Compiled reading of search logs: lines into events, events into impressions with their clicks."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from riskrank.kernels.compiled import compiled

TAB, NEWLINE, RETURN, COMMA, ZERO, NINE = 9, 10, 13, 44, 48, 57
META, QUERY, CLICK, TEST = 77, 81, 67, 84  # M, Q, C, T
MOST_DIGITS = 18  # of a number that fits


class Events(NamedTuple):
    """The lines of a log, one value per event, and the lists of them all in `values`: terms, then documents.

    `kind`: a letter. `subject`: the query, the clicked document, or the day of an M line. `scope`: the result page
    (2013/14), the region (2011/12), or the user of an M line. `first_value`: where the lists of an event begin.
    """

    first_byte: np.ndarray
    session: np.ndarray
    time: np.ndarray
    kind: np.ndarray
    subject: np.ndarray
    scope: np.ndarray
    first_value: np.ndarray
    n_terms: np.ndarray
    n_documents: np.ndarray
    values: np.ndarray


class ImpressionArrays(NamedTuple):
    """Impressions as they are gathered; `event`: the event of each."""

    event: np.ndarray
    user: np.ndarray
    day: np.ndarray
    document_offset: np.ndarray
    document: np.ndarray
    domain: np.ndarray
    dwell: np.ndarray
    click_time: np.ndarray
    term_offset: np.ndarray
    term: np.ndarray


@compiled
def parse_events(data, has_users, events, bad):
    """Fill `events` from whole lines, and `bad` with the numbers (from 0) of lines that are not understood.

    `has_users`: the log of 2013/14 (M lines, SERP ids, terms, domains), else that of 2011/12. Returns how many events,
    values, bad lines and lines there are.
    """
    n_events = n_values = n_bad = line = 0
    at, end = 0, len(data)
    while at < end:
        stop = at
        while stop < end and data[stop] != NEWLINE:
            stop += 1
        last = stop
        if last > at and data[last - 1] == RETURN:
            last -= 1
        if last > at:
            read = _event(data, at, last, has_users, events, n_events, n_values)
            if read >= 0:
                events.first_byte[n_events] = at
                n_events += 1
                n_values = read
            else:
                bad[n_bad] = line
                n_bad += 1
        line += 1
        at = stop + 1
    return n_events, n_values, n_bad, line


@compiled
def _number(data, at, end):
    """A whole number, and where it ends; −1 and −1 for none, or where there was none before."""
    if at < 0:
        return -1, -1
    value, start = 0, at
    while at < end and ZERO <= data[at] <= NINE:
        value = value * 10 + (data[at] - ZERO)
        at += 1
    if at == start or at - start > MOST_DIGITS:
        return -1, -1
    return value, at


@compiled
def _field(data, at, end):
    """A whole number that a tab follows, and where the next field begins; −1 and −1 for none."""
    value, at = _number(data, at, end)
    return (value, at + 1) if 0 <= at < end and data[at] == TAB else (-1, -1)


@compiled(inline="always")  # handing over all arrays for each line would cost a fifth of the time
def _event(data, at, end, has_users, events, i, n_values):
    """Read a line as event `i`; returns how many values there are then, −1 if it is not understood."""
    events.first_value[i], events.n_terms[i], events.n_documents[i] = n_values, 0, 0
    events.time[i], events.subject[i], events.scope[i] = 0, -1, -1
    events.session[i], at = _field(data, at, end)
    if has_users and 0 <= at < end - 1 and data[at] == META and data[at + 1] == TAB:
        events.kind[i] = META
        events.subject[i], at = _field(data, at + 2, end)
        events.scope[i], at = _number(data, at, end)
        return n_values if at == end else -1
    events.time[i], at = _field(data, at, end)
    if not 0 <= at < end - 1 or data[at + 1] != TAB:
        return -1
    kind = data[at]
    events.kind[i] = kind
    if kind == QUERY or (has_users and kind == TEST):
        return _page(data, at + 2, end, has_users, events, i, n_values)
    if kind != CLICK:
        return -1
    at += 2
    if has_users:
        events.scope[i], at = _field(data, at, end)
    events.subject[i], at = _number(data, at, end)
    return n_values if at == end else -1


@compiled(inline="always")  # the same
def _page(data, at, end, has_users, events, i, n_values):
    """The rest of a result page's line: its query, terms and documents."""
    values = events.values
    if has_users:
        events.scope[i], at = _field(data, at, end)
        events.subject[i], at = _field(data, at, end)
        while 0 <= at < end and data[at] != TAB:  # terms
            values[n_values], at = _number(data, at, end)
            n_values += 1
            events.n_terms[i] += 1
            if 0 <= at < end and data[at] != TAB:
                at = at + 1 if data[at] == COMMA else -1
    else:
        events.subject[i], at = _field(data, at, end)
        events.scope[i], at = _number(data, at, end)
    while 0 <= at < end:
        if data[at] != TAB:
            return -1
        values[n_values], at = _number(data, at + 1, end)
        n_values += 1
        if has_users:
            if not 0 <= at < end or data[at] != COMMA:
                return -1
            values[n_values], at = _number(data, at + 1, end)
            n_values += 1
        events.n_documents[i] += 1
    return n_values if at == end and events.n_documents[i] > 0 else -1


@compiled
def gather_impressions(events, n_events, has_users, pages):
    """Fill `pages` with the impressions, their documents, and how long clicks lasted.

    `dwell` is NaN for documents without a click, infinite for a click that ends a session. Returns how many
    impressions, documents and terms there are, and how many clicks are on documents that were not shown.
    """
    n = n_documents = n_terms = n_lost = 0
    session, user, day, opened = -1, -1, -1, 0  # the session at hand, and its first page
    pending, since = -1, 0  # the document that was clicked last, and when
    for i in range(n_events):
        if events.session[i] != session:
            if pending >= 0:
                pages.dwell[pending] = np.inf
            session, user, day, opened, pending = events.session[i], -1, -1, n, -1
        if events.kind[i] == META:
            day, user = events.subject[i], events.scope[i]
            continue
        if pending >= 0:
            lasted = max(0, events.time[i] - since)
            if not pages.dwell[pending] >= lasted:  # NaN at first
                pages.dwell[pending] = lasted
        if events.kind[i] == CLICK:
            pending = _clicked(events, i, has_users, pages, opened, n)
            if pending < 0:
                n_lost += 1
                continue
            since = pages.click_time[pending] = events.time[i]
            if np.isnan(pages.dwell[pending]):
                pages.dwell[pending] = 0.0
            continue
        pending = -1
        pages.event[n], pages.user[n], pages.day[n] = i, user, day
        at = events.first_value[i]
        for k in range(events.n_terms[i]):
            pages.term[n_terms] = events.values[at + k]
            n_terms += 1
        at += events.n_terms[i]
        for k in range(events.n_documents[i]):
            pages.document[n_documents] = events.values[at + 2 * k] if has_users else events.values[at + k]
            pages.domain[n_documents] = events.values[at + 2 * k + 1] if has_users else -1
            pages.dwell[n_documents] = pages.click_time[n_documents] = np.nan
            n_documents += 1
        n += 1
        pages.document_offset[n] = n_documents
        pages.term_offset[n] = n_terms
    if pending >= 0:
        pages.dwell[pending] = np.inf
    return n, n_documents, n_terms, n_lost


@compiled
def _clicked(events, i, has_users, pages, opened, n):
    """The document that a click is on, of the last page that shows it; −1 if none of the session does."""
    for k in range(n - 1, opened - 1, -1):
        if has_users and events.scope[pages.event[k]] != events.scope[i]:
            continue
        for d in range(pages.document_offset[k], pages.document_offset[k + 1]):
            if pages.document[d] == events.subject[i]:
                return d
    return -1
