"""Data as a whole: what training asks of all queries, which a worker on a share answers together with others."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from riskrank.weights import relative_weights

if TYPE_CHECKING:
    from collections.abc import Mapping

    from riskrank.typing import Floats, Integers


class WholeData:
    """Base of data that are all there is: nobody else is asked. `DataShare` has the other answers."""

    is_part: ClassVar[bool] = False  # may there be queries elsewhere, which have all the weight?
    labels: Floats
    query_offsets: Integers
    query_weights: Floats | None
    document_weights: Floats | None
    scores: Mapping[str, Floats] = MappingProxyType({})  # of systems, by name, which came with the data

    @property
    def n_queries_in_all(self) -> int:
        """How many queries there are, here and elsewhere."""
        return len(self.query_offsets) - 1

    @property
    def n_documents_in_all(self) -> int:
        """How many documents there are, here and elsewhere."""
        return len(self.labels)

    @property
    def highest_label(self) -> float:
        """The highest label of all documents."""
        return float(self.labels.max(initial=-np.inf))

    @property
    def longest_query(self) -> int:
        """How many documents the longest of all queries has."""
        return int(np.diff(self.query_offsets).max(initial=0))

    @property
    def relative_query_weights(self) -> Floats | None:
        """How much each of all queries counts, with a mean of 1; None where all count the same."""
        return relative_weights(self.query_weights)

    @property
    def relative_document_weights(self) -> Floats | None:
        """The same of the documents here, with a mean of 1 over all documents."""
        return relative_weights(self.document_weights)

    @property
    def is_first_share(self) -> bool:
        """Is it the one worker that writes what all have in common?"""
        return True

    def everywhere(self, values: Floats) -> Floats:
        """Numbers of the queries here (the last axis) with those of all others, in an order that all know."""
        return values

    def own(self, values: Floats) -> Floats:
        """Of numbers of all queries those of the queries here."""
        return values

    def total(self, values: Floats) -> Floats:
        """Sums of what each worker has."""
        return values

    def largest(self, values: Floats) -> Floats:
        """The largest of what each worker has."""
        return values
