"""What predictors say of a query as columns of the data, for rankers to learn from (Wang et al. 2012, §5.4)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from riskrank.errors import ParameterError
from riskrank.rankers.selective.query_predictors import Aggregate, Entropy, parse_predictor

if TYPE_CHECKING:
    from riskrank.data.ranking_data import RankingData
    from riskrank.rankers.selective.query_predictors import QueryPredictor


def with_query_features(data: RankingData, *predictors: QueryPredictor | str) -> RankingData:
    """The data with a further feature for each predictor, the same for all documents of a query.

    So a ranker sees what selective use goes by. Only predictors that need no model can be features: `Aggregate` and
    `Entropy`, or texts like ``"max feature:110"``. The new features come after those there are.

    >>> from riskrank import RankingData
    >>> data = RankingData.from_arrays([[1.0], [3.0], [2.0]], [0, 1, 0], qid=["a", "a", "b"])
    >>> with_query_features(data, "max feature:1").feature(2).tolist()
    [3.0, 3.0, 2.0]
    """
    sizes = np.diff(data.query_offsets)
    columns = [data.features]
    for given in predictors:
        predictor = parse_predictor(given) if isinstance(given, str) else given
        if not isinstance(predictor, Aggregate | Entropy):
            raise ParameterError(f"only an Aggregate or an Entropy can be a feature of a query, got {given!r}.")
        nothing = np.zeros(len(data))
        values = predictor.values(data, nothing, nothing)
        columns.append(np.repeat(values, sizes)[:, None].astype(np.float32))
    return replace(data, features=np.hstack(columns))
