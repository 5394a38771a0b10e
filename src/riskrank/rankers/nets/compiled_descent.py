"""Gradient descent for small nets with one query per update, as in Burges et al. 2006, by a compiled loop.

The updates are those of `Descent`, up to rounding: such a net has so few weights that PyTorch would spend nearly all
of the time on calls. The weights are still those of its module, whose memory the loop works on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.errors import TrainingError
from riskrank.rankers.nets import nets
from riskrank.rankers.nets.descent import Descent

if TYPE_CHECKING:
    from torch import nn

    from riskrank.kernels.small_nets import NetWeights, Scales
    from riskrank.kernels.state import TargetState
    from riskrank.objectives.on_data.bound_objective import Gradients
    from riskrank.rankers.nets.lambdanet import LambdaNet
    from riskrank.typing import Floats, Integers

MOST_UNITS = 64  # hidden; with more, PyTorch's arithmetic is worth its calls


class CompiledDescent(Descent):
    """A linear net, or one with a small hidden layer, trained query by query."""

    @staticmethod
    def suits(ranker: LambdaNet) -> bool:
        """Is this how a ranker's net is trained: plain descent, one query at a time?"""
        is_small = ranker.net in ("linear", "two-layer") and sum(ranker.hidden_units) <= MOST_UNITS
        is_plain = ranker.optimiser == "sgd" and ranker.weight_decay == 0 and ranker.batch_queries == 1
        return is_small and is_plain

    def _learn_all(self, order: Integers, state: TargetState) -> Gradients:
        from riskrank.kernels.small_nets import QueryRows, net_epoch

        calls, gradients = self._bound.batch_calls(self._seen, state)
        start = np.zeros(len(self._scores)) if self._train.start is None else self._train.start
        rows = QueryRows(self._bound.data.query_offsets, self._features.numpy(), start)
        rate = float(self._optimiser.param_groups[0]["lr"])
        is_finite = net_epoch(*(call.kernel for call in calls))(
            order, rows, rate, net_weights(self.net), self._scores, gradients.gradient,
            tuple(call.arguments for call in calls),
        )  # fmt: skip
        if not is_finite:
            raise TrainingError(nets.EXPLODED)
        return gradients

    def valid_scores(self) -> Floats:
        from riskrank.kernels.small_nets import net_scores

        scores = np.empty(len(self._valid_features))
        exact = type(net_weights(self.net))(*(each.astype(np.float64) for each in net_weights(self.net)))
        net_scores(self._valid_features, self._scales(), exact, scores)
        if not np.isfinite(scores).all():
            raise TrainingError(nets.EXPLODED)
        return scores.astype(np.float32).astype(np.float64)  # as `nets.all_scores` has them

    def _scales(self) -> Scales:
        from riskrank.kernels.small_nets import Scales

        scale = self.standardise
        if scale is None:
            n = self._valid_features.shape[1]
            return Scales(np.zeros(n), np.ones(n), np.zeros(n, np.uint8), np.inf)
        return Scales(scale.shift.numpy(), scale.scale.numpy(), scale.is_log.numpy(), nets.FARTHEST)


def net_weights(net: nn.Module) -> NetWeights:
    """The weights of a net with at most one hidden layer, in the memory of its module."""
    from riskrank.kernels.small_nets import NetWeights

    arrays: list[Any] = [parameter.detach().numpy() for parameter in net.parameters()]
    *hidden, last, last_bias = arrays
    if not hidden:
        hidden = [np.empty((0, last.shape[1]), last.dtype), np.empty(0, last.dtype)]
    return NetWeights(hidden[0], hidden[1], last[0], last_bias)
