"""The boosting loop: forces, a tree, history, early stopping, checkpoints, interruptions."""

from __future__ import annotations

import contextlib
import signal
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.errors import TrainingError
from riskrank.rankers.checkpoint import Checkpoint, remove_checkpoint, write_checkpoint
from riskrank.rankers.history import History, summary
from riskrank.rankers.settings import Earlier

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from riskrank.objectives.lambdas import Lambdas
    from riskrank.objectives.objective import Objective
    from riskrank.rankers.progress import Progress

    Floats = NDArray[np.float64]
    Singles = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Side:
    """An objective on training or validation data, and the scores that boosting starts from."""

    lambdas: Lambdas
    start: Floats | None

    def scores(self, grown: Floats) -> Floats:
        """The scores of the whole model."""
        return grown if self.start is None else grown + self.start


@dataclass(frozen=True)
class Stopping:
    """When to stop, by what number on the validation queries, and where to keep checkpoints."""

    n_trees: int
    patience: int | None
    value: Callable[[Floats, Lambdas], float] | None
    checkpoint: Path | None
    checkpoint_every: int
    identity: dict[str, Any]


@dataclass(frozen=True, eq=False)
class Boosted:
    """The result: an ensemble, how many of its trees to use, how it went and why it ended."""

    model: bytes
    n_trees: int
    best_trees: int
    history: History
    ending: str
    is_interrupted: bool = False


def boost(
    trees: Any, train: Side, valid: Side | None, stopping: Stopping, progress: Progress, begun: Checkpoint | None
) -> Boosted:
    """Grow trees until there are enough, validation has not improved for a while, or somebody interrupts."""
    history = History() if begun is None else History.from_json(begun.state["history"])
    n_trees = 0 if begun is None else begun.n_trees
    if begun is not None:
        train.lambdas.memory.update(begun.state["memory"])
    best = -np.inf if begun is None or begun.state["best"] is None else float(begun.state["best"])
    best_trees = 0 if begun is None else int(begun.state["best_trees"])
    alpha = float(getattr(train.lambdas.objective, "alpha", 0.0))
    gains = (train.lambdas.gains / max(float(train.lambdas.gains.max()), 1e-30)).astype(np.float32)
    ending = f"grew all {stopping.n_trees} trees"

    def forces(grown: Floats) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        gradient, hessian = train.lambdas(train.scores(grown))
        check(gradient, hessian, gains, train.lambdas.objective, n_trees)
        return gradient, hessian

    def record(row: dict[str, float]) -> None:
        nonlocal best, best_trees
        row["trees"] = n_trees
        if valid is not None:
            values = valid.lambdas.evaluate(valid.scores(trees.valid_scores()))
            row |= summary("valid", values, valid.lambdas.baseline_values, alpha)
            if stopping.value is not None:
                row["target"] = stopping.value(values, valid.lambdas)
                if row["target"] > best:
                    best, best_trees = row["target"], n_trees
        history.add(row)

    def save() -> None:
        if stopping.checkpoint is not None:
            of_valid = None if valid is None else trees.valid_scores()
            earlier = Earlier(trees.text(), trees.train_scores(), of_valid, n_trees)
            state = {
                "identity": stopping.identity,
                "n_trees": n_trees,
                "memory": train.lambdas.memory,
                "best": None if best == -np.inf else best,
                "best_trees": best_trees,
            }
            write_checkpoint(stopping.checkpoint, earlier, history, state)

    def of_training(values: Floats) -> dict[str, float]:
        return summary("train", values, train.lambdas.baseline_values, alpha)

    is_interrupted, saved = False, n_trees
    with interruptible() as interrupted:
        progress.say("preparing the objective (compiled once per installation)")
        while n_trees < stopping.n_trees:
            try:
                has_grown = trees.grow(forces, n_trees)
            except _FinishedError as finished:
                ending = str(finished)
                break
            if n_trees:  # what training looked like before this tree
                _complete(history, of_training(train.lambdas.values))
            if not has_grown:
                ending = f"no split was worth a tree after {n_trees}"
                break
            n_trees += 1
            record({})
            progress.update(n_trees, _numbers(history))
            if stopping.patience is not None and n_trees - best_trees >= stopping.patience:
                ending = f"no better on validation queries for {stopping.patience} trees"
                break
            if interrupted():
                ending, is_interrupted = f"interrupted after {n_trees} trees", True
                if trees.is_resumable(n_trees):
                    save()
                break
            if n_trees - saved >= stopping.checkpoint_every and trees.is_resumable(n_trees):
                save()
                saved = n_trees
    if n_trees:
        _complete(history, of_training(train.lambdas.evaluate(train.scores(trees.train_scores()))))
    if not is_interrupted and stopping.checkpoint is not None:
        remove_checkpoint(stopping.checkpoint)
    used = best_trees if stopping.value is not None and valid is not None else n_trees
    return Boosted(trees.text(), n_trees, used, history, ending, is_interrupted)


def check(gradient: Singles, hessian: Singles, gains: Singles, objective: Objective, n_trees: int) -> None:
    """Stop at forces that cannot teach anything."""
    size = float(gradient @ gradient)
    if not np.isfinite(size) or not np.isfinite(float(hessian.sum())):
        raise TrainingError(
            f"{objective!r} gave gradients that are not finite after {n_trees} trees. "
            "Check its target, and the learning rate."
        )
    if size == 0:
        if n_trees:
            raise _FinishedError(f"nothing is left to gain after {n_trees} trees")
        raise TrainingError(
            f"{objective!r} exerts no force on any document: "
            "no query has documents whose order matters to the measure. Check the labels."
        )
    if not objective.with_churn and float(gradient @ gains) > 1e-6 * float(np.abs(gradient).sum()):
        raise TrainingError(f"{objective!r} pushes better documents down: its target must have the sign of delta.")


class _FinishedError(Exception):
    """There is nothing left to learn."""


@contextlib.contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """Ctrl-C and SIGTERM ask to stop after the current tree; a second one stops at once."""
    asked = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield asked.is_set
        return
    before: dict[int, Any] = {}

    def ask(number: int, frame: Any) -> None:  # noqa: ARG001 (what a handler gets)
        if asked.is_set():
            signal.signal(number, before[number])
            if number == signal.SIGINT:
                raise KeyboardInterrupt
            signal.raise_signal(number)
        asked.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        before[number] = signal.signal(number, ask)
    try:
        yield asked.is_set
    finally:
        for asked_by, handler in before.items():
            signal.signal(asked_by, handler)


def _complete(history: History, row: dict[str, float]) -> None:
    """The training side of the newest row, which is known one tree later."""
    for name, value in row.items():
        history.columns[name][-1] = value


def _numbers(history: History) -> str:
    row = history.last()
    if len(history) > 1 and np.isnan(row["train_effectiveness"]):
        row = {name: values[-2] if name.startswith("train") else values[-1] for name, values in history.columns.items()}
    shown = []
    for side in ("train", "valid"):
        if not np.isnan(row[f"{side}_effectiveness"]):
            text = f"{side} {row[f'{side}_effectiveness']:.4f}"
            if not np.isnan(row[f"{side}_risk"]):
                text += f" risk {row[f'{side}_risk']:.4f}"
            shown.append(text)
    return " | ".join(shown)
