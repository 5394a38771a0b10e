"""Nets: factored training against training pair by pair, LambdaRank against RankNet, and a padded peer.

The experiments of Burges et al. 2006, §6, made current. Speed-ups are ratios of epochs in turns; the peer is LambdaLoss
on padded batches as in common PyTorch libraries, written here for the comparison.
"""

from __future__ import annotations

import argparse
import sys
import time
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from interleaved import print_machine
from torch import nn

import riskrank as rr
from riskrank.data.synthetic.synthetic_features import cubic_data, web_search_data
from riskrank.objectives.on_data.bound_objective import BoundObjective

if TYPE_CHECKING:
    from collections.abc import Callable

    from riskrank.data.ranking_data import RankingData

THREADS = 2
RANKNET = rr.RankNet(truncation=None, normalise=False)
LAMBDARANK = rr.Gain("nDCG", truncation=None, normalise=False)  # Burges et al. 2006, Eq. 9
RATE = 1e-9  # so that even sums over very many pairs leave the scores near each other
LARGEST_BLOCK = 500_000  # pairs that the pairwise training takes at once, for its memory


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help=f"parts whose name holds this text: {', '.join(PARTS)}")
    parser.add_argument("--full", action="store_true", help="the paper's sizes (hours)")
    parser.add_argument("--epochs", type=int, default=30, help="epochs of every training (default 30)")
    options = parser.parse_args()
    torch.set_num_threads(THREADS)
    print_machine("before")
    for name, part in PARTS.items():
        if options.only in name:
            print(f"\n== {name}")
            part(options)
    print_machine("after")


# Factored against pair by pair


def paper_net(n_features: int, layers: int) -> nn.Module:
    torch.manual_seed(0)
    if layers == 1:
        return nn.Linear(n_features, 1)
    return nn.Sequential(nn.Linear(n_features, 10), nn.Tanh(), nn.Linear(10, 1))


class PairByPair:
    """RankNet as it was before: each pair's two documents go through the net and back. Updates per query.

    `block` pairs go together: 1 as in the paper, many for what PyTorch makes of it.
    """

    def __init__(self, data: RankingData, layers: int, block: int = LARGEST_BLOCK) -> None:
        self.block = block
        self.net = paper_net(data.n_features, layers)
        self.optimiser = torch.optim.SGD(self.net.parameters(), lr=RATE)
        self.queries = []
        for a, b in zip(data.query_offsets[:-1], data.query_offsets[1:], strict=True):
            labels = data.labels[a:b]
            better, worse = np.nonzero(labels[:, None] > labels[None])
            pairs = torch.from_numpy(better), torch.from_numpy(worse)
            self.queries.append((torch.from_numpy(np.array(data.features[a:b])), *pairs))

    def epoch(self) -> None:
        """Every query once."""
        for features, better, worse in self.queries:
            self.optimiser.zero_grad(set_to_none=True)
            for begin in range(0, len(better), self.block):
                block = slice(begin, begin + self.block)
                difference = self.net(features[better[block]]) - self.net(features[worse[block]])
                nn.functional.softplus(-difference).sum().backward()  # type: ignore[no-untyped-call]
            self.optimiser.step()


class Factored:
    """The same updates through the gradients of documents."""

    def __init__(self, data: RankingData, layers: int) -> None:
        self.net = paper_net(data.n_features, layers)
        self.optimiser = torch.optim.SGD(self.net.parameters(), lr=RATE)
        self.bound = BoundObjective(RANKNET, data, n_threads=THREADS)
        self.scores = np.zeros(data.n_documents)
        self.values = self.bound.query_values(self.scores)
        self.state = self.bound.target_state(self.values)
        self.features = torch.from_numpy(np.array(data.features))
        self.offsets = data.query_offsets

    def epoch(self) -> None:
        """Every query once."""
        for q, (a, b) in enumerate(zip(self.offsets[:-1], self.offsets[1:], strict=True)):
            scores = self.net(self.features[a:b])[:, 0]
            self.scores[a:b] = scores.detach().numpy()
            gradients = self.bound.batch_gradients(self.scores, np.array([q]), self.values, self.state)
            self.optimiser.zero_grad(set_to_none=True)
            scores.backward(torch.from_numpy(gradients.gradient[a:b].astype(np.float32)))
            self.optimiser.step()


def print_speed_up(options: argparse.Namespace) -> None:
    """Epochs in turns, on data of the shape of the paper's web search data."""
    n_queries = 1000 if options.full else 300
    data = cubic_data(n_queries, documents_per_query=26, n_features=367)
    few = data.take(slice(0, n_queries // 30))
    print(f"{n_queries} queries × 26 documents × 367 features, updates per query (a thirtieth for single pairs)")
    for layers, published in ((1, 5.1), (2, 8.0)):
        single, one = in_turns(PairByPair(few, layers, 1).epoch, Factored(few, layers).epoch, rounds=5)
        slow, fast = PairByPair(data, layers), Factored(data, layers)
        together, factored = in_turns(slow.epoch, fast.epoch, rounds=5)
        weights = zip(slow.net.parameters(), fast.net.parameters(), strict=True)
        same = all(torch.allclose(x, y, atol=1e-5) for x, y in weights)
        print(
            f"{layers} layer(s): {single / one:6.1f}× faster than a pass per pair (paper {published}×), "
            f"{together / factored:4.1f}× faster than all pairs of a query in one pass; same weights: {same}"
        )


def print_growth(options: argparse.Namespace) -> None:
    """Time against documents per query, fitted on log scales."""
    sizes = {"pair by pair": (500, 1000, 2000, 4000), "factored": (4000, 8000, 16_000, 32_000, 64_000)}
    if options.full:
        sizes["factored"] += (128_000, 256_000, 512_000)
    for layers in (1, 2):
        for name, kind in (("pair by pair", PairByPair), ("factored", Factored)):
            seconds = []
            for n in sizes[name]:
                training = kind(cubic_data(1, documents_per_query=n, n_features=50), layers)
                training.epoch()
                seconds.append(min(timed(training.epoch) for _ in range(3)))
            slope = np.polyfit(np.log(sizes[name]), np.log(seconds), 1)[0]
            shown = ", ".join(f"{n:,}: {s * 1e3:.1f} ms" for n, s in zip(sizes[name], seconds, strict=True))
            published = 1.943 if name == "pair by pair" else 1.185
            print(f"{layers} layer(s), {name:<12} slope {slope:.2f} (paper {published})  {shown}")


# LambdaRank against RankNet


def print_lambdarank(options: argparse.Namespace) -> None:
    """nDCG at ten cut-offs on the paper's polynomial data; the rate that validates best is taken, as in the paper."""
    sizes = (10_000, 5000, 10_000) if options.full else (600, 300, 2000)
    everything = cubic_data(sum(sizes), documents_per_query=50, n_features=50)
    bounds = np.cumsum((0, *sizes))
    train, valid, test = (everything.take(slice(a, b)) for a, b in pairwise(bounds))
    queries = " / ".join(map(str, sizes))
    print(f"cubic polynomials, {queries} queries × 50 documents × 50 features, {options.epochs} epochs")
    rates = {"RankNet": (3e-5, 1e-4, 1e-3), "LambdaRank": (3e-3, 1e-2, 1e-1)}
    for layers in (1, 2):
        values = {}
        for name, objective in (("RankNet", RANKNET), ("LambdaRank", LAMBDARANK)):
            tried = [
                rr.LambdaNet.burges2006(
                    objective, layers=layers, n_epochs=options.epochs, learning_rate=rate, valid_measure="nDCG@10",
                    n_threads=THREADS,
                ).fit(train, valid=valid)
                for rate in rates[name]
            ]  # fmt: skip
            best = max(tried, key=lambda ranker: ranker.history_["watched"].max())
            scores = best.predict(test)
            values[name] = {k: rr.evaluate(test, {"m": scores}, f"nDCG@{k}")["m"] for k in range(1, 11)}
            row = "  ".join(f"{v.mean():.4f}±{interval(v):.4f}" for v in values[name].values())
            print(f"{layers} layer(s) {name:<11} rate {best.learning_rate:<7g} {row}")
        ahead = [values["LambdaRank"][k] - values["RankNet"][k] for k in range(1, 11)]
        print(
            f"{layers} layer(s) difference              "
            + "  ".join(f"{d.mean():+.4f}±{interval(d):.4f}" for d in ahead)
        )


def interval(values: Any) -> float:
    return float(1.96 * values.std(ddof=1) / np.sqrt(len(values)))


# A padded peer


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


def in_turns(*functions: Callable[[], None], rounds: int) -> list[float]:
    """The fastest of some rounds of each, after one that is not counted."""
    for function in functions:
        function()
    seconds: list[list[float]] = [[] for _ in functions]
    for _ in range(rounds):
        for kept, function in zip(seconds, functions, strict=True):
            kept.append(timed(function))
    return [min(kept) for kept in seconds]


def timed(function: Callable[[], Any]) -> float:
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


PARTS = {
    "speed-up": print_speed_up,
    "growth": print_growth,
    "lambdarank": print_lambdarank,
    "peer": print_peer,
    "risk": print_risk,
}

if __name__ == "__main__":
    main()
