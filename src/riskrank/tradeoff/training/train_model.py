"""One model of a fold: trained and judged, or taken from the folder where an earlier call has kept it."""

from __future__ import annotations

import contextlib
import json
import math
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.data.fingerprints import json_digest
from riskrank.data.json_numbers import to_json_numbers
from riskrank.data.tables.parquet_damage import parquet_told
from riskrank.errors import RiskrankError, TrainingError
from riskrank.files.own_folder import OwnFolder, settle
from riskrank.files.reading import read_json
from riskrank.files.records import decode
from riskrank.files.writing import as_parquet
from riskrank.rankers.card import former_files_of_model
from riskrank.rankers.fitting.checkpoint import LAYERS, has_checkpoint, remove_checkpoint
from riskrank.risk.outcomes import gain, risk
from riskrank.tradeoff.query_splits import TRAIN
from riskrank.tradeoff.sweep_records import FinishedRecord

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from riskrank.rankers.fitting.history import History
    from riskrank.rankers.ranker import Ranker
    from riskrank.tradeoff.training.fold import Fold, FoldPart
    from riskrank.tradeoff.training.judging import JudgedModel
    from riskrank.typing import Floats

FINISHED = "finished.json"
QUERIES = "queries.parquet"


@dataclass(frozen=True, eq=False)
class FinishedModel:
    """A model's digest, its numbers on training queries, how it learned, and a table for each set of queries.

    `learning` is its effectiveness after each step, `learning_baseline` the baseline's on the same queries.

    `judging` is a digest of how it was judged: on which queries, by which measures. A table has the columns query,
    baseline, effectiveness, kendall_distance, is_reranked, and one for each further measure.
    """

    digest: str
    judging: str
    train_gain: float
    train_risk: float
    learning: Floats
    unit: str
    tables: Mapping[str, Mapping[str, Any]]
    learning_baseline: float = math.nan


def train_model(fold: Fold, ranker: Ranker, *, folder: Path | None) -> tuple[Ranker, FinishedModel]:
    """A trained ranker like this one, and how it is judged; from its folder if it is there already."""
    n_threads = fold.workplace.n_threads
    digests = model_digests(fold, ranker)
    checkpoint = None if folder is None else folder.with_name(f"{folder.name}.checkpoint")
    if folder is not None and checkpoint is not None:
        with contextlib.suppress(RiskrankError):
            kept = _kept(fold, ranker, folder, digests, n_threads)
            if kept is not None:
                remove_checkpoint(checkpoint)
                return kept
        trained_folder(folder).check()
    model = _fitted(fold, ranker, checkpoint, n_threads)
    finished = judge_model(fold, model, digests[0], n_threads)
    if folder is not None:
        with trained_folder(folder).changed() as change:
            for name, content in {**model.saved_files(), **finished_files(finished)}.items():
                change.write(name, content)
    if checkpoint is not None:
        remove_checkpoint(checkpoint)
    return model, finished


def model_digests(fold: Fold, ranker: Ranker) -> list[str]:
    """Of all that decides what a model is; the last as it once was, without the layers of a user's own net."""
    parts = {name: fold.parts.get(name) for name in (TRAIN, "valid")}
    identity = ranker.identity()
    former = {name: value for name, value in identity.items() if name != LAYERS}
    return [
        json_digest(
            [
                type(ranker).__name__,
                each,
                ranker.training_objective.to_dict(),
                ranker.engine_versions(),
                str(fold.measure),
                {name: None if part is None else part.data_digest for name, part in parts.items()},
                {name: None if part is None else part.baseline_digest for name, part in parts.items()},
            ]
        )
        for each in (identity, former)
    ]


def judging_digest(fold: Fold) -> str:
    """Of all that decides how a model is judged."""
    return json_digest(
        [
            {name: part.data_digest for name, part in fold.parts.items()},
            {name: part.baseline_digest for name, part in fold.parts.items()},
            [str(measure) for measure in fold.others],
        ]
    )


def _kept(
    fold: Fold, ranker: Ranker, folder: Path, digests: list[str], n_threads: int | None
) -> tuple[Ranker, FinishedModel] | None:
    """The model of a call before, judged anew where the queries or measures are others."""
    finished = read_finished(folder, digests)
    if finished is None:
        return None
    model = ranker.load_trained(folder)
    if finished.judging != judging_digest(fold) or not _is_whole(fold, finished):
        finished = judge_model(fold, model, finished.digest, n_threads)
        with trained_folder(folder).changed(keeps=True) as change:
            for name, content in finished_files(finished).items():
                change.write(name, content)
    if math.isnan(finished.learning_baseline):  # a former version judged
        finished = replace(finished, learning_baseline=_learned(model.history_)[1])
    return model, finished


def _is_whole(fold: Fold, finished: FinishedModel) -> bool:
    """Has what was read all queries of each part, with numbers in every column? Damage may leave some out."""
    columns = ["effectiveness", "kendall_distance", "is_reranked", *map(str, fold.others)]
    for name, part in fold.judged_parts.items():
        table = finished.tables.get(name, {})
        if table.get("query") != list(part.query_ids):
            return False
        if any(column not in table or table[column].dtype.kind not in "bfiu" for column in columns):
            return False
    return True


def _fitted(fold: Fold, ranker: Ranker, checkpoint: Path | None, n_threads: int | None) -> Ranker:
    """A copy that is trained, its checkpoint kept; the one given, which may be trained elsewhere, is left alone."""
    model = type(ranker)(**ranker.get_params(deep=False))
    model.verbose = False
    parts = fold.workplace.parts
    fit = partial(
        model.fit, parts[TRAIN], baseline=fold.baseline, valid=parts.get("valid"), checkpoint=checkpoint,
        keep_checkpoint=True, cluster=fold.workplace.cluster, memory=fold.workplace.memory,
    )  # fmt: skip
    is_resumed = checkpoint is not None and has_checkpoint(checkpoint)
    with _threads(model, n_threads):
        try:
            fit(resume=is_resumed)
        except RiskrankError as error:
            if not is_resumed or isinstance(error, TrainingError):
                raise
            fit()  # the checkpoint is damaged, or of another training
    model.verbose = ranker.verbose
    model.card_["parameters"] |= {"n_threads": ranker.n_threads, "verbose": ranker.verbose}
    return model


@contextlib.contextmanager
def _threads(model: Ranker, n_threads: int | None) -> Iterator[None]:
    """Let a model use as many threads as those beside it."""
    usual = model.n_threads
    model.n_threads = usual if n_threads is None else n_threads
    try:
        yield
    finally:
        model.n_threads = usual


def judge_model(fold: Fold, model: Ranker, digest: str, n_threads: int | None) -> FinishedModel:
    """What a trained model does on each part; the digest says which model it is."""
    train = fold.parts[TRAIN]
    learning, learning_baseline = _learned(model.history_)
    with _threads(model, n_threads):
        judged = fold.workplace.judge.judge(model)
    values = judged[TRAIN].values[str(fold.measure)]
    return FinishedModel(
        digest=digest,
        judging=judging_digest(fold),
        train_gain=gain(values, train.values, weights=train.weights),
        train_risk=risk(values, train.values, weights=train.weights),
        learning=learning,
        learning_baseline=learning_baseline,
        unit=model.unit,
        tables={name: _query_table(fold, part, judged[name]) for name, part in fold.judged_parts.items()},
    )


def _learned(history: History) -> tuple[Floats, float]:
    """Effectiveness after each step on validation queries (or else on those of training), and the baseline's."""
    queries = TRAIN if np.isnan(history["valid_effectiveness"]).all() else "valid"
    learning, won, lost = (history[f"{queries}_{number}"] for number in ("effectiveness", "reward", "risk"))
    levels = learning - won + lost
    return learning, float(next(iter(levels[~np.isnan(levels)]), math.nan))


def _query_table(fold: Fold, part: FoldPart, judged: JudgedModel) -> dict[str, Any]:
    return {
        "query": list(part.query_ids),
        "baseline": part.values,
        "effectiveness": judged.values[str(fold.measure)],
        "kendall_distance": judged.distance,
        "is_reranked": judged.is_reranked,
        **{str(each): judged.values[str(each)] for each in fold.others},
    }


def trained_folder(folder: Path) -> OwnFolder:
    """A place for a model and how it was judged."""
    return OwnFolder(folder, "model", former=_former_files)


def _former_files(folder: Path) -> list[str]:
    """Those that a former version wrote."""
    model = former_files_of_model(folder)
    return [*model, *(name for name in (FINISHED, QUERIES) if model and (folder / name).is_file())]


def finished_files(model: FinishedModel) -> dict[str, bytes]:
    """What is written beside a model."""
    import polars as pl

    frames = [pl.DataFrame({"set": [name] * len(t["query"]), **t}) for name, t in model.tables.items()]
    content = {
        "digest": model.digest,
        "judged": model.judging,
        "train_gain": model.train_gain,
        "train_risk": model.train_risk,
        "unit": model.unit,
        "learning": to_json_numbers(model.learning),
        "learning_baseline": to_json_numbers([model.learning_baseline])[0],
    }
    return {QUERIES: as_parquet(pl.concat(frames)), FINISHED: json.dumps(content, indent=1).encode() + b"\n"}


def read_finished(folder: Path, digests: Sequence[str]) -> FinishedModel | None:
    """What was kept of a model with one of these digests; None if there is none, or it is damaged, or another one."""
    import polars as pl

    settle(folder)
    try:
        record = decode(FinishedRecord, read_json(folder / FINISHED), folder / FINISHED)
        if record.digest not in digests:
            return None
        with parquet_told(folder / QUERIES):
            frame = pl.read_parquet(folder / QUERIES)
        tables: dict[str, dict[str, Any]] = {}
        for (name,), part in frame.group_by("set", maintain_order=True):
            columns = part.drop("set").to_dict(as_series=False)
            tables[str(name)] = {c: v if c == "query" else np.array(v) for c, v in columns.items()}
        return FinishedModel(
            digest=record.digest,
            judging=record.judged,
            train_gain=record.train_gain,
            train_risk=record.train_risk,
            learning=np.array(record.learning),
            learning_baseline=record.learning_baseline,
            unit=record.unit,
            tables=tables,
        )
    except (OSError, ValueError, KeyError, TypeError, pl.exceptions.PolarsError):
        return None
