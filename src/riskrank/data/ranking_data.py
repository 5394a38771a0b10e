"""RankingData: the documents of many queries, with features and labels."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

import numpy as np

from riskrank.data.feature_columns import FeatureColumns
from riskrank.data.feature_tables.category_codes import check_codes
from riskrank.data.feature_tables.frame_columns import coded_features
from riskrank.data.feature_tables.query_column import check_told_once
from riskrank.data.shards.whole_data import WholeData
from riskrank.errors import AlignmentError, ParameterError, counted, quoted
from riskrank.weights import checked_weights

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from riskrank.typing import Booleans, Categories, Floats, Integers, Matrix, Singles, Table, WeightsLike

S = TypeVar("S", bound=np.generic)


@dataclass(frozen=True, repr=False, eq=False)
class RankingData(WholeData):
    """Features (documents × features, float32), labels and the queries they belong to.

    Arrays of the right type are shared with the caller, not copied.

    The documents of query `i` are rows ``query_offsets[i]:query_offsets[i + 1]``. All arrays are read-only.
    `first_feature` is the number of the first column in the source (1 in LETOR files). Where the source
    mixed the lines of several queries, `source_rows` tells each document's row there; otherwise it is None.
    `row_numbers` are the rows of documents that were taken from larger data. `is_presented` says that the documents of
    a query stand in the order in which they were presented, which equal scores keep; otherwise it means nothing.
    `is_clicked`: documents that were clicked at all, also where that did not satisfy; None where it is not known.
    `feature_names` are those of the columns, where the source has them. `query_weights` say how much each query counts
    (its traffic, say) in training, means and tests, `document_weights` how much each document does in training; they
    are relative to each other, and None where all count the same. `categories` are the values of the columns that hold
    categories, by position: there `features` are codes, places among these values, or NaN.
    """

    features: Singles
    labels: Floats
    query_offsets: Integers
    query_ids: tuple[str, ...]
    document_ids: NDArray[np.object_] | None = None
    first_feature: int = 1
    source_rows: Integers | None = None
    row_numbers: Integers | None = None
    is_presented: bool = False
    is_clicked: Booleans | None = None
    feature_names: tuple[str, ...] | None = None
    query_weights: Floats | None = None
    document_weights: Floats | None = None
    categories: Categories = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._freeze(np.float32, "features", order="C")
        self._freeze(np.float64, "labels")
        self._freeze(np.int64, "query_offsets", "source_rows", "row_numbers")
        self._freeze(np.object_, "document_ids")
        self._freeze(np.bool_, "is_clicked")
        object.__setattr__(self, "query_ids", tuple(self.query_ids))
        if self.feature_names is not None:
            object.__setattr__(self, "feature_names", tuple(map(str, self.feature_names)))
        documents = len(self.labels)
        offsets = self.query_offsets
        if self.features.ndim != 2 or len(self.features) != documents:
            raise AlignmentError(f"features must be {documents} documents × features, got shape {self.features.shape}.")
        check_codes(self.features, self.columns)
        if len(offsets) != len(self.query_ids) + 1 or offsets[0] != 0 or offsets[-1] != documents:
            raise AlignmentError(f"query offsets must run from 0 to {documents} in {len(self.query_ids) + 1} steps.")
        if (np.diff(offsets) < 1).any():
            raise AlignmentError("every query needs at least one document.")
        if not np.isfinite(self.labels).all():
            raise AlignmentError("labels must be finite numbers.")
        for name, values in (("ids", self.document_ids), ("clicks", self.is_clicked)):
            if values is not None and len(values) != documents:
                raise AlignmentError(f"{documents} documents need as many {name}, got {len(values)}.")
        if self.query_weights is not None:
            checked = checked_weights(
                self.query_weights, self.n_queries, unit="query", names=self.query_ids, may_all_be_0=self.is_part
            )
            object.__setattr__(self, "query_weights", checked)
        if self.document_weights is not None:
            checked = checked_weights(self.document_weights, documents, unit="document", may_all_be_0=self.is_part)
            object.__setattr__(self, "document_weights", checked)
        self._freeze(np.float64, "query_weights", "document_weights")

    @classmethod
    def from_arrays(
        cls,
        features: ArrayLike | Table,
        labels: ArrayLike,
        *,
        qid: ArrayLike | None = None,
        group: ArrayLike | None = None,
        document_ids: Sequence[str] | None = None,
        feature_names: Sequence[str] | None = None,
        weights: WeightsLike | None = None,
    ) -> RankingData:
        """From arrays, or a table of features, and either a query id per document (in any order) or group sizes.

        Parameters
        ----------
        features
            Documents × features: an array, or a table (of pandas, Polars or Arrow), whose columns have names and may
            hold categories; one with query ids (``qid``, ``topic``, …) is refused, unless `feature_names` are given.
        labels
            A grade per document.
        qid
            A query id per document; the documents of a query need not stand together.
        group
            How many documents each query has; queries are numbered from 1.
        document_ids
            A name per document; without them, documents are numbered from 1.
        feature_names
            A name per column; without them, those of a table, and the features of an array are numbered from 1.
        weights
            How much queries or documents count, as in `weighted`.

        >>> RankingData.from_arrays([[1.0], [2.0], [3.0]], [0, 2, 1], qid=["a", "b", "a"])
        RankingData: 2 queries, 3 documents, 1 feature, labels 0 to 2, 0 queries without a relevant document
        """
        if (qid is None) == (group is None):
            raise ParameterError("pass either qid= (an id per document) or group= (documents per query).")
        if feature_names is None:
            check_told_once(cast("Matrix", features), "group" if qid is None else "qid")
        matrix, names, categories = coded_features(cast("Matrix", features), names=feature_names)
        label_array = np.asarray(labels, dtype=np.float64)
        ids = None if document_ids is None else np.asarray(document_ids, dtype=object)
        if qid is None:
            sizes = np.asarray(group, dtype=np.int64)
            if sizes.sum() != len(label_array):
                raise AlignmentError(f"group sizes must add up to the {len(label_array)} documents, got {sizes.sum()}.")
            offsets = np.concatenate([[0], np.cumsum(sizes)])
            numbers = tuple(str(i + 1) for i in range(len(sizes)))
            data = cls(matrix, label_array, offsets, numbers, ids, feature_names=names, categories=categories)
            return data if weights is None else data.weighted(weights)
        keys = np.asarray(qid)
        if len(keys) != len(label_array):
            raise AlignmentError(f"{len(label_array)} documents need as many query ids, got {len(keys)}.")
        if not len(keys):
            raise AlignmentError("there are no documents.")
        starts = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
        query_starts = [(str(key), int(start)) for key, start in zip(keys[starts], starts, strict=True)]
        data = grouped(
            matrix, label_array, query_starts, ids, first_feature=1, feature_names=names, categories=categories
        )
        return data if weights is None else data.weighted(weights)

    @property
    def n_queries(self) -> int:
        """How many queries."""
        return len(self.query_ids)

    @property
    def n_documents(self) -> int:
        """How many documents, over all queries."""
        return len(self.labels)

    @property
    def n_features(self) -> int:
        """How many features."""
        return int(self.features.shape[1])

    @property
    def query_numbers(self) -> Integers:
        """Each document's query, as its position in the data."""
        return np.repeat(np.arange(self.n_queries), np.diff(self.query_offsets))

    @property
    def ids(self) -> NDArray[np.object_]:
        """The document ids; where the source has none, documents are numbered from 1 in its order."""
        if self.document_ids is not None:
            return self.document_ids
        return np.array([str(row + 1) for row in self._rows().tolist()], dtype=object)

    @property
    def columns(self) -> FeatureColumns:
        """How the features are called."""
        return FeatureColumns(self.n_features, self.first_feature, self.feature_names, self.categories)

    def feature(self, key: int | str) -> Singles:
        """The column of a feature, by its number in the source or by its name."""
        return self.features[:, self.columns.position(key)]

    def weighted(self, weights: WeightsLike) -> RankingData:
        """The same data with weights: a table of query ids and weights (a dict, frame, or CSV, TSV or Parquet file,
        which may hold others), or one per query, or one per row of the source.

        Rows of a query that all have the same weight say how much the query counts; else documents have weights of
        their own. Only differences count: twice all weights is the same.

        >>> data = RankingData.from_arrays([[1.0], [2.0], [3.0]], [0, 2, 1], qid=["a", "b", "a"])
        >>> data.weighted({"a": 30, "b": 10}).query_weights, data.weighted([30, 10, 30]).query_weights
        (array([30., 10.]), array([30., 10.]))
        >>> data.weighted([1, 1, 0.5]).document_weights
        array([1. , 0.5, 1. ])
        """
        if isinstance(weights, Mapping | str | os.PathLike) or hasattr(weights, "columns"):
            from riskrank.data.tables.topic_columns import weights_of_topics

            return replace(self, query_weights=weights_of_topics(weights, self.query_ids, unit="query"))
        values = np.asarray(weights)
        if values.shape == (self.n_queries,):
            return replace(self, query_weights=values)
        rows = self.from_source_order(checked_weights(values, self.n_documents, unit="document"))
        of_query = rows[self.query_offsets[:-1]]
        if (rows == of_query[self.query_numbers]).all():
            return replace(self, query_weights=of_query)
        return replace(self, document_weights=rows)

    @property
    def query_of_several_weights(self) -> str | None:
        """The first query whose documents differ in weight, if any does."""
        rows = self.document_weights
        if rows is None:
            return None
        differs = np.flatnonzero(rows != rows[self.query_offsets[:-1]][self.query_numbers])
        return self.query_ids[self.query_numbers[differs[0]]] if len(differs) else None

    def check_weights_of_queries(self, what: str) -> None:
        """Refuse weights of documents where only those of queries mean anything."""
        if self.document_weights is None:
            return
        query = self.query_of_several_weights
        reason = "another query of the table has several" if query is None else f"query {quoted(query)} has several"
        raise AlignmentError(f"{what} must have one weight for each query: {reason}. Give all its rows the same.")

    def take(self, queries: Sequence[int] | Integers | Booleans | slice) -> RankingData:
        """Some of the queries, by position: a slice (features are shared), positions or a mask.

        >>> data = RankingData.from_arrays([[1.0], [2.0], [3.0]], [0, 2, 1], qid=["a", "b", "a"])
        >>> data.take([1]).query_ids
        ('b',)
        """
        try:
            chosen = queries if isinstance(queries, slice) or len(queries) else slice(0, 0)
            wanted: Integers = np.arange(self.n_queries)[chosen if isinstance(chosen, slice) else np.asarray(chosen)]
        except (IndexError, TypeError):
            raise ParameterError(f"queries are taken by positions from 0 to {self.n_queries - 1}, or a mask.") from None
        if not len(wanted):
            raise ParameterError("at least one query must be taken.")
        sizes = np.diff(self.query_offsets)[wanted]
        offsets = np.concatenate([[0], np.cumsum(sizes)])
        rows: Integers | slice
        if (np.diff(wanted) == 1).all():
            rows = slice(int(self.query_offsets[wanted[0]]), int(self.query_offsets[wanted[-1] + 1]))
        else:
            starts = np.repeat(self.query_offsets[wanted] - offsets[:-1], sizes)
            rows = starts + np.arange(offsets[-1])
        names = tuple(self.query_ids[i] for i in wanted)
        ids = None if self.document_ids is None else self.document_ids[rows]
        row_numbers = self._rows()[rows]
        return RankingData(
            self.features[rows],
            self.labels[rows],
            offsets,
            names,
            ids,
            self.first_feature,
            row_numbers=row_numbers,
            is_presented=self.is_presented,
            is_clicked=None if self.is_clicked is None else self.is_clicked[rows],
            feature_names=self.feature_names,
            query_weights=None if self.query_weights is None else self.query_weights[wanted],
            document_weights=None if self.document_weights is None else self.document_weights[rows],
            categories=self.categories,
        )

    def _rows(self) -> Integers:
        """Each document's row in what was read."""
        if self.row_numbers is not None:
            return self.row_numbers
        return np.arange(self.n_documents) if self.source_rows is None else self.source_rows

    def from_source_order(self, values: NDArray[S]) -> NDArray[S]:
        """Values given per line of the source, brought into the order of the documents here."""
        return values if self.source_rows is None else values[self.source_rows]

    def to_source_order(self, values: NDArray[S]) -> NDArray[S]:
        """Values per document, brought back into the order of the source's lines."""
        if self.source_rows is None:
            return values
        restored = np.empty_like(values)
        restored[self.source_rows] = values
        return restored

    def _freeze(self, dtype: type[np.generic], *names: str, order: Literal["C"] | None = None) -> None:
        for name in names:
            value = getattr(self, name)
            if value is not None:
                array: NDArray[Any] = np.asarray(value, dtype=dtype, order=order).view()
                array.flags.writeable = False
                object.__setattr__(self, name, array)

    def __len__(self) -> int:
        return self.n_documents

    def __repr__(self) -> str:
        counts = (self.n_queries, "query"), (self.n_documents, "document"), (self.n_features, "feature")
        text = f"RankingData: {', '.join(counted(number, noun) for number, noun in counts)}"
        if not self.n_documents:
            return text
        best = np.maximum.reduceat(self.labels, self.query_offsets[:-1])
        return (
            f"{text}, labels {self.labels.min():g} to {self.labels.max():g}, "
            f"{counted(int((best <= 0).sum()), 'query')} without a relevant document"
        )


def grouped(
    features: Singles,
    labels: Floats,
    query_starts: list[tuple[str, int]],
    document_ids: NDArray[np.object_] | None,
    *,
    first_feature: int,
    feature_names: tuple[str, ...] | None = None,
    categories: Categories | None = None,
) -> RankingData:
    """Bring the documents of a query together: `query_starts` are (query id, first row) of consecutive rows.

    Queries keep the order of their first appearance, documents the order within their query.
    """
    starts = np.array([start for _, start in query_starts], dtype=np.int64)
    sizes = np.diff(np.append(starts, len(labels)))
    index: dict[str, int] = {}
    query_of_start = np.array([index.setdefault(query, len(index)) for query, _ in query_starts], dtype=np.int64)
    counts = np.bincount(query_of_start, weights=sizes, minlength=len(index)).astype(np.int64)
    offsets = np.concatenate([[0], np.cumsum(counts)])
    source_rows = None
    if len(index) < len(query_starts):
        source_rows = np.argsort(np.repeat(query_of_start, sizes), kind="stable")
        features, labels = features[source_rows], labels[source_rows]
        document_ids = None if document_ids is None else document_ids[source_rows]
    return RankingData(
        features, labels, offsets, tuple(index), document_ids, first_feature, source_rows, feature_names=feature_names,
        categories=categories or {},
    )  # fmt: skip
