"""RankNet's training as it was before its speed-up: each pair of documents goes through the net and back by itself.

Burges et al. 2006, §5, call it V1, and what `Descent` does V2: the weights are the same, the work grows with the pairs
of a query rather than with its documents. It is here to be compared with.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch
from torch.nn.functional import softplus

from riskrank.errors import TrainingError
from riskrank.rankers.nets import nets
from riskrank.rankers.nets.descent import Descent

if TYPE_CHECKING:
    from riskrank.kernels.state import TargetState
    from riskrank.objectives.on_data.bound_objective import Gradients
    from riskrank.typing import Integers


class PairwiseDescent(Descent):
    """A net, trained for RankNet pair by pair.

    `pairs_at_once` share a pass of PyTorch, which changes its overhead, not the work: two documents forward and back
    for each pair. In the paper it is one.
    """

    pairs_at_once = 500_000  # no more, for memory

    def _learn(self, queries: Integers, state: TargetState) -> Gradients:
        """One step down for a batch of queries, by the sum of Eq. 6 of the paper as it stands."""
        better, worse = self._pairs(queries)
        of_query = self._bound.weights
        weights = None if of_query is None else of_query[self._bound.data.query_numbers[better]].astype(np.float32)
        sigma = float(self._bound.objective.sigma)
        self._optimiser.zero_grad(set_to_none=True)
        for begin in range(0, len(better), self.pairs_at_once):
            pairs = [rows[begin : begin + self.pairs_at_once] for rows in (better, worse)]
            first, second = (self._scored(rows) for rows in pairs)
            costs = softplus(-sigma * (first - second))
            if weights is not None:
                costs = costs * torch.from_numpy(weights[begin : begin + self.pairs_at_once])
            torch.autograd.backward(costs.sum() / len(queries))
        unpaired = np.setdiff1d(self._rows(queries), better)
        with torch.no_grad():
            self._scored(np.setdiff1d(unpaired, worse))
        self._optimiser.step()
        return self._bound.batch_gradients(self._scores, queries, self._seen, state)

    def _scored(self, rows: Integers) -> torch.Tensor:
        """The whole model's scores of some documents, which are remembered."""
        scores = nets.scored(self.net, self._features[torch.from_numpy(rows)])
        if self._train.start is not None:
            scores = scores + torch.from_numpy(self._train.start[rows].astype(np.float32))
        self._scores[rows] = scores.detach().numpy()
        if not np.isfinite(self._scores[rows]).all():
            raise TrainingError(nets.EXPLODED)
        return scores

    def _pairs(self, queries: Integers) -> tuple[Integers, Integers]:
        """The better and the worse document of each pair of different labels."""
        better, worse = [], []
        offsets = self._bound.data.query_offsets
        for begin, end in zip(offsets[queries], offsets[queries + 1], strict=True):
            gains = self._gains[begin:end]
            i, j = np.nonzero(gains[:, None] > gains[None])
            better.append(i + begin)
            worse.append(j + begin)
        return np.concatenate(better), np.concatenate(worse)
