"""Scorers: what searches of scikit-learn go by, an effectiveness measure or risk against a baseline."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast, get_args

import numpy as np

from riskrank.data.baseline_scores import baseline_scores
from riskrank.data.feature import Feature, feature_of
from riskrank.data.feature_columns import FeatureColumns
from riskrank.data.feature_tables.frame_columns import coded_features, table_frame
from riskrank.data.ranking_data import RankingData
from riskrank.errors import ParameterError, UnknownMeasureError
from riskrank.measures import Measure, parse_measure
from riskrank.measures.evaluate import evaluate
from riskrank.rankers.fitting.inputs import training_data
from riskrank.rankers.fitting.query_column import query_column, query_ids
from riskrank.rankers.selective.wrapped import Wrapped
from riskrank.risk.combined_baseline import within_topic
from riskrank.risk.paired import checked_alpha
from riskrank.risk.quantities import quantities
from riskrank.typing import QuantityName
from riskrank.weights import weighted_mean

if TYPE_CHECKING:
    from riskrank.typing import BaselineLike, DataLike, Floats, Ids, MeasureLike, Numbers, Predicts

QUANTITIES = get_args(QuantityName)


@dataclass(frozen=True, repr=False, eq=False)
class Scorer:
    """What `scorer` gives: called with a fitted ranker, or a pipeline that ends in one, and labelled documents."""

    quantity: QuantityName | None  # None: the mean of the measure itself
    measure: Measure
    alpha: float = 1.0
    baseline: BaselineLike | None = None

    def __call__(
        self,
        estimator: Predicts,
        X: DataLike,
        y: Numbers | None = None,
        *,
        qid: Ids | None = None,
        baseline: BaselineLike | None = None,
    ) -> float:
        """The larger, the better; `qid` and `baseline` are what metadata routing hands on."""
        data, scores = _ranked(estimator, X, y, qid)
        systems = {"model": scores}
        if self.quantity is not None:
            given = self.baseline if baseline is None else baseline
            if given is None:
                raise ParameterError(
                    f"{self.quantity} compares with a baseline: pass baseline='column:bm25' to scorer, or scores by "
                    "metadata routing."
                )
            others = baseline_scores(_of_table(given, X), data, in_source_order=not isinstance(X, RankingData))
            systems |= {f"baseline {i}": other.scores for i, other in enumerate(others)}
        values = evaluate(data, systems, self.measure).matrix
        weights = data.query_weights
        if self.quantity is None:
            return float(weighted_mean(values[0], weights))
        baseline_values = within_topic(values[1:], "mean")
        return quantities(values[0], baseline_values, alpha=self.alpha, weights=weights)[self.quantity]

    def __repr__(self) -> str:
        if self.quantity is None:
            return f"scorer({str(self.measure)!r})"
        against = "" if self.baseline is None else f", baseline={self.baseline!r}"
        return f"scorer({self.quantity!r}, measure={str(self.measure)!r}, alpha={self.alpha:g}{against})"

    def get_metadata_routing(self) -> Any:  # a request of scikit-learn
        """Query ids and baselines are handed on without being asked for."""
        from sklearn.utils.metadata_routing import MetadataRequest

        request = MetadataRequest(owner=self)
        for name in ("qid", "baseline"):
            request.score.add_request(param=name, alias=True)
        return request


def scorer(
    quantity: str, *, measure: MeasureLike = "nDCG@10", alpha: float = 1.0, baseline: BaselineLike | None = None
) -> Scorer:
    """A scorer for `GridSearchCV` and `cross_validate`: the larger, the better.

    Parameters
    ----------
    quantity
        ``"urisk"``, ``"gain"``, ``"reward"`` or ``"risk"`` (which is negative, so that less of it is better) of a
        measure against a baseline; or the text of a measure, whose mean it is then.
    measure, alpha
        What is compared, and how much more losses weigh in URisk.
    baseline
        ``"column:bm25"`` or a `Feature` of the table that the search is given, or whatever else scores its documents.

    Queries are told by a column of the table (qid, query_id, topic), or by ``qid=`` and metadata routing.

    >>> scorer("urisk", alpha=5, baseline="column:bm25")
    scorer('urisk', measure='nDCG@10', alpha=5, baseline='column:bm25')
    """
    if quantity in QUANTITIES:
        checked_alpha(alpha)
        return Scorer(cast("QuantityName", quantity), parse_measure(measure), alpha, baseline)
    try:
        return Scorer(None, parse_measure(quantity))
    except UnknownMeasureError as error:
        raise ParameterError(f"a scorer is one of {', '.join(QUANTITIES)}, or a measure: {error}") from None


def _ranked(estimator: Predicts, X: DataLike, y: Numbers | None, qid: Ids | None) -> tuple[RankingData, Floats]:
    """The queries with their labels, and the scores of their documents."""
    if isinstance(X, RankingData):
        return X, np.asarray(estimator.predict(X), np.float64)
    frame = table_frame(X)
    column = None if frame is None else query_column(frame)
    if column is None and isinstance(estimator, Wrapped):  # which goes by the query
        data = training_data(X, y, qid=qid)
        return data, estimator.predict(data)
    ids = qid if frame is None or column is None else query_ids(frame, column)
    if y is None or ids is None:
        raise ParameterError("a scorer needs labels, and query ids: a column qid of the table, or qid= by routing.")
    labels = np.asarray(y, np.float64)
    # Only queries and labels: a pipeline makes features of columns that may be none themselves.
    data = RankingData.from_arrays(np.empty((len(labels), 0), np.float32), labels, qid=ids)
    return data, data.from_source_order(np.asarray(estimator.predict(X), np.float64))


def _of_table(baseline: BaselineLike, X: DataLike) -> BaselineLike:
    """A feature as scores of the rows of a table; other baselines as they are."""
    feature = feature_of(baseline) if isinstance(baseline, str) else baseline
    if isinstance(X, RankingData) or not isinstance(feature, Feature):
        return baseline
    frame = table_frame(X)
    if isinstance(feature.key, str):
        names = () if frame is None else tuple(map(str, frame.columns))
        FeatureColumns(len(names), names=names or None).position(feature.key)  # refuses what is not there
        return np.asarray(None if frame is None else frame[feature.key], np.float64)
    matrix, names_of, categories = coded_features(X)
    columns = FeatureColumns(matrix.shape[1], names=names_of, categories=categories)
    return matrix[:, columns.number_position(feature.key)].astype(np.float64)
