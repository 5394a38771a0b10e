"""What training beyond one process costs: against plain `engine="xgboost"`, from 1 to 2 workers, and on the wire.

    python benchmarks/cluster.py --queries 6000 --trees 100        # about 720,000 documents × 136 features
    python benchmarks/cluster.py --queries 300 --trees 20          # a look

CPU time is that of all processes, with threads that do not spin; times of a part are of interleaved runs, of which the
least counts. Bytes are those of the loopback while nothing else should use it (Linux).
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import tempfile
import time
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


def fit(data: Any, n_trees: int, n_threads: int, cluster: str | None = None) -> rr.LambdaMART:
    ranker = rr.LambdaMART(
        rr.URisk(alpha=5), n_trees=n_trees, n_leaves=N_LEAVES, engine="xgboost", n_threads=n_threads, verbose=False
    )
    return ranker.fit(data, baseline=rr.Feature(1), cluster=cluster)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--queries", type=int, default=6000)
    options.add_argument("--trees", type=int, default=100)
    options.add_argument("--repeats", type=int, default=2)
    asked = options.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        text = written(folder, asked.queries)
        size = text.stat().st_size / 1e6
        sharding = measured(lambda: rr.write_shards(text, folder / "shards", n_shards=16))
        print(f"shard: {size:.0f} MB of text, {size / sharding['seconds']:.0f} MB/s, {sharding['cpu']:.1f} s of CPU")
        shards, whole = rr.ShardedData(folder / "shards"), rr.read_letor(text)
        arms: dict[str, Callable[[], Any]] = {
            "plain": lambda: fit(whole, asked.trees, 1),
            "local:1": lambda: fit(shards, asked.trees, 1, "local:1"),
            "local:2": lambda: fit(shards, asked.trees, 1, "local:2"),
        }
        fit(whole.take(slice(0, 10)), 2, 1)  # kernels are compiled
        runs: dict[str, list[dict[str, float]]] = {name: [] for name in arms}
        for _ in range(asked.repeats):
            for name, arm in arms.items():
                runs[name].append(measured(arm))
        models = [fit(shards, 5, 1, cluster).model_text_ for cluster in (None, "local:1", "local:2", "local:3")]
    cpu = {name: least(each, "cpu") for name, each in runs.items()}
    seconds = {name: least(each, "seconds") for name, each in runs.items()}
    histogram = N_FEATURES * N_BINS * DOUBLES
    sent = least(runs["local:2"], "bytes") / asked.trees
    values = 2 * 8 * asked.queries
    print(json.dumps({"cpu": cpu, "seconds": seconds}))
    print(f"{whole.n_documents:,} documents × {N_FEATURES} features, {asked.trees} trees of {N_LEAVES} leaves")
    print(f"CPU of local:1 against plain: {cpu['local:1'] / cpu['plain']:.2f} (with reading shards and the start)")
    print(f"time of local:1 against local:2: {seconds['local:1'] / seconds['local:2']:.2f}")
    print(f"sent per tree by 2 workers: {sent / 1e6:.1f} MB; {N_LEAVES} histograms of {histogram / 1e6:.2f} MB")
    print(f"and {values / 1e6:.2f} MB of values of queries, there and back between two, are ", end="")
    print(f"{2 * (N_LEAVES * histogram + values) / 1e6:.1f} MB")
    print(f"models of 1, 2 and 3 workers are those of one process: {len(set(models)) == 1}")


if __name__ == "__main__":
    main()
