"""Synthetic result pages with one satisfied click each, where the user's place matters to some queries."""

from __future__ import annotations

import numpy as np

from riskrank.data.ranking_data import RankingData
from riskrank.errors import ParameterError

LOCAL_QUERIES = 0.2  # the share of queries where the user's place matters
LOCAL_DOCUMENTS = (0.1, 0.5)  # the shares of documents about a place, in other queries and in those


def location_pages(n_queries: int = 1000, *, documents_per_query: int = 10, random_state: int = 0) -> RankingData:
    """Pages in the order of a search engine, to be personalised by the user's place; label 1 is the satisfied click.

    After what Wang et al. 2012, §5.1.2, say of their Location data. Each user chooses one document, by its quality, by
    how near it is where both query and document are about a place, by its rank, and by chance. Features: 1 the
    engine's score, by which pages are ordered; 2 how much likelier users of this place are to want the document; 3 the
    entropy of its places, low where it is about one of them; 4 how likely the query is about a place; 5 the rank; 6
    how often the document was clicked; 7 and 8 noise.
    """
    if n_queries < 1 or documents_per_query < 2:
        raise ParameterError("at least one query and two documents per query are needed.")
    rng = np.random.default_rng(random_state)
    shape = (n_queries, documents_per_query)
    quality = rng.normal(size=shape)
    engine = quality + 0.7 * rng.normal(size=shape)
    order = np.argsort(-engine, axis=1)
    quality, engine = np.take_along_axis(quality, order, 1), np.take_along_axis(engine, order, 1)
    rank = np.broadcast_to(np.arange(1, documents_per_query + 1), shape)
    is_local_query = rng.random(n_queries) < LOCAL_QUERIES
    is_local = rng.random(shape) < np.where(is_local_query, LOCAL_DOCUMENTS[1], LOCAL_DOCUMENTS[0])[:, None]
    nearness = np.where(is_local, rng.normal(size=shape), 0.0)
    wanted = 1.5 * quality + 2.0 * nearness * is_local_query[:, None] - 0.5 * np.log(rank)
    clicked = (wanted + rng.gumbel(size=shape)).argmax(axis=1)
    labels = (rank == clicked[:, None] + 1).astype(np.float64)
    noise = rng.normal(size=(6, *shape))
    features = [
        engine,
        nearness + 0.3 * noise[0],
        np.maximum(0.0, np.where(is_local, 1.0, 4.0) + 0.6 * noise[1]),
        np.broadcast_to((is_local_query + 0.5 * rng.normal(size=n_queries))[:, None], shape),
        rank,
        np.exp(0.5 * quality + 0.8 * noise[2]),
        noise[3],
        noise[4],
    ]
    columns = np.stack([feature.reshape(-1) for feature in features], axis=1).astype(np.float32)
    offsets = np.arange(0, n_queries * documents_per_query + 1, documents_per_query)
    names = tuple(str(i + 1) for i in range(n_queries))
    return RankingData(columns, labels.reshape(-1), offsets, names, is_presented=True)
