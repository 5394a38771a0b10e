"""Which engine of trees should be the default: `native` against LightGBM's exact trees, for the same gradients.

The rule, fixed before any of it was run. For each kind of data, each number of trees and each objective, over the test
queries of all draws, `native` is level with LightGBM if both hold:

- nDCG@10: the lower end of the 95 % interval of the mean difference (native - LightGBM) is above -0.002;
- risk at equal gain: where `native` gains more over the baseline, it is used with the probability that makes the gains
  equal, which scales its risk; the upper end of the 95 % interval of the difference in risk is below 0.002, and
  the interval does not lie above 0.

Intervals are of draws: the mean difference of each draw is one observation (t distribution). `native` becomes the
default only if it is level everywhere.

The work is done in slices: `--run KIND --draws 0:3` appends lines of JSON to `--out`, in any order and in any number
of processes; without `--run`, what `--out` holds is judged.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from quality import DATA, Split, joined, split_at

import riskrank as rr
from riskrank.data.synthetic.synthetic_features import cubic_data, web_search_data
from riskrank.data.synthetic.synthetic_pages import location_pages

if TYPE_CHECKING:
    from collections.abc import Callable

    from riskrank.data.ranking_data import RankingData
    from riskrank.typing import EngineName

ENGINES: tuple[EngineName, ...] = ("lightgbm", "native")
N_TREES = (60, 200, 500)
OBJECTIVES: dict[str, Any] = {"Gain": rr.Gain(), "URisk 5": rr.URisk(alpha=5)}
MARGIN = 0.002
T_95 = {2: 12.71, 3: 4.30, 4: 3.18, 5: 2.78, 6: 2.57, 7: 2.45, 8: 2.36, 9: 2.31, 10: 2.26}  # by draws


def web(draw: int) -> Split:
    """100,000 documents to learn from, of which a tree sees a fifth."""
    data = web_search_data(3500, documents_per_query=40, n_features=40, random_state=7000 + draw)
    return split_at(data, 2500, 1, ())


def cubic(draw: int) -> Split:
    """50,000 documents, two fifths."""
    return split_at(cubic_data(2000, documents_per_query=50, n_features=30, random_state=7100 + draw), 1000, 1, ())


def pages(draw: int) -> Split:
    """60,000 documents on pages of ten, a third."""
    return split_at(location_pages(9000, random_state=7200 + draw), 6000, 1, ())


def mq2008(draw: int) -> Split:
    """Real queries: four fifths to learn from, drawn anew, documents in random order."""
    whole = joined([rr.read_letor(DATA / "mq2008" / f"S{i}.txt") for i in range(1, 6)])
    rng = np.random.default_rng(7300 + draw)
    order = rng.permutation(whole.n_queries)
    return split_at(shuffled(whole, order, rng), whole.n_queries * 4 // 5, 25, ())


KINDS: dict[str, tuple[Callable[[int], Split], dict[str, Any]]] = {
    "web": (web, {"n_leaves": 31, "min_docs_in_leaf": 50, "learning_rate": 0.1}),
    "cubic": (cubic, {"n_leaves": 31, "min_docs_in_leaf": 50, "learning_rate": 0.1}),
    "pages": (pages, {"n_leaves": 31, "min_docs_in_leaf": 50, "learning_rate": 0.1}),
    "mq2008": (mq2008, {"n_leaves": 15, "min_docs_in_leaf": 20, "learning_rate": 0.05}),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", choices=KINDS, help="train on this kind of data")
    parser.add_argument("--draws", default="0:10", help="these draws of it, from:to (default 0:10)")
    parser.add_argument("--out", type=Path, default=Path("engines.jsonl"), help="where lines go (engines.jsonl)")
    options = parser.parse_args()
    if options.run is None:
        judge([json.loads(line) for line in options.out.read_text().splitlines()])
        return
    begin, end = map(int, options.draws.split(":"))
    for draw in range(begin, end):
        for line in outcomes(options.run, draw):
            with options.out.open("a") as file:
                print(json.dumps(line), file=file)


def shuffled(data: RankingData, queries: Any, rng: np.random.Generator) -> RankingData:
    """Some queries in this order, the documents of each in random order."""
    rows = [rng.permutation(np.arange(*data.query_offsets[q : q + 2])) for q in queries]
    sizes = [len(each) for each in rows]
    chosen = np.concatenate(rows)
    names = tuple(data.query_ids[q] for q in queries)
    return rr.RankingData(data.features[chosen], data.labels[chosen], np.concatenate([[0], np.cumsum(sizes)]), names)


def outcomes(kind: str, draw: int) -> list[dict[str, Any]]:
    """nDCG@10 and risk of both engines after each number of trees, and the processor's time of the longest training."""
    make, shape = KINDS[kind]
    split = make(draw)
    baseline = split.test.feature(split.baseline)
    lines = []
    for name, objective in OBJECTIVES.items():
        for engine in ENGINES:
            ranker = rr.LambdaMART(objective, n_trees=max(N_TREES), engine=engine, n_threads=1, **shape)
            started = time.process_time()
            ranker.fit(split.train, baseline=rr.Feature(split.baseline))
            seconds = time.process_time() - started
            for n_trees in N_TREES:
                scores = ranker.model_.predict(split.test.features, n_trees=n_trees, n_threads=1)
                values = rr.evaluate(split.test, {"model": scores, "baseline": baseline}, "nDCG@10")
                gained, b = values["model"], values["baseline"]
                lines.append({"kind": kind, "draw": draw, "objective": name, "engine": engine, "trees": n_trees,
                              "seconds": seconds, "ndcg": gained.mean(), "baseline": b.mean(),
                              "risk": rr.risk.risk(gained, b)})  # fmt: skip
    return lines


def judge(lines: list[dict[str, Any]]) -> None:
    """The rule, for all that was run."""
    results = {(e["kind"], e["objective"], e["trees"], e["draw"], e["engine"]): e for e in lines}
    cells = sorted({key[:3] for key in results})
    print(f"{'':<24} {'draws':>5} {'nDCG@10':>8} {'native':>17} {'risk':>7} {'at equal gain':>17} {'time':>5}  level?")
    for cell in cells:
        draws = [d for d in range(100) if all((*cell, d, engine) in results for engine in ENGINES)]
        if len(draws) < 2:
            continue
        theirs, ours = ([results[*cell, d, engine] for d in draws] for engine in ENGINES)
        ndcg = interval([b["ndcg"] - a["ndcg"] for a, b in zip(theirs, ours, strict=True)])
        risk = interval([equal_gain_risk(a, b) - a["risk"] for a, b in zip(theirs, ours, strict=True)])
        is_level = ndcg[0] - ndcg[1] > -MARGIN and risk[0] + risk[1] < MARGIN and risk[0] - risk[1] <= 0
        time_ratio = sum(b["seconds"] for b in ours) / sum(a["seconds"] for a in theirs)
        name = f"{cell[0]}, {cell[1]}, {cell[2]}"
        print(
            f"{name:<24} {len(draws):>5} {np.mean([a['ndcg'] for a in theirs]):>8.4f} {ndcg[0]:>+8.4f} ±{ndcg[1]:.4f} "
            f"{np.mean([a['risk'] for a in theirs]):>7.4f} {risk[0]:>+8.4f} ±{risk[1]:.4f} {time_ratio:>5.2f}  "
            f"{'yes' if is_level else 'no'}"
        )


def equal_gain_risk(theirs: dict[str, Any], ours: dict[str, Any]) -> float:
    """Our risk, if we were used only as often as it takes to gain what they do."""
    gains = [each["ndcg"] - each["baseline"] for each in (theirs, ours)]
    share = gains[0] / gains[1] if 0 < gains[0] < gains[1] else 1.0
    return float(ours["risk"] * share)


def interval(values: list[float]) -> tuple[float, float]:
    """The mean over draws and half of its 95 % interval."""
    n = len(values)
    return float(np.mean(values)), float(T_95.get(n, 2.0) * np.std(values, ddof=1) / np.sqrt(n))


if __name__ == "__main__":
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    main()
