"""From arrays to a model, bins included: trees of our own beside those of peers, each in a fresh process, in turns.

Processor time, wall clock and peak memory beyond the arrays; then scoring (all documents, and query by query), and how
the time of a tree grows with documents. The machine may be busy: processor time is what counts, the load is printed.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from fresh_process import Figures, figures_of, peak_bytes
from interleaved import against_target, print_machine

if TYPE_CHECKING:
    from collections.abc import Callable

    from riskrank.data.ranking_data import RankingData

LEAVES, MIN_DOCS, RATE = 50, 50, 0.075
PEERS_LEAVES, PEERS_MIN_DOCS, PEERS_RATE = 31, 20, 0.1  # LightGBM's defaults
PEER = "LightGBM lambdarank"
TARGETS = {"native": 0.25, "native, 1 thread": 0.25, "lightgbm": 0.70}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--queries", type=int, default=1140, help="of 120 documents (default 1,140; or 6,000)")
    parser.add_argument("--trees", type=int, default=100, help="trees (default 100)")
    parser.add_argument("--rounds", type=int, default=3, help="fresh processes of each (default 3)")
    parser.add_argument(
        "--defaults", action="store_true", help="with the defaults of LightGBM: leaves, documents, rate"
    )
    parser.add_argument("--only", default="", help="contenders whose name holds this text (and LightGBM's own)")
    parser.add_argument("--growth", action="store_true", help="only how time grows with documents, up to 10 million")
    parser.add_argument("--one", help="measure one thing here and print it as JSON")
    options = parser.parse_args()
    if options.one is not None:
        name, _, folder = options.one.rpartition(":")
        print(json.dumps(measured(name, folder, options)))
        return
    print_machine("before")
    if options.growth:
        print_growth()
    else:
        print_contest(options)
    print_machine("after")


def print_contest(options: argparse.Namespace) -> None:
    """Everybody in turns, against LightGBM's own objective."""
    import numpy as np
    from train import generated

    names = [name for name in CONTENDERS if options.only in name or name == PEER]
    figures: dict[str, list[Figures]] = {name: [] for name in names}
    with tempfile.TemporaryDirectory() as folder:
        data, _ = generated(options.queries)
        print(f"{data}; {options.trees} trees{', LightGBM’s defaults' if options.defaults else f' of {LEAVES} leaves'}")
        for name in ("features", "labels", "query_offsets"):
            np.save(Path(folder) / f"{name}.npy", getattr(data, name))
        del data
        size = ["--trees", str(options.trees), *(["--defaults"] if options.defaults else [])]
        for number in range(options.rounds):
            for name in names[:: -1 if number % 2 else 1]:
                figures[name].append(figures_of(__file__, [*size, "--one", f"{name}:{folder}"]))
    middle = {
        name: {key: statistics.median(each[key] for each in all_) for key in all_[0]} for name, all_ in figures.items()
    }
    theirs = middle[PEER]
    for name, own in middle.items():
        target = against_target(own["cpu"] / theirs["cpu"], at_most=TARGETS[name]) if name in TARGETS else ""
        ratios = {key: own[key] / theirs[key] for key in own}
        print(
            f"{name:<22} cpu {own['cpu']:>7.2f} s {ratios['cpu']:>6.3f}  wall {own['wall']:>7.2f} s  "
            f"memory beyond the arrays {own['beyond']:.2f} GB {ratios['beyond']:>5.2f}, in all {own['peak']:.2f} GB "
            f"{ratios['peak']:>5.2f}  scoring {own['batch']:.3f} s, a query {own['query']:.0f} µs  {target}".rstrip()
        )


def measured(name: str, folder: str, options: argparse.Namespace) -> Figures:
    """A whole training; compiled loops come from the cache, for which a first training pays."""
    import numpy as np

    from riskrank.data.ranking_data import RankingData

    parts = (np.load(Path(folder) / f"{part}.npy") for part in ("features", "labels", "query_offsets"))
    features, labels, offsets = parts
    data = RankingData(features, labels, offsets, tuple(map(str, range(len(offsets) - 1))))
    CONTENDERS[name](data.take(slice(0, 20)), SimpleNamespace(trees=2, defaults=False))
    before, wall, cpu = peak_bytes(), time.perf_counter(), time.process_time()
    predict = CONTENDERS[name](data, options)
    figures = {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu, "peak": peak_bytes() / 1e9}
    figures["beyond"] = (peak_bytes() - before) / 1e9
    few = features[: min(len(features), 100_000)]
    cpu = time.process_time()
    predict(few)
    figures["batch"] = time.process_time() - cpu
    cpu = time.process_time()
    n_queries = min(200, data.n_queries)
    for q in range(n_queries):
        predict(features[offsets[q] : offsets[q + 1]])
    figures["query"] = (time.process_time() - cpu) / n_queries * 1e6
    return figures


def shape_of(options: argparse.Namespace) -> tuple[int, int, float]:
    """Leaves, least documents in them, and rate."""
    return (PEERS_LEAVES, PEERS_MIN_DOCS, PEERS_RATE) if options.defaults else (LEAVES, MIN_DOCS, RATE)


def their_lightgbm(data: RankingData, options: argparse.Namespace) -> Callable[[Any], Any]:
    import lightgbm
    import numpy as np

    leaves, least, rate = shape_of(options)
    parameters = {"objective": "lambdarank", "num_leaves": leaves, "min_data_in_leaf": least, "learning_rate": rate,
                  "verbosity": -1, "force_row_wise": True, "num_threads": 2}  # fmt: skip
    bins = lightgbm.Dataset(data.features, data.labels, group=np.diff(data.query_offsets))
    return lightgbm.train(parameters, bins, options.trees).predict


def their_xgboost(data: RankingData, options: argparse.Namespace) -> Callable[[Any], Any]:
    import numpy as np
    import xgboost

    leaves, _, rate = shape_of(options)
    parameters = {"objective": "rank:ndcg", "tree_method": "hist", "grow_policy": "lossguide", "max_depth": 0,
                  "max_leaves": leaves, "learning_rate": rate, "lambdarank_pair_method": "topk",
                  "lambdarank_num_pair_per_sample": 30, "nthread": 2}  # fmt: skip
    query = np.repeat(np.arange(data.n_queries), np.diff(data.query_offsets))
    bins = xgboost.QuantileDMatrix(data.features, label=data.labels, qid=query)
    return xgboost.train(parameters, bins, options.trees).inplace_predict


def ours(engine: Any, n_threads: int) -> Callable[[RankingData, argparse.Namespace], Callable[[Any], Any]]:
    """URisk on an engine."""

    def train(data: RankingData, options: argparse.Namespace) -> Callable[[Any], Any]:
        import riskrank as rr

        leaves, least, rate = shape_of(options)
        shape: dict[str, Any] = {
            "n_leaves": leaves,
            "min_docs_in_leaf": None if engine == "xgboost" else least,
            "learning_rate": rate,
        }
        ranker = rr.LambdaMART(rr.URisk(alpha=5), n_trees=options.trees, engine=engine, n_threads=n_threads, **shape)
        return ranker.fit(data, baseline=rr.Feature(1)).predict

    return train


CONTENDERS: dict[str, Any] = {
    PEER: their_lightgbm,
    "native": ours("native", 2),
    "native, 1 thread": ours("native", 1),
    "lightgbm": ours("lightgbm", 2),
    "xgboost": ours("xgboost", 2),
    "XGBoost rank:ndcg": their_xgboost,
}


def print_growth() -> None:
    """Processor seconds of a tree for gradients that are given, against documents; the slope of their logarithms."""
    import numpy as np

    import riskrank as rr
    from riskrank.rankers.trees.native_trees import Trees

    sizes, seconds, rng = (10**5, 10**6, 10**7), [], np.random.default_rng(0)
    for n in sizes:
        features = rng.random((n, 50), dtype=np.float32)
        data = rr.RankingData(features, np.zeros(n), np.arange(0, n + 1, 100), tuple(map(str, range(n // 100))))
        ranker = rr.LambdaMART(n_leaves=LEAVES, min_docs_in_leaf=MIN_DOCS, engine="native", n_threads=1)
        trees = Trees(data, None, ranker, None)
        gradient = (features[:, 0] - 0.5 + rng.normal(size=n)).astype(np.float32)
        given: Any = SimpleNamespace(gradient=gradient, hessian=np.ones(n, np.float32))
        trees.grow(given, 0)
        spent = []
        for number in range(1, 4):
            cpu = time.process_time()
            trees.grow(given, number)
            spent.append(time.process_time() - cpu)
        seconds.append(min(spent))
        print(f"  {n:>10,} documents × 50: {seconds[-1] * 1000:.0f} ms a tree")
    slope = float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])
    print(f"slope {slope:.2f}  {against_target(slope, at_most=1.1)}")


if __name__ == "__main__":
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    main()
