"""What training costs, from arrays to a model, bins included: riskrank beside LightGBM, XGBoost and CatBoost.

Everybody trains on the same arrays with as many trees, leaves and threads, each in fresh processes, in turns; once with
our shape of trees and once with LightGBM's defaults. Processor time and wall clock of training, the load of the machine
meanwhile, memory, and scoring. The machine may be busy: then wall clock says nothing, and processor time is what
counts. Then what compiling costs.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import tempfile
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from fresh_process import Figures, figures_of, peak_bytes
from interleaved import against_target, print_machine
from trainers import LIGHTGBM, THEIR_DEFAULTS, TRAINERS, Shape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.data.ranking_data import RankingData

FEATURES, DOCUMENTS = 136, 120
SHAPES = {"ours": {"n_leaves": 50, "min_docs": 50, "rate": 0.075}, "LightGBM's defaults": THEIR_DEFAULTS}
MOST = {"URisk, native": 0.25, "URisk, native, 1 thread": 0.25, "URisk, LightGBM": 0.70, "URisk, LightGBM fast": 0.55}
TWO_THREADS = 1.6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--queries", type=int, default=1140, help="of 120 documents (default 1,140; or 6,000)")
    parser.add_argument("--trees", type=int, default=100, help="trees (default 100)")
    parser.add_argument("--rounds", type=int, default=3, help="fresh processes of each (default 3)")
    parser.add_argument("--only", default="", help="trainers whose name holds this text (and LightGBM's own), no more")
    parser.add_argument("--shape", default="", help=f"shapes whose name holds this text: {', '.join(SHAPES)}")
    parser.add_argument("--one", nargs="+", help="measure one thing here and print it as JSON")
    options = parser.parse_args()
    if options.one is not None:
        kind, *arguments = options.one
        print(json.dumps(measure_compiling() if kind == "compile" else measure_training(*arguments)))
        return
    print_machine("before")
    print_contests(options)
    if not options.only:
        print_compiling()
    print_machine("after")


def generated(queries: int) -> RankingData:
    """Queries of one synthetic web search."""
    from riskrank.data.synthetic.synthetic_features import web_search_data

    return web_search_data(queries, documents_per_query=DOCUMENTS, n_features=FEATURES, random_state=1)


def print_contests(options: argparse.Namespace) -> None:
    """Everybody in turns, against LightGBM's own objective, once for each shape of trees."""
    import numpy as np

    names = [name for name in TRAINERS if options.only in name or name == LIGHTGBM]
    with tempfile.TemporaryDirectory() as folder:
        data = generated(options.queries)
        for part in ("features", "labels", "query_offsets"):
            np.save(Path(folder) / f"{part}.npy", getattr(data, part))
        for called, parts in SHAPES.items():
            if options.shape in called:
                shape = Shape(options.trees, **parts)
                print(f"\n{data}; {called}: {shape}")
                print_contest(names, folder, shape, options.rounds)


def print_contest(names: Sequence[str], folder: str, shape: Shape, rounds: int) -> None:
    """The medians of a few processes of each."""
    figures: dict[str, list[Figures]] = {name: [] for name in names}
    for number in range(rounds):
        for name in names[:: -1 if number % 2 else 1]:
            command = ["--one", "train", name, folder, json.dumps(asdict(shape))]
            figures[name].append(figures_of(__file__, command))
    middle = {
        name: {key: statistics.median(each[key] for each in several) for key in several[0]}
        for name, several in figures.items()
    }
    theirs = middle[LIGHTGBM]
    print(
        f"{'':<28} {'cpu':>8} {'ratio':>6}   {'wall':>8} {'ratio':>6} {'load':>5}   {'added':>7} {'ratio':>5} "
        f"{'in all':>8} {'ratio':>5}   {'batch':>6} {'query':>7}"
    )
    for name, own in middle.items():
        ratio = {key: own[key] / theirs[key] for key in own}
        target = against_target(ratio["cpu"], at_most=MOST[name]) if name in MOST else ""
        print(
            f"{name:<28} {own['cpu']:>6.2f} s {ratio['cpu']:>6.3f}   {own['wall']:>6.2f} s {ratio['wall']:>6.3f} "
            f"{own['load']:>5.1f}   {own['added']:>4.2f} GB {ratio['added']:>5.2f} {own['peak']:>5.2f} GB "
            f"{ratio['peak']:>5.2f}   {own['batch']:>4.2f} s {own['query']:>4.0f} µs  {target}".rstrip()
        )
    if "URisk, native" in figures and "URisk, native, 1 thread" in figures:
        two, one = (min(each["wall"] for each in figures[f"URisk, native{threads}"]) for threads in ("", ", 1 thread"))
        goal = against_target(one / two, at_least=TWO_THREADS)
        print(f"native, wall of 1 thread / 2, least of each: {one / two:.2f}  {goal} (if nothing else runs)")


def measure_training(name: str, folder: str, shape: str) -> Figures:
    """A whole training; compiled loops come from the cache, for which a first training pays."""
    import numpy as np

    from riskrank.data.ranking_data import RankingData

    parts = (np.load(Path(folder) / f"{part}.npy") for part in ("features", "labels", "query_offsets"))
    features, labels, offsets = parts
    data = RankingData(features, labels, offsets, tuple(map(str, range(len(offsets) - 1))))
    TRAINERS[name](data.take(slice(0, 20)), Shape(2))
    before, wall, cpu = peak_bytes(), time.perf_counter(), time.process_time()
    predict = TRAINERS[name](data, Shape(**json.loads(shape)))
    figures = {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu, "load": os.getloadavg()[0]}
    figures |= {"peak": peak_bytes() / 1e9, "added": (peak_bytes() - before) / 1e9}
    cpu = time.process_time()
    predict(features[:100_000])
    figures["batch"] = time.process_time() - cpu
    cpu = time.process_time()
    n_queries = min(200, data.n_queries)
    for q in range(n_queries):
        predict(features[offsets[q] : offsets[q + 1]])
    figures["query"] = (time.process_time() - cpu) / n_queries * 1e6
    return figures


def print_compiling() -> None:
    """What the first use of an objective costs, in a fresh installation and in a later process."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {"NUMBA_CACHE_DIR": folder}
        first, later = (figures_of(__file__, ["--one", "compile"], environment=environment) for _ in range(2))
    print(
        f"\nCompiling URisk, cpu: {first['cpu']:.1f} s the first time {against_target(first['cpu'], at_most=6)}, "
        f"{later['cpu']:.2f} s from the cache {against_target(later['cpu'], at_most=1)}"
    )


def measure_compiling() -> Figures:
    import numpy as np

    import riskrank as rr

    data = rr.RankingData.from_arrays(np.random.default_rng(0).random((40, 2)), np.arange(40) % 3, group=[20, 20])
    started = time.process_time()
    rr.URisk(alpha=5).gradients(data.feature(1), data, baseline=rr.Feature(2))
    return {"cpu": time.process_time() - started}


if __name__ == "__main__":
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    main()
