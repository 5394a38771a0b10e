"""Small logs of the two Yandex challenges."""

from __future__ import annotations


def lines(*events):
    return "".join("\t".join(event.split()) + "\n" for event in events)


LOG_2011 = lines(
    "7 0 Q 50 1 101 102 103",  # a page of three documents
    "7 10 C 102",  # until the click at 25: 15
    "7 25 C 101",  # until the query at 90: 65
    "7 90 Q 51 1 102 104",
    "7 95 C 102",  # the page on top: until the click at 99: 4
    "7 99 C 103",  # on the page before, and last of the session
    "8 0 Q 50 1 101",
    "8 3 C 999",  # not shown
)

# the user's line is written with tabs; the terms of the second page are empty
LOG_2013 = (
    lines("4 M 12 77", "4 0 Q 0 50 8,9 101,1 102,1 103,2", "4 5 C 0 102", "4 45 C 0 102", "4 50 C 0 103")
    + "4\t500\tQ\t1\t51\t\t102,1\t104,3\n"
    + lines("4 510 C 0 101", "4 520 C 1 102", "4 530 C 1 101", "5 M 13 78", "5 0 T 0 50 8 101,1 102,1")
)
