"""Why one document of a query stands above another: the sum of what features contribute to both scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from riskrank.data.baseline_scores import baseline_scores
from riskrank.data.feature import feature_of
from riskrank.errors import ParameterError, nearest, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.data.feature_columns import FeatureColumns
    from riskrank.data.ranking_data import RankingData
    from riskrank.rankers.ranker import Ranker
    from riskrank.typing import BaselineLike, Floats


@dataclass(frozen=True)
class RankedDocument:
    """A document where the model puts it."""

    document: str
    rank: int
    score: float
    label: float | None  # where it is not known


@dataclass(frozen=True, eq=False)
class QueryExplanation:
    """A query's documents as a model ranks them, and what makes the difference between two of them.

    `contributions` are those of the first less those of the second, one for each feature and, last, for the score that
    the model starts from; they add up to the difference of the scores. `values` (2 × features) are those of both.
    """

    query: str
    documents: tuple[RankedDocument, ...]
    first: RankedDocument
    second: RankedDocument
    columns: FeatureColumns
    values: Floats
    contributions: Floats

    def shown(self, column: int) -> list[str | float]:
        """A feature's value in both documents; of a category its text."""
        return [self.columns.shown(column, value) for value in self.values[:, column].tolist()]


def explain_query(
    ranker: Ranker,
    data: RankingData,
    query: str,
    documents: Sequence[str] | None = None,
    *,
    baseline: BaselineLike | None = None,
    has_labels: bool = True,
) -> QueryExplanation:
    """Compare two documents of a query, by default the two that stand first; `baseline` as in `predict`."""
    if query not in data.query_ids:
        raise ParameterError(f"there is no query {quoted(query)} in the data.{nearest(query, data.query_ids)}")
    number = data.query_ids.index(query)
    rows = slice(int(data.query_offsets[number]), int(data.query_offsets[number + 1]))
    start = None
    if ranker.start_scale_ is not None and baseline is not None and feature_of(ranker.card_["baselines"][0]) is None:
        start = baseline_scores(baseline, data)[0].finite_scores[rows]
    asked = data.take([number])
    scores = ranker.predict(asked, baseline=start)
    order = np.argsort(-scores, kind="stable")
    ids = [str(each) for each in asked.ids]
    labels = asked.labels.tolist() if has_labels else [None] * len(order)
    ranked = tuple(RankedDocument(ids[i], rank, float(scores[i]), labels[i]) for rank, i in enumerate(order, start=1))
    chosen = [document.document for document in ranked[:2]] if documents is None else list(documents)
    if len(ranked) < 2 or chosen[0] == chosen[1]:
        what = "it has one document" if len(ranked) < 2 else f"{quoted(chosen[0])} is given twice"
        raise ParameterError(f"two documents of query {quoted(query)} are compared, but {what}.")
    for document in chosen:
        if document not in ids:
            raise ParameterError(f"query {quoted(query)} has no document {quoted(document)}.{nearest(document, ids)}")
    places = [ids.index(document) for document in chosen]
    parts = ranker.contributions(asked, baseline=start)[places]
    values = ranker.model_inputs(asked)[1][places].astype(np.float64)
    first, second = (next(each for each in ranked if each.document == document) for document in chosen)
    return QueryExplanation(query, ranked, first, second, ranker.columns_, values, parts[0] - parts[1])
