"""Selective: the model ranks the queries where a predictor says that it will help."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from riskrank.data.baseline_scores import baseline_scores
from riskrank.errors import ParameterError
from riskrank.measures import parse_measure
from riskrank.parameters import number, one_of
from riskrank.rankers.fitting.inputs import training_data
from riskrank.rankers.fitting.start import finite
from riskrank.rankers.selective.query_predictors import (
    PredictedGain,
    QueryPredictor,
    parse_predictor,
    predictor_from_dict,
)
from riskrank.rankers.selective.wrapped import Wrapped
from riskrank.risk.paired import difference

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from riskrank.data.ranking_data import RankingData
    from riskrank.typing import Floats


SIDES = ("above", "below")


class Selective(Wrapped):
    """Use the model only on queries whose predictor lies above (or below) a threshold; the baseline on the others.

    `predictor`: an `Aggregate` of a feature, its `Entropy`, the model's `Confidence`, or `PredictedGain` (default),
    which learns from validation queries; or the text of one (``"max feature:110"``). After Wang et al. 2012, §5.3.
    """

    own = ("predictor", "threshold", "apply")

    def __init__(
        self, ranker: Any = None, *, predictor: Any = None, threshold: float = 0.0, apply: str = "above"
    ) -> None:
        self.ranker = ranker
        self.predictor = predictor
        self.threshold = threshold
        self.apply = apply

    def check_parameters(self) -> None:
        self._given()
        number("threshold", self.threshold)
        one_of("apply", self.apply, SIDES)

    def _given(self) -> QueryPredictor:
        if self.predictor is None:
            return PredictedGain()
        if isinstance(self.predictor, str):
            return parse_predictor(self.predictor)
        if not isinstance(self.predictor, QueryPredictor):
            raise ParameterError(f"predictor must be one like Aggregate('max', 110), got {self.predictor!r}.")
        return self.predictor

    def _check_fit(self, baseline: Any, *, has_valid: bool) -> None:
        super()._check_fit(baseline, has_valid=has_valid)
        predictor = self._given()
        if isinstance(predictor, PredictedGain) and not predictor.weights and not has_valid:
            raise ParameterError("a predictor of gain learns from validation queries: pass valid=.")

    def _learn(self, valid: Any, baseline: Any) -> None:
        self.predictor_ = self._given()
        if isinstance(self.predictor_, PredictedGain) and not self.predictor_.weights:
            data = training_data(valid)
            found = baseline_scores(baseline, data, in_source_order=valid is not data)[0]
            own = self._model_scores(data, found)
            measure = self.ranker_.training_objective.measure
            self.predictor_ = learned_gain(self.predictor_, data, own, found.scores, measure)

    def _learned(self) -> dict[str, Any]:
        return {
            "parameters": {"threshold": float(self.threshold), "apply": self.apply},
            "predictor": self.predictor_.to_dict(),
        }

    def _restore(self, card: dict[str, Any]) -> None:
        self.predictor_ = self.predictor = predictor_from_dict(card["predictor"])

    def predicted(self, data: RankingData, *, baseline: Any = None) -> Floats:
        """What the predictor says of each query."""
        own, other = self.both_scores(data, baseline)
        return self.predictor_.values(data, own, finite(other))

    def _uses_model(self, data: RankingData, own: Floats, other: Floats) -> NDArray[np.bool_]:
        found = self.predictor_.values(data, own, other)
        return found > self.threshold if self.apply == "above" else found < self.threshold


def learned_gain(
    predictor: PredictedGain, data: RankingData, own: Floats, other: Floats, measure: Any
) -> PredictedGain:
    """A predictor of gain that has learned from these queries."""
    from riskrank.measures.evaluate import evaluate

    values = evaluate(data, {"model": own, "baseline": other}, parse_measure(measure)).matrix
    return predictor.learned(data, own, finite(other), difference(values[0], values[1]))
