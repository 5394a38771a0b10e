"""The worker: a job comes as JSON, what becomes of it goes back as JSON. It knows no engine.

``python -m riskrank.cluster.worker`` reads a job from standard input, tells every few seconds that it lives, and ends
when nobody is at the other end any more.
"""

from __future__ import annotations

import json
import os
import threading
import time
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from riskrank import __version__
from riskrank.cluster.job import WorkerJob, packed, unpacked_files
from riskrank.cluster.launcher import LOST, LostWorkerError
from riskrank.cluster.lifeline import HEARTBEAT, Lifeline, end_at_once
from riskrank.errors import FileError, ParameterError, RiskrankError, one_line, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from riskrank.cluster.job import BaselineJob, SharePart
    from riskrank.data.effectiveness import Effectiveness
    from riskrank.data.shards.data_share import DataShare
    from riskrank.data.shards.sharded_data import ShardedData
    from riskrank.objectives.objective import Objective
    from riskrank.rankers.ranker import Ranker
    from riskrank.typing import OneBaseline

STDIN, CHUNK = 0, 1 << 16
NO_MEMORY = "a worker has not enough memory"


def run_worker(text: str) -> str:
    """Do a job; what is wrong with it comes back as JSON, too."""
    try:
        job = WorkerJob.from_json(text)
        check_versions(job.versions)
        return json.dumps(TASKS[job.task](job))
    except RiskrankError as error:
        return json.dumps({"error": {"kind": type(error).__name__, "message": str(error)}})
    except MemoryError:
        return json.dumps({"error": {"kind": LOST, "message": NO_MEMORY}})
    except Exception as error:
        is_lost = type(error).__name__ == "XGBoostError"
        line = one_line(str(error).strip().split("\n")[0], limit=200)
        what = "a worker lost the others" if is_lost else f"a worker failed: {type(error).__name__}: {line}."
        if is_lost and "bad_alloc" in str(error):
            what = NO_MEMORY
        return json.dumps({"error": {"kind": LOST if is_lost else "TrainingError", "message": what}})


def worker_versions(engine: str = "xgboost") -> dict[str, str]:
    """What must be the same on all workers that train together."""
    from riskrank.rankers.trees.engine import engine_named

    return {**library_versions(), engine: engine_named(engine).VERSION}


def library_versions() -> dict[str, str]:
    """The same of workers that do not know each other."""
    return {"riskrank": __version__}


def check_versions(wanted: dict[str, str]) -> None:
    """Refuse to work with others of another version."""
    own = worker_versions() if "xgboost" in wanted else library_versions()
    for name, version in wanted.items():
        if own.get(name) != version:
            raise ParameterError(f"a worker has {name} {own.get(name)}, the driver has {version}. Install the same.")


def _train(job: WorkerJob) -> dict[str, Any]:
    from riskrank.data.shards.data_share import Alone
    from riskrank.data.shards.storage import storage_for
    from riskrank.rankers.trees import xgboost_trees
    from riskrank.rankers.trees.xgboost_peers import XGBoostPeers

    peers = XGBoostPeers(job.tracker, job.rank) if job.tracker else None
    ranker: Any = _ranker(job)  # trees of XGBoost, as the driver saw to
    n_train, n_valid = (
        0 if part is None else opened_shards(part).n_documents(part.shards) for part in (job.data, job.valid)
    )
    with storage_for(job.memory, opened_shards(job.data), n_train, n_valid) as storage:
        take = partial(_share, peers=peers or Alone(), storage=storage, with_ids=False)
        data, valid = take(job.data), None if job.valid is None else take(job.valid)
        xgboost_trees.bin_share(data, ranker)
        kept: dict[str, Any] = {}
        if job.checkpoint is not None:
            folder, every, resume = job.checkpoint.folder, job.checkpoint.every, job.checkpoint.resume
            kept = {"checkpoint": folder, "checkpoint_every": every, "resume": resume, "keep_checkpoint": True}
        baseline, valid_baseline = _baselines(job.baselines), _baselines(job.valid_baselines)
        with peers or nullcontext():
            ranker.fit(data, valid=valid, baseline=baseline, valid_baseline=valid_baseline, **kept)
    if job.rank:
        return {}
    changes, weights = ranker.valid_changes_, ranker.valid_weights_
    return {
        "files": packed(ranker.saved_files()),
        "valid_changes": None if changes is None else changes.tolist(),
        "valid_weights": None if weights is None else weights.tolist(),
    }


def _share(part: SharePart, **options: Any) -> DataShare:
    return opened_shards(part).share(part.shards, **options)


def opened_shards(part: SharePart) -> ShardedData:
    """The shards of a job, which must be those that the driver saw."""
    from riskrank.data.shards.sharded_data import ShardedData

    data = ShardedData(part.folder)
    if data.manifest.digest != part.digest:
        raise FileError(part.folder, "holds other shards than when this was begun. Start anew.")
    return data


def _ranker(job: WorkerJob) -> Ranker:
    from riskrank.rankers import RANKERS

    parameters: dict[str, Any] = dict(job.parameters)
    if job.objective is not None:
        parameters["objective"] = _objective(job.objective, job.objective_home)
    parameters |= {"verbose": False, "n_threads": job.n_threads or parameters.get("n_threads")}
    return RANKERS.named(job.ranker)(**parameters)


def _objective(saved: dict[str, Any], home: str | None) -> Objective:
    """By its name, or by the place of its class in a module of a user's own, which workers import."""
    from riskrank.objectives.objective import objective_named

    name, parameters = str(saved["objective"]), {key: value for key, value in saved.items() if key != "objective"}
    if home is None:
        return objective_named(name, **parameters)
    module, _, attribute = home.partition(":")
    try:
        objective: Objective = getattr(import_module(module), attribute)(**parameters)
    except (ImportError, AttributeError) as error:
        raise ParameterError(f"a worker cannot import the objective {quoted(home)} ({error}).", "objective") from None
    return objective


def _baselines(jobs: Sequence[BaselineJob] | None) -> dict[str, OneBaseline] | None:
    return {job.name: _system(job) for job in jobs or ()} or None


def _system(job: BaselineJob) -> Any:
    from riskrank.rankers import restored
    from riskrank.rankers.card import held_model

    return restored(held_model(unpacked_files(job.model), job.name)) if job.model else job.text


def _score(job: WorkerJob) -> dict[str, Any]:
    """A table or a run of a shard, in a file beside those of others."""
    from riskrank.cluster.known_extremes import KnownExtremes
    from riskrank.data.feature_tables.scored_table import scored_table
    from riskrank.data.trec.run_writer import check_finite_scores, run_lines
    from riskrank.files.writing import as_parquet, write_atomically

    asked, peers = job.ranking, KnownExtremes(job.extremes)
    if asked is None:
        raise ParameterError("the job of a worker: ranking: is needed.")
    documents, model = _share(job.data, peers=peers), _system(asked.model)
    if model.columns_.beyond(documents.columns):
        documents = replace(documents, features=documents.features[:, : model.n_features_in_])
    scores = model.predict(documents, baseline=None if asked.baseline is None else _system(asked.baseline))
    check_finite_scores(documents, scores)
    if asked.is_run:
        content: str | bytes = "".join(
            f"{line}\n" for line in run_lines(documents, scores, tag=asked.tag, depth=asked.depth)
        )
    else:
        content = as_parquet(scored_table(documents, scores, None, column=asked.column, depth=asked.depth))
    write_atomically(asked.output, content)
    return {"asked": peers.asked}


def _measure(job: WorkerJob) -> dict[str, Any]:
    """The effectiveness of systems on each query of a shard."""
    from riskrank.cluster.known_extremes import KnownExtremes
    from riskrank.data.baseline_scores import baseline_scores
    from riskrank.measures.evaluate import evaluate

    peers = KnownExtremes(job.extremes)
    data = _share(job.data, peers=peers)
    systems = {each.name: each.scores for each in baseline_scores(_baselines(job.baselines), data)}
    judged = evaluate(data, systems, job.measures)
    return {"measured": {name: _measured(judged[name]) for name in job.measures}, "asked": peers.asked}


def _judge(job: WorkerJob) -> dict[str, Any]:
    """A sweep's baseline, or a model, or predictors on each query of some shards."""
    from riskrank.cluster.judged_shards import judged_shard

    models: dict[str, Any] = {} if job.model is None else _baselines([job.model]) or {}
    model = next(iter(models.values()), None)
    baselines = _baselines(job.baselines) or {}
    shards = ((each, opened_shards(each.data).share(each.data.shards)) for each in job.judged)
    return {"judged": [judged_shard(job, baselines, model, each, data) for each, data in shards]}


def _measured(scores: Effectiveness) -> dict[str, Any]:
    plain = ("measure", "systems", "topics", "description", "aggregate", "without_relevant", "unit")
    return {
        **{name: getattr(scores, name) for name in plain},
        "missing": dict(scores.missing),
        "ties_at_cutoff": dict(scores.ties_at_cutoff),
        "weights": None if scores.weights is None else scores.weights.tolist(),
        "matrix": scores.matrix.tolist(),
    }


TASKS: dict[str, Callable[[WorkerJob], dict[str, Any]]] = {
    "train": _train,
    "score": _score,
    "measure": _measure,
    "judge": _judge,
}


class _Line:
    """The way back to whoever started this process: one JSON value a line; what libraries print goes elsewhere."""

    def __init__(self) -> None:
        self._file = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(2, 1)
        self._lock = threading.Lock()

    def tell(self, **content: Any) -> None:
        with self._lock:
            self._file.write(json.dumps(content) + "\n")
            self._file.flush()

    def keep_telling(self) -> None:
        """That this process lives; when nobody hears it any more, it ends."""
        while True:
            try:
                self.tell(alive=True)
            except (OSError, ValueError):
                end_at_once()
            time.sleep(HEARTBEAT)


def _end_with_parent() -> None:
    """Standard input ends when whoever started this process does."""
    while os.read(STDIN, CHUNK):
        pass
    end_at_once()


def _first_line() -> str:
    """Of standard input, unbuffered: no lock of it is held when the process ends."""
    pieces = []
    while piece := os.read(STDIN, CHUNK):
        pieces.append(piece)
        if b"\n" in piece:
            break
    return b"".join(pieces).partition(b"\n")[0].decode()


def work_for_parent() -> None:
    """One job of standard input."""
    from riskrank import rankers

    rankers.are_estimators = False  # scikit-learn is not needed here, and slow to load
    line = _Line()
    text = _first_line()
    for target in (line.keep_telling, _end_with_parent):
        threading.Thread(target=target, daemon=True).start()
    try:
        with _told_to_driver(text):
            result = run_worker(text)
    except LostWorkerError as lost:
        result = json.dumps({"error": {"kind": LOST, "message": str(lost)}})
    line.tell(result=result)


@contextmanager
def _told_to_driver(text: str) -> Iterator[None]:
    """While within, the driver of a training hears how many steps are done."""
    from riskrank.progress import overall

    job = None
    with suppress(RiskrankError):  # of which `run_worker` tells
        job = WorkerJob.from_json(text)
    if job is None or not job.lifeline:
        yield
        return
    lifeline = Lifeline(job.lifeline, job.rank)
    overall.set(lifeline.count)
    yield
    lifeline.done()


if __name__ == "__main__":
    work_for_parent()
