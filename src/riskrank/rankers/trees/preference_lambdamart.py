"""PreferenceLambdaMART: LambdaMART that learns from clicks and remembers the order in which documents were shown."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.clicks.preference_gains import lowest_click_plus_one, preference_gains
from riskrank.data.feature import Feature
from riskrank.parameters import HEAVIEST, between, boolean, positive, whole, within
from riskrank.rankers.trees.lambdamart import LambdaMART

if TYPE_CHECKING:
    from riskrank.data.baseline_scores import BaselineScores
    from riskrank.data.ranking_data import RankingData
    from riskrank.typing import EngineName, MeasureLike, ObjectiveLike, StartName


class PreferenceLambdaMART(LambdaMART):
    """LambdaMART for labels that are satisfied clicks (or their grades), on documents in presented order.

    It learns from preference gains (Bennett et al. 2015): a satisfied click is preferred to all others by 1, and among
    equals the document shown above by `beta`. Validation queries are seen in the same way. Gains are used as they are:
    measures should take them linearly, as ``nDCG(dcg='log2')@10`` does (the default).
    Other parameters are those of `LambdaMART`.

    Parameters
    ----------
    beta
        How much the presented order counts: the larger it is, up to 1, the less is re-ranked (beyond 1, documents that
        nobody clicked may be preferred to clicked ones). With 0, clicks alone count.
    only_examined
        Learn only from the documents down to one below the lowest click, satisfied or not
        ("Lowest-Click-Plus-One"); where data do not tell clicks that did not satisfy, below the lowest satisfied one.
    beta_feature, beta_halfway
        The number of a feature n of the query, such as how often it was asked: beta is then ``beta * n / (n +
        beta_halfway)``, so that the order is trusted more where it had more to be tuned by.
    """

    measure = "nDCG(dcg='log2')@10"

    def __init__(
        self,
        objective: ObjectiveLike | None = None,
        *,
        beta: float = 0.2,
        only_examined: bool = False,
        beta_feature: int | None = None,
        beta_halfway: float = 10.0,
        n_trees: int = 300,
        n_leaves: int = 31,
        min_docs_in_leaf: int | None = None,
        learning_rate: float = 0.1,
        early_stopping: int | None = None,
        valid_measure: MeasureLike | None = None,
        start: StartName = "zero",
        start_spread: float = 1.0,
        fast: bool = False,
        engine: EngineName = "lightgbm",
        engine_params: dict[str, Any] | None = None,
        n_threads: int | None = None,
        random_state: int = 0,
        verbose: bool | None = None,
    ) -> None:
        super().__init__(
            objective, n_trees=n_trees, n_leaves=n_leaves, min_docs_in_leaf=min_docs_in_leaf,
            learning_rate=learning_rate, early_stopping=early_stopping, valid_measure=valid_measure, start=start,
            start_spread=start_spread, fast=fast, engine=engine, engine_params=engine_params, n_threads=n_threads,
            random_state=random_state, verbose=verbose,
        )  # fmt: skip
        self.beta = beta
        self.only_examined = only_examined
        self.beta_feature = beta_feature
        self.beta_halfway = beta_halfway

    def check_parameters(self) -> None:
        super().check_parameters()
        between("beta", self.beta, 0, np.inf)
        within("beta", self.beta, 0, HEAVIEST)
        boolean("only_examined", self.only_examined)
        whole("beta_feature", self.beta_feature, 0, optional=True)
        positive("beta_halfway", self.beta_halfway)

    def training_view(
        self, data: RankingData, baselines: list[BaselineScores]
    ) -> tuple[RankingData, list[BaselineScores]]:
        offsets = data.query_offsets
        beta: Any = float(self.beta)
        if self.beta_feature is not None:
            seen = np.maximum(np.nan_to_num(Feature(self.beta_feature).scores(data)[offsets[:-1]]), 0.0)
            beta = beta * seen / (seen + self.beta_halfway)
        if not self.only_examined:
            return replace(data, labels=preference_gains(data.labels, beta=beta, offsets=offsets)), baselines
        kept = lowest_click_plus_one(data.labels if data.is_clicked is None else data.is_clicked, offsets=offsets)
        sizes = np.bincount(data.query_numbers[kept], minlength=data.n_queries)
        bounds = np.concatenate([[0], np.cumsum(sizes)])
        # Gains from each other alone: what is left out adds to nobody's.
        gains = preference_gains(data.labels[kept], beta=beta, offsets=bounds)
        examined = replace(
            data, features=data.features[kept], labels=gains, query_offsets=bounds, source_rows=None, row_numbers=None,
            document_ids=None if data.document_ids is None else data.document_ids[kept],
            is_clicked=None if data.is_clicked is None else data.is_clicked[kept],
            document_weights=None if data.document_weights is None else data.document_weights[kept],
        )  # fmt: skip
        return examined, [replace(each, scores=each.scores[kept]) for each in baselines]
