"""Selective: the model ranks the queries where a predictor says that it will help."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from riskrank.data.baseline_scores import baseline_scores, lacking_last
from riskrank.errors import ParameterError
from riskrank.parameters import any_number, one_of
from riskrank.rankers.fitting.inputs import training_data
from riskrank.rankers.selective.query_predictors import (
    PredictedGain,
    QueryPredictor,
    parse_predictor,
    read_predictor,
)
from riskrank.rankers.selective.wrapped import Wrapped
from riskrank.risk.paired import difference
from riskrank.typing import SIDES

if TYPE_CHECKING:
    from pathlib import Path

    from riskrank.data.ranking_data import RankingData
    from riskrank.rankers.model_records import WrapperCard
    from riskrank.rankers.ranker import Ranker
    from riskrank.typing import BaselineLike, Booleans, Floats, LabelledLike, MeasureLike, SideName


class Selective(Wrapped):
    """Use the model only on queries whose predictor lies above (or below) a threshold; the baseline on the others.

    After Wang et al. 2012, §5.3.

    Parameters
    ----------
    ranker
        What `fit` trains.
    predictor
        An `Aggregate` of a feature, its `Entropy`, the model's `Confidence`, or `PredictedGain` (default), which learns
        from validation queries; or the text of one (``"max feature:110"``).
    threshold, apply
        The limit, and on which side of it the model is used: ``"above"`` or ``"below"``.
    """

    own_parameters = ("threshold", "apply")

    def __init__(
        self,
        ranker: Ranker | None = None,
        *,
        predictor: QueryPredictor | str | None = None,
        threshold: float = 0.0,
        apply: SideName = "above",
    ) -> None:
        self.ranker = ranker
        self.predictor = predictor
        self.threshold = threshold
        self.apply = apply

    @classmethod
    def of(
        cls,
        model: Ranker,
        *,
        baseline: BaselineLike,
        valid: LabelledLike | None = None,
        predictor: QueryPredictor | str | None = None,
        threshold: float = 0.0,
        apply: SideName = "above",
    ) -> Self:
        """Around a model that is trained already; `valid`: labelled queries that the predictor learns from."""
        return cls(model, predictor=predictor, threshold=threshold, apply=apply).around_fitted(baseline, valid)

    def check_parameters(self) -> None:
        self._given()
        any_number("threshold", self.threshold)
        one_of("apply", self.apply, SIDES)

    def _given(self) -> QueryPredictor:
        if self.predictor is None:
            return PredictedGain()
        if isinstance(self.predictor, str):
            return parse_predictor(self.predictor)
        predictor: object = self.predictor
        if not isinstance(predictor, QueryPredictor):
            raise ParameterError(f"predictor must be one like Aggregate('max', 110), got {predictor!r}.")
        return predictor

    def check_fit(self, baseline: BaselineLike | None, *, has_valid: bool) -> None:
        super().check_fit(baseline, has_valid=has_valid)
        predictor = self._given()
        if isinstance(predictor, PredictedGain) and not predictor.weights and not has_valid:
            raise ParameterError("a predictor of gain learns from validation queries: pass valid=.")

    def learn(self, valid: LabelledLike | None, baseline: BaselineLike | None) -> None:
        self.predictor_ = self._given()
        if valid is not None and isinstance(self.predictor_, PredictedGain) and not self.predictor_.weights:
            data = training_data(valid)
            other = baseline_scores(baseline, data, in_source_order=valid is not data)[0]
            own = self.model_scores(data, other)
            measure = self.ranker_.training_objective.measure
            self.predictor_ = learned_gain(self.predictor_, data, own, other.scores, measure)

    def learned(self) -> dict[str, Any]:
        return {"predictor": self.predictor_.to_dict()}

    def restore(self, card: WrapperCard, path: Path) -> None:
        self.predictor_ = self.predictor = read_predictor(card.predictor, path)

    def predicted(self, data: RankingData, *, baseline: BaselineLike | None = None) -> Floats:
        """What the predictor says of each query."""
        own, other = self.both_scores(data, baseline)
        return self.predictor_.values(data, own, lacking_last(other, data))

    def chooses_model(self, data: RankingData, own: Floats, other: Floats) -> Booleans:
        predicted = self.predictor_.values(data, own, other)
        return predicted > self.threshold if self.apply == "above" else predicted < self.threshold


def learned_gain(
    predictor: PredictedGain, data: RankingData, own: Floats, other: Floats, measure: MeasureLike
) -> PredictedGain:
    """A predictor of gain that has learned from these queries."""
    from riskrank.measures.evaluate import evaluate

    values = evaluate(data, {"model": own, "baseline": other}, measure).matrix
    return predictor.learned(data, own, lacking_last(other), difference(values[0], values[1]))
