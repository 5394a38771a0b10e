"""The worker: a job comes as JSON, what becomes of it goes back as JSON. It knows no engine.

``python -m riskrank.cluster.worker`` reads a job from standard input, tells every few seconds that it lives, and ends
when nobody is at the other end any more.
"""

from __future__ import annotations

import json
import os
import threading
import time
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

from riskrank import __version__
from riskrank.cluster.job import PLACE, WorkerJob, packed, unpacked_files
from riskrank.cluster.job_outcome import LostWorkerError, failure
from riskrank.cluster.lifeline import HEARTBEAT, MEETING, MET, Lifeline, end_at_once
from riskrank.data.shards.data_share import LostPeersError
from riskrank.errors import FileError, ParameterError, RiskrankError, TrainingError, one_line, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager

    from riskrank.cluster.job import BaselineJob, ShardJob, SharePart
    from riskrank.data.effectiveness import Effectiveness
    from riskrank.data.ranking_data import RankingData
    from riskrank.data.shards.sharded_data import ShardedData
    from riskrank.objectives.objective import Objective
    from riskrank.rankers.ranker import Ranker
    from riskrank.rankers.trees.collective.xgboost_peers import XGBoostPeers
    from riskrank.typing import Floats, OneBaseline

    Told = Callable[[WorkerJob], AbstractContextManager[Lifeline | None]]
    ShardAnswer = Callable[[ShardJob, RankingData], dict[str, Any]]  # by what is made of one shard

STDIN, CHUNK = 0, 1 << 16


def run_worker(text: str, told: Told = lambda _: nullcontext()) -> str:
    """Do a job, while its driver is `told` of it; what is wrong with it comes back as JSON, too."""
    try:
        job = WorkerJob.from_json(text)
        check_versions(job.versions)
        with told(job) as lifeline:
            made = _train(job, lifeline) if job.task == "train" else _on_shards(job)
    except LostPeersError as error:
        return failure(LostWorkerError(str(error)))
    except RiskrankError as error:
        return failure(error)
    except MemoryError:
        return failure(LostWorkerError("a worker does not have enough memory"))
    except Exception as error:
        line = one_line(str(error).strip().split("\n")[0], limit=200)
        return failure(TrainingError(f"a worker failed: {type(error).__name__}: {line}."))
    return json.dumps(made)


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


def _train(job: WorkerJob, lifeline: Lifeline | None) -> dict[str, Any]:
    from riskrank.data.shards.data_share import Alone
    from riskrank.data.shards.storage import storage_for
    from riskrank.rankers.trees import xgboost_trees
    from riskrank.rankers.trees.collective.xgboost_peers import XGBoostPeers

    peers = XGBoostPeers(job.tracker, job.rank) if job.tracker else None
    ranker: Any = _ranker(job)  # trees of XGBoost, as the driver saw to
    parts = [(opened_shards(part), part.shards) for part in (job.data, job.valid) if part is not None]
    with storage_for(job.memory, parts[0][0], *(opened.n_documents(shards) for opened, shards in parts)) as storage:
        shares = (opened.share(shards, peers or Alone(), storage, with_ids=False) for opened, shards in parts)
        data, valid = next(shares), next(shares, None)
        xgboost_trees.bin_share(data, ranker)
        kept: dict[str, Any] = {}
        if job.checkpoint is not None:
            folder, every, resume = job.checkpoint.folder, job.checkpoint.every, job.checkpoint.resume
            kept = {"checkpoint": folder, "checkpoint_every": every, "resume": resume, "keep_checkpoint": True}
        baseline, valid_baseline = _baselines(job.baselines, job), _baselines(job.valid_baselines, job)
        with _among(peers, lifeline):
            ranker.fit(data, valid=valid, baseline=baseline, valid_baseline=valid_baseline, **kept)
    if job.rank:
        return {}
    changes, weights = ranker.valid_changes_, ranker.valid_weights_
    return {
        "files": packed(ranker.saved_files()),
        "valid_changes": None if changes is None else changes.tolist(),
        "valid_weights": None if weights is None else weights.tolist(),
    }


@contextmanager
def _among(peers: XGBoostPeers | None, lifeline: Lifeline | None) -> Iterator[None]:
    """Meet the peers, if there are any; the driver is told when, and that it is done."""
    if peers is None:
        yield
        return
    if lifeline is not None:
        lifeline.say(MEETING)
    with peers:
        if lifeline is not None:
            lifeline.say(MET)
        yield


def opened_shards(part: SharePart) -> ShardedData:
    """The folder of some shards, which must be as the driver saw it."""
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


def _baselines(jobs: Sequence[BaselineJob] | None, job: WorkerJob) -> dict[str, OneBaseline] | None:
    return {each.name: _system(each, job) for each in jobs or ()} or None


def _system(saved: BaselineJob, job: WorkerJob) -> Any:
    """What scores documents: a text, or a model that takes no more cores than the job has."""
    from riskrank.rankers import restored
    from riskrank.rankers.card import held_model
    from riskrank.rankers.selective.wrapped import Wrapped

    if not saved.model:
        return saved.text
    model = restored(held_model(unpacked_files(saved.model), saved.name))
    if job.n_threads is not None:
        (model.ranker_ if isinstance(model, Wrapped) else model).n_threads = job.n_threads
    return model


def _on_shards(job: WorkerJob) -> dict[str, Any]:
    """What becomes of some shards, one after the other, and what was asked of all others."""
    from riskrank.cluster.known_extremes import KnownExtremes
    from riskrank.data.shards.sharded_data import ShardedData

    answer, answers = SHARD_TASKS[job.task](job), []
    opened = dict[str, ShardedData]()
    for shard in job.shards:
        data = opened[shard.part] = opened.get(shard.part) or opened_shards(shard.data)
        peers = KnownExtremes(job.extremes.get(shard.part, ()))
        answers.append({**answer(shard, data.share(shard.data.shards, peers)), "asked": peers.asked})
    return {"shards": answers}


def _scoring(job: WorkerJob) -> ShardAnswer:
    """A table or a run of a shard, in a file beside those of others."""
    from riskrank.data.feature_tables.scored_table import scored_table
    from riskrank.data.trec.run_writer import check_finite_scores, run_lines
    from riskrank.files.writing import as_parquet, write_atomically

    asked = job.ranking
    if asked is None:
        raise ParameterError(f"{PLACE}: ranking: must say what is made of the scores.")
    model = _system(asked.model, job)
    baseline = None if asked.baseline is None else _system(asked.baseline, job)

    def write(shard: ShardJob, documents: RankingData) -> dict[str, Any]:
        if model.columns_.beyond(documents.columns):
            documents = replace(documents, features=documents.features[:, : model.n_features_in_])
        scores = model.predict(documents, baseline=baseline)
        check_finite_scores(documents, scores)
        if asked.is_run:
            lines = run_lines(documents, scores, tag=asked.tag, depth=asked.depth)
            content: str | bytes = "".join(f"{line}\n" for line in lines)
        else:
            content = as_parquet(scored_table(documents, scores, None, column=asked.column, depth=asked.depth))
        write_atomically(shard.output, content)
        return {}

    return write


def _measuring(job: WorkerJob) -> ShardAnswer:
    """The effectiveness of systems on each query of a shard."""
    from riskrank.data.baseline_scores import baseline_scores
    from riskrank.measures.evaluate import evaluate

    systems = _baselines(job.baselines, job)

    def measure(_: ShardJob, data: RankingData) -> dict[str, Any]:
        weights = data.query_weights  # which may all be 0 in a shard: the driver has those of all
        scores = {each.name: each.scores for each in baseline_scores(systems, data)}
        judged = evaluate(replace(data, query_weights=None), scores, job.measures)
        return {"measured": {name: _measured(judged[name], weights) for name in job.measures}}

    return measure


def _judging(job: WorkerJob) -> ShardAnswer:
    """A sweep's baseline, or a model, or predictors on each query of a shard."""
    from riskrank.cluster.judged_shards import judged_shard

    model = None if job.model is None else _system(job.model, job)
    baselines = _baselines(job.baselines, job) or {}
    return lambda shard, data: judged_shard(job, baselines, model, shard.part, data)


def _measured(scores: Effectiveness, weights: Floats | None) -> dict[str, Any]:
    plain = ("measure", "systems", "topics", "description", "aggregate", "without_relevant", "unit")
    return {
        **{name: getattr(scores, name) for name in plain},
        "missing": dict(scores.missing),
        "ties_at_cutoff": dict(scores.ties_at_cutoff),
        "weights": None if weights is None else weights.tolist(),
        "matrix": scores.matrix.tolist(),
    }


SHARD_TASKS: dict[str, Callable[[WorkerJob], ShardAnswer]] = {
    "score": _scoring,
    "measure": _measuring,
    "judge": _judging,
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
    line.tell(result=run_worker(text, told_to_driver))


@contextmanager
def told_to_driver(job: WorkerJob) -> Iterator[Lifeline | None]:
    """While within, the driver hears how many steps are done; this process ends with it."""
    from riskrank.progress import overall

    if not job.lifeline:
        yield None
        return
    lifeline = Lifeline(job.lifeline, job.rank)
    overall.set(lifeline.count)
    try:
        yield lifeline
    finally:
        lifeline.done()


if __name__ == "__main__":
    work_for_parent()
