"""Training one model of a fold, or taking it from the folder where an earlier call has kept it."""

from __future__ import annotations

import contextlib
import hashlib
import json
import shutil
from typing import TYPE_CHECKING, Any

from riskrank.errors import FileError, ParameterError, RiskrankError
from riskrank.rankers import load_ranker
from riskrank.rankers.fitting.checkpoint import LAYERS
from riskrank.tradeoff.training.finished_model import FinishedModel, read_finished, write_finished
from riskrank.tradeoff.training.fold import TRAIN, Fold, judge_model

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from riskrank.rankers.ranker import Ranker


def train_model(
    fold: Fold, ranker: Ranker, *, folder: Path | None, n_threads: int | None
) -> tuple[Ranker, FinishedModel]:
    """A trained ranker like this one, and how it is judged; from its folder if it is there already.

    `n_threads`: of all models side by side, whatever their own number; None leaves each its own.
    """
    digests, judged = model_digests(fold, ranker), judging_digest(fold)
    if folder is not None:
        with contextlib.suppress(RiskrankError):
            kept = _kept(fold, folder, digests, judged, n_threads)
            if kept is not None:
                return kept
        if folder.exists():
            shutil.rmtree(folder)  # half written, damaged, or a model of other data
        folder.parent.mkdir(parents=True, exist_ok=True)
    checkpoint = None if folder is None else folder.with_name(f"{folder.name}.checkpoint")
    model = _fitted(fold, ranker, checkpoint, n_threads)
    with _threads(model, n_threads):
        finished = judge_model(fold, model, digest=digests[0], judged=judged)
    if folder is not None:
        model.save(folder)
        write_finished(folder, finished)
    return model, finished


def model_digests(fold: Fold, ranker: Ranker) -> list[str]:
    """Of all that decides what a model is; the last as it once was, without the layers of a user's own net."""
    parts = {name: fold.parts.get(name) for name in (TRAIN, "valid")}
    identity = ranker.identity()
    former = {name: value for name, value in identity.items() if name != LAYERS}
    return [
        _digest(
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
    return _digest(
        [
            {name: part.data_digest for name, part in fold.parts.items()},
            {name: part.baseline_digest for name, part in fold.parts.items()},
            [str(measure) for measure in fold.others],
        ]
    )


def _digest(content: Any) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True, default=str).encode()).hexdigest()[:32]


def _kept(
    fold: Fold, folder: Path, digests: list[str], judged: str, n_threads: int | None
) -> tuple[Ranker, FinishedModel] | None:
    """The model of a call before, judged anew where the queries or measures are others."""
    finished = read_finished(folder, digests)
    if finished is None:
        return None
    model = load_ranker(folder)
    if finished.judged != judged:
        with _threads(model, n_threads):
            finished = judge_model(fold, model, digest=finished.digest, judged=judged)
        write_finished(folder, finished)
    return model, finished


def _fitted(fold: Fold, ranker: Ranker, checkpoint: Path | None, n_threads: int | None) -> Ranker:
    """A copy that is trained; the one given, which may be trained elsewhere, is left alone."""
    model = type(ranker)(**ranker.get_params(deep=False))
    model.verbose = False
    train, valid = fold.split.train, fold.split.valid
    is_resumed = checkpoint is not None and checkpoint.exists()
    with _threads(model, n_threads):
        try:
            model.fit(train, baseline=fold.baseline, valid=valid, checkpoint=checkpoint, resume=is_resumed)
        except (ParameterError, FileError):
            if not is_resumed:
                raise
            # The checkpoint is damaged, or of another training.
            model.fit(train, baseline=fold.baseline, valid=valid, checkpoint=checkpoint)
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
