"""What training asks of a learner, whatever it learns: trees, nets or weights."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from riskrank.errors import TrainingError

if TYPE_CHECKING:
    from collections.abc import Callable

    from riskrank.objectives.objective import Objective
    from riskrank.objectives.on_data.bound_objective import Gradients
    from riskrank.typing import Arrays, Floats, Singles

TOLERANCE = 1e-6  # of the gradients' sum; rounding makes them differ from 0


class SeenValues(NamedTuple):
    """The effectiveness of the training queries as it was after this many steps."""

    n_steps: int
    values: Floats


class Finished(Exception):  # noqa: N818 (nothing went wrong)
    """There is nothing left to learn; the message says why."""


class Learner(Protocol):
    """A model that gets better step by step."""

    def step(self, number: int) -> SeenValues:
        """Learn once more, after `number` steps, and tell what was seen of the training queries by the way."""

    def final_values(self) -> Floats | None:
        """The effectiveness of the training queries now; None if the last step told it."""
        return None

    def valid_scores(self) -> Floats:
        """The scores of the validation queries now."""

    def keep(self) -> None:
        """The present model is the best so far."""

    def is_resumable(self, number: int) -> bool:
        """Can training go on from here in another process just as in this one?"""
        return True

    def arrays(self) -> Arrays:
        """All that it needs to go on in another process."""


def check_gradients(
    gradients: Gradients,
    gains: Floats | Singles | None,
    objective: Objective,
    *,
    n_steps: int,
    unit: str,
    total: Callable[[Floats], Floats] = lambda sums: sums,
) -> None:
    """Stop at gradients that cannot teach anything.

    `gains` tell how good each document is, largest 1, where gradients should follow them; `total` adds up what workers
    have, so that all of them stop, or none.
    """
    gradient, hessian, _ = gradients
    with np.errstate(invalid="ignore", over="ignore"):  # which is told below
        follows = 0.0 if gains is None else float(gradient @ gains)
        sums = np.array([gradient @ gradient, hessian.sum(), follows, np.abs(gradient).sum()], np.float64)
    size, curvature, follows, length = total(sums).tolist()
    if not np.isfinite(size) or not np.isfinite(curvature):
        raise TrainingError(
            f"{objective!r} gave gradients that are not finite after {n_steps} {unit}. "
            "Check its target, and the learning rate."
        )
    if size == 0:
        if n_steps:
            raise Finished(f"nothing is left to gain after {n_steps} {unit}")
        raise TrainingError(
            f"{objective!r} gives no document a gradient: "
            "no query has documents whose order matters to the measure. Check the labels."
        )
    if gains is not None and not objective.with_churn and follows > TOLERANCE * length:
        raise TrainingError(f"{objective!r} pushes better documents down: its target must have the sign of delta.")
