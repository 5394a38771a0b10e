"""What a tree would cost on many machines: measured here, with one worker and with two, and simulated beyond.

    python benchmarks/cluster_model.py                # measures for minutes, predicts two workers, and goes on to 64
    python benchmarks/cluster_model.py --documents 1e9 --workers 64 --cores 16 --gigabits 10

Workers go in step: for each split, each counts the rows of the smaller child among its documents, and the histograms
are added in a ring, 2 (n - 1) messages one after the other; then each looks for the best split by itself. The slowest
worker decides. Measured here: what a row costs, and what a tree costs of no rows, by processor time of one worker on
data of two sizes; and what a message costs, by sums between two processes. Assumed: how large children are, how much
workers differ from each other at every split, how well threads scale, and the network.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from cluster import DOCUMENTS, DOUBLES, N_BINS, N_FEATURES, N_LEAVES, fit, measured, two_at_once, written

import riskrank as rr

if TYPE_CHECKING:
    from collections.abc import Callable

MESSAGE_SIZES = (8, 8_192, 69_632, 1_000_000)  # doubles
VECTORS = 4  # of all queries, that workers add for each tree
FEW, MANY = 5, 25  # trees
SMALLER = 10  # times, the data beside which the others are measured
SPREAD = 0.05  # standard deviation of the logarithm of a worker's time for a split
THREADS = 0.7  # of linear scaling over the cores of a worker
SEED = 1


@dataclass(frozen=True)
class Work:
    """Seconds of a worker for each row that it counts, and for a tree beside its rows: finding its splits."""

    row: float
    search: float

    def times(self, factor: float) -> Work:
        """On processors that take so many times as long."""
        return Work(self.row * factor, self.search * factor)


@dataclass(frozen=True)
class Network:
    """Seconds of a message, however small, and of each byte beyond."""

    message: float
    byte: float

    def total(self, n_workers: int, size: float) -> float:
        """Seconds until all have the sum of vectors of so many bytes, in a ring."""
        return 2 * (n_workers - 1) * (self.message + size / n_workers * self.byte)


def simulated(n_documents: float, n_workers: int, work: Work, network: Network, n_trees: int = 50) -> dict[str, float]:
    """Mean seconds of a tree, and its parts."""
    rng = np.random.default_rng(SEED)
    counting = waiting = 0.0
    for _ in range(n_trees):
        for rows in counted_rows(rng):
            times = rows * n_documents / n_workers * work.row * rng.lognormal(0.0, SPREAD, n_workers)
            counting += float(times.mean())
            waiting += float(times.max() - times.mean())
    sums = N_LEAVES * network.total(n_workers, N_FEATURES * N_BINS * DOUBLES) if n_workers > 1 else 0.0
    queries = n_documents / DOCUMENTS * 8 * VECTORS
    values = network.total(n_workers, queries) if n_workers > 1 else 0.0
    parts = {"counting": counting / n_trees, "search": work.search, "waiting": waiting / n_trees}
    parts |= {"histograms": sums, "values": values}
    return {**parts, "tree": sum(parts.values())}


def counted_rows(rng: np.random.Generator) -> list[float]:
    """Shares of all rows that are counted for a tree: its root, then the smaller child of each split of the largest."""
    leaves, counted = [1.0], [1.0]
    for _ in range(N_LEAVES - 1):
        leaf = leaves.pop(int(np.argmax(leaves)))
        smaller = leaf * rng.uniform(0.02, 0.5)
        leaves += [smaller, leaf - smaller]
        counted.append(smaller)
    return counted


def messages() -> Network:
    """What sums between two processes of this machine take, as XGBoost makes them."""
    from riskrank.rankers.trees.collective.xgboost_peers import Tracker

    tracker = Tracker(2, "127.0.0.1")
    arguments = json.dumps(tracker.arguments)
    command = [sys.executable, __file__, "--peer", arguments]
    workers = [subprocess.Popen([*command, str(rank)], stdout=subprocess.PIPE, text=True) for rank in range(2)]
    lines = [worker.communicate()[0] for worker in workers]
    tracker.close()
    seconds = np.array(json.loads(lines[0].splitlines()[-1]))  # the tracker has lines of its own
    sizes = np.array(MESSAGE_SIZES) * 8.0
    byte, start = np.polyfit(sizes, seconds, 1, w=1 / seconds)  # of 2 messages of half the size each
    for size, each in zip(sizes, seconds, strict=True):
        print(f"a sum of {size / 1e6:9.5f} MB over two processes: {each * 1e3:7.3f} ms")
    return Network(start / 2, byte)


def peer(arguments: str, rank: int) -> None:
    """One of two processes that add vectors of some sizes; prints seconds of each."""
    from riskrank.rankers.trees.collective.xgboost_peers import XGBoostPeers

    seconds = []
    with XGBoostPeers(json.loads(arguments), rank) as peers:
        for size in MESSAGE_SIZES:
            vector = np.ones(size)
            peers.total(vector)
            times = []
            for _ in range(50):
                started = time.monotonic()
                peers.total(vector)
                times.append(time.monotonic() - started)
            seconds.append(float(np.median(times)))
    print(json.dumps(seconds), flush=True)


def of_a_tree(work: Callable[[int], object], key: str) -> float:
    """What a tree takes of ``cpu`` or ``seconds``: many trees less few, the least of three runs each."""
    few, many = (min(measured(partial(work, n_trees))[key] for _ in range(3)) for n_trees in (FEW, MANY))
    return (many - few) / (MANY - FEW)


def sharded(place: Path, n_queries: int) -> rr.ShardedData:
    """Synthetic data in shards."""
    place.mkdir()
    rr.write_shards(written(place, n_queries), place / "shards", n_shards=16)
    return rr.ShardedData(place / "shards")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--queries", type=int, default=3000, help="of the data that are measured")
    options.add_argument("--documents", type=float, default=1e9)
    options.add_argument("--workers", type=int, default=64)
    options.add_argument("--cores", type=int, default=16, help="of each worker")
    options.add_argument("--gigabits", type=float, default=10.0, help="a second, of each worker's network")
    options.add_argument("--latency", type=float, default=50.0, help="microseconds of a message")
    options.add_argument("--peer", nargs=2, help=argparse.SUPPRESS)
    asked = options.parse_args()
    if asked.peer:
        peer(asked.peer[0], int(asked.peer[1]))
        return
    print(f"load {os.getloadavg()[0]:.1f}")
    here = messages()
    with tempfile.TemporaryDirectory() as place:
        small, shards = (sharded(Path(place) / str(n), n) for n in (asked.queries // SMALLER, asked.queries))
        less, one = (of_a_tree(partial(fit, data, n_threads=1, cluster="local:1"), "cpu") for data in (small, shards))
        two = of_a_tree(lambda n_trees: fit(shards, n_trees, 1, "local:2"), "seconds")
        slower = of_a_tree(partial(two_at_once, shards), "seconds") / one
    rows = float(np.mean([sum(counted_rows(np.random.default_rng(seed))) for seed in range(200)]))
    n_documents, n_less = (data.manifest.n_documents for data in (shards, small))
    per_document = (one - less) / (n_documents - n_less)
    work = Work(per_document / rows, less - n_less * per_document)
    print(f"{n_documents:,} documents × {N_FEATURES} features, {N_LEAVES} leaves, a thread: {one:.3f} s of CPU a tree,")
    print(f"{work.row * 1e9:.0f} ns for each of {rows:.2f} × so many rows that are counted, ", end="")
    print(f"and {work.search:.3f} s for splits")
    print(f"beside another such process, which it knows nothing of, {slower:.2f} times as much")
    known = simulated(n_documents, 2, work.times(slower), here)
    print(f"two workers: measured {two:.3f} s (load {os.getloadavg()[0]:.1f}), simulated {told(known)}")
    network = Network(asked.latency * 1e-6, 8 / asked.gigabits * 1e-9)
    for n_workers in sorted({1, 4, 16, asked.workers}):
        beyond = simulated(asked.documents, n_workers, work.times(1 / asked.cores / THREADS), network)
        per_worker = asked.documents / n_workers
        size = per_worker * N_FEATURES
        print(f"{n_workers:3} workers of {asked.cores} cores, {asked.documents:.0e} documents: {told(beyond)};")
        print(f"    a worker has {size * 4 / 1e9:.1f} GB of features, {size * 2 / 1e9:.1f} GB of codes and ", end="")
        print(f"{(per_worker * 100 + asked.documents / DOCUMENTS * 8 * 2 * VECTORS) / 1e9:.1f} GB besides")


def told(parts: dict[str, float]) -> str:
    """A tree and its parts, in seconds."""
    rest = ", ".join(f"{name} {seconds:.3f}" for name, seconds in parts.items() if name != "tree")
    return f"{parts['tree']:.3f} s a tree ({rest})"


if __name__ == "__main__":
    main()
