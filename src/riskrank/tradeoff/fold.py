"""One split of a sweep: its baseline's scores, training of its models, and how they are judged."""

from __future__ import annotations

import contextlib
import hashlib
import json
import shutil
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.assessment.rank_changes import rank_changes
from riskrank.data.baseline_scores import baseline_scores
from riskrank.data.fingerprints import array_digest, whole_fingerprint
from riskrank.errors import FileError, ParameterError, RiskrankError
from riskrank.measures.evaluate import evaluate
from riskrank.rankers.fitting.start import finite
from riskrank.rankers.selective.query_predictors import PredictedGain, QueryPredictor
from riskrank.rankers.selective.selective import learned_gain
from riskrank.risk.outcomes import gain, risk
from riskrank.tradeoff.judged import Judged
from riskrank.tradeoff.store import Finished, read_finished, write_finished

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from riskrank.data.ranking_data import RankingData
    from riskrank.rankers.ranker import Ranker
    from riskrank.tradeoff.grid import Setting
    from riskrank.tradeoff.query_splits import Split
    from riskrank.typing import Floats


N_THRESHOLDS = 20


class Fold:
    """One split: its baseline's scores, and how models are judged on it."""

    def __init__(
        self,
        number: int,
        split: Split,
        baseline: Any,
        measure: Any,
        others: list[Any],
        predictors: dict[str, QueryPredictor],
        place: Path | None,
    ) -> None:
        self.number, self.split, self.baseline, self.place = number, split, baseline, place
        self.measure, self.others, self.predictors = measure, others, predictors
        sides = {"train": split.train, **split.sets}
        self.scores: dict[str, Floats] = {}
        self.values: dict[str, Floats] = {}
        self.others_of_baseline: dict[str, dict[str, float]] = {}
        for name, data in sides.items():
            several = baseline_scores(baseline, data)
            self.baseline_names = [each.name for each in several]
            found = evaluate(data, {each.name: each.scores for each in several}, [measure, *others])
            self.values[name] = found[str(measure)].matrix.mean(axis=0)  # several count by their within-query mean
            self.others_of_baseline[name] = {str(each): float(found[str(each)].matrix.mean()) for each in others}
            self.scores[name] = several[0].scores
        for predictor in predictors.values():
            _check_predictor(predictor, split)
        self.known_predictors: dict[str, QueryPredictor] = {}
        self._prints = {name: whole_fingerprint(data) for name, data in sides.items()}
        self._baselines = {name: array_digest(np.concatenate([self.values[name], self.scores[name]])) for name in sides}

    def digests(self, ranker: Ranker) -> tuple[str, str]:
        """Of all that decides what a model is, and of all that decides how it is judged."""
        parameters = ranker.plain_parameters()
        for name in ("n_threads", "verbose"):
            parameters.pop(name)
        learned_from = ("train", "valid")
        model = [
            type(ranker).__name__, parameters, ranker.training_objective.to_dict(), ranker.engine_versions(),
            str(self.measure),
            {name: self._prints.get(name) for name in learned_from},
            {name: self._baselines.get(name) for name in learned_from},
        ]  # fmt: skip
        judging = [self._prints, self._baselines, [str(each) for each in self.others]]
        return _digest(model), _digest(judging)

    def train(self, setting: Setting, ranker: Ranker, n_threads: int | None) -> tuple[Any, Finished]:
        """A model of this fold, from its folder if it is there already."""
        folder = None if self.place is None else setting.place(self.place, self.number)
        digest, judging = self.digests(ranker)
        if folder is not None:
            known = read_finished(folder, digest)
            with contextlib.suppress(RiskrankError):
                if known is not None:
                    kept = type(ranker).load(folder)
                    if known.judged != judging:
                        with _threads(kept, n_threads):
                            known = self._finished(kept, digest, judging)
                        write_finished(folder, known)
                    return kept, known
            if folder.exists():
                shutil.rmtree(folder)  # half written, damaged, or a model of other data
            folder.parent.mkdir(parents=True, exist_ok=True)
        model: Ranker = type(ranker)(**ranker.get_params(deep=False))
        model.verbose = False
        model.n_threads = ranker.n_threads if n_threads is None else n_threads
        options: dict[str, Any] = {}
        if folder is not None:
            checkpoint = folder.with_name(f"{folder.name}.checkpoint")
            options = {"checkpoint": checkpoint, "resume": checkpoint.exists()}
        try:
            model.fit(self.split.train, baseline=self.baseline, valid=self.split.valid, **options)
        except (ParameterError, FileError):
            if not options.get("resume"):
                raise
            model.fit(self.split.train, baseline=self.baseline, valid=self.split.valid, checkpoint=checkpoint)
        model.n_threads, model.verbose = ranker.n_threads, ranker.verbose
        model.card_["parameters"] |= {"n_threads": ranker.n_threads, "verbose": ranker.verbose}
        with _threads(model, n_threads):
            found = self._finished(model, digest, judging)
        if folder is not None:
            model.save(folder)
            write_finished(folder, found)
        return model, found

    def _finished(self, model: Ranker, digest: str, judging: str) -> Finished:
        sets = {}
        for name, data in self.split.sets.items():
            scores = self.predict(model, name, data)
            found = evaluate(data, {"model": scores}, [self.measure, *self.others])
            runs = {"baseline": finite(self.scores[name]), "model": scores}
            change = rank_changes(runs, "baseline", data=data)["model"]
            sets[name] = {
                "query": list(data.query_ids),
                "baseline": self.values[name],
                "effectiveness": found[str(self.measure)]["model"],
                "kendall_distance": (1 - change.tau_per_topic) / 2,
                "is_reranked": change.is_reranked,
                **{str(each): found[str(each)]["model"] for each in self.others},
            }
        own = evaluate(self.split.train, {"model": self.predict(model, "train", self.split.train)}, self.measure)
        history = model.history_
        curve = history["valid_effectiveness"]
        if np.isnan(curve).all():
            curve = history["train_effectiveness"]
        return Finished(
            digest=digest,
            judged=judging,
            train_gain=gain(own["model"], self.values["train"]),
            train_risk=risk(own["model"], self.values["train"]),
            learning=curve,
            unit=model.unit,
            sets=sets,
        )

    def predict(self, model: Any, name: str, data: RankingData) -> Floats:
        """A model's scores."""
        if not model.card_["needs_baseline"]:
            return np.asarray(model.predict(data))
        return np.asarray(model.predict(data, baseline=finite(self.scores[name])))

    def predicted(self, model: Any) -> tuple[dict[str, dict[str, Floats]], dict[str, Floats]]:
        """What each predictor says of each query, and thresholds that training queries are divided by."""
        values: dict[str, dict[str, Floats]] = {name: {} for name in self.split.sets}
        limits: dict[str, Floats] = {}
        if not self.predictors:
            return values, limits
        sides = {"train": self.split.train, **self.split.sets}
        scores = {name: self.predict(model, name, data) for name, data in sides.items()}
        for label, predictor in self.predictors.items():
            known = predictor
            if isinstance(known, PredictedGain) and not known.weights:
                assert self.split.valid is not None  # noqa: S101 (checked at the beginning)
                known = learned_gain(known, self.split.valid, scores["valid"], self.scores["valid"], self.measure)
            found = {n: known.values(data, scores[n], finite(self.scores[n])) for n, data in sides.items()}
            limits[label] = np.quantile(found["train"], np.linspace(0, 1, N_THRESHOLDS + 1))
            self.known_predictors[label] = known
            for name, by_predictor in values.items():
                by_predictor[label] = found[name]
        return values, limits

    def judged(self, models: list[Finished], predicted: dict[str, dict[str, Floats]]) -> dict[str, Judged]:
        """All models on each set of queries."""
        found = {}
        for name, data in self.split.sets.items():
            tables = [model.sets[name] for model in models]

            def rows(column: str, tables: Any = tables) -> Any:
                return np.array([table[column] for table in tables])

            found[name] = Judged(
                queries=data.query_ids,
                fold=np.full(data.n_queries, self.number),
                baseline=self.values[name],
                values=rows("effectiveness").astype(np.float64),
                distance=rows("kendall_distance").astype(np.float64),
                is_reranked=rows("is_reranked").astype(bool),
                predictors=predicted[name],
                others={
                    str(each): np.append(self.others_of_baseline[name][str(each)], rows(str(each)).mean(axis=1))
                    for each in self.others
                },
            )
        return found


@contextlib.contextmanager
def _threads(model: Any, n_threads: int | None) -> Iterator[None]:
    """Let a model predict with as many threads as those beside it are trained with."""
    usual = model.n_threads
    model.n_threads = usual if n_threads is None else n_threads
    try:
        yield
    finally:
        model.n_threads = usual


def _check_predictor(predictor: QueryPredictor, split: Split) -> None:
    """Refuse, before any training, a predictor that cannot work on these data."""
    if isinstance(predictor, PredictedGain) and not predictor.weights and split.valid is None:
        raise ParameterError("a predictor of gain learns from validation queries: pass valid=.")
    feature = getattr(predictor, "feature", None)
    if feature is not None:
        split.train.feature(feature)


def _digest(content: Any) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True, default=str).encode()).hexdigest()[:32]
