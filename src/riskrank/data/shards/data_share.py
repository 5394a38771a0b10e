"""DataShare: the queries of some shards, and what is known of all others."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Protocol

import numpy as np

from riskrank.data.ranking_data import RankingData
from riskrank.data.shards.storage import IN_MEMORY, Storage
from riskrank.errors import TrainingError
from riskrank.weights import relative_weights

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from riskrank.data.shards.manifest import ShardManifest
    from riskrank.typing import Floats, Integers, Singles


class LostPeersError(TrainingError):
    """Another worker is lost, and so is what all do together."""


class Peers(Protocol):
    """Workers on shares of the same data, who all call the same methods in the same order.

    They raise `LostPeersError` where one does not answer.
    """

    rank: int

    def total(self, values: Floats) -> Floats:
        """The sums of everybody's values."""

    def largest(self, values: Floats) -> Floats:
        """The largest of everybody's values."""


class Alone:
    """One worker that has all shards."""

    rank = 0

    def total(self, values: Floats) -> Floats:
        """Its own: -0 becomes 0, as in sums with others' zeros."""
        return values + 0.0

    def largest(self, values: Floats) -> Floats:
        """Its own."""
        return values


@dataclass(frozen=True, repr=False, eq=False)
class DataShare(RankingData):
    """The queries of a worker's shards: `places` are theirs among all queries, in the order of the manifest.

    Numbers of queries go through a vector of all queries that is 0 at others' places. Sums over workers then have one
    term that is not 0 in each place: they are exact, whatever the number of workers and the order of sums. `sample`
    reads the rows that all workers find the bins of features by, `scores` are those of systems, by name.
    """

    is_part: ClassVar[bool] = True
    manifest: ShardManifest = field(kw_only=True)
    places: Integers = field(kw_only=True)
    sample: Callable[[], Singles] = field(kw_only=True)
    peers: Peers = field(default_factory=Alone, kw_only=True)
    scores: Mapping[str, Floats] = field(default_factory=dict, kw_only=True)
    storage: Storage = field(default=IN_MEMORY, kw_only=True)

    @property
    def n_queries_in_all(self) -> int:
        return self.manifest.n_queries

    @property
    def n_documents_in_all(self) -> int:
        return self.manifest.n_documents

    @property
    def highest_label(self) -> float:
        return self.manifest.highest_label

    @property
    def longest_query(self) -> int:
        return self.manifest.longest_query

    @property
    def relative_query_weights(self) -> Floats | None:
        return None if self.query_weights is None else relative_weights(self.everywhere(self.query_weights))

    @property
    def relative_document_weights(self) -> Floats | None:
        return None if self.document_weights is None else self.document_weights / self.manifest.mean_weight

    @property
    def is_alone(self) -> bool:
        """Has it no peers, who would wait for it?"""
        return isinstance(self.peers, Alone)

    @property
    def is_first_share(self) -> bool:
        return self.peers.rank == 0

    def everywhere(self, values: Floats) -> Floats:
        everybody = np.zeros((*values.shape[:-1], self.n_queries_in_all))
        everybody[..., self.places] = values
        return self.peers.total(everybody)

    def own(self, values: Floats) -> Floats:
        return np.ascontiguousarray(values[..., self.places])

    def total(self, values: Floats) -> Floats:
        return self.peers.total(values)

    def largest(self, values: Floats) -> Floats:
        return self.peers.largest(values)
