"""Which engine of trees should be the default: `native` against LightGBM's exact trees, for the same gradients.

The rule, fixed before any of it was run. For each kind of data, each number of trees and each objective, over the test
queries of all draws, `native` is level with LightGBM if both hold:

- nDCG@10: the lower end of the 95 % interval of the mean difference (native - LightGBM) is above -0.002;
- risk at equal gain: where `native` gains more over the baseline, it is used with the probability that makes the gains
  equal, which scales its risk; the upper end of the 95 % interval of the difference in risk is below 0.002, and
  the interval does not lie above 0.

Intervals are of draws: the mean difference of each draw is one observation (t distribution). `native` becomes the
default only if it is level everywhere.
"""

from __future__ import annotations

import json
import sys
import time
from typing import TYPE_CHECKING, Any

import numpy as np
from splits import KINDS

import riskrank as rr

if TYPE_CHECKING:
    from pathlib import Path

    from riskrank.typing import EngineName

ENGINES: tuple[EngineName, ...] = ("lightgbm", "native")
N_TREES = (60, 200, 500)
OBJECTIVES: dict[str, Any] = {"Gain": rr.Gain(), "URisk 5": rr.URisk(alpha=5)}
MARGIN = 0.002
T_95 = {2: 12.71, 3: 4.30, 4: 3.18, 5: 2.78, 6: 2.57, 7: 2.45, 8: 2.36, 9: 2.31, 10: 2.26}  # by draws


def run_draws(kind: str, draws: range, out: Path) -> None:
    """Add lines of JSON to a file: any draws in any order, in any number of processes."""
    for draw in draws:
        for line in outcomes(kind, draw):
            with out.open("a") as file:
                print(json.dumps(line), file=file)


def outcomes(kind: str, draw: int) -> list[dict[str, Any]]:
    """nDCG@10 and risk of both engines after each number of trees, and the processor's time of the longest training."""
    make, shape = KINDS[kind]
    split = make(draw)
    baseline = split.test.feature(split.baseline)
    lines = []
    for name, objective in OBJECTIVES.items():
        for engine in ENGINES:
            ranker = rr.LambdaMART(
                objective,
                n_trees=shape.n_trees,
                engine=engine,
                n_threads=1,
                n_leaves=shape.n_leaves,
                min_docs_in_leaf=shape.min_docs,
                learning_rate=shape.rate,
            )
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
    if n not in T_95:
        sys.exit(f"the rule is for 2 to {max(T_95)} draws, there are {n}")
    return float(np.mean(values)), float(T_95[n] * np.std(values, ddof=1) / np.sqrt(n))
