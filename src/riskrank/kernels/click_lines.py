"""Compiled reading of search logs: lines into events, events into impressions with their clicks."""

from __future__ import annotations

import numpy as np

from riskrank.kernels.compiled import compiled

TAB, NEWLINE, RETURN, COMMA, ZERO, NINE = 9, 10, 13, 44, 48, 57
META, QUERY, CLICK, TEST = 77, 81, 67, 84  # M, Q, C, T
MOST_DIGITS = 18  # of a number that fits


@compiled
def parse_events(data, with_users, place, session, time, kind, first, second, begin, n_terms, n_documents, values, bad):
    """Events of whole lines, in `kind` and the arrays beside it (`place`: where they begin); lists go to `values`.

    `with_users`: the log of 2013/14 (M lines, SERP ids, terms, domains), else that of 2011/12. `bad` gets the numbers
    of lines (from 0) that are not understood. Returns events, values, bad lines and lines.
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
            kept = n_values
            found, n_values = _event(
                data, at, last, with_users, n_events, session, time, kind, first, second, begin, n_terms, n_documents,
                values, n_values,
            )  # fmt: skip
            if found:
                place[n_events] = at
                n_events += 1
            else:
                n_values = kept
                if n_bad < len(bad):
                    bad[n_bad] = line
                n_bad += 1
        line += 1
        at = stop + 1
    return n_events, n_values, n_bad, line


@compiled
def _number(data, at, end):
    """A whole number, and where it ends; −1 for none."""
    value, start = 0, at
    while at < end and ZERO <= data[at] <= NINE:
        value = value * 10 + (data[at] - ZERO)
        at += 1
    if at == start or at - start > MOST_DIGITS:
        return -1, at
    return value, at


@compiled
def _event(
    data, at, end, with_users, i, session, time, kind, first, second, begin, n_terms, n_documents, values, n_values
):
    begin[i], n_terms[i], n_documents[i], first[i], second[i], time[i] = n_values, 0, 0, -1, -1, 0
    session[i], at = _number(data, at, end)
    if session[i] < 0 or at >= end or data[at] != TAB:
        return False, n_values
    at += 1
    if with_users and at + 1 < end and data[at] == META and data[at + 1] == TAB:
        kind[i] = META
        first[i], at = _number(data, at + 2, end)  # the day
        if first[i] < 0 or at >= end or data[at] != TAB:
            return False, n_values
        second[i], at = _number(data, at + 1, end)  # the user
        return second[i] >= 0 and at == end, n_values
    time[i], at = _number(data, at, end)
    if time[i] < 0 or at + 2 >= end or data[at] != TAB or data[at + 2] != TAB:
        return False, n_values
    kind[i] = data[at + 1]
    at += 3
    if kind[i] == CLICK:
        if with_users:
            second[i], at = _number(data, at, end)  # the result page
            if second[i] < 0 or at >= end or data[at] != TAB:
                return False, n_values
            at += 1
        first[i], at = _number(data, at, end)
        return first[i] >= 0 and at == end, n_values
    if kind[i] != QUERY and not (with_users and kind[i] == TEST):
        return False, n_values
    if with_users:
        second[i], at = _number(data, at, end)  # the result page
        if second[i] < 0 or at >= end or data[at] != TAB:
            return False, n_values
        first[i], at = _number(data, at + 1, end)
        if first[i] < 0 or at >= end or data[at] != TAB:
            return False, n_values
        at += 1
        while at < end and data[at] != TAB:  # terms
            values[n_values], at = _number(data, at, end)
            if values[n_values] < 0 or (at < end and data[at] != COMMA and data[at] != TAB):
                return False, n_values
            n_values += 1
            n_terms[i] += 1
            if at < end and data[at] == COMMA:
                at += 1
    else:
        first[i], at = _number(data, at, end)
        if first[i] < 0 or at >= end or data[at] != TAB:
            return False, n_values
        second[i], at = _number(data, at + 1, end)  # the region
        if second[i] < 0:
            return False, n_values
    while at < end:
        if data[at] != TAB:
            return False, n_values
        values[n_values], at = _number(data, at + 1, end)
        if values[n_values] < 0:
            return False, n_values
        n_values += 1
        if with_users:
            if at >= end or data[at] != COMMA:
                return False, n_values
            values[n_values], at = _number(data, at + 1, end)
            if values[n_values] < 0:
                return False, n_values
            n_values += 1
        n_documents[i] += 1
    return n_documents[i] > 0, n_values


@compiled
def gather_impressions(
    n_events, with_users, session, time, kind, first, second, begin, n_terms, n_documents, values,
    row, user, day, document_offset, document, domain, dwell, click_time, term_offset, term,
):  # fmt: skip
    """Impressions (`row`: their events) with their documents, and how long clicks lasted.

    `dwell` is NaN for documents without a click, infinite for a click that ends a session. Returns how many
    impressions, documents and terms there are, and how many clicks are on documents that were not shown.
    """
    n = n_docs = n_words = lost = 0
    current, owner, when, opened, pending, since = -1, -1, -1, 0, -1, 0
    for i in range(n_events):
        if session[i] != current:
            if pending >= 0:
                dwell[pending] = np.inf
            current, owner, when, opened, pending = session[i], -1, -1, n, -1
        if kind[i] == META:
            when, owner = first[i], second[i]
            continue
        if pending >= 0:
            lasted = max(0, time[i] - since)
            if not dwell[pending] >= lasted:  # NaN at first
                dwell[pending] = lasted
            pending = -1
        if kind[i] == CLICK:
            for k in range(n - 1, opened - 1, -1):
                if with_users and second[row[k]] != second[i]:
                    continue
                for d in range(document_offset[k], document_offset[k + 1]):
                    if document[d] == first[i]:
                        pending, since, click_time[d] = d, time[i], time[i]
                        if np.isnan(dwell[d]):
                            dwell[d] = 0.0
                        break
                if pending >= 0:
                    break
            if pending < 0:
                lost += 1
            continue
        row[n], user[n], day[n] = i, owner, when
        at = begin[i]
        for k in range(n_terms[i]):
            term[n_words] = values[at + k]
            n_words += 1
        at += n_terms[i]
        for k in range(n_documents[i]):
            document[n_docs] = values[at + 2 * k] if with_users else values[at + k]
            domain[n_docs] = values[at + 2 * k + 1] if with_users else -1
            dwell[n_docs] = click_time[n_docs] = np.nan
            n_docs += 1
        n += 1
        document_offset[n] = n_docs
        term_offset[n] = n_words
    if pending >= 0:
        dwell[pending] = np.inf
    return n, n_docs, n_words, lost
