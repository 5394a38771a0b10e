"""Gradient descent as a learner: each step is an epoch of mini-batches of whole queries.

The gradients of a batch's documents come from the objective's compiled loop; then one backward pass carries them into
the net, however many pairs of documents there were (Burges et al. 2006, §5: "V2").
"""

from __future__ import annotations

import math
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from riskrank.errors import ParameterError, TrainingError
from riskrank.rankers.fitting.learner import Finished, Learner, SeenValues, check_gradients
from riskrank.rankers.nets import nets

if TYPE_CHECKING:
    from collections.abc import Iterator

    from riskrank.kernels.state import TargetState
    from riskrank.objectives.on_data.bound_objective import Gradients
    from riskrank.rankers.fitting.checkpoint import Checkpoint
    from riskrank.rankers.fitting.plan import FitPlan
    from riskrank.rankers.nets.lambdanet import LambdaNet
    from riskrank.typing import Arrays, Floats, Integers, Singles

DROP = 0.8  # Burges et al. 2006, §6.3
LOOKED_AT = 256  # documents whose scores must be finite after each epoch
WORTH_THREADS = 2e6  # multiplications in a batch; with fewer, threads cost more than they give


class Descent(Learner):
    """A net, trained for an objective.

    An epoch tells the effectiveness of each query as it was last seen, before its batch was learned from.
    """

    _rate: float  # of learning
    _cost: float  # of the last epoch
    _lowest: float  # cost of all epochs
    _since: int  # epochs without progress

    def __init__(self, plan: FitPlan, ranker: LambdaNet, checkpoint: Checkpoint | None) -> None:
        self._train = plan.train
        self._bound = plan.train.bound
        self._unit = plan.unit
        self._ranker = ranker
        self._seed = int(ranker.random_state)
        data = self._bound.data
        if not ranker.standardise and np.isnan(data.features).any():
            raise ParameterError("a net needs all features; with missing values (NaN), leave standardise on.")
        self.standardise = nets.Standardise(data.n_features) if ranker.standardise else None
        if self.standardise is not None:
            self.standardise.learn(data.features)
        self._features = self._standardised(data.features)
        self._valid_features = data.features if plan.valid is None else plan.valid.bound.data.features
        self._gains = self._bound.gains / max(float(self._bound.gains.max()), 1e-30)
        self._scores = np.zeros(data.n_documents)
        self._sizes = np.diff(data.query_offsets)
        with seeded(self._seed):
            self.net = nets.new_net(ranker.net, data.n_features, ranker.hidden_units, float(ranker.dropout))
        if not any(parameter.requires_grad for parameter in self.net.parameters()):
            raise ParameterError("the net has nothing to learn: none of its parameters takes a gradient.")
        n_weights = sum(parameter.numel() for parameter in self.net.parameters())
        multiplications = ranker.batch_queries * float(self._sizes.mean()) * n_weights
        self._n_threads = ranker.usable_threads if multiplications > WORTH_THREADS else 1
        self._draw(0)
        self.best = nets.weights_of(self.net)
        if checkpoint is not None:
            with _misfits_told(checkpoint):
                self._resume(checkpoint.arrays)

    def step(self, number: int) -> SeenValues:
        """Go through all queries once, in random order."""
        ranker = self._ranker
        if ranker.restart_after is not None and self._since >= ranker.restart_after:
            self._draw(number)
        self._set_rate(number)
        before = nets.weights_of(self.net)
        order = np.random.default_rng((self._seed, number)).permutation(self._bound.data.n_queries)
        self.net.train()
        with threads(self._n_threads), torch.enable_grad(), seeded(self._seed + 7919 * (number + 1)):
            gradients = self._learn_all(order, self._bound.target_state(self._seen))
        self.net.eval()
        with torch.no_grad():
            if not torch.isfinite(nets.scored(self.net, self._features[:LOOKED_AT])).all():
                raise TrainingError(nets.EXPLODED)
        try:
            check_gradients(gradients, self._gains, self._bound.objective, n_steps=number, unit=self._unit)
        except Finished:
            nets.set_weights(self.net, before)  # such an epoch does not count, though an optimiser may have gone on
            raise
        if ranker.schedule == "drop" or ranker.restart_after is not None:
            self._judge(self._bound.cost(self._scores, self._seen.reported))
        return SeenValues(number + 1, self._seen.reported)

    def _judge(self, cost: float) -> None:
        """Slow down where the training cost rose, and count the epochs without progress."""
        if self._ranker.schedule == "drop" and cost > self._cost:
            self._rate *= DROP
        self._since = 0 if cost < self._lowest else self._since + 1
        self._cost, self._lowest = cost, min(cost, self._lowest)

    def _learn_all(self, order: Integers, state: TargetState) -> Gradients:
        """All batches of an epoch."""
        batch = int(self._ranker.batch_queries)
        for begin in range(0, len(order), batch):
            gradients = self._learn(order[begin : begin + batch], state)
        return gradients

    def _learn(self, queries: Integers, state: TargetState) -> Gradients:
        """One step down for a batch of queries; the gradients of all documents as they were last."""
        rows = self._rows(queries)
        scores = nets.scored(self.net, self._features[torch.from_numpy(rows)])
        learned = scores.detach().numpy()
        if not np.isfinite(learned).all():
            raise TrainingError(nets.EXPLODED)
        self._scores[rows] = learned
        if self._train.start is not None:
            self._scores[rows] += self._train.start[rows]
        gradients = self._bound.batch_gradients(self._scores, queries, self._seen, state)
        per_query = (gradients.gradient[rows] / len(queries)).astype(np.float32)
        self._optimiser.zero_grad(set_to_none=True)
        torch.autograd.backward(scores, torch.from_numpy(per_query))
        self._optimiser.step()
        return gradients

    def _rows(self, queries: Integers) -> Integers:
        """The documents of some queries, one query after the other."""
        sizes = self._sizes[queries]
        ends = np.cumsum(sizes)
        firsts = self._bound.data.query_offsets[queries] - (ends - sizes)
        rows: Integers = np.repeat(firsts, sizes) + np.arange(ends[-1])
        return rows

    def _draw(self, number: int) -> None:
        """Random weights and a new optimiser, before the first epoch or where one has been stuck for long."""
        ranker = self._ranker
        if number or isinstance(ranker.net, str):  # a user's module comes with its own weights
            with seeded(self._seed + number):
                nets.draw_weights(self.net, silent=self._train.start is not None)
        self._rate, self._cost, self._lowest, self._since = float(ranker.learning_rate), math.inf, math.inf, 0
        kind: Any = torch.optim.AdamW if ranker.optimiser == "adamw" else torch.optim.SGD
        self._optimiser = kind(self.net.parameters(), lr=self._rate, weight_decay=float(ranker.weight_decay))
        learned = nets.all_scores(self.net, None, self._features.numpy())
        self._seen = self._bound.query_values(self._train.scores(learned))

    def _set_rate(self, number: int) -> None:
        rate = self._rate
        if self._ranker.schedule == "cosine":
            rate *= 0.5 * (1 + math.cos(math.pi * number / self._ranker.n_steps))
        for group in self._optimiser.param_groups:
            group["lr"] = rate

    def _standardised(self, features: Singles) -> torch.Tensor:
        """A copy of the features as the net gets them; some rows at a time, which takes less memory."""
        standardised = torch.empty(features.shape, dtype=torch.float32)
        for begin in range(0, len(features), nets.ROWS_AT_ONCE):
            part = torch.tensor(features[begin : begin + nets.ROWS_AT_ONCE], dtype=torch.float64)
            standardised[begin : begin + nets.ROWS_AT_ONCE] = (
                part if self.standardise is None else self.standardise(part)
            )
        return standardised

    def valid_scores(self) -> Floats:
        with threads(self._ranker.usable_threads):
            return nets.all_scores(self.net, self.standardise, self._valid_features)

    def keep(self) -> None:
        self.best = nets.weights_of(self.net)

    def arrays(self) -> Arrays:
        state = self._optimiser.state_dict()["state"]
        return {
            **{f"net/{name}": value for name, value in nets.weights_of(self.net).items()},
            **{f"best/{name}": value for name, value in self.best.items()},
            **{f"optimiser/{i}/{k}": v.numpy() for i, kept in state.items() for k, v in kept.items() if v is not None},
            "loop/descent": np.array([self._rate, self._cost, self._lowest, self._since]),
            "seen": np.stack(self._seen),
        }

    def _resume(self, arrays: Arrays) -> None:
        nets.set_weights(self.net, _under("net/", arrays))
        self.best = _under("best/", arrays)
        state: dict[int, dict[str, Any]] = {}
        for name, value in _under("optimiser/", arrays).items():
            number, _, key = name.partition("/")
            state.setdefault(int(number), {})[key] = torch.from_numpy(np.array(value))
        self._optimiser.load_state_dict({**self._optimiser.state_dict(), "state": state})
        self._rate, self._cost, self._lowest, since = arrays["loop/descent"].tolist()
        self._since = int(since)
        self._seen = self._bound.values_as_kept(*arrays["seen"])


@contextmanager
def _misfits_told(checkpoint: Checkpoint) -> Iterator[None]:
    """Arrays that are missing, or that no such net has."""
    try:
        yield
    except (RuntimeError, ValueError, TypeError, KeyError, IndexError):
        raise checkpoint.misfit("net") from None


def _under(prefix: str, arrays: Arrays) -> Arrays:
    return {name.removeprefix(prefix): value for name, value in arrays.items() if name.startswith(prefix)}


@contextmanager
def threads(n_threads: int) -> Iterator[None]:
    """PyTorch with this many threads."""
    before = torch.get_num_threads()
    torch.set_num_threads(n_threads)
    try:
        yield
    finally:
        torch.set_num_threads(before)


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """PyTorch with random numbers of our own, in single precision; the user's go on undisturbed."""
    usual = torch.get_default_dtype()
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(seed)  # torch.manual_seed would seed graphics cards too
        torch.set_default_dtype(torch.float32)
        try:
            yield
        finally:
            torch.set_default_dtype(usual)
