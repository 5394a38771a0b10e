"""All of training, read top to bottom: history, early stopping, checkpoints, interruptions.

What a step is (a tree, an epoch, a round), the learner knows.
"""

from __future__ import annotations

import math
from contextlib import nullcontext
from dataclasses import dataclass
from threading import Event
from typing import TYPE_CHECKING

from riskrank.progress import Progress
from riskrank.rankers.fitting.checkpoint import Checkpoint
from riskrank.rankers.fitting.history import WATCHED, History, summary
from riskrank.rankers.fitting.interruption import interruptible
from riskrank.rankers.fitting.learner import Finished
from riskrank.risk.paired import difference

if TYPE_CHECKING:
    from riskrank.rankers.fitting.learner import Learner, SeenValues
    from riskrank.rankers.fitting.plan import FitPlan, FitQueries
    from riskrank.typing import Floats


@dataclass(frozen=True, eq=False)
class FitResult:
    """How many steps were made and how many of them to use, how it went and why it ended.

    `valid_changes` is what each validation query gains over the baseline (the mean of several) with the steps to use;
    None where that is not known. `valid_weights` say how much these queries count, None: the same.
    """

    n_steps: int
    best_steps: int
    history: History
    ending: str
    is_interrupted: bool
    valid_changes: Floats | None = None
    valid_weights: Floats | None = None


@dataclass(eq=False)
class FitProgress:
    """How far a training is."""

    history: History
    n_steps: int = 0
    best: float | None = None
    best_steps: int = 0
    saved_steps: int = 0
    valid_values: Floats | None = None  # with the steps to use, as far as this process has made them

    @classmethod
    def resumed(cls, checkpoint: Checkpoint) -> FitProgress:
        """Where a checkpoint left off."""
        n_steps = checkpoint.n_steps
        return cls(checkpoint.history, n_steps, checkpoint.best, checkpoint.best_steps, saved_steps=n_steps)

    def record(self, plan: FitPlan, learner: Learner, seen: SeenValues) -> None:
        """One more step: a row of the history, and the best step so far."""
        self.n_steps += 1
        self.history.add({plan.unit: self.n_steps})
        if seen.n_steps:
            self._tell("train", seen.n_steps, seen.values, plan.train)
        watched, judged_steps, values = plan.train.bound.mean(seen.values), seen.n_steps, None
        if plan.valid is not None:
            scores = plan.valid.scores(learner.valid_scores())
            values = plan.valid.bound.values(scores)
            self._tell("valid", self.n_steps, values, plan.valid)
            if plan.valid_measure is not None:
                watched, judged_steps = plan.valid_measure.value(scores, values), self.n_steps
        if plan.uses_best_step and judged_steps:
            self.history.update(judged_steps, {WATCHED: watched})
            if watched > (-math.inf if self.best is None else self.best):
                self.best, self.best_steps, self.valid_values = watched, judged_steps, values
                learner.keep()
        elif not plan.uses_best_step:
            self.valid_values = values

    def complete(self, plan: FitPlan, learner: Learner) -> None:
        """The last row, where the training queries were not seen since."""
        values = learner.final_values() if self.n_steps else None
        if values is not None:
            self._tell("train", self.n_steps, values, plan.train)

    def valid_changes(self, plan: FitPlan) -> Floats | None:
        """What each validation query gains over the baseline."""
        if self.valid_values is None or plan.valid is None or not len(plan.valid.bound.baseline_values):
            return None
        return difference(self.valid_values, plan.valid.bound.baseline_values.mean(axis=0))

    def _tell(self, query_set: str, step: int, values: Floats, queries: FitQueries) -> None:
        """What queries were like after a step, to the history."""
        bound = queries.bound
        row = summary(query_set, values, bound.baseline_values, bound.objective.alpha, bound.weights)
        self.history.update(step, row)

    def checkpoint(self, plan: FitPlan, learner: Learner) -> Checkpoint:
        """All of it, for another process."""
        memory = plan.train.bound.memory
        return Checkpoint(self.n_steps, self.best_steps, self.best, self.history, memory, learner.arrays())


def make_steps(plan: FitPlan, learner: Learner, checkpoint: Checkpoint | None) -> FitResult:
    """Make steps until there are enough, validation has not improved for a while, or somebody interrupts."""
    progress = FitProgress(History(plan.unit)) if checkpoint is None else FitProgress.resumed(checkpoint)
    is_interrupted = False
    bar = Progress(plan.title, plan.n_steps, show=plan.is_shown, done=progress.n_steps)
    with bar, interruptible() if plan.is_interruptible else nullcontext(Event()) as asked_to_stop:
        while not (ending := _reason_to_end(plan, progress)) and not is_interrupted:
            try:
                seen = learner.step(progress.n_steps)
            except Finished as finished:
                ending = str(finished)
                break
            progress.record(plan, learner, seen)
            bar.update(progress.n_steps, progress.history.newest())
            is_interrupted = asked_to_stop.is_set()
            if plan.checkpoints is not None and learner.is_resumable(progress.n_steps):
                is_due = progress.n_steps - progress.saved_steps >= plan.checkpoints.every
                if is_due or is_interrupted:
                    plan.checkpoints.write(progress.checkpoint(plan, learner))
                    progress.saved_steps = progress.n_steps
    if is_interrupted:
        ending = f"interrupted after {progress.n_steps} {plan.unit}"
    progress.complete(plan, learner)
    if plan.checkpoints is not None and not is_interrupted:
        if not plan.checkpoints.is_kept:
            plan.checkpoints.remove()
        elif progress.saved_steps < progress.n_steps and learner.is_resumable(progress.n_steps):
            plan.checkpoints.write(progress.checkpoint(plan, learner))
    best_steps = progress.best_steps if plan.uses_best_step else progress.n_steps
    changes = progress.valid_changes(plan)
    weights = None if plan.valid is None else plan.valid.bound.weights
    return FitResult(progress.n_steps, best_steps, progress.history, ending, is_interrupted, changes, weights)


def _reason_to_end(plan: FitPlan, progress: FitProgress) -> str:
    """Why no further step is made, if so: also for a training that is resumed after its last step."""
    if plan.patience is not None and progress.n_steps - progress.best_steps >= plan.patience:
        return f"no better on validation queries for {plan.patience} {plan.unit}"
    if progress.n_steps >= plan.n_steps:
        return f"all {plan.n_steps} {plan.unit} done"
    return ""
