"""What rankers take: RankingData, a LETOR file or a table, or arrays the scikit-learn way."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.data.feature_tables.category_codes import check_number, model_codes, seen_categories
from riskrank.data.feature_tables.frame_columns import coded_features
from riskrank.data.feature_tables.query_column import check_told_once, without_query_column
from riskrank.data.ranking_data import RankingData
from riskrank.data.shards.data_share import DataShare
from riskrank.data.shards.sharded_data import ShardedData
from riskrank.errors import AlignmentError, ParameterError, warn_caller

if TYPE_CHECKING:
    from riskrank.data.feature_columns import FeatureColumns
    from riskrank.rankers.ranker import Ranker
    from riskrank.typing import DataLike, Ids, LabelledLike, Matrix, Numbers, Singles, WeightsLike


def training_data(
    x: DataLike | LabelledLike,
    y: Numbers | None = None,
    *,
    qid: Ids | None = None,
    group: Numbers | None = None,
    weights: WeightsLike | None = None,
) -> RankingData:
    """Labelled data, from whatever form it has, perhaps with weights."""
    data = _labelled(x, y, qid=qid, group=group)
    return data if weights is None else data.weighted(weights)


def _labelled(x: DataLike | LabelledLike, y: Numbers | None, *, qid: Ids | None, group: Numbers | None) -> RankingData:
    if isinstance(x, RankingData):
        if not x.n_documents and not isinstance(x, DataShare):
            raise AlignmentError("there are no documents.")
        if y is not None or qid is not None or group is not None:
            raise ParameterError("RankingData already holds labels and queries; pass it alone.")
        return x
    if isinstance(x, str | os.PathLike):
        from riskrank.data.feature_tables.ranking_files import read_ranking_data  # loads Polars

        return read_ranking_data(x)
    features: Any = x
    if isinstance(x, tuple) and y is None and len(x) in (2, 3):
        features, y, qid = (*x, None)[:3]
    if y is None:
        raise ParameterError("labels are missing: training requires y to be passed, but the target y is None.")
    if qid is not None or group is not None:
        check_told_once(features, "group" if qid is None else "qid")
    features, ids = without_query_column(features)
    qid = qid if ids is None else ids
    try:
        labels = np.asarray(y, dtype=np.float64)
    except (TypeError, ValueError):
        raise AlignmentError("labels must be numbers.") from None
    matrix, names, categories = coded_features(features)
    if not matrix.shape[1]:
        raise AlignmentError(f"data have 0 feature(s) (shape={matrix.shape}) while a minimum of 1 is required.")
    if qid is None and group is None:
        raise ParameterError(
            "queries are missing: pass either qid= (an id per document) or group= (documents per query), or a frame "
            "with a column qid."
        )
    data = RankingData.from_arrays(matrix, labels, qid=qid, group=group, feature_names=names)
    return replace(data, categories=categories) if categories else data


def documents_of(x: DataLike, model: FeatureColumns) -> RankingData | Matrix:
    """What a model is to rank: files are read, tables of them by the columns that the model knows; all else as it is.

    Labels are not needed.
    """
    if isinstance(x, ShardedData):
        return x.share()
    if not isinstance(x, str | os.PathLike):
        return x
    from riskrank.data.feature_tables.column_roles import ColumnChoice  # loads Polars
    from riskrank.data.feature_tables.ranking_files import is_feature_table, read_for_model, read_ranking_data

    return read_for_model(x, model, ColumnChoice()).data if is_feature_table(x) else read_ranking_data(x)


def columns_of_model(
    features: Singles, data: FeatureColumns, model: FeatureColumns, *, what: str = "the data"
) -> Singles:
    """The columns that a model knows, in its order; others are left out, with a warning."""
    positions = model.positions_in(data, what=what)
    if positions is None:
        return model_codes(features, data.categories, model, what=what)
    left_out = model.left_out_of(data)
    if left_out:
        warn_caller(f"columns that the model does not know are left out: {left_out}.")
    given = {i: data.categories[place] for i, place in enumerate(positions) if place in data.categories}
    return model_codes(features[:, positions], given, model, what=what)


def learned_columns(data: RankingData) -> FeatureColumns:
    """The columns of training data as a model remembers them, with the categories that occur."""
    if isinstance(data, DataShare):  # whose manifest has those of all shares
        return data.columns
    return replace(data.columns, categories=seen_categories(data.features, data.categories))


def check_categories(ranker: Ranker, columns: FeatureColumns) -> None:
    """Refuse categories that a ranker cannot learn from."""
    if columns.categories and not ranker.takes_categories:
        names = columns.labels(columns.categories)
        way = "Leave them out (drop=), or use LambdaMART"
        raise AlignmentError(f"{type(ranker).__name__} takes numbers, no categories ({names}). {way}.")
    check_number(columns)


def check_finite(features: Singles, columns: FeatureColumns) -> None:
    """Infinite features have no place in a tree; NaN means a missing value."""
    if not features.size:
        return
    extremes = np.fmin.reduce(features, axis=None), np.fmax.reduce(features, axis=None)  # no copy, no NaN
    if np.isinf(extremes).any():
        row, column = np.argwhere(np.isinf(features))[0]
        raise AlignmentError(
            f"{columns.label(int(column))} of document {int(row) + 1} is infinite. "
            "Use a number, or NaN for a missing value."
        )
