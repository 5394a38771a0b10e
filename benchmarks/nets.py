"""Nets: a padded peer, and what they risk. The peer is LambdaLoss on padded batches as in common PyTorch libraries,
written here for the comparison. `riskrank reproduce burges2006` has RankNet's speed-up, and LambdaRank against RankNet.
"""

from __future__ import annotations

import argparse
import sys
import time
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from interleaved import print_machine
from torch import nn

import riskrank as rr
from riskrank.data.synthetic.synthetic_features import web_search_data

if TYPE_CHECKING:
    from collections.abc import Callable

    from riskrank.data.ranking_data import RankingData

THREADS = 2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help=f"parts whose name holds this text: {', '.join(PARTS)}")
    parser.add_argument("--epochs", type=int, default=30, help="epochs of every training (default 30)")
    options = parser.parse_args()
    torch.set_num_threads(THREADS)
    print_machine("before")
    for name, part in PARTS.items():
        if options.only in name:
            print(f"\n== {name}")
            part(options)
    print_machine("after")


# A padded peer


def interval(values: Any) -> float:
    return float(1.96 * values.std(ddof=1) / np.sqrt(len(values)))


class Padded:
    """LambdaLoss with nDCG weights on batches padded to the longest query: documents × documents per query."""

    def __init__(self, data: RankingData, net: nn.Module, batch: int) -> None:
        self.net, self.batch = net, batch
        self.optimiser = torch.optim.AdamW(net.parameters(), lr=1e-3, weight_decay=1e-2)
        sizes = np.diff(data.query_offsets)
        longest = int(sizes.max())
        self.features = torch.zeros(data.n_queries, longest, data.n_features)
        self.labels = torch.full((data.n_queries, longest), -1.0)
        for q, (a, b) in enumerate(zip(data.query_offsets[:-1], data.query_offsets[1:], strict=True)):
            self.features[q, : b - a] = torch.from_numpy(np.array(data.features[a:b]))
            self.labels[q, : b - a] = torch.from_numpy(np.array(data.labels[a:b], dtype=np.float32))

    def epoch(self) -> None:
        """Every query once."""
        for rows in torch.split(torch.randperm(len(self.features)), self.batch):
            labels = self.labels[rows]
            scores = self.net(self.features[rows])[..., 0].masked_fill(labels < 0, -1e9)
            ordered, order = scores.sort(descending=True, dim=1)
            labels = labels.gather(1, order)
            gains = 2.0 ** labels.clamp(min=0) - 1
            discounts = 1 / torch.log2(torch.arange(labels.shape[1]) + 2.0)
            ideal = (gains.sort(descending=True, dim=1).values[:, :10] * discounts[:10]).sum(1).clamp(min=1e-9)
            gains = gains / ideal[:, None]
            weight = (gains[:, :, None] - gains[:, None]).abs() * (discounts[:, None] - discounts[None]).abs()
            is_pair = (labels[:, :, None] > labels[:, None]) & (labels[:, None] >= 0)
            difference = (ordered[:, :, None] - ordered[:, None]).clamp(-50, 50)
            loss = (nn.functional.softplus(-difference) * weight * is_pair).sum() / len(rows)
            self.optimiser.zero_grad(set_to_none=True)
            loss.backward()  # type: ignore[no-untyped-call]
            self.optimiser.step()


def print_peer(options: argparse.Namespace) -> None:
    """The same net, batches and number of epochs, in turns."""
    from riskrank.rankers.fitting.plan import plan_fit
    from riskrank.rankers.nets.descent import Descent
    from riskrank.rankers.nets.nets import all_scores

    everything = web_search_data(2500, documents_per_query=120, n_features=60, random_state=5)
    train, test = everything.take(slice(0, 1000)), everything.take(slice(1000, None))
    objective = rr.Gain("nDCG@10")
    ranker = rr.LambdaNet(objective, n_epochs=options.epochs, schedule="constant", n_threads=THREADS)
    ours = Descent(plan_fit(ranker, train), ranker, None)
    standard = rr.RankingData(ours._features.numpy(), train.labels, train.query_offsets, train.query_ids)
    torch.manual_seed(0)
    layers = [nn.Linear(60, 128), nn.ReLU(), nn.Dropout(0.1), nn.Linear(128, 64), nn.ReLU(), nn.Dropout(0.1)]
    theirs = Padded(standard, nn.Sequential(*layers, nn.Linear(64, 1)), 16)
    spent = {"padded LambdaLoss": 0.0, "LambdaNet": 0.0}
    for number in range(options.epochs):
        spent["padded LambdaLoss"] += timed(theirs.epoch)
        spent["LambdaNet"] += timed(partial(ours.step, number))
        print(f"\r  epoch {number + 1}", end="", file=sys.stderr)
    print(file=sys.stderr)
    nets = {"padded LambdaLoss": theirs.net, "LambdaNet": ours.net}
    scores = {name: all_scores(net, ours.standardise, test.features) for name, net in nets.items()}
    found = rr.evaluate(test, scores, "nDCG@10")
    print(f"{train}, 16 queries a batch, {options.epochs} epochs")
    for name, seconds in spent.items():
        ratio = seconds / spent["padded LambdaLoss"]
        each = seconds / options.epochs
        print(f"{name:<18} {each:6.3f} s an epoch, ratio {ratio:.3f}, nDCG@10 {found[name].mean():.4f}")
    difference = found["LambdaNet"] - found["padded LambdaLoss"]
    print(f"difference {difference.mean():+.4f} ± {interval(difference):.4f}")


# One query per update


def print_compiled(_options: argparse.Namespace) -> None:
    """The compiled loop for small nets against PyTorch: the same updates, in turns, by the processor's time."""
    from riskrank.objectives import Gain, RankNet
    from riskrank.rankers.fitting.plan import plan_fit
    from riskrank.rankers.nets.compiled_descent import CompiledDescent
    from riskrank.rankers.nets.descent import Descent

    objectives = {
        "RankNet": RankNet(truncation=None, normalise=False),
        "LambdaRank": Gain("nDCG@10", truncation=1_000_000, normalise=False),
    }
    print("microseconds per query of the processor's time: an epoch of training, and scores for validation")
    for documents, features, units in ((50, 50, None), (50, 50, 10), (26, 367, 10), (120, 136, 10), (120, 136, 64)):
        train = web_search_data(500, documents_per_query=documents, n_features=features)
        for name, objective in objectives.items():
            ranker = rr.LambdaNet.burges2006(
                objective, layers=1 if units is None else 2, hidden=units, learning_rate=1e-6, n_threads=1
            )
            plan = plan_fit(ranker, train, valid=train)
            learners = {kind: kind(plan, ranker, None) for kind in (Descent, CompiledDescent)}
            spent: dict[type[Descent], tuple[list[float], list[float]]] = {kind: ([], []) for kind in learners}
            for number in range(6):
                for kind, learner in learners.items():
                    spent[kind][0].append(busy(partial(learner.step, number)))
                    spent[kind][1].append(busy(learner.valid_scores))
            each = {kind: [1e6 * min(times[1:]) / 500 for times in of] for kind, of in spent.items()}
            (slow, slow_valid), (fast, fast_valid) = each[Descent], each[CompiledDescent]
            print(
                f"{documents:>4} documents, {features} features, {units or 'no'} hidden units, {name:<10} "
                f"PyTorch {slow:6.1f}, compiled {fast:5.1f}: {slow / fast:4.1f} times; "
                f"scores {slow_valid:5.1f} and {fast_valid:5.1f}"
            )


# Risk


def print_risk(options: argparse.Namespace) -> None:
    """Risk and reward against the text score as alpha rises, for nets and trees."""
    draws = 4
    print(f"{'':<24} nDCG@10     risk   reward   losses  >20 %   (synthetic data, {draws} draws of 500 + 500 queries)")
    makers: dict[str, Callable[[Any], Any]] = {
        "LambdaNet": lambda goal: rr.LambdaNet(goal, n_epochs=options.epochs, n_threads=THREADS),
        "LambdaMART": lambda goal: rr.LambdaMART(goal, n_trees=100, n_leaves=15, n_threads=THREADS),
    }
    for name, make in makers.items():
        for alpha in (0, 1, 5, 10):
            values, baselines = [], []
            for draw in range(draws):
                data = web_search_data(1000, documents_per_query=60, n_features=60, random_state=draw)
                train, test = data.take(slice(0, 500)), data.take(slice(500, None))
                ranker = make(rr.URisk(alpha=alpha)).fit(train, baseline=rr.Feature(1))
                found = rr.evaluate(test, {"m": ranker.predict(test), "b": test.feature(1)}, "nDCG@10")
                values.append(found["m"])
                baselines.append(found["b"])
            value, baseline = np.concatenate(values), np.concatenate(baselines)
            risk, reward = rr.risk.risk(value, baseline), rr.risk.reward(value, baseline)
            large = int((value < 0.8 * baseline).sum())
            losses = int((value < baseline).sum())
            print(
                f"{name + f', alpha {alpha}':<24} {value.mean():.4f}  {risk:.5f}  {reward:.5f}  {losses:>6}  {large:>5}"
            )


def timed(function: Callable[[], Any]) -> float:
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def busy(function: Callable[[], Any]) -> float:
    start = time.process_time()
    function()
    return time.process_time() - start


PARTS = {
    "peer": print_peer,
    "one query per update": print_compiled,
    "risk": print_risk,
}

if __name__ == "__main__":
    main()
