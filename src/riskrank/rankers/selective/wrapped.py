"""What the rankers have in common that use a model on some queries only: the baseline ranks the others."""

from __future__ import annotations

import hashlib
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np

from riskrank.data.baseline_scores import BaselineScores, baseline_scores, count_baselines, holds_document_scores
from riskrank.data.feature import Feature
from riskrank.data.ranking_data import RankingData
from riskrank.errors import FileError, ParameterError
from riskrank.measures import parse_measure
from riskrank.parameters import plain
from riskrank.rankers import card as cards
from riskrank.rankers import load
from riskrank.rankers.estimator import BaseEstimator
from riskrank.rankers.fitting.inputs import features_of, training_data
from riskrank.rankers.fitting.start import finite
from riskrank.rankers.ranker import HISTORY, MODEL_FILES, Ranker

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from riskrank.typing import Floats


W = TypeVar("W", bound="Wrapped")
MODEL = "model"  # the folder of the model within


class Wrapped(BaseEstimator):  # type: ignore[misc]
    """Base of rankers around a ranker: queries that `_uses_model` picks get its scores, others the baseline's."""

    own: ClassVar[tuple[str, ...]]  # the parameters beside the ranker
    ranker: Any

    def fit(
        self: W,
        X: Any,  # noqa: N803 (scikit-learn's name)
        y: Any = None,
        *,
        qid: Any = None,
        group: Any = None,
        baseline: Any = None,
        valid: Any = None,
        valid_baseline: Any = None,
        **options: Any,
    ) -> W:
        """Train the ranker within, as its own `fit` does; `baseline` also ranks the queries that it is not used on."""
        self.check_parameters()
        if not isinstance(self.ranker, Ranker):
            raise ParameterError(f"ranker must be a ranker like LambdaMART(), got {self.ranker!r}.")
        self._check_fit(baseline, has_valid=valid is not None)
        model: Ranker = type(self.ranker)(**self.ranker.get_params(deep=False))
        model.fit(X, y, qid=qid, group=group, baseline=baseline, valid=valid, valid_baseline=valid_baseline, **options)
        other = baseline if valid_baseline is None else valid_baseline
        return self._around(model, baseline, valid, other)

    @classmethod
    def of(cls: type[W], model: Ranker, *, baseline: Any, valid: Any = None, **parameters: Any) -> W:
        """Around a model that is trained already; `valid`: labelled queries for what has to be learned still."""
        if not isinstance(model, Ranker) or not hasattr(model, "card_"):
            raise ParameterError("of() takes a fitted ranker; use fit to train one.")
        wrapped = cls(model, **parameters)
        wrapped.check_parameters()
        wrapped._check_fit(baseline, has_valid=valid is not None)
        return wrapped._around(model, baseline, valid, baseline)

    def _check_fit(self, baseline: Any, *, has_valid: bool) -> None:  # noqa: ARG002 (for those that learn from it)
        """Refuse, before any training, what cannot be used after it."""
        if baseline is None:
            raise ParameterError(f"{type(self).__name__} needs the baseline that ranks the other queries: baseline=.")
        if count_baselines(baseline) != 1:
            raise ParameterError(f"{type(self).__name__} needs exactly one baseline, got {count_baselines(baseline)}.")

    def _around(self: W, model: Ranker, baseline: Any, valid: Any, valid_baseline: Any) -> W:
        self.ranker_ = model
        self.baseline_ = None if holds_document_scores(baseline) else baseline  # scores belong to one set of documents
        self._learn(valid, valid_baseline)
        self.card_ = {
            "kind": type(self).__name__,
            "created": cards.now(),
            "parameters": {name: plain(getattr(self, name)) for name in self.own},
            "baselines": [_name_of(baseline)],
            "needs_baseline": True,
            "features": model.card_["features"],
            "first_feature": model.card_["first_feature"],
            "training_data": model.card_["training_data"],
            "versions": model.card_["versions"],
            **self._learned(),
        }
        return self

    def predict(
        self,
        X: Any,  # noqa: N803 (scikit-learn's name)
        *,
        baseline: Any = None,
        qid: Any = None,
        group: Any = None,
    ) -> Floats:
        """A score for each document, comparable within its query; arrays need `qid` or `group`."""
        self._check_fitted()
        if isinstance(X, RankingData | str | os.PathLike):
            return self._chosen(training_data(X), baseline)
        features = features_of(X)
        if (qid is None) == (group is None):
            raise ParameterError(f"{type(self).__name__} goes by the query: pass RankingData, or arrays with qid=.")
        numbered = RankingData.from_arrays(features, np.zeros(len(features)), qid=qid, group=group)
        data = replace(numbered, first_feature=self.card_["first_feature"])
        return data.to_source_order(self._chosen(data, baseline, in_source_order=True))

    def _chosen(self, data: RankingData, baseline: Any, *, in_source_order: bool = False) -> Floats:
        own, other = self.both_scores(data, baseline, in_source_order=in_source_order)
        return np.where(self._uses_model(data, own, finite(other))[data.query_numbers], own, other)

    def both_scores(
        self, data: RankingData, baseline: Any = None, *, in_source_order: bool = False
    ) -> tuple[Floats, Floats]:
        """The scores of the model and of the baseline (−inf for documents that it did not retrieve)."""
        self._check_fitted()
        found = self._baseline(data, baseline, in_source_order)
        return self._model_scores(data, found), found.scores

    def _model_scores(self, data: RankingData, baseline: BaselineScores) -> Floats:
        if not self.ranker_.card_["needs_baseline"]:
            return self.ranker_.predict(data)
        return self.ranker_.predict(data, baseline=finite(baseline.scores))

    def uses_model(self, X: Any, *, baseline: Any = None) -> NDArray[np.bool_]:  # noqa: N803 (scikit-learn's name)
        """The queries that the model ranks."""
        data = training_data(X)
        own, other = self.both_scores(data, baseline)
        return self._uses_model(data, own, finite(other))

    def score(
        self,
        X: Any,  # noqa: N803 (scikit-learn's name)
        y: Any = None,
        *,
        qid: Any = None,
        group: Any = None,
    ) -> float:
        """The mean of the ranker's measure over the queries."""
        from riskrank.measures.evaluate import evaluate

        self._check_fitted()
        data = training_data(X, y, qid=qid, group=group)
        measure = parse_measure(self.ranker_.training_objective.measure)
        return float(evaluate(data, {"model": self.predict(data)}, measure).matrix.mean())

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write the model within to a folder of its own, and the card beside it."""
        self._check_fitted()
        cards.check_place(folder)
        self.ranker_.save(Path(folder) / MODEL)
        cards.write_parts(folder, {**self.card_, "model": _digest(folder)}, {}, stale=(*MODEL_FILES, HISTORY))

    @classmethod
    def load(cls: type[W], folder: str | os.PathLike[str]) -> W:
        """A model that `save` wrote."""
        card = cards.read_card(folder)
        if card.get("kind") != cls.__name__:
            raise ParameterError(f"{folder} is a {card.get('kind')}, not a {cls.__name__}. Load it with riskrank.load.")
        model = load(Path(folder) / MODEL)
        try:
            if card["model"] != _digest(folder):
                raise FileError(Path(folder) / MODEL, "is not the model that the card belongs to. Save it again.")
            wrapped = cls(model, **cls._parameters_of(card))
            wrapped.check_parameters()
            name = card["baselines"][0]
            wrapped.baseline_ = Feature(int(name.removeprefix("feature:"))) if name.startswith("feature:") else None
            wrapped.ranker_ = model
            wrapped.card_ = {key: value for key, value in card.items() if key not in ("format", "files", "model")}
            wrapped._restore(card)
        except (KeyError, IndexError, TypeError, AttributeError, ValueError, ParameterError) as error:
            if isinstance(error, FileError):
                raise
            raise FileError(Path(folder) / cards.NAME, f"is not the card of a {cls.__name__} ({error!r}).") from None
        return wrapped

    # What a kind defines.

    def check_parameters(self) -> None:
        raise NotImplementedError

    def _uses_model(self, data: RankingData, own: Floats, other: Floats) -> NDArray[np.bool_]:
        raise NotImplementedError

    def _learn(self, valid: Any, baseline: Any) -> None:
        """Learn what is not given."""

    def _learned(self) -> dict[str, Any]:
        """What was learned, for the card."""
        return {}

    def _restore(self, card: dict[str, Any]) -> None:
        """Take it back from the card."""

    @classmethod
    def _parameters_of(cls, card: dict[str, Any]) -> dict[str, Any]:
        return dict(card["parameters"])

    # What is the same for all.

    @property
    def n_features_in_(self) -> int:
        """How many features."""
        return self.ranker_.n_features_in_

    @property
    def history_(self) -> Any:
        """How the ranker within was trained."""
        return self.ranker_.history_

    @property
    def unit(self) -> str:
        """What its training counted."""
        return self.ranker_.unit

    @property
    def label(self) -> str:
        """A short name, for tables."""
        return f"{type(self).__name__} {self.ranker.label}"

    def importances(self) -> dict[str, Floats]:
        """How much each feature matters to the model within."""
        return self.ranker_.importances()

    def _baseline(self, data: RankingData, given: Any, in_source_order: bool) -> BaselineScores:
        chosen = self.baseline_ if given is None else given
        if chosen is None:
            name = self.card_["baselines"][0]
            raise ParameterError(f"{type(self).__name__} needs its baseline ({name}): pass baseline=.")
        if count_baselines(chosen) != 1:
            raise ParameterError(f"{type(self).__name__} needs exactly one baseline, got {count_baselines(chosen)}.")
        return baseline_scores(chosen, data, in_source_order=in_source_order)[0]

    def _check_fitted(self) -> None:
        if not hasattr(self, "card_"):
            raise ParameterError(f"this {type(self).__name__} is not fitted yet. Call fit or of, or load a model.")


def _digest(folder: str | os.PathLike[str]) -> str:
    """Of the model within; its card holds the digests of its other files."""
    return hashlib.sha256((Path(folder) / MODEL / cards.NAME).read_bytes()).hexdigest()


def _name_of(baseline: Any) -> str:
    """As a card names it; only features can be found again by their name."""
    if isinstance(baseline, str) and baseline.startswith("feature:"):
        return baseline
    return str(baseline) if isinstance(baseline, Feature) else str(getattr(baseline, "label", "given"))
