"""Synthetic data for learning to rank: a clean polynomial, and something like web search with a text baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riskrank.data.ranking_data import RankingData
from riskrank.errors import ParameterError

if TYPE_CHECKING:
    from riskrank.typing import Floats, Integers

LABEL_SHARES = (0.52, 0.32, 0.13, 0.02, 0.01)  # grades 0 to 4, about as in web search collections


def cubic_data(
    n_queries: int = 1000, *, documents_per_query: int = 50, n_features: int = 50, random_state: int = 0
) -> RankingData:
    r"""Documents graded by a random cubic polynomial of their features, without any noise.

    .. math:: v(x) = t(\sum_i w_i x_i) + t(\sum_i x_i x_{P(i)}) + t(\sum_i x_i x_{Q(i)} x_{R(i)})

    with features uniform in [−1, 1], w uniform in [−1, 1], random permutations P, Q and R of the features, and t, which
    scales a term to mean 0 and variance 1 over the data. Grades are quantiles of v. Burges et al. 2005, §5.1, with the
    five grades of 2006, §6.3.1. Departures: the shares of the grades, which the paper takes from real data that it does
    not name, are `LABEL_SHARES`.
    """
    if n_queries < 1 or documents_per_query < 1 or n_features < 1:
        raise ParameterError("at least one query, one document and one feature are needed.")
    rng = np.random.default_rng(random_state)
    n = n_queries * documents_per_query
    features = rng.uniform(-1, 1, size=(n, n_features)).astype(np.float32)
    first, second, third = (rng.permutation(n_features) for _ in range(3))
    weights = rng.uniform(-1, 1, n_features)
    value = np.zeros(n)
    for term in (
        features @ weights,
        np.einsum("ij,ij->i", features, features[:, first], dtype=np.float64),
        np.einsum("ij,ij,ij->i", features, features[:, second], features[:, third], dtype=np.float64),
    ):
        value += (term - term.mean()) / max(float(term.std()), 1e-300)
    offsets = np.arange(0, n + 1, documents_per_query)
    return RankingData(features, _grades_by_quantile(value), offsets, _names(n_queries))


def web_search_data(
    n_queries: int = 1000, *, documents_per_query: int = 120, n_features: int = 60, random_state: int = 0
) -> RankingData:
    """Queries of different kinds, with a text score as feature 1 that is the best there is for some of them.

    A document is relevant by its text, its popularity and its meaning, in proportions that differ from query to query,
    and by chance. Feature 1 sees the text well (as BM25 would); others see popularity, meaning and text dimly, a few
    tell the kind of query, and the rest are noise. A learner gains on most queries by using all of them, and loses on
    those where the text alone was right.
    """
    if n_queries < 1 or documents_per_query < 2 or n_features < 20:
        raise ParameterError("at least one query, two documents per query and 20 features are needed.")
    rng = np.random.default_rng(random_state)
    sizes = np.clip(rng.lognormal(np.log(documents_per_query), 0.5, n_queries), 2, 8 * documents_per_query)
    sizes = np.maximum(2, np.round(sizes * documents_per_query / sizes.mean())).astype(np.int64)
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    query = np.repeat(np.arange(n_queries), sizes)
    n = int(offsets[-1])
    kinds = rng.dirichlet((2.4, 0.8, 0.8), n_queries)  # how much text, popularity and meaning count
    latent = rng.normal(size=(3, n))
    latent[1] += 0.3 * latent[0]  # what is popular also matches a little better
    weights = np.sqrt(kinds).T
    value = (weights[:, query] * latent).sum(axis=0)
    value += 0.4 * latent[1] * latent[2] * (kinds[query, 2] > 0.4)  # for some queries only both together help
    value += 0.9 * rng.normal(size=n) + 0.5 * rng.normal(size=n_queries)[query]
    features = np.empty((n, n_features), np.float32)
    features[:, 0] = np.maximum(
        0.0, 12 + 4 * latent[0] + 1.5 * rng.normal(size=n) + 2 * rng.normal(size=n_queries)[query]
    )
    for column in range(1, n_features):
        features[:, column] = _column(column, n_features, latent, kinds, query, rng)
    return RankingData(features, _grades_by_quantile(value), offsets, _names(n_queries))


def _column(
    column: int, n_features: int, latent: Floats, kinds: Floats, query: Integers, rng: np.random.Generator
) -> Floats:
    """One feature: of the query, of a latent quality with noise and in some odd scale, or noise."""
    n = len(query)
    if column < 7:  # three tell the kind of query a little, three are about its words
        known = kinds[:, column % 3] if column < 4 else rng.normal(size=len(kinds))
        return np.asarray((known + 0.25 * rng.normal(size=len(kinds)))[query])
    if column >= int(0.7 * n_features):
        seen = rng.normal(size=n)
    else:
        clarity = rng.uniform(0.05, 0.4)
        seen = clarity * latent[(1, 2, 1, 2, 0)[column % 5]] + (1 - clarity) * 1.5 * rng.normal(size=n)
    if column % 4 == 0:
        return np.asarray(np.exp(np.clip(seen, -8, 8)))
    if column % 4 == 1:
        return np.asarray(np.floor(4 * np.abs(seen)) * np.sign(seen))
    return np.asarray(seen)


def _grades_by_quantile(value: Floats) -> Floats:
    edges = np.quantile(value, np.cumsum(LABEL_SHARES)[:-1])
    return np.digitize(value, edges).astype(np.float64)


def _names(n_queries: int) -> tuple[str, ...]:
    return tuple(str(i + 1) for i in range(n_queries))
