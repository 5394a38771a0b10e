"""Training the models of a sweep, each kept as soon as it is finished."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.errors import AlignmentError, FileError, ParameterError, RiskrankError
from riskrank.measures import parse_measure
from riskrank.measures.evaluate import evaluate
from riskrank.objectives.baselines import baseline_scores, holds_numbers
from riskrank.objectives.lambdas import usable_cores
from riskrank.rankers import card as cards
from riskrank.rankers import load
from riskrank.rankers.parameters import whole
from riskrank.rankers.progress import Progress, overall
from riskrank.rankers.query_predictors import PredictedGain, QueryPredictor, parse_predictor
from riskrank.rankers.selective import learned_gain
from riskrank.rankers.start import finite
from riskrank.rankers.training import stop_in_threads
from riskrank.risk.outcomes import gain, risk
from riskrank.risk.rank_changes import rank_changes
from riskrank.tradeoff.judged import Judged, joined
from riskrank.tradeoff.settings import Setting, gain_only, grid, named_rankers
from riskrank.tradeoff.splits import Split, splits_of
from riskrank.tradeoff.store import Finished, read_finished, write_finished
from riskrank.tradeoff.sweep import Sweep, begin_sweep, check_place

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from riskrank.data.ranking_data import RankingData
    from riskrank.rankers.ranker import Ranker

    Floats = NDArray[np.float64]

N_THRESHOLDS = 20


def sweep(
    data: Any,
    rankers: Any,
    *,
    baseline: Any,
    values: Sequence[float] = (0, 1, 5, 10),
    parameter: str = "alpha",
    valid: Any = None,
    test: Any = None,
    calibration: Any = None,
    folds: int | None = None,
    measure: Any = None,
    measures: Sequence[Any] = (),
    predictors: Mapping[str, Any] | Sequence[str] = (),
    folder: str | os.PathLike[str] | None = None,
    n_jobs: int | None = None,
    random_state: int = 0,
    zero_based: bool = False,
    verbose: bool | None = None,
) -> Sweep:
    """Train rankers over a grid of one parameter and judge them all against the baseline.

    `rankers`: one, or several by name, whose objective (or they themselves) have the `parameter`. `data`, `test`,
    `valid`, `folds`: training data and queries to test on, or all data and a number of folds (see
    `riskrank.tradeoff.splits`). `calibration`: queries kept for an operating point with a guarantee; without them
    the validation queries serve, if no model was chosen by them. `measure` judges (default: the first objective's),
    `measures` are shown beside it. `predictors`: of queries, for selective use of the first model.

    `folder` gets each model as it is finished; called again with the same data, the sweep goes on where it was.
    `n_jobs` models are trained side by side (default: as many as there are cores), with an equal share of the cores
    each; nets, which share PyTorch's state, one after the other.
    """
    whole("n_jobs", n_jobs, 1, optional=True)
    whole("random_state", random_state, 0)
    if baseline is None or (isinstance(baseline, list | tuple | Mapping) and not len(baseline)):
        raise ParameterError("a sweep needs a baseline: pass baseline=.")
    if holds_numbers(baseline):
        raise AlignmentError("a sweep needs a baseline that is known on all its queries: a Feature, a run or a ranker.")
    named = named_rankers(rankers)
    models = grid(named, parameter, values)
    for model in models.values():
        model._check_parameters(model._objective())
    judged_by = parse_measure(next(iter(named.values()))._objective().measure if measure is None else measure)
    others = [each for each in map(parse_measure, measures) if each != judged_by]
    wanted = named_predictors(predictors)
    splits = splits_of(
        data, valid=valid, test=test, calibration=calibration, folds=folds, random_state=random_state,
        zero_based=zero_based,
    )  # fmt: skip
    jobs = min(n_jobs or usable_cores(), len(models))
    if not all(ranker.in_threads for ranker in models.values()):
        jobs = 1
    place = None if folder is None else Path(os.path.abspath(folder))
    if place is not None:
        check_place(place)
    total = len(splits) * sum(ranker._n_steps for ranker in models.values())
    kept: dict[Setting, list[Any]] = {setting: [] for setting in models}
    parts: list[dict[str, Judged]] = []
    trained: list[list[Finished]] = []
    thresholds: list[dict[str, Floats]] = []
    names: list[str] = []
    known: dict[str, QueryPredictor] = {}
    with Progress(f"sweep of {len(models)} models × {len(splits)} folds" if len(splits) > 1 else
                  f"sweep of {len(models)} models", total, show=verbose) as bar:  # fmt: skip
        for fold, split in enumerate(splits, start=1):
            job = _Fold(fold, split, baseline, judged_by, others, wanted, place)
            if place is not None:
                begin_sweep(place)
            done = _train_all(models, job, jobs, _Count(bar, fold - 1, total // len(splits), len(models)))
            for setting, (ranker, _) in done.items():
                kept[setting].append(ranker if place is None else None)
            trained.append([found for _, found in done.values()])
            first = list(models)[gain_only(list(models))]
            predicted, limits = job.predicted(done[first][0])
            parts.append(job.judged(trained[-1], predicted))
            thresholds.append(limits)
            names, known = job.baseline_names, job.known_predictors
    settings = tuple(models)
    is_chosen_by_valid = any(ranker._is_judged(True) for ranker in models.values())
    found = Sweep(
        measure=str(judged_by),
        parameter=parameter,
        baseline=", ".join(names),
        settings=settings,
        test=joined([part["test"] for part in parts]),
        valid=joined([part["valid"] for part in parts]) if "valid" in parts[0] else None,
        calibration=joined([part["calibration"] for part in parts]) if "calibration" in parts[0] else None,
        is_valid_fresh=not is_chosen_by_valid,
        train_gain=np.mean([[each.train_gain for each in fold] for fold in trained], axis=0),
        train_risk=np.mean([[each.train_risk for each in fold] for fold in trained], axis=0),
        learning=tuple(tuple(fold[i].learning for fold in trained) for i in range(len(settings))),
        unit=trained[0][0].unit,
        n_folds=len(parts),
        thresholds={name: np.mean([limits[name] for limits in thresholds], axis=0) for name in wanted},
        predictors=known,
        n_baselines=len(names),
        models=None if place is not None else {s: tuple(rankers) for s, rankers in kept.items()},
        folder=place,
    )
    if place is not None:
        found.save(place)
    return found


@dataclass
class _Count:
    """The steps of all models of a fold, on one bar."""

    bar: Progress
    fold: int
    per_fold: int
    n_models: int

    def __post_init__(self) -> None:
        self._done: dict[int, int] = {}
        self._lock = threading.Lock()
        self._finished = 0

    def of(self, number: int, n_steps: int) -> Callable[[int], None]:
        """A model tells how far it is."""

        def tell(done: int) -> None:
            with self._lock:
                self._done[number] = done
                if done >= n_steps:
                    self._finished = sum(1 for value in self._done.values() if value >= n_steps)
                at = self.fold * self.per_fold + sum(self._done.values())
                self.bar.update(at, f"{self._finished} of {self.n_models} models")

        return tell


class _Fold:
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
        self._prints = {name: _digest_of(data) for name, data in sides.items()}
        self._baselines = {
            name: cards.array_digest(np.concatenate([self.values[name], self.scores[name]])) for name in sides
        }

    def digests(self, ranker: Ranker) -> tuple[str, str]:
        """Of all that decides what a model is, and of all that decides how it is judged."""
        parameters = ranker._plain_parameters()
        for name in ("n_threads", "verbose"):
            parameters.pop(name)
        learned_from = ("train", "valid")
        model = [
            type(ranker).__name__, parameters, ranker._objective().to_dict(), ranker._versions(), str(self.measure),
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
                    kept = load(folder)
                    if known.judged != judging:
                        known = self._finished(kept, digest, judging)
                        write_finished(folder, known)
                    return kept, known
            if folder.exists():
                shutil.rmtree(folder)  # half written, damaged, or a model of other data
            folder.parent.mkdir(parents=True, exist_ok=True)
        model: Ranker = type(ranker)(**ranker.get_params(deep=False))
        model.verbose = False
        model.n_threads = n_threads if ranker.n_threads is None else ranker.n_threads
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


def _train_all(
    models: Mapping[Setting, Ranker], job: _Fold, n_jobs: int, count: _Count
) -> dict[Setting, tuple[Any, Finished]]:
    """The models of a fold, in sequence or side by side."""
    threads = None if n_jobs == 1 else max(1, usable_cores() // n_jobs)

    def one(number: int, setting: Setting, ranker: Ranker) -> tuple[Any, Finished]:
        tell = count.of(number, ranker._n_steps)
        token = overall.set(tell)
        try:
            found = job.train(setting, ranker, threads)
        finally:
            overall.reset(token)
        tell(ranker._n_steps)
        return found

    if n_jobs == 1:
        return {setting: one(i, setting, ranker) for i, (setting, ranker) in enumerate(models.items())}
    with _workers(n_jobs) as pool:
        waiting = {s: pool.submit(one, i, s, ranker) for i, (s, ranker) in enumerate(models.items())}
        _wait(waiting.values())
        return {setting: future.result() for setting, future in waiting.items()}


@contextlib.contextmanager
def _workers(n_jobs: int) -> Iterator[ThreadPoolExecutor]:
    """Threads that stop after their current step, with a checkpoint, when somebody interrupts."""
    pool = ThreadPoolExecutor(n_jobs, thread_name_prefix="riskrank-sweep")
    is_main = threading.current_thread() is threading.main_thread()
    asked_by = (signal.SIGINT, signal.SIGTERM) if is_main else ()
    before = {number: signal.signal(number, _interrupt) for number in asked_by}
    try:
        yield pool
    except BaseException:
        stop_in_threads.set()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
        stop_in_threads.clear()
        for number, handler in before.items():
            signal.signal(number, handler)


def _interrupt(number: int, frame: Any) -> None:  # noqa: ARG001 (what a handler gets)
    raise KeyboardInterrupt


def _wait(futures: Any) -> None:
    waiting: set[Future[Any]] = set(futures)
    while waiting:
        done, waiting = wait(waiting, timeout=0.5, return_when=FIRST_EXCEPTION)  # short, so that Ctrl-C is heard
        for future in done:
            future.result()


def _check_predictor(predictor: QueryPredictor, split: Split) -> None:
    """Refuse, before any training, a predictor that cannot work on these data."""
    if isinstance(predictor, PredictedGain) and not predictor.weights and split.valid is None:
        raise ParameterError("a predictor of gain learns from validation queries: pass valid=.")
    feature = getattr(predictor, "feature", None)
    if feature is not None:
        split.train.feature(feature)


def _digest(content: Any) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True, default=str).encode()).hexdigest()[:32]


def _digest_of(data: RankingData) -> str:
    """Of all that is in the data."""
    digest = hashlib.sha256(repr((data.features.shape, data.first_feature, data.query_ids)).encode())
    for array in (data.features, data.labels, data.query_offsets):
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()[:32]


def named_predictors(given: Mapping[str, Any] | Sequence[str]) -> dict[str, QueryPredictor]:
    """Predictors by name; those given as text are named by it."""
    named = dict(given) if isinstance(given, Mapping) else {str(text): text for text in given}
    found = {name: parse_predictor(each) if isinstance(each, str) else each for name, each in named.items()}
    for name, predictor in found.items():
        if not isinstance(predictor, QueryPredictor):
            raise ParameterError(f"{name} must be a predictor like Aggregate('max', 110), got {predictor!r}.")
    return found
