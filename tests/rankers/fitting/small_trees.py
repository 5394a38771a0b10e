"""Small trainings of LambdaMART, and what is known of them."""

from __future__ import annotations

import numpy as np

import riskrank as rr

OBJECTIVE = rr.URisk("nDCG@5", alpha=3)
BASELINE = rr.Feature(1)


def grown(train, engine="lightgbm", *, objective=OBJECTIVE, baseline=BASELINE, valid=None, **parameters):
    """Twelve trees that learn fast, so that validation has something to choose from."""
    parameters = {"n_trees": 12, "n_leaves": 6, "learning_rate": 0.3, "n_threads": 1, **parameters}
    return rr.LambdaMART(objective, engine=engine, **parameters).fit(train, baseline=baseline, valid=valid)


def values(data, scores, measure="nDCG@5"):
    return rr.evaluate(data, {"x": scores}, measure)["x"]


def predicted(ranker, data, n_trees):
    return ranker.model_.predict(data.features, n_trees=n_trees, n_threads=1)


def fitted(data, *, objective=None, engine="lightgbm", **arguments):
    """Four trees, whatever `fit` is told."""
    objective = objective or rr.URisk(alpha=5)
    return rr.LambdaMART(objective, n_trees=4, n_leaves=4, engine=engine, n_threads=1).fit(data, **arguments)


def scores_of(data, column=0):
    return data.features[:, column].astype(np.float64)


def run_of(data, queries=None):
    """Feature 1 as {query: {document: score}}."""
    run = {}
    for q, query in enumerate(data.query_ids):
        rows = slice(data.query_offsets[q], data.query_offsets[q + 1])
        if queries is None or q in queries:
            run[query] = dict(zip(data.ids[rows], scores_of(data)[rows].tolist(), strict=True))
    return run
