"""What training beyond one process costs: against plain `engine="xgboost"`, from 1 to 2 workers, and on the wire.

    python benchmarks/cluster.py --queries 6000 --trees 100        # about 720,000 documents × 136 features
    python benchmarks/cluster.py --queries 300 --trees 20          # a look
    python benchmarks/cluster.py --traffic                         # bytes, by bins and leaves

CPU time is that of all processes, with threads that do not spin; times of a part are of interleaved runs, of which the
least counts. Bytes are those of the loopback while nothing else should use it (Linux).
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import tempfile
import threading
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

os.environ["OMP_WAIT_POLICY"] = "PASSIVE"

import riskrank as rr
from riskrank.data.letor.writer import letor_text

if TYPE_CHECKING:
    from collections.abc import Callable

N_FEATURES, DOCUMENTS = 136, 120
N_LEAVES, N_BINS, DOUBLES = 31, 256, 16
LOOPBACK = Path("/sys/class/net/lo/statistics/tx_bytes")
AT_ONCE = 500  # queries that are held as text
FEW = 5  # trees of a run that is taken off another one, to see what a tree costs


def used() -> float:
    """Seconds of processors, of this process and of those that it has ended."""
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(each.ru_utime + each.ru_stime for each in map(resource.getrusage, kinds))


def measured(work: Callable[[], Any]) -> dict[str, float]:
    before, started, sent = used(), time.monotonic(), _sent()
    work()
    return {"cpu": used() - before, "seconds": time.monotonic() - started, "bytes": _sent() - sent}


def _sent() -> float:
    return float(LOOPBACK.read_text()) if LOOPBACK.exists() else float("nan")


def least(runs: list[dict[str, float]], name: str) -> float:
    return min(run[name] for run in runs)


def written(folder: Path, n_queries: int) -> Path:
    """Synthetic data as LETOR text, some queries at a time."""
    path = folder / "train.txt"
    with open(path, "w", encoding="utf-8") as file:
        for start in range(0, n_queries, AT_ONCE):
            count = min(AT_ONCE, n_queries - start)
            data = rr.web_search_data(
                count, documents_per_query=DOCUMENTS, n_features=N_FEATURES, random_state=100 + start
            )
            text = letor_text(data, digits=6)
            file.write("".join(f"{_renamed(line, start)}\n" for line in text.splitlines()))
    return path


def _renamed(line: str, start: int) -> str:
    label, query, rest = line.split(" ", 2)
    return f"{label} qid:{start}_{query.removeprefix('qid:')} {rest.partition(' #')[0]}"


def fit(data: Any, n_trees: int, n_threads: int, cluster: str | None = None, **options: Any) -> rr.LambdaMART:
    ranker = rr.LambdaMART(
        rr.URisk(alpha=5), n_trees=n_trees, engine="xgboost", n_threads=n_threads, verbose=False,
        **{"n_leaves": N_LEAVES, **options},
    )  # fmt: skip
    return ranker.fit(data, baseline=rr.Feature(1), cluster=cluster)


def two_at_once(shards: Any, n_trees: int) -> None:
    """Two trainings that do not know each other: what the machine has for a second process, at best."""
    others = [threading.Thread(target=fit, args=(shards, n_trees, 1, "local:1")) for _ in range(2)]
    for other in others:
        other.start()
    for other in others:
        other.join()


def traffic(folder: Path) -> None:
    """Bytes of a tree between two workers on small data, by bins and leaves."""
    text = written(folder, 300)
    rr.write_shards(text, folder / "small", n_shards=4)
    shards = rr.ShardedData(folder / "small")
    print(f"sent for a tree by 2 workers in sum, over the bytes of one histogram ({N_FEATURES} features):")
    for n_bins, n_leaves in ((256, 2), (256, 8), (256, 31), (64, 31)):
        sent = []
        for n_trees in (2, 22):
            work = partial(fit, shards, n_trees, 1, "local:2", n_leaves=n_leaves, engine_params={"max_bin": n_bins})
            sent.append(measured(work)["bytes"])
        histogram = N_FEATURES * n_bins * DOUBLES
        times = (sent[1] - sent[0]) / 20 / histogram
        print(f"{n_bins:4} bins, {n_leaves:3} leaves: {times:6.1f} = {times / (n_leaves - 1):.2f} for each split")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--queries", type=int, default=6000)
    options.add_argument("--trees", type=int, default=100)
    options.add_argument("--repeats", type=int, default=2)
    options.add_argument("--traffic", action="store_true", help="only what workers send each other")
    asked = options.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        if asked.traffic:
            traffic(folder)
            return
        text = written(folder, asked.queries)
        rr.write_shards(text, folder / "shards", n_shards=16)
        shards, whole = rr.ShardedData(folder / "shards"), rr.read_letor(text)
        fit(whole.take(slice(0, 10)), 2, 1)  # kernels are compiled
        arms: dict[str, Callable[[int], Any]] = {
            "plain": lambda n_trees: fit(replace(whole), n_trees, 1),  # a copy, whose bins nobody knows yet
            "local:1": lambda n_trees: fit(shards, n_trees, 1, "local:1"),
            "local:2": lambda n_trees: fit(shards, n_trees, 1, "local:2"),
            "two of local:1": partial(two_at_once, shards),
        }
        runs: dict[tuple[str, int], list[dict[str, float]]] = {}
        for _ in range(asked.repeats):
            for name, arm in arms.items():
                for n_trees in (FEW, asked.trees):
                    load = os.getloadavg()[0]
                    run = {**measured(partial(arm, n_trees)), "load": load}
                    runs.setdefault((name, n_trees), []).append(run)
                    print(name, n_trees, "trees:", json.dumps({key: round(value, 2) for key, value in run.items()}))
        models = [fit(shards, 5, 1, cluster).model_text_ for cluster in (None, "local:1", "local:2", "local:3")]
    report(runs, whole.n_documents, asked.queries, asked.trees)
    print(f"models of 1, 2 and 3 workers are those of one process: {len(set(models)) == 1}")


def report(runs: dict[tuple[str, int], list[dict[str, float]]], n_documents: int, n_queries: int, n_trees: int) -> None:
    """Ratios of the least values; a tree's are differences between many trees and few."""
    whole = {(name, key): least(runs[name, n_trees], key) for name, _ in runs for key in ("cpu", "seconds", "bytes")}
    few = {(name, key): least(runs[name, FEW], key) for name, _ in runs for key in ("cpu", "seconds", "bytes")}
    tree = {key: (whole[key] - few[key]) / (n_trees - FEW) for key in whole}
    print(f"{n_documents:,} documents × {N_FEATURES} features, {n_trees} trees of {N_LEAVES} leaves, a thread each")
    for name in ("plain", "local:1", "local:2", "two of local:1"):
        cpu, seconds = (f"{whole[name, key]:.1f} s, a tree {tree[name, key]:.3f} s" for key in ("cpu", "seconds"))
        print(f"{name:14} CPU {cpu}; time {seconds}")
    ratio = whole["local:1", "cpu"] / whole["plain", "cpu"]
    print(f"CPU of local:1 against plain: {ratio:.2f}, with reading and starting")
    for what, times in (("all", whole), ("a tree", tree)):
        one, two, both = (times[name, "seconds"] for name in ("local:1", "local:2", "two of local:1"))
        print(f"{what}: time of local:1 against local:2 {one / two:.2f}; of two trainings one after the other against")
        print(f"    both at once, the most that this machine has for a second process, {2 * one / both:.2f}")
    histogram, values = N_FEATURES * N_BINS * DOUBLES, 2 * 8 * n_queries
    sent, expected = tree["local:2", "bytes"] / 1e6, 2 * ((N_LEAVES - 1) * histogram + values) / 1e6
    print(
        f"sent for a tree by 2 workers: {sent:.1f} MB; each way {N_LEAVES - 1} histograms of {histogram / 1e6:.2f} MB"
    )
    print(f"and {values / 1e6:.2f} MB of values of queries are {expected:.1f} MB")


if __name__ == "__main__":
    main()
