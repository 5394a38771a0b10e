"""A small model to be wrapped, and baselines for it."""

from __future__ import annotations

import riskrank as rr

TEXT = rr.Feature(1)


def inner(**parameters):
    return rr.LambdaMART(n_leaves=4, **{"n_trees": 5, "n_threads": 1, **parameters})


def rows_of(data, q):
    return slice(*data.query_offsets[q : q + 2])


def first_documents(data, n=3):
    """A run that retrieves only the first documents of each query, by their text score."""
    score = data.feature(1)
    ids = data.ids
    return {
        query: {ids[row]: float(score[row]) for row in list(range(*rows_of(data, q).indices(data.n_documents)))[:n]}
        for q, query in enumerate(data.query_ids)
    }
