"""All of training, read top to bottom: history, early stopping, checkpoints, interruptions.

What a step is (a tree, an epoch, a round), the learner knows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from riskrank.progress import Progress
from riskrank.rankers.fitting.checkpoint import Checkpoint
from riskrank.rankers.fitting.history import History, summary
from riskrank.rankers.fitting.interruption import interruptible
from riskrank.rankers.fitting.learner import Finished

if TYPE_CHECKING:
    from riskrank.rankers.fitting.learner import Learner, SeenValues
    from riskrank.rankers.fitting.plan import FitPlan


@dataclass(frozen=True, eq=False)
class FitResult:
    """How many steps were made and how many of them to use, how it went and why it ended."""

    n_steps: int
    best_steps: int
    history: History
    ending: str
    is_interrupted: bool


@dataclass(eq=False)
class FitProgress:
    """How far a training is."""

    history: History
    n_steps: int = 0
    best: float | None = None
    best_steps: int = 0
    saved_steps: int = field(init=False)

    def __post_init__(self) -> None:
        self.saved_steps = self.n_steps

    @classmethod
    def resumed(cls, checkpoint: Checkpoint) -> FitProgress:
        """Where a checkpoint left off."""
        return cls(checkpoint.history, checkpoint.n_steps, checkpoint.best, checkpoint.best_steps)

    def record(self, plan: FitPlan, learner: Learner, seen: SeenValues) -> None:
        """One more step: a row of the history, and the best step so far."""
        self.n_steps += 1
        self.history.add({plan.unit: self.n_steps})
        if seen.n_steps:
            self.history.update(seen.n_steps, self._training_row(plan, seen))
        target, judged_steps = float(seen.values.mean()), seen.n_steps
        if plan.valid is not None:
            scores = plan.valid.scores(learner.valid_scores())
            values = plan.valid.bound.values(scores)
            baselines = plan.valid.bound.baseline_values
            self.history.update(self.n_steps, summary("valid", values, baselines, plan.alpha))
            if plan.watched is not None:
                target, judged_steps = plan.watched.of(scores, values), self.n_steps
        if plan.uses_best_step and judged_steps:
            self.history.update(judged_steps, {"target": target})
            if target > (-math.inf if self.best is None else self.best):
                self.best, self.best_steps = target, judged_steps
                learner.keep()

    def complete(self, plan: FitPlan, learner: Learner) -> None:
        """The last row, where the training queries were not seen since."""
        values = learner.final_values() if self.n_steps else None
        if values is not None:
            self.history.update(self.n_steps, summary("train", values, plan.train.bound.baseline_values, plan.alpha))

    def checkpoint(self, plan: FitPlan, learner: Learner) -> Checkpoint:
        """All of it, for another process."""
        memory = plan.train.bound.memory
        return Checkpoint(self.n_steps, self.best_steps, self.best, self.history, memory, learner.arrays())

    @staticmethod
    def _training_row(plan: FitPlan, seen: SeenValues) -> dict[str, float]:
        return summary("train", seen.values, plan.train.bound.baseline_values, plan.alpha)


def run(plan: FitPlan, learner: Learner, checkpoint: Checkpoint | None) -> FitResult:
    """Make steps until there are enough, validation has not improved for a while, or somebody interrupts."""
    progress = FitProgress(History(plan.unit)) if checkpoint is None else FitProgress.resumed(checkpoint)
    ending = f"{'grew' if plan.unit == 'trees' else 'went through'} all {plan.n_steps} {plan.unit}"
    is_interrupted = False
    bar = Progress(plan.title, plan.n_steps, show=plan.is_shown, done=progress.n_steps)
    with bar, interruptible() as is_asked_to_stop:
        bar.say("preparing the objective (compiled once per installation)")
        while progress.n_steps < plan.n_steps and not is_interrupted:
            try:
                seen = learner.step(progress.n_steps)
            except Finished as finished:
                ending = str(finished)
                break
            progress.record(plan, learner, seen)
            bar.update(progress.n_steps, progress.history.newest())
            if plan.patience is not None and progress.n_steps - progress.best_steps >= plan.patience:
                ending = f"no better on validation queries for {plan.patience} {plan.unit}"
                break
            is_interrupted = is_asked_to_stop()
            is_due = plan.checkpoints is not None and progress.n_steps - progress.saved_steps >= plan.checkpoints.every
            if plan.checkpoints is not None and (is_due or is_interrupted) and learner.is_resumable(progress.n_steps):
                plan.checkpoints.write(progress.checkpoint(plan, learner))
                progress.saved_steps = progress.n_steps
    if is_interrupted:
        ending = f"interrupted after {progress.n_steps} {plan.unit}"
    progress.complete(plan, learner)
    if plan.checkpoints is not None and not is_interrupted:
        plan.checkpoints.remove()
    best_steps = progress.best_steps if plan.uses_best_step else progress.n_steps
    return FitResult(progress.n_steps, best_steps, progress.history, ending, is_interrupted)
