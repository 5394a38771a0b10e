"""Lines of logs, against a plain reading with regular expressions and lists."""

from __future__ import annotations

import re
from itertools import groupby
from math import inf, nan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskrank.kernels.click_lines import Events, ImpressionArrays, gather_impressions, parse_events

N = r"(\d{1,18})"
PATTERNS = {  # by whether a log has users
    True: [
        ("M", re.compile(rf"{N}\tM\t(?P<subject>\d{{1,18}})\t(?P<scope>\d{{1,18}})")),
        ("C", re.compile(rf"{N}\t{N}\tC\t(?P<scope>\d{{1,18}})\t(?P<subject>\d{{1,18}})")),
        ("QT", re.compile(rf"{N}\t{N}\t(?P<kind>[QT])\t(?P<scope>\d{{1,18}})\t(?P<subject>\d{{1,18}})\t"
                          rf"(?P<terms>(\d{{1,18}}(,\d{{1,18}})*,?)?)(?P<documents>(\t{N},{N})+)")),
    ],
    False: [
        ("C", re.compile(rf"{N}\t{N}\tC\t(?P<subject>\d{{1,18}})")),
        ("QT", re.compile(rf"{N}\t{N}\t(?P<kind>Q)\t(?P<subject>\d{{1,18}})\t(?P<scope>\d{{1,18}})"
                          rf"(?P<documents>(\t{N})+)")),
    ],
}  # fmt: skip


def plain_event(line, has_users):
    """(kind, session, time, subject, scope, terms, documents), or None for a line that is not understood."""
    for kind, pattern in PATTERNS[has_users]:
        if found := pattern.fullmatch(line):
            parts = {"scope": "-1", "kind": kind, "terms": "", "documents": ""} | found.groupdict()
            terms, documents = (
                list(map(int, re.findall(r"\d+", parts[name] or ""))) for name in ("terms", "documents")
            )
            time = 0 if kind == "M" else int(found[2])
            return parts["kind"], int(found[1]), time, int(parts["subject"]), int(parts["scope"]), terms, documents
    return None


def plain_impressions(events, has_users):
    """(session, user, day, documents, domains, dwell times, click times, terms) of each page; and clicks on nothing."""
    impressions, n_lost = [], 0
    for session, events_of_session in groupby(events, key=lambda event: event[1]):
        user = day = -1
        pages, own = [], list(events_of_session)
        for i, (kind, _, time, subject, scope, terms, shown) in enumerate(own):
            if kind == "M":
                day, user = subject, scope
            elif kind != "C":
                documents, domains = (shown[::2], shown[1::2]) if has_users else (shown, [-1] * len(shown))
                unknown = [nan] * len(documents)
                pages.append((scope, (session, user, day, documents, domains, unknown, unknown.copy(), terms)))
            else:
                showing = [page for serp, page in pages if subject in page[3] and (not has_users or serp == scope)]
                if not showing:
                    n_lost += 1
                    continue
                *_, documents, _, dwell, click_time, _ = showing[-1]
                k = documents.index(subject)
                later = [event[2] for event in own[i + 1 :] if event[0] != "M"]
                lasted = max(0, later[0] - time) if later else inf
                dwell[k] = max(lasted, 0 if dwell[k] != dwell[k] else dwell[k])
                click_time[k] = time
        impressions += [page for _, page in pages]
    return impressions, n_lost


def read(text, has_users):
    """What the kernels make of a text: events, numbers of lines that are not understood, impressions, lost clicks."""
    data = np.frombuffer(text.encode(), np.uint8)
    n_lines, n_values = text.count("\n") + 1, len(text) + 1
    arrays = {name: np.empty(n_lines, np.int64) for name in Events._fields} | {"values": np.empty(n_values, np.int64)}
    events, bad = Events(**arrays), np.empty(n_lines, np.int64)
    n_events, _, n_bad, n_read = parse_events(data, has_users, events, bad)
    told = []
    for i in range(n_events):
        a = events.first_value[i]
        b = a + events.n_terms[i]
        c = b + events.n_documents[i] * (2 if has_users else 1)
        numbers = [int(getattr(events, name)[i]) for name in ("session", "time", "subject", "scope")]
        told.append((chr(events.kind[i]), *numbers, events.values[a:b].tolist(), events.values[b:c].tolist()))
    pages = ImpressionArrays(**{name: np.zeros(n_values) for name in ("dwell", "click_time")}, **{
        name: np.zeros(n_values + 1, np.int64)
        for name in ImpressionArrays._fields if name not in ("dwell", "click_time")
    })  # fmt: skip
    n, _, _, n_lost = gather_impressions(events, n_events, has_users, pages)
    impressions = []
    for i in range(n):
        documents = slice(pages.document_offset[i], pages.document_offset[i + 1])
        rows = [getattr(pages, name)[documents].tolist() for name in ("document", "domain", "dwell", "click_time")]
        terms = pages.term[pages.term_offset[i] : pages.term_offset[i + 1]].tolist()
        whose = int(events.session[pages.event[i]]), int(pages.user[i]), int(pages.day[i])
        impressions.append((*whose, *rows, terms))
    assert n_read == len(text.removesuffix("\n").split("\n")) * bool(text)
    return told, bad[:n_bad].tolist(), impressions, n_lost


numbers = st.integers(0, 3).map(str)
times = st.integers(0, 60).map(str)


@st.composite
def log_lines(draw, has_users):
    """A line of a few names, so that everything comes again; some have a character too many, too few, or another."""
    session, kind = draw(numbers), draw(st.sampled_from("MQTCCC" if has_users else "QQCCC"))
    if kind == "M":
        fields = [session, kind, draw(numbers), draw(numbers)]
    elif kind == "C":
        fields = [session, draw(times), kind, *([draw(numbers)] if has_users else []), draw(numbers)]
    elif has_users:
        shown = draw(st.lists(st.tuples(numbers, numbers).map(",".join), min_size=1, max_size=3))
        terms = ",".join(draw(st.lists(numbers, max_size=3)))
        fields = [session, draw(times), kind, draw(numbers), draw(numbers), terms, *shown]
    else:
        shown = draw(st.lists(numbers, min_size=1, max_size=3))
        fields = [session, draw(times), kind, draw(numbers), draw(numbers), *shown]
    line = "\t".join(fields)
    if draw(st.integers(0, 4)) == 0:
        at = draw(st.integers(0, len(line)))
        line = (
            line[:at]
            + draw(st.sampled_from(["", "\t", ",", "x", "-", "9" * 18, " "]))
            + line[at + draw(st.integers(0, 1)) :]
        )
    return line + draw(st.sampled_from(["", "", "\r"]))


@pytest.mark.parametrize("has_users", [True, False], ids=["2013", "2011"])
@settings(max_examples=150)
@given(data=st.data())
def test_events_and_impressions_are_those_of_a_plain_reading(has_users, data):
    lines = data.draw(st.lists(log_lines(has_users), max_size=12))
    text = "\n".join(lines) + data.draw(st.sampled_from(["", "\n"]))
    events = [plain_event(line.removesuffix("\r"), has_users) for line in lines]
    told, bad, impressions, n_lost = read(text, has_users)
    good = [event for event in events if event is not None]
    assert told == good
    assert bad == [
        i for i, (line, event) in enumerate(zip(lines, events, strict=True)) if event is None and line.strip("\r")
    ]
    pages, plain_lost = plain_impressions(good, has_users)
    assert str(impressions) == str(
        [(*page[:5], *(list(map(float, each)) for each in page[5:7]), page[7]) for page in pages]
    )
    assert n_lost == plain_lost


def test_numbers_of_more_than_18_digits_are_not_understood():
    told, bad, _, _ = read(f"{'9' * 18}\t0\tQ\t1\t1\t5\n{'9' * 19}\t0\tQ\t1\t1\t5\n", has_users=False)
    assert [event[1] for event in told] == [10**18 - 1]
    assert bad == [1]
