"""Validation queries: their baselines, and the number by which a model is judged on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.data.baseline_scores import baseline_scores, holds_document_scores
from riskrank.errors import AlignmentError
from riskrank.measures import parse_measure
from riskrank.objectives.lambdas import Lambdas, Rankings, depth_needed
from riskrank.rankers.fitting.inputs import check_features, training_data
from riskrank.rankers.fitting.loop import Side
from riskrank.rankers.fitting.start import finite

if TYPE_CHECKING:
    from collections.abc import Callable

    from riskrank.data.baseline_scores import BaselineScores
    from riskrank.data.ranking_data import RankingData
    from riskrank.typing import Floats

    LearnedFrom = Callable[[RankingData, list[BaselineScores]], tuple[RankingData, list[BaselineScores]]]

TARGET = "target"


def validation_side(
    valid: Any,
    train: Side,
    baseline: Any,
    valid_baseline: Any,
    n_baselines: int,
    scale: float | None,
    learned_from: LearnedFrom,
) -> Side:
    """The objective of a training on its validation queries."""
    data, of_training = training_data(valid), train.lambdas.data
    if data.n_features != of_training.n_features:
        raise AlignmentError(
            f"validation data have {data.n_features} features, training data have {of_training.n_features}."
        )
    check_features(data)
    if valid_baseline is None and holds_document_scores(baseline):
        raise AlignmentError("a baseline given as scores says nothing of validation data: pass valid_baseline=.")
    given = baseline if valid_baseline is None else valid_baseline
    try:
        baselines = baseline_scores(given, data, in_source_order=valid is not data)
    except AlignmentError as error:
        if valid_baseline is None and baseline is not None:
            raise AlignmentError(f"validation data: {error} Pass valid_baseline= for them.") from None
        raise
    if len(baselines) != n_baselines:
        raise AlignmentError(
            f"training has {n_baselines} baseline(s), validation has {len(baselines)}; they must be the same."
        )
    data, baselines = learned_from(data, baselines)
    lambdas = Lambdas(train.lambdas.objective, data, baselines, n_threads=train.lambdas.rankings.n_threads)
    return Side(lambdas, None if scale is None else scale * finite(baselines[0].scores))


def watched_value(valid_measure: str | None, valid: Lambdas) -> Callable[[Floats, Lambdas], float]:
    """What early stopping and the best number of trees go by: a measure, or the objective's own value."""
    if valid_measure == TARGET:
        return lambda _, lambdas: lambdas.target()
    measure = parse_measure(valid_measure or valid.objective.measure)
    if measure == parse_measure(valid.objective.measure):
        return lambda values, _: float(values.mean())
    swaps = measure.swap_deltas(valid.data)
    rankings = Rankings(valid.data, depth_needed(swaps), n_threads=valid.rankings.n_threads)
    found = np.empty(valid.data.n_queries)

    def watched(values: Floats, lambdas: Lambdas) -> float:  # noqa: ARG001 (another measure's values)
        rankings.ordered_values(lambdas.scores, [swaps], [found])
        return float(found.mean())

    return watched
