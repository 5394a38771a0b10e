"""How long training takes next to LightGBM's own lambdarank and XGBoost's own rank:ndcg.

All contenders train on the same bins with the same trees, leaves and threads, in turns, one tree at a time, so
that what else the machine does hits all of them alike. Our time is that of the whole boosting loop: gradients, history,
checks and the tree. Then, each in fresh processes: memory, compiling, and how the gradients' cost grows.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest import mock

from fresh_process import Figures, figures_of, peak_bytes
from interleaved import against_target, print_machine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy as np
    from numpy.typing import NDArray

    from riskrank.data.ranking_data import RankingData
    from riskrank.typing import EngineName

LEAVES, MIN_DOCS, RATE, THREADS = 50, 500, 0.075, 2
FEATURES, DOCUMENTS = 136, 120
LIGHTGBM, XGBOOST = "LightGBM lambdarank", "XGBoost rank:ndcg"
TARGETS = {
    "Gain": 0.85,
    "URisk": 0.90,
    "SARO": 0.90,
    "FARO": 0.90,
    "GeoRisk": 1.0,
    "Gain, fast": 0.55,
    "URisk, fast": 0.55,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--queries", type=int, default=6000, help="training queries (default 6,000)")
    parser.add_argument("--trees", type=int, default=100, help="trees (default 100)")
    parser.add_argument("--skip-xgboost", action="store_true", help="leave XGBoost out")
    parser.add_argument("--only", help="contenders whose name holds this text (and LightGBM)")
    parser.add_argument("--one", help="measure one thing here and print it as JSON")
    options = parser.parse_args()
    if options.one is not None:
        print(json.dumps(ONE[options.one.split(":")[0]](options.one.partition(":")[2], options)))
        return

    print_machine("before")
    data, test = generated(options.queries)
    print(f"{data}; {options.trees} trees, {LEAVES} leaves, at least {MIN_DOCS} documents, {THREADS} threads\n")
    race(contenders(data, options), test, options.trees, peer=LIGHTGBM, targets=TARGETS)
    if not options.skip_xgboost and not options.only:
        race(xgboost_contenders(data, options), test, options.trees, peer=XGBOOST, targets={"Gain on XGBoost": 1.0})
    del data, test
    if not options.only:
        print_memory(options)
        print_compiling()
        print_growth()
    print_machine("after")


def generated(queries: int) -> tuple[RankingData, RankingData]:
    """Training and test queries of one synthetic web search."""
    from riskrank.data.synthetic.synthetic_features import web_search_data

    n_test = max(200, queries // 3)
    everything = web_search_data(queries + n_test, documents_per_query=DOCUMENTS, n_features=FEATURES, random_state=1)
    return everything.take(slice(0, queries)), everything.take(slice(queries, None))


class Turns:
    """Several trainings that take turns, one tree each; seconds and processor seconds of each turn."""

    def __init__(self) -> None:
        self.wall: dict[str, list[float]] = {}
        self.cpu: dict[str, list[float]] = {}

    def take(self, trainings: dict[str, Iterator[None]], trees: int) -> None:
        """Grow the trees; every second round goes backwards."""
        for number in range(trees):
            for name in list(trainings)[:: -1 if number % 2 else 1]:
                wall, cpu = time.perf_counter(), time.process_time()
                next(trainings[name])
                self.wall.setdefault(name, []).append(time.perf_counter() - wall)
                self.cpu.setdefault(name, []).append(time.process_time() - cpu)
            print(f"\r  tree {number + 1} of {trees}", end="", file=sys.stderr)
        print(file=sys.stderr)


TURN = threading.local()


def hold(*_: Any) -> None:
    """What a progress bar of ours does here: wait until it is this thread's turn again."""
    TURN.done.release()
    TURN.go.acquire()


class Contender:
    """A training that goes on by one tree whenever it is asked, and the scores that it ends with."""

    def __init__(self, steps: Callable[[], Iterator[None]], predict: Callable[[RankingData], NDArray[np.float64]]):
        self.steps = steps
        self.predict = predict


def race(
    contenders: dict[str, Contender], test: RankingData, trees: int, *, peer: str, targets: dict[str, float]
) -> None:
    """Train all in turns and print time against the peer, and effectiveness and risk on test queries."""
    import numpy as np

    import riskrank as rr
    from riskrank.progress import Progress

    turns = Turns()
    with mock.patch.multiple(Progress, say=hold, update=hold):
        turns.take({name: contender.steps() for name, contender in contenders.items()}, trees)
    scores = {name: contender.predict(test) for name, contender in contenders.items()}
    values = rr.evaluate(test, {**scores, "baseline": test.feature(1)}, "nDCG@10")
    first = 2 if trees > 4 else 0  # without the trees that paid for loading and compiling
    theirs = {kind: sum(getattr(turns, kind)[peer][first:]) for kind in ("wall", "cpu")}
    print(f"{'':<22} {'wall':>8} {'ratio':>6} {'cpu':>6}  {'nDCG@10':>8} {'against':>9} {'risk':>8} {'losses':>7}")
    for name in contenders:
        wall, cpu = sum(turns.wall[name][first:]), sum(turns.cpu[name][first:])
        ratio = wall / theirs["wall"]
        difference = values[name] - values[peer]
        error = float(difference.std(ddof=1) / np.sqrt(len(difference)))
        change = values[name] - values["baseline"]
        target = against_target(ratio, at_most=targets[name]) if name in targets else ""
        print(
            f"{name:<22} {wall:>6.1f} s {ratio:>6.3f} {cpu / theirs['cpu']:>6.3f}  {values[name].mean():>8.4f} "
            f"{difference.mean():>+9.4f} {np.maximum(-change, 0).mean():>8.4f} {(change < 0).sum():>7}"
            f"  ± {2 * error:.4f}  {target}".rstrip()
        )
    print()


def contenders(data: RankingData, options: argparse.Namespace) -> dict[str, Contender]:
    """LightGBM's own objective, and ours on LightGBM."""
    import riskrank as rr

    one, several = rr.Feature(1), [rr.Feature(1), rr.Feature(9), rr.Feature(14)]
    ours: dict[str, tuple[Any, Any, bool]] = {
        "Gain": (rr.Gain(), None, False),
        "URisk": (rr.URisk(alpha=5), one, False),
        "SARO": (rr.SARO(alpha=5), one, False),
        "FARO": (rr.FARO(alpha=5), one, False),
        "GeoRisk": (rr.GeoRisk(alpha=5), several, False),
        "Gain, fast": (rr.Gain(), None, True),
        "URisk, fast": (rr.URisk(alpha=5), one, True),
    }
    chosen = {name: made for name, made in ours.items() if not options.only or options.only in name}
    return {
        LIGHTGBM: lightgbm_contender(data),
        **{
            name: our_contender(data, objective, baseline, fast=fast, engine="lightgbm", trees=options.trees)
            for name, (objective, baseline, fast) in chosen.items()
        },
    }


def xgboost_contenders(data: RankingData, options: argparse.Namespace) -> dict[str, Contender]:
    """XGBoost's own objective, and ours on XGBoost."""
    import riskrank as rr

    ours = our_contender(data, rr.Gain(), None, fast=False, engine="xgboost", trees=options.trees)
    return {XGBOOST: xgboost_contender(data), "Gain on XGBoost": ours}


def lightgbm_contender(data: RankingData) -> Contender:
    import lightgbm
    import numpy as np

    from riskrank.rankers.trees.lightgbm_trees import binned

    parameters = {
        "objective": "lambdarank",
        "lambdarank_truncation_level": 30,
        "num_leaves": LEAVES,
        "min_data_in_leaf": MIN_DOCS,
        "learning_rate": RATE,
        "num_threads": THREADS,
        "verbosity": -1,
        "force_row_wise": True,
        "feature_pre_filter": False,
    }
    bins = binned(data, {"num_threads": THREADS})
    bins.set_label(data.labels)
    bins.set_group(np.diff(data.query_offsets))
    booster = lightgbm.Booster(parameters, bins)

    def steps() -> Iterator[None]:
        while True:
            booster.update()
            yield

    return Contender(steps, lambda test: np.asarray(booster.predict(test.features)))


def xgboost_contender(data: RankingData) -> Contender:
    import numpy as np
    import xgboost

    matrix = xgboost.QuantileDMatrix(
        data.features, label=data.labels, qid=np.repeat(np.arange(data.n_queries), np.diff(data.query_offsets))
    )
    parameters = {
        "objective": "rank:ndcg",
        "lambdarank_pair_method": "topk",
        "lambdarank_num_pair_per_sample": 30,
        "tree_method": "hist",
        "grow_policy": "lossguide",
        "max_depth": 0,
        "max_leaves": LEAVES,
        "min_child_weight": 1e-3,
        "reg_lambda": 0.0,
        "learning_rate": RATE,
        "nthread": THREADS,
    }
    booster = xgboost.Booster(parameters, [matrix])

    def steps() -> Iterator[None]:
        number = 0
        while True:
            booster.update(matrix, number)
            number += 1
            yield

    return Contender(steps, lambda test: booster.inplace_predict(test.features, predict_type="margin"))


def our_contender(
    data: RankingData, objective: Any, baseline: Any, *, fast: bool, engine: EngineName, trees: int
) -> Contender:
    """LambdaMART.fit in a thread of its own, which its progress bar holds back until it is its turn."""
    import riskrank as rr

    ranker = rr.LambdaMART(
        objective,
        n_trees=trees,
        n_leaves=LEAVES,
        min_docs_in_leaf=MIN_DOCS if engine == "lightgbm" else None,
        learning_rate=RATE,
        fast=fast,
        engine=engine,
        n_threads=THREADS,
    )

    def steps() -> Iterator[None]:
        go, done = threading.Semaphore(0), threading.Semaphore(0)

        def fit() -> None:
            TURN.go, TURN.done = go, done
            ranker.fit(data, baseline=baseline)

        thread = threading.Thread(target=fit, daemon=True)
        thread.start()
        done.acquire()  # all is prepared
        for number in range(trees):
            go.release()
            done.acquire()
            if number == trees - 1:
                go.release()
                thread.join()
            yield

    return Contender(steps, ranker.predict)


def print_memory(options: argparse.Namespace) -> None:
    """Peak memory of a whole training, ours and LightGBM's own, each in a fresh process with the same arrays."""
    import numpy as np

    with tempfile.TemporaryDirectory() as folder:  # making the data takes more memory than training on them
        data, _ = generated(options.queries)
        for name in ("features", "labels", "query_offsets"):
            np.save(Path(folder) / f"{name}.npy", getattr(data, name))
        del data
        peaks = {
            name: figures_of(__file__, ["--one", f"memory:{name}:{folder}"])["peak"]
            for name in ("lightgbm", "riskrank")
        }
    ratio = peaks["riskrank"] / peaks["lightgbm"]
    print(
        f"Peak memory, 10 trees: LightGBM {peaks['lightgbm']:.2f} GB, riskrank {peaks['riskrank']:.2f} GB, "
        f"{ratio:.2f}×  {against_target(ratio, at_most=1.3)}"
    )


def measure_memory(text: str, options: argparse.Namespace) -> Figures:  # noqa: ARG001 (as all)
    import numpy as np

    from riskrank.data.ranking_data import RankingData

    who, _, folder = text.partition(":")
    features, labels, offsets = (
        np.load(Path(folder) / f"{name}.npy") for name in ("features", "labels", "query_offsets")
    )
    data = RankingData(features, labels, offsets, tuple(map(str, range(len(offsets) - 1))))
    if who == "lightgbm":
        steps = lightgbm_contender(data).steps()
        for _ in range(10):
            next(steps)
    else:
        import riskrank as rr

        ranker = rr.LambdaMART(
            rr.URisk(alpha=5), n_trees=10, n_leaves=LEAVES, min_docs_in_leaf=MIN_DOCS, n_threads=THREADS
        )
        ranker.fit(data, baseline=rr.Feature(1))
    return {"peak": peak_bytes() / 1e9}


def print_compiling() -> None:
    """What the first use of an objective costs, in a fresh installation and in a later process."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {"NUMBA_CACHE_DIR": folder}
        first, later = (figures_of(__file__, ["--one", "compile"], environment=environment) for _ in range(2))
    print(
        f"Compiling URisk: {first['seconds']:.1f} s the first time {against_target(first['seconds'], at_most=6)}, "
        f"{later['seconds']:.2f} s from the cache {against_target(later['seconds'], at_most=1)}"
    )


def measure_compiling(_: str, options: argparse.Namespace) -> Figures:  # noqa: ARG001 (as all)
    import numpy as np

    import riskrank as rr
    from riskrank.data.ranking_data import RankingData

    data = RankingData.from_arrays(np.random.default_rng(0).random((40, 2)), np.arange(40) % 3, group=[20, 20])
    started = time.perf_counter()
    rr.URisk(alpha=5).gradients(data.feature(1), data, baseline=rr.Feature(2))
    return {"seconds": time.perf_counter() - started}


def print_growth() -> None:
    """Fitted slopes of log time against log size: 1 is linear."""
    import numpy as np

    for what, sizes in (
        ("queries", (1000, 2000, 4000, 8000, 16000)),
        ("documents per query", (200, 400, 800, 1600, 3200)),
    ):
        seconds = [gradients_time(size, 120) if what == "queries" else gradients_time(300, size) for size in sizes]
        slope = float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])
        shown = ", ".join(f"{size}: {1000 * s:.1f} ms" for size, s in zip(sizes, seconds, strict=True))
        print(f"Forces of URisk against {what}: slope {slope:.2f} ({shown})")


def gradients_time(queries: int, documents: int) -> float:
    """The least processor seconds of computing all gradients once, on one thread."""
    import numpy as np

    import riskrank as rr
    from riskrank.data.baseline_scores import baseline_scores
    from riskrank.data.ranking_data import RankingData
    from riskrank.objectives.on_data.bound_objective import BoundObjective

    rng = np.random.default_rng(0)
    n = queries * documents
    labels = rng.choice(5, n, p=[0.52, 0.32, 0.13, 0.02, 0.01])
    data = RankingData.from_arrays(rng.random((n, 1)), labels, group=[documents] * queries)
    bound = BoundObjective(rr.URisk(alpha=5), data, baseline_scores(rr.Feature(1), data), n_threads=1)
    scores = rng.normal(size=n)
    seconds = []
    for _ in range(7):
        started = time.process_time()
        bound.gradients(scores)
        seconds.append(time.process_time() - started)
    return min(seconds)


ONE = {"memory": measure_memory, "compile": measure_compiling}

if __name__ == "__main__":
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    main()
