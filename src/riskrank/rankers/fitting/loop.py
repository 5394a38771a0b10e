"""Training, step by step: history, early stopping, checkpoints, interruptions.

What a step is (a tree, an epoch, a round), the learner knows.
"""

from __future__ import annotations

import contextlib
import signal
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from riskrank.errors import TrainingError
from riskrank.rankers.fitting.checkpoint import Checkpoint, remove_checkpoint, write_checkpoint
from riskrank.rankers.fitting.history import History, summary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from riskrank.objectives.lambdas import Lambdas
    from riskrank.objectives.objective import Objective
    from riskrank.progress import Progress
    from riskrank.typing import Arrays, Floats


@dataclass(frozen=True, eq=False)
class Side:
    """An objective on training or validation data, and the scores that the model starts from."""

    lambdas: Lambdas
    start: Floats | None

    def scores(self, learned: Floats) -> Floats:
        """The scores of the whole model."""
        return learned if self.start is None else learned + self.start


class Learner(Protocol):
    """A model that gets better step by step."""

    unit: str  # what a step adds, in the plural
    lag: int  # after step n, the values of training queries are those of step n − lag

    def step(self, number: int) -> None:
        """Learn once more, after `number` steps; FinishedError says that there is nothing to add."""

    def values(self) -> Floats:
        """The effectiveness of the training queries, as far as it is known without more work."""

    def final_values(self) -> Floats:
        """The effectiveness of the training queries now."""

    def valid_scores(self) -> Floats:
        """The scores of the validation queries now."""

    def keep(self) -> None:
        """The present model is the best so far."""

    def is_resumable(self, number: int) -> bool:
        """Can training go on from here in another process just as in this one?"""

    def arrays(self) -> Arrays:
        """All that it needs to go on in another process."""


@dataclass(frozen=True)
class Stopping:
    """When to stop, by what number on the validation (or training) queries, and where to keep checkpoints."""

    n_steps: int
    patience: int | None
    value: Callable[[Floats, Lambdas], float] | None
    checkpoint: Path | None
    checkpoint_every: int
    identity: dict[str, Any]


@dataclass(frozen=True, eq=False)
class Trained:
    """How many steps were made and how many of them to use, how it went and why it ended."""

    n_steps: int
    best_steps: int
    history: History
    ending: str
    is_interrupted: bool = False


def train(
    learner: Learner, side: Side, valid: Side | None, stopping: Stopping, progress: Progress, begun: Checkpoint | None
) -> Trained:
    """Make steps until there are enough, validation has not improved for a while, or somebody interrupts."""
    unit = learner.unit
    history = History(unit) if begun is None else History.from_json(begun.state["history"])
    n_steps = 0 if begun is None else begun.n_steps
    best = -np.inf if begun is None or begun.state["best"] is None else float(begun.state["best"])
    best_steps = 0 if begun is None else int(begun.state["best_steps"])
    alpha = float(getattr(side.lambdas.objective, "alpha", 0.0))
    ending = f"{'grew' if unit == 'trees' else 'went through'} all {stopping.n_steps} {unit}"

    def record() -> None:
        nonlocal best, best_steps
        row: dict[str, float] = {unit: n_steps}
        judged = side
        if learner.lag == 0:
            values = learner.values()
            row |= of_training(values)
        if valid is not None:
            judged, values = valid, valid.lambdas.evaluate(valid.scores(learner.valid_scores()))
            row |= summary("valid", values, valid.lambdas.baseline_values, alpha)
        if stopping.value is not None:
            row["target"] = stopping.value(values, judged.lambdas)
            if row["target"] > best:
                best, best_steps = row["target"], n_steps
                learner.keep()
        history.add(row)

    def save() -> None:
        if stopping.checkpoint is not None:
            state = {
                "identity": stopping.identity,
                "n_steps": n_steps,
                "memory": side.lambdas.memory,
                "best": None if best == -np.inf else best,
                "best_steps": best_steps,
            }
            write_checkpoint(stopping.checkpoint, learner.arrays(), history, state)

    def of_training(values: Floats) -> dict[str, float]:
        return summary("train", values, side.lambdas.baseline_values, alpha)

    is_interrupted, saved = False, n_steps
    with interruptible() as interrupted:
        progress.say("preparing the objective (compiled once per installation)")
        while n_steps < stopping.n_steps:
            try:
                learner.step(n_steps)
            except FinishedError as finished:
                ending = str(finished)
                break
            if n_steps and learner.lag:  # what training looked like before this step
                history.complete(of_training(learner.values()))
            n_steps += 1
            record()
            progress.update(n_steps, _numbers(history))
            if stopping.patience is not None and n_steps - best_steps >= stopping.patience:
                ending = f"no better on validation queries for {stopping.patience} {unit}"
                break
            if interrupted():
                ending, is_interrupted = f"interrupted after {n_steps} {unit}", True
                if learner.is_resumable(n_steps):
                    save()
                break
            if n_steps - saved >= stopping.checkpoint_every and learner.is_resumable(n_steps):
                save()
                saved = n_steps
    if n_steps and learner.lag:
        history.complete(of_training(learner.final_values()))
    if not is_interrupted and stopping.checkpoint is not None:
        remove_checkpoint(stopping.checkpoint)
    used = n_steps if stopping.value is None else best_steps
    return Trained(n_steps, used, history, ending, is_interrupted)


class FinishedError(Exception):
    """There is nothing left to learn."""


def check(
    gradient: NDArray[Any],
    hessian: NDArray[Any],
    gains: NDArray[Any] | None,
    objective: Objective,
    done: int,
    unit: str,
) -> None:
    """Stop at forces that cannot teach anything; `gains`: how good each document is, where forces should say so."""
    size = float(gradient @ gradient)
    if not np.isfinite(size) or not np.isfinite(float(hessian.sum())):
        raise TrainingError(
            f"{objective!r} gave gradients that are not finite after {done} {unit}. "
            "Check its target, and the learning rate."
        )
    if size == 0:
        if done:
            raise FinishedError(f"nothing is left to gain after {done} {unit}")
        raise TrainingError(
            f"{objective!r} exerts no force on any document: "
            "no query has documents whose order matters to the measure. Check the labels."
        )
    if (
        gains is not None
        and not objective.with_churn
        and float(gradient @ gains) > 1e-6 * float(np.abs(gradient).sum())
    ):
        raise TrainingError(f"{objective!r} pushes better documents down: its target must have the sign of delta.")


stop_in_threads = threading.Event()  # asks the trainings in other threads to stop, which no signal reaches


@contextlib.contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """Ctrl-C and SIGTERM ask to stop after the current tree; a second one stops at once."""
    if threading.current_thread() is not threading.main_thread():
        yield stop_in_threads.is_set
        return
    asked = threading.Event()
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
