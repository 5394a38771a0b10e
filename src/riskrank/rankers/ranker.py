"""What all rankers have in common: data in every form, baselines, validation, checkpoints, models on disk."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np

from riskrank.cores import usable_cores
from riskrank.data.baseline_scores import BaselineScores, baseline_scores
from riskrank.data.fingerprints import array_digest, fingerprint
from riskrank.errors import AlignmentError, FileError, ParameterError
from riskrank.measures import parse_measure
from riskrank.objectives.gain import Gain
from riskrank.objectives.lambdas import Lambdas
from riskrank.objectives.objective import Objective, objective_named
from riskrank.parameters import one_of, plain, positive, whole
from riskrank.progress import Progress
from riskrank.rankers import card as cards
from riskrank.rankers.estimator import BaseEstimator
from riskrank.rankers.fitting.checkpoint import Checkpoint, read_checkpoint
from riskrank.rankers.fitting.history import History
from riskrank.rankers.fitting.inputs import check_features, check_finite, features_of, training_data
from riskrank.rankers.fitting.loop import Learner, Side, Stopping, Trained, train
from riskrank.rankers.fitting.start import STARTS, finite, start_scale
from riskrank.rankers.fitting.validation import TARGET, validation_side, watched_value

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from riskrank.data.ranking_data import RankingData
    from riskrank.typing import Floats


R = TypeVar("R", bound="Ranker")
HISTORY = "history.json"
MODEL_FILES = ("model.txt", "model.json", "model.safetensors", "weights.json")  # of all kinds of rankers


class Ranker(BaseEstimator):  # type: ignore[misc]
    """Base of all rankers.

    A ranker says how it learns (`_learner`), what is left of that (`_adopt`), how it scores documents (`_score`) and
    which files it is kept in (`_files`, `_restore`).
    """

    unit: ClassVar[str]  # what a step of training adds: trees, epochs, rounds

    runs_in_threads: ClassVar[bool] = True  # can several of them be trained side by side in one process?

    measure: Any = "nDCG@10"  # for rankers that do not take an objective
    objective: Any = None
    early_stopping: int | None
    valid_measure: str | None
    n_threads: int | None
    random_state: int
    verbose: bool | None

    def fit(
        self: R,
        X: Any,  # noqa: N803 (scikit-learn's name)
        y: Any = None,
        *,
        qid: Any = None,
        group: Any = None,
        baseline: Any = None,
        valid: Any = None,
        valid_baseline: Any = None,
        checkpoint: str | os.PathLike[str] | None = None,
        checkpoint_every: int | None = None,
        resume: bool = False,
    ) -> R:
        """Train on `RankingData`, a LETOR file, or arrays with `qid` (any order) or `group`.

        `baseline`: a `Feature`, scores of the documents, a run, fitted rankers, or several of them. `valid`: more
        data (or a tuple X, y, qid); a baseline given as scores needs `valid_baseline` for it. `checkpoint`: a folder
        that gets the state of training every `checkpoint_every` steps and when it is interrupted; with `resume`,
        training goes on from there and ends in the very model that it would have given without interruption.
        """
        objective = self.training_objective
        self.check_parameters()
        every = self.checkpoint_every if checkpoint_every is None else checkpoint_every
        whole("checkpoint_every", every, 1)
        for name, value in (("valid_measure", self.valid_measure), ("valid_baseline", valid_baseline)):
            if value is not None and valid is None:
                raise ParameterError(f"{name} needs validation data: pass valid=.")
        data = training_data(X, y, qid=qid, group=group)
        check_features(data)
        baselines = baseline_scores(baseline, data, in_source_order=X is not data)
        data, baselines = self.training_view(data, baselines)
        lambdas = self._lambdas(objective, data, baselines)
        side, scale = self._side(lambdas, baselines)
        other = None
        if valid is not None:
            other = validation_side(valid, side, baseline, valid_baseline, len(baselines), scale, self.training_view)
        elif self.early_stopping is not None:
            raise ParameterError("early_stopping needs validation data: pass valid=.")
        folder = None if checkpoint is None else Path(checkpoint)
        if folder is not None and folder.exists() and not folder.is_dir():
            raise FileError(folder, "is a file; checkpoints need a folder.")
        if resume and folder is None:
            raise ParameterError("resume needs the checkpoint folder: pass checkpoint=.")
        identity = self._identity(objective, data, other, baselines)
        begun = read_checkpoint(folder, identity) if resume and folder is not None else None
        if begun is not None:
            lambdas.memory.update(begun.state["memory"])
        learner = self._learner(side, other, begun)
        judged = lambdas if other is None else other.lambdas
        watched = watched_value(self.valid_measure, judged) if self.uses_best_step(other is not None) else None
        stopping = Stopping(self.n_steps, self.early_stopping, watched, folder, every, identity)
        done = 0 if begun is None else begun.n_steps
        with Progress(f"{type(self).__name__} {objective!r}", self.n_steps, show=self.verbose, done=done) as progress:
            result = train(learner, side, other, stopping, progress, begun)
        self._keep(result, learner, objective, data, baselines, other, scale)
        for each in (lambdas, *([] if other is None else [other.lambdas])):
            each.close()
        if result.is_interrupted:
            raise KeyboardInterrupt
        return self

    def predict(self, X: Any, *, baseline: Any = None) -> Floats:  # noqa: N803 (scikit-learn's name)
        """A score for each document, in the order of `X`; `baseline` for a model that starts from one."""
        self._check_fitted()
        if isinstance(X, str | os.PathLike):
            X = training_data(X)  # noqa: N806 (scikit-learn's name)
        data = None if not hasattr(X, "query_offsets") else X
        features = features_of(X) if data is None else data.features
        if features.shape[1] != self.n_features_in_:
            raise AlignmentError(f"the model has {self.n_features_in_} features, the data have {features.shape[1]}.")
        check_finite(features, self.card_["first_feature"] if data is None else data.first_feature)
        scores = self._score(features)
        if self.start_scale_ is not None:
            scores = scores + self.start_scale_ * self._start_scores(data, features, baseline)
        return scores

    def score(
        self,
        X: Any,  # noqa: N803 (scikit-learn's name)
        y: Any = None,
        *,
        qid: Any = None,
        group: Any = None,
    ) -> float:
        """The mean of the measure over the queries, for scikit-learn's searches."""
        from riskrank.measures.evaluate import evaluate

        data = training_data(X, y, qid=qid, group=group)
        values = evaluate(data, {"model": self.predict(data)}, parse_measure(self.training_objective.measure))
        return float(values.matrix.mean())

    @property
    def label(self) -> str:
        """A short name, for tables."""
        return repr(self.training_objective)

    def importances(self) -> dict[str, Floats]:
        """Numbers that say how much each feature matters, by kind; empty if the model cannot tell."""
        return {}

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write the model: its own files, a JSON card and the history."""
        self._check_fitted()
        history = json.dumps(self.history_.to_json()).encode()
        cards.write_model(folder, self.card_, {**self.model_files(), HISTORY: history}, stale=MODEL_FILES)

    @classmethod
    def load(cls: type[R], folder: str | os.PathLike[str]) -> R:
        """A model that `save` wrote; no training data are needed."""
        card = cards.read_card(folder)
        kind = cls.__name__
        if card.get("kind") != kind:
            raise ParameterError(f"{folder} is a {card.get('kind')}, not a {kind}. Load it with riskrank.load.")
        try:
            parameters = dict(card["parameters"])
            if "objective" in card:
                parameters["objective"] = _objective_of(card["objective"])
            ranker = cls(**parameters)
            ranker.history_ = History.from_json(json.loads(cards.read_part(folder, HISTORY, card)))
            ranker._from_card(card)
            ranker._restore(Path(folder), lambda name: cards.read_part(folder, name, card))
        except (KeyError, TypeError, AttributeError) as error:
            raise FileError(Path(folder) / cards.NAME, f"is not the card of a {kind} ({error!r}).") from None
        return ranker

    # What a kind of ranker defines.

    def _learner(self, side: Side, valid: Side | None, begun: Checkpoint | None) -> Learner:
        raise NotImplementedError

    def adopt(self, learner: Any, result: Trained) -> None:
        """Take over the model from the learner."""
        raise NotImplementedError

    def _score(self, features: NDArray[np.float32]) -> Floats:
        raise NotImplementedError

    def model_files(self) -> dict[str, bytes]:
        """The files that a saved model consists of, by name."""
        raise NotImplementedError

    def _restore(self, folder: Path, part: Callable[[str], bytes]) -> None:
        """Take over the model from its files."""
        raise NotImplementedError

    @property
    def n_steps(self) -> int:
        """How many steps training has at most."""
        raise NotImplementedError

    @property
    def checkpoint_every(self) -> int:
        """Steps between checkpoints, unless a user says otherwise."""
        return 50

    def engine_versions(self) -> dict[str, str]:
        """The versions of the libraries that decide what is learned."""
        return {}

    def uses_best_step(self, has_valid: bool) -> bool:
        """Is the best step used, by the validation queries (or by the training queries), rather than the last?"""
        return has_valid and (self.early_stopping is not None or self.valid_measure is not None)

    def training_view(
        self, data: RankingData, baselines: list[BaselineScores]
    ) -> tuple[RankingData, list[BaselineScores]]:
        """The data with the labels, and of them the documents, that training goes by."""
        return data, baselines

    def _lambdas(self, objective: Objective, data: RankingData, baselines: list[BaselineScores]) -> Lambdas:
        return Lambdas(objective, data, baselines, n_threads=self._threads)

    def check_parameters(self) -> None:
        """Refuse parameters outside their domain, before any work."""
        objective = self.training_objective
        if not isinstance(objective, Objective):
            raise ParameterError(f"objective must be an objective like URisk('nDCG@10', alpha=5), got {objective!r}.")
        whole("early_stopping", self.early_stopping, 1, optional=True)
        whole("n_threads", self.n_threads, 1, optional=True)
        whole("random_state", self.random_state, 0)
        one_of("start", self._start, STARTS)
        positive("start_spread", getattr(self, "start_spread", 1.0))
        if self.valid_measure not in (None, TARGET):
            parse_measure(self.valid_measure).swap_deltas  # noqa: B018 (an unknown one raises here, before any work)

    # What is the same for all.

    @property
    def _threads(self) -> int:
        return int(self.n_threads or usable_cores())

    @property
    def _start(self) -> str:
        return str(getattr(self, "start", "zero"))

    def _side(self, lambdas: Lambdas, baselines: list[BaselineScores]) -> tuple[Side, float | None]:
        """The training side, and the scale of the baseline that it starts from."""
        if self._start == "zero":
            return Side(lambdas, None), None
        if len(baselines) != 1:
            raise ParameterError(f"start='baseline' needs exactly one baseline, got {len(baselines)}.")
        scale = start_scale(baselines[0], lambdas.data, getattr(self, "start_spread", 1.0))
        return Side(lambdas, scale * finite(baselines[0].scores)), scale

    def _identity(
        self, objective: Objective, data: RankingData, valid: Side | None, baselines: list[BaselineScores]
    ) -> dict[str, Any]:
        """What must be the same for training to go on from a checkpoint."""
        parameters = self.plain_parameters()
        for name in ("n_threads", "verbose"):
            parameters.pop(name)
        return {
            "ranker": type(self).__name__,
            "objective": objective.to_dict(),
            "training data": fingerprint(data),
            "validation data": None if valid is None else fingerprint(valid.lambdas.data),
            "baselines": {baseline.name: array_digest(baseline.scores) for baseline in baselines},
            "validation baselines": None if valid is None else array_digest(valid.lambdas.baseline_values),
            **parameters,
            "versions": self.engine_versions(),
        }

    def plain_parameters(self) -> dict[str, Any]:
        """The parameters but the objective, as JSON keeps them."""
        return {name: plain(value) for name, value in self.get_params(deep=False).items() if name != "objective"}

    def _keep(
        self,
        result: Trained,
        learner: Learner,
        objective: Objective,
        data: RankingData,
        baselines: list[BaselineScores],
        valid: Side | None,
        scale: float | None,
    ) -> None:
        self.history_ = result.history
        self._from_card(
            {
                "kind": type(self).__name__,
                "created": cards.now(),
                **({"objective": objective.to_dict()} if "objective" in self.get_params(deep=False) else {}),
                "parameters": self.plain_parameters(),
                self.unit: result.n_steps,
                f"best_{self.unit}": result.best_steps,
                "ending": result.ending,
                "features": data.n_features,
                "first_feature": data.first_feature,
                "baselines": [baseline.name for baseline in baselines],
                "needs_baseline": scale is not None,
                "start_scale": scale,
                "training_data": cards.described(data),
                "validation_data": None if valid is None else cards.described(valid.lambdas.data),
                "versions": cards.versions(**self.engine_versions()),
            }
        )
        self.adopt(learner, result)

    def _from_card(self, card: dict[str, Any]) -> None:
        self.card_ = {name: value for name, value in card.items() if name not in ("format", "files")}
        self.best_steps_ = int(card[f"best_{self.unit}"])
        self.n_features_in_ = int(card["features"])
        self.start_scale_ = card["start_scale"]

    def _start_scores(self, data: RankingData | None, features: Any, baseline: Any) -> Floats:
        name = self.card_["baselines"][0]
        if baseline is None and name.startswith("feature:"):
            number = int(name.removeprefix("feature:")) - self.card_["first_feature"]
            return finite(np.asarray(features[:, number], dtype=np.float64))
        if baseline is None:
            raise ParameterError(f"this model starts from its baseline ({name}): pass baseline= for these documents.")
        if data is None:
            scores = np.asarray(baseline, dtype=np.float64)
            if scores.shape != (len(features),):
                raise AlignmentError(f"baseline needs a score for each of the {len(features)} documents.")
            return finite(scores)
        return finite(baseline_scores(baseline, data)[0].scores)

    @property
    def training_objective(self) -> Objective:
        """What is optimised or, for rankers that optimise something else, what their history shows."""
        return Gain(self.measure) if self.objective is None else self.objective

    def _check_fitted(self) -> None:
        if not hasattr(self, "card_"):
            raise ParameterError(f"this {type(self).__name__} is not fitted yet. Call fit, or load a model.")


def _objective_of(described: dict[str, Any]) -> Objective | None:
    """The objective of a card; None for one of a user's own, which prediction does not need."""
    parameters = {name: value for name, value in described.items() if name != "objective"}
    try:
        return objective_named(described["objective"], **parameters)
    except ParameterError:
        return None
