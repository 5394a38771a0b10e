"""Sweeps: what it saves to build bins once, and to train models side by side.

The same models each time, in turns: bins built anew for every model, bins shared by all, and shared with as many models
at a time as there are cores.
"""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING

import numpy as np
from interleaved import print_machine

import riskrank as rr
from riskrank.cores import usable_cores
from riskrank.data.synthetic.synthetic_features import web_search_data
from riskrank.rankers.trees import lightgbm_trees

if TYPE_CHECKING:
    from collections.abc import Callable

    from riskrank.data.ranking_data import RankingData

ALPHAS = (0, 1, 2, 5, 10, 20)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--queries", type=int, default=2000, help="training queries of 120 documents (default 2000)")
    parser.add_argument("--trees", type=int, default=50, help="trees of each model (default 50)")
    parser.add_argument("--rounds", type=int, default=3, help="how often each way is timed (default 3)")
    options = parser.parse_args()
    print_machine("before")
    data = web_search_data(options.queries + 400, documents_per_query=120, n_features=136)
    train, test = data.take(slice(0, options.queries)), data.take(slice(options.queries, None))
    ranker = rr.LambdaMART(rr.URisk("nDCG@10"), n_trees=options.trees, n_leaves=31)
    ways: dict[str, Callable[[], None]] = {
        "bins anew": lambda: anew(train, test, ranker),
        "bins shared": lambda: shared(train, test, ranker, 1),
        "side by side": lambda: shared(train, test, ranker, usable_cores()),
    }
    shared(train, test, ranker, 1)  # compiles and warms up
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(options.rounds):
        for name, way in ways.items():
            forget()
            begin = time.perf_counter()
            way()
            seconds[name].append(time.perf_counter() - begin)
    own = np.median(seconds["bins anew"])
    print(
        f"{len(ALPHAS)} models × {options.trees} trees, {train.n_documents:,} documents × {train.n_features} features"
    )
    for name, values in seconds.items():
        print(f"{name:<13} {np.median(values):6.1f} s  {np.median(values) / own:.2f} of building bins anew")
    forget()
    begin = time.perf_counter()
    lightgbm_trees.binned(train, {"num_threads": usable_cores()})
    print(f"building the bins once: {time.perf_counter() - begin:.1f} s")
    print_machine("after")


def forget() -> None:
    lightgbm_trees._bins._known.clear()
    lightgbm_trees._bins_beside._known.clear()


def anew(train: RankingData, test: RankingData, ranker: rr.LambdaMART) -> None:
    for alpha in ALPHAS:
        forget()
        rr.sweep(train, ranker, baseline=rr.Feature(1), values=[alpha], test=test, n_jobs=1, verbose=False)


def shared(train: RankingData, test: RankingData, ranker: rr.LambdaMART, jobs: int) -> None:
    rr.sweep(train, ranker, baseline=rr.Feature(1), values=ALPHAS, test=test, n_jobs=jobs, verbose=False)


if __name__ == "__main__":
    main()
