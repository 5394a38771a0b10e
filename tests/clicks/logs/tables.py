"""Small tables of clicks."""

from __future__ import annotations

import polars as pl

NEEDED = ["session", "query", "position", "document", "clicked"]
HEADER = ",".join(NEEDED) + "\n"
SMALL = HEADER + "1,5,1,10,1\n1,5,2,11,0\n1,6,1,11,0\n2,5,1,10,0\n2,5,2,12,1\n"


def frame(**columns):
    """A small table that makes sense, and what is special about it."""
    usual = {
        "session": [1, 1, 2],
        "query": [5, 5, 6],
        "position": [1, 2, 1],
        "document": [10, 11, 10],
        "clicked": [1, 0, 0],
    }
    return pl.DataFrame({**usual, **columns})
