"""What the rankers have in common that use a model on some queries only: the baseline ranks the others."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from riskrank.data.baseline_scores import (
    BaselineScores,
    baseline_scores,
    count_baselines,
    holds_document_scores,
    lacking_last,
)
from riskrank.data.feature import Feature, feature_of
from riskrank.data.feature_tables.frame_columns import coded_features
from riskrank.data.feature_tables.query_column import without_query_column
from riskrank.data.ranking_data import RankingData
from riskrank.errors import FileError, ParameterError
from riskrank.files.records import decode
from riskrank.parameters import without_numpy
from riskrank.rankers import card as cards
from riskrank.rankers import restored_ranker
from riskrank.rankers.estimator import BaseEstimator, NotFittedError
from riskrank.rankers.fitting.eval_sets import validation_queries
from riskrank.rankers.fitting.inputs import documents_of, training_data
from riskrank.rankers.model_records import WrapperCard
from riskrank.rankers.ranker import Ranker, mean_effectiveness

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from riskrank.data.feature_columns import FeatureColumns
    from riskrank.rankers.explaining.permutation import PermutationImportance
    from riskrank.rankers.fitting.history import History
    from riskrank.rankers.selective.query_predictors import QueryPredictor
    from riskrank.typing import (
        BaselineLike,
        Booleans,
        DataLike,
        EvalSetLike,
        Floats,
        Ids,
        LabelledLike,
        MeasureLike,
        Numbers,
        PathLike,
        QuantityName,
        WeightsLike,
    )

# In its card and in ours; categories only where there are some.
OF_THE_MODEL = ("features", "first_feature", "feature_names", "categories", "training_data", "versions")


class Wrapped(BaseEstimator):
    """Base of rankers around a ranker: queries that `chooses_model` picks get its scores, others the baseline's.

    A kind defines its parameters (`own_parameters`, `check_parameters`) and which queries the model ranks
    (`chooses_model`); it may learn something from validation queries (`learn`, `learned`, `restore`).
    """

    own_parameters: ClassVar[tuple[str, ...]]  # beside the ranker
    ranker: Ranker | None

    def __init__(self, ranker: Ranker | None = None, **parameters: float | str | QueryPredictor | None) -> None:
        raise NotImplementedError

    def fit(
        self,
        X: DataLike,
        y: Numbers | None = None,
        *,
        qid: Ids | None = None,
        group: Numbers | None = None,
        weights: WeightsLike | None = None,
        baseline: BaselineLike | None = None,
        valid: LabelledLike | None = None,
        valid_baseline: BaselineLike | None = None,
        eval_set: EvalSetLike | None = None,
        eval_qid: Sequence[Ids] | None = None,
        eval_group: Sequence[Numbers] | None = None,
        checkpoint: PathLike | None = None,
        checkpoint_every: int | None = None,
        resume: bool = False,
        keep_checkpoint: bool = False,
    ) -> Self:
        """Train the ranker within, as its own `fit` does; `baseline` also ranks the queries that it is not used on."""
        self.check_parameters()
        if not isinstance(self.ranker, Ranker):
            raise ParameterError(f"ranker must be a ranker like LambdaMART(), got {self.ranker!r}.")
        valid = validation_queries(valid, eval_set, eval_qid, eval_group)
        self.check_fit(baseline, has_valid=valid is not None)
        model = type(self.ranker)(**self.ranker.get_params(deep=False))
        model.fit(
            X, y, qid=qid, group=group, weights=weights, baseline=baseline, valid=valid, valid_baseline=valid_baseline,
            checkpoint=checkpoint, checkpoint_every=checkpoint_every, resume=resume,
            keep_checkpoint=keep_checkpoint,
        )  # fmt: skip
        return self.around(model, baseline, valid, baseline if valid_baseline is None else valid_baseline)

    def around_fitted(self, baseline: BaselineLike, valid: LabelledLike | None = None) -> Self:
        """Be the fitted ranker around one that is trained already; `valid`: for what has to be learned still."""
        if not isinstance(self.ranker, Ranker) or not hasattr(self.ranker, "card_"):
            raise ParameterError("of() takes a fitted ranker; use fit to train one.")
        self.check_parameters()
        self.check_fit(baseline, has_valid=valid is not None)
        return self.around(self.ranker, baseline, valid, baseline)

    def predict(
        self, X: DataLike, *, baseline: BaselineLike | None = None, qid: Ids | None = None, group: Numbers | None = None
    ) -> Floats:
        """A score for each document, comparable within its query; arrays need `qid` or `group`, frames a column qid."""
        self.check_fitted()
        given = documents_of(X, self.columns_)
        if isinstance(given, RankingData):
            return self._chosen(given, baseline)
        columns, ids = without_query_column(given, self.ranker_.columns_.names or ())
        features, feature_names, categories = coded_features(columns, model=self.columns_)
        qid = ids if qid is None and group is None else qid
        if (qid is None) == (group is None):
            raise ParameterError(f"{type(self).__name__} goes by the query: pass RankingData, or arrays with qid=.")
        labels = np.zeros(len(features))
        numbered = RankingData.from_arrays(features, labels, qid=qid, group=group, feature_names=feature_names)
        data = replace(numbered, first_feature=self.card_["first_feature"], categories=categories)
        return data.to_source_order(self._chosen(data, baseline, in_source_order=True))

    def both_scores(
        self, data: RankingData, baseline: BaselineLike | None = None, *, in_source_order: bool = False
    ) -> tuple[Floats, Floats]:
        """The scores of the model and of the baseline (−inf for documents that it did not retrieve)."""
        self.check_fitted()
        chosen = self.baseline_ if baseline is None else baseline
        if chosen is None:
            name = self.card_["baselines"][0]
            raise ParameterError(f"{type(self).__name__} needs its baseline ({name}): pass baseline=.")
        self._check_one(chosen)
        other = baseline_scores(chosen, data, in_source_order=in_source_order)[0]
        return self.model_scores(data, other), other.scores

    def model_scores(self, data: RankingData, baseline: BaselineScores) -> Floats:
        """The scores of the model, which may start from the baseline's."""
        if not self.ranker_.card_["needs_baseline"]:
            return self.ranker_.predict(data)
        return self.ranker_.predict(data, baseline=baseline.finite_among(data))

    def uses_model(self, X: DataLike, *, baseline: BaselineLike | None = None) -> Booleans:
        """The queries that the model ranks."""
        self.check_fitted()
        data = training_data(documents_of(X, self.columns_))
        own, other = self.both_scores(data, baseline)
        return self.chooses_model(data, own, lacking_last(other, data))

    def score(
        self,
        X: DataLike,
        y: Numbers | None = None,
        *,
        qid: Ids | None = None,
        group: Numbers | None = None,
        baseline: BaselineLike | None = None,
    ) -> float:
        """The mean of the ranker's measure over the queries."""
        self.check_fitted()
        data = training_data(X, y, qid=qid, group=group)
        scores = self._chosen(data, baseline, in_source_order=not isinstance(X, RankingData))
        return mean_effectiveness(data, scores, self.ranker_.training_objective.measure)

    def save(self, folder: PathLike) -> None:
        """Write the model within to a folder of its own, and the card beside it."""
        cards.write_model(folder, self.saved_files())

    def saved_files(self) -> dict[str, bytes]:
        """All that `save` writes, by name."""
        self.check_fitted()
        return cards.with_card(self.card_, {}, within=self.ranker_.saved_files())

    @classmethod
    def load(cls, folder: PathLike) -> Self:
        """A model that `save` wrote."""
        return cls.restored(cards.saved_model(folder))

    @classmethod
    def restored(cls, saved: cards.SavedModel) -> Self:
        """A model of its card and files."""
        kind = cls.__name__
        if saved.card.get("kind") != kind:
            raise ParameterError(
                f"{saved.folder} is a {saved.card.get('kind')}, not a {kind}. Load it with riskrank.load."
            )
        card = decode(WrapperCard, saved.card, saved.path)
        model = restored_ranker(saved.within())
        if card.model != saved.digest_within():
            raise FileError(saved.folder / cards.MODEL, "is not the model that the card belongs to. Save it again.")
        parameters: dict[str, Any] = dict(card.parameters)
        with cards.parameters_told(saved.path):
            wrapped = cls(model, **parameters)
            wrapped.check_parameters()
        try:
            wrapped.baseline_ = Feature.meant_by(card.baselines[0])
        except FileError as error:
            raise FileError(saved.path, f"baselines: {error.reason}") from None
        wrapped.ranker_ = model
        wrapped.card_ = {key: value for key, value in saved.card.items() if key not in ("format", "files", cards.MODEL)}
        wrapped.restore(card, saved.path)
        return wrapped

    # What a kind defines.

    def check_parameters(self) -> None:
        """Refuse parameters outside their domain."""
        raise NotImplementedError

    def chooses_model(self, data: RankingData, own: Floats, other: Floats) -> Booleans:
        """The queries that the model ranks, by its scores and the baseline's."""
        raise NotImplementedError

    # What it may define.

    def check_fit(self, baseline: BaselineLike | None, *, has_valid: bool) -> None:
        """Refuse, before any training, what cannot be used after it."""
        if baseline is None:
            raise ParameterError(f"{type(self).__name__} needs the baseline that ranks the other queries: baseline=.")
        self._check_one(baseline)

    def learn(self, valid: LabelledLike | None, baseline: BaselineLike | None) -> None:
        """Learn what is not given."""

    def learned(self) -> dict[str, Any]:
        """What was learned, for the card."""
        return {}

    def restore(self, card: WrapperCard, path: Path) -> None:
        """Take it back from the card; `path` is for messages."""

    # What is the same for all.

    @property
    def n_features_in_(self) -> int:
        return self.ranker_.n_features_in_

    @property
    def columns_(self) -> FeatureColumns:
        """How the features of the model within are called."""
        return self.ranker_.columns_

    @property
    def feature_names_in_(self) -> NDArray[np.object_]:
        """The names of the features, where they have some."""
        return self.ranker_.feature_names_in_

    @property
    def history_(self) -> History:
        """How the ranker within was trained."""
        return self.ranker_.history_

    @property
    def unit(self) -> str:
        """What its training counted."""
        return self.ranker_.unit

    @property
    def label(self) -> str:
        model: Ranker | None = getattr(self, "ranker_", self.ranker)
        return type(self).__name__ if model is None else f"{type(self).__name__} {model.label}"

    def importances(self) -> dict[str, Floats]:
        """How much each feature matters to the model within."""
        return self.ranker_.importances()

    def contributions(self, X: DataLike, *, baseline: BaselineLike | None = None) -> Floats:
        """What each feature adds to the scores of the model within; `uses_model` tells which queries it ranks."""
        self.check_fitted()
        given = self.baseline_ if baseline is None else baseline
        return self.ranker_.contributions(X, baseline=given if self.ranker_.card_["needs_baseline"] else None)

    def permutation_importance(
        self,
        data: LabelledLike,
        *,
        measure: MeasureLike | None = None,
        baseline: BaselineLike | None = None,
        target: QuantityName = "gain",
        alpha: float | None = None,
        repeats: int = 5,
        random_state: int = 0,
    ) -> PermutationImportance:
        """That of the model within, on the queries that it ranks; against the baseline that ranks the others."""
        queries, other = self.ranked_by_model(
            training_data(data), baseline, in_source_order=not isinstance(data, RankingData)
        )
        return self.ranker_.permutation_importance(
            queries, measure=measure, baseline=other, target=target, alpha=alpha, repeats=repeats,
            random_state=random_state,
        )  # fmt: skip

    def ranked_by_model(
        self, data: RankingData, baseline: BaselineLike | None = None, *, in_source_order: bool = False
    ) -> tuple[RankingData, dict[str, Floats]]:
        """The queries that the model ranks, and the scores of the baseline there, by its name."""
        self.check_fitted()
        own, other = self.both_scores(data, baseline, in_source_order=in_source_order)
        chosen = self.chooses_model(data, own, lacking_last(other, data))
        if not chosen.any():
            raise ParameterError("the model ranks none of these queries.")
        return data.take(chosen), {self.card_["baselines"][0]: other[chosen[data.query_numbers]]}

    def around(
        self,
        model: Ranker,
        baseline: BaselineLike | None,
        valid: LabelledLike | None,
        valid_baseline: BaselineLike | None,
    ) -> Self:
        """Be the fitted ranker around a model."""
        self.ranker_ = model
        self.baseline_ = None if holds_document_scores(baseline) else baseline  # scores belong to one set of documents
        self.learn(valid, valid_baseline)
        self.card_ = {
            "kind": type(self).__name__,
            "created": cards.now(),
            "parameters": {name: without_numpy(getattr(self, name)) for name in self.own_parameters},
            "baselines": [_name_of(baseline)],
            "needs_baseline": True,
            **{name: model.card_[name] for name in OF_THE_MODEL if name in model.card_},
            **self.learned(),
        }
        return self

    def _chosen(self, data: RankingData, baseline: BaselineLike | None, *, in_source_order: bool = False) -> Floats:
        own, other = self.both_scores(data, baseline, in_source_order=in_source_order)
        chosen = self.chooses_model(data, own, lacking_last(other, data))
        return np.where(chosen[data.query_numbers], own, other)

    def _check_one(self, baseline: BaselineLike) -> None:
        if count_baselines(baseline) != 1:
            raise ParameterError(f"{type(self).__name__} needs exactly one baseline, got {count_baselines(baseline)}.")

    def check_fitted(self) -> None:
        """Refuse to be used before it has learned."""
        if not hasattr(self, "card_"):
            raise NotFittedError(f"this {type(self).__name__} is not fitted yet. Call fit or of, or load a model.")


def _name_of(baseline: object) -> str:
    """As a card names it; only features can be told by their name again."""
    is_feature = isinstance(baseline, Feature) or (isinstance(baseline, str) and feature_of(baseline) is not None)
    return str(baseline if is_feature else getattr(baseline, "label", "given"))
