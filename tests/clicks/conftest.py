from __future__ import annotations

import math

import pytest


@pytest.fixture(scope="session")
def pages_of():
    """Impressions as plain values, a dictionary per page; None stands for NaN, so that pages can be compared."""

    def told(parts):
        return [page for part in parts for page in _pages(part)]

    return told


def _pages(part):
    for i in range(len(part)):
        shown = slice(part.document_offset[i], part.document_offset[i + 1])
        yield {
            "session": int(part.session[i]),
            "user": int(part.user[i]),
            "day": int(part.day[i]),
            "time": int(part.time[i]),
            "query": int(part.query[i]),
            "is_test": bool(part.is_test[i]),
            "document": part.document[shown].tolist(),
            "domain": part.domain[shown].tolist(),
            "dwell": _without_nan(part.dwell[shown]),
            "score": _without_nan(part.score[shown]),
            "terms": part.term[part.term_offset[i] : part.term_offset[i + 1]].tolist(),
        }


def _without_nan(values):
    return [None if math.isnan(value) else value for value in values.tolist()]
