"""Impressions of a few pages."""

from __future__ import annotations

from math import inf, nan

import numpy as np

from riskrank.clicks.impressions import Impressions


def impressions(pages):
    """Pages of (documents and how long each was looked at, terms), all else told from the number of the page."""
    documents = [document for shown, _ in pages for document, _ in shown]
    number = np.arange(len(pages))
    return Impressions(
        session=number // 2,
        user=number % 3,
        day=number // 4,
        time=number * 10,
        query=number + 100,
        is_withheld=number % 5 == 4,
        document_offset=np.cumsum([0, *(len(shown) for shown, _ in pages)]),
        document=np.array(documents, np.int64),
        domain=np.array(documents, np.int64) // 7,
        dwell=np.array([dwell for shown, _ in pages for _, dwell in shown], float),
        score=np.array([document / 10 for document in documents], float),
        term_offset=np.cumsum([0, *(len(terms) for _, terms in pages)]),
        term=np.array([term for _, terms in pages for term in terms], np.int64),
    )


THREE = impressions([([(5, nan), (6, 31.0)], [1, 2]), ([(7, inf)], []), ([(8, nan), (9, nan), (5, 2.0)], [3])])
