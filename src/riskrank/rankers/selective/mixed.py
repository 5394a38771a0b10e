"""Mixed: a coin decides for each query whether the model or the baseline ranks it."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Self

import numpy as np

from riskrank.parameters import share, whole
from riskrank.rankers.selective.wrapped import Wrapped

if TYPE_CHECKING:
    from collections.abc import Iterable

    from riskrank.data.ranking_data import RankingData
    from riskrank.rankers.ranker import Ranker
    from riskrank.typing import BaselineLike, Booleans, Floats


class Mixed(Wrapped):
    """Use the model with a probability, else the baseline (Wang et al. 2012, §5.7).

    The coin goes by the query's id: a query always gets the same ranking, and raising the probability only adds
    queries. Risk and gain are those of the model times the probability.

    Parameters
    ----------
    ranker
        What `fit` trains.
    probability, random_state
        How often the model is used, and the seed of the coins.
    """

    own_parameters = ("probability", "random_state")

    def __init__(self, ranker: Ranker | None = None, *, probability: float = 0.5, random_state: int = 0) -> None:
        self.ranker = ranker
        self.probability = probability
        self.random_state = random_state

    @classmethod
    def of(cls, model: Ranker, *, baseline: BaselineLike, probability: float = 0.5, random_state: int = 0) -> Self:
        """Around a model that is trained already."""
        return cls(model, probability=probability, random_state=random_state).around_fitted(baseline)

    def check_parameters(self) -> None:
        share("probability", self.probability)
        whole("random_state", self.random_state, 0)

    def chooses_model(self, data: RankingData, own: Floats, other: Floats) -> Booleans:
        return coins(data.query_ids, self.random_state) < self.probability


def coins(query_ids: Iterable[str], random_state: int) -> Floats:
    """A number in [0, 1) for each query, from its id alone.

    >>> coins(["1", "2"], 0).round(4).tolist()
    [0.5215, 0.7517]
    """
    digests = [hashlib.blake2b(f"{random_state}\0{query}".encode(), digest_size=8).digest() for query in query_ids]
    numbers = np.frombuffer(b"".join(digests), dtype="<u8")
    return (numbers >> np.uint64(11)).astype(np.float64) / 2.0**53
