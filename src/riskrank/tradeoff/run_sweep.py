"""Training the models of a sweep, each kept as soon as it is finished."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.cores import usable_cores
from riskrank.data.baseline_scores import holds_document_scores
from riskrank.errors import AlignmentError, ParameterError
from riskrank.measures import parse_measure
from riskrank.parameters import whole
from riskrank.progress import Progress, overall
from riskrank.rankers.fitting.loop import stop_in_threads
from riskrank.rankers.selective.query_predictors import QueryPredictor, parse_predictor
from riskrank.tradeoff.fold import Fold
from riskrank.tradeoff.grid import Setting, common_parameter, gain_only, grid, named_rankers
from riskrank.tradeoff.judged import Judged, joined
from riskrank.tradeoff.query_splits import splits_of
from riskrank.tradeoff.sweep import Sweep
from riskrank.tradeoff.sweep_files import begin_sweep, check_place

if TYPE_CHECKING:
    from riskrank.rankers.ranker import Ranker
    from riskrank.tradeoff.store import Finished
    from riskrank.typing import Floats


def sweep(
    data: Any,
    rankers: Any,
    *,
    baseline: Any,
    values: Sequence[float] | Mapping[str, Sequence[float]] = (0, 1, 5, 10),
    parameter: str | Mapping[str, str] = "alpha",
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

    `rankers`: one, or several by name, whose objective (or they themselves) have the `parameter`; both it and `values`
    may differ by series, as dicts with the same names. `data`, `test`,
    `valid`, `folds`: training data and queries to test on, or all data and a number of folds (see
    `riskrank.tradeoff.query_splits`). `calibration`: queries kept for an operating point with a guarantee; without them
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
    if holds_document_scores(baseline):
        raise AlignmentError("a sweep needs a baseline that is known on all its queries: a Feature, a run or a ranker.")
    named = named_rankers(rankers)
    models = grid(named, parameter, values)
    for model in models.values():
        model.check_parameters()
    judged_by = parse_measure(next(iter(named.values())).training_objective.measure if measure is None else measure)
    others = [each for each in map(parse_measure, measures) if each != judged_by]
    wanted = named_predictors(predictors)
    splits = splits_of(
        data, valid=valid, test=test, calibration=calibration, folds=folds, random_state=random_state,
        zero_based=zero_based,
    )  # fmt: skip
    jobs = min(n_jobs or usable_cores(), len(models))
    if not all(ranker.runs_in_threads for ranker in models.values()):
        jobs = 1
    place = None if folder is None else Path(os.path.abspath(folder))
    if place is not None:
        check_place(place)
    total = len(splits) * sum(ranker.n_steps for ranker in models.values())
    kept: dict[Setting, list[Any]] = {setting: [] for setting in models}
    parts: list[dict[str, Judged]] = []
    trained: list[list[Finished]] = []
    thresholds: list[dict[str, Floats]] = []
    names: list[str] = []
    known: dict[str, QueryPredictor] = {}
    with Progress(f"sweep of {len(models)} models × {len(splits)} folds" if len(splits) > 1 else
                  f"sweep of {len(models)} models", total, show=verbose) as bar:  # fmt: skip
        for fold, split in enumerate(splits, start=1):
            job = Fold(fold, split, baseline, judged_by, others, wanted, place)
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
    is_chosen_by_valid = any(ranker.uses_best_step(True) for ranker in models.values())
    found = Sweep(
        measure=str(judged_by),
        parameter=common_parameter(models),
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


def _train_all(
    models: Mapping[Setting, Ranker], job: Fold, n_jobs: int, count: _Count
) -> dict[Setting, tuple[Any, Finished]]:
    """The models of a fold, in sequence or side by side."""
    threads = None if n_jobs == 1 else _common_threads(models, n_jobs)

    def one(number: int, setting: Setting, ranker: Ranker) -> tuple[Any, Finished]:
        tell = count.of(number, ranker.n_steps)
        token = overall.set(tell)
        try:
            found = job.train(setting, ranker, threads)
        finally:
            overall.reset(token)
        tell(ranker.n_steps)
        return found

    if n_jobs == 1:
        return {setting: one(i, setting, ranker) for i, (setting, ranker) in enumerate(models.items())}
    with _workers(n_jobs) as pool:
        waiting = {s: pool.submit(one, i, s, ranker) for i, (s, ranker) in enumerate(models.items())}
        _wait(waiting.values())
        return {setting: future.result() for setting, future in waiting.items()}


def _common_threads(models: Mapping[Setting, Ranker], n_jobs: int) -> int:
    """The threads that all models side by side have: what they agree on, or an equal share of the cores.

    LightGBM keeps one number of threads for the whole process: a call that changes it while another model begins can
    crash the process.
    """
    given = {ranker.n_threads for ranker in models.values()}
    agreed = given.pop() if len(given) == 1 else None
    return max(1, usable_cores() // n_jobs) if agreed is None else agreed


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


def named_predictors(given: Mapping[str, Any] | Sequence[str]) -> dict[str, QueryPredictor]:
    """Predictors by name; those given as text are named by it."""
    named = dict(given) if isinstance(given, Mapping) else {str(text): text for text in given}
    found = {name: parse_predictor(each) if isinstance(each, str) else each for name, each in named.items()}
    for name, predictor in found.items():
        if not isinstance(predictor, QueryPredictor):
            raise ParameterError(f"{name} must be a predictor like Aggregate('max', 110), got {predictor!r}.")
    return found
