"""Boosting as a learner: each step adds a tree to the forces of the present scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.rankers.fitting.loop import FinishedError, check
from riskrank.rankers.trees.tree_settings import Earlier

if TYPE_CHECKING:
    from riskrank.rankers.fitting.checkpoint import Checkpoint
    from riskrank.rankers.fitting.loop import Side
    from riskrank.rankers.trees.tree_settings import TreeSettings
    from riskrank.typing import Arrays, Floats, Singles


class Boosting:
    """Trees of an engine, grown for an objective."""

    unit = "trees"
    lag = 1

    def __init__(
        self, engine: Any, side: Side, valid: Side | None, settings: TreeSettings, begun: Checkpoint | None
    ) -> None:
        self.side = side
        self._has_valid = valid is not None
        self._gains: Singles | None = None
        if side.lambdas.is_ordering:
            largest = max(float(side.lambdas.gains.max()), 1e-30)
            self._gains = (side.lambdas.gains / largest).astype(np.float32)
        self._done = 0
        earlier = None
        if begun is not None:
            kept = begun.arrays
            earlier = Earlier(kept["model"].tobytes(), kept["train_scores"], kept.get("valid_scores"), begun.n_steps)
        self.trees = engine.Trees(side.lambdas.data, None if valid is None else valid.lambdas.data, settings, earlier)

    def step(self, number: int) -> None:
        """Grow a tree."""
        self._done = number
        if not self.trees.grow(self._forces, number):
            raise FinishedError(f"no split was worth a tree after {number}")

    def _forces(self, grown: Floats) -> tuple[Singles, Singles]:
        lambdas = self.side.lambdas
        gradient, hessian = lambdas(self.side.scores(grown))
        check(gradient, hessian, self._gains, lambdas.objective, self._done, self.unit)
        return gradient, hessian

    def values(self) -> Floats:
        """What the training queries had before the last tree."""
        return self.side.lambdas.values

    def final_values(self) -> Floats:
        """The effectiveness of the training queries now."""
        return self.side.lambdas.evaluate(self.side.scores(self.trees.train_scores()))

    def valid_scores(self) -> Floats:
        """The scores of the validation queries now."""
        scores: Floats = self.trees.valid_scores()
        return scores

    def keep(self) -> None:
        """The best model is the first so many trees; nothing needs to be copied."""

    def is_resumable(self, number: int) -> bool:
        """Can training go on from here in another process just as in this one?"""
        return bool(self.trees.is_resumable(number))

    def arrays(self) -> Arrays:
        """All that it needs to go on in another process."""
        arrays: Arrays = {
            "model": np.frombuffer(self.trees.text(), np.uint8),
            "train_scores": self.trees.train_scores(),
        }
        return {**arrays, "valid_scores": self.trees.valid_scores()} if self._has_valid else arrays
