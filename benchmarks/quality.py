"""What training achieves on test queries: beside LightGBM, XGBoost and CatBoost, for each alpha, and on each engine.

Data: MQ2008 (five folds) and a sample of MSLR-WEB10K where RISKRANK_DATA has them, and synthetic data in several draws.
All models have as many trees, leaves and the same learning rate (and the libraries' own objectives are met once more
with LightGBM's defaults); nothing is tuned to any of the data.

Whether the engine `native` is level with LightGBM's trees is decided by the rule of `engine_rule.py`, which takes many
hours, so it is worked on in slices: `--engines KIND --draws 0:3` appends what it finds to `--out`, and
`--engines judge` applies the rule to that.
"""

from __future__ import annotations

import argparse
import json
import os
import time
import warnings
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from engine_rule import judge, run_draws
from interleaved import print_machine
from splits import KINDS, data_sets
from trainers import CATBOOST, LIGHTGBM, SYMMETRIC, THEIR_DEFAULTS, TRAINERS, XGBOOST, Shape

import riskrank as rr

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray
    from splits import Split

    Floats = NDArray[np.float64]

ALPHAS = (0, 1, 5, 10)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trees", type=int, default=150, help="trees of every model (default 150)")
    parser.add_argument("--queries", type=int, default=6000, help="queries of the synthetic web search (default 6,000)")
    parser.add_argument("--only", default="", help=f"tables whose name holds this text: {', '.join(TABLES)}")
    parser.add_argument("--data", default="", help="data whose name holds this text")
    parser.add_argument("--engines", choices=[*KINDS, "judge"], help="train on this kind of data for the rule; judge")
    parser.add_argument("--draws", default="0:10", help="these draws of it, from:to (default 0:10)")
    parser.add_argument("--out", type=Path, default=Path("engines.jsonl"), help="where they go (default engines.jsonl)")
    options = parser.parse_args()
    if options.engines == "judge":
        judge([json.loads(line) for line in options.out.read_text().splitlines()])
        return
    if options.engines:
        run_draws(options.engines, range(*map(int, options.draws.split(":"))), options.out)
        return
    warnings.simplefilter("ignore")
    print_machine("before")
    for name, splits, shape in data_sets(options):
        if options.data not in name:
            continue
        print(f"\n== {name}: {len(splits)} split(s), {shape}")
        for table, function in TABLES.items():
            if options.only in table:
                function(splits, shape)
    print_machine("after")


def model(shape: Shape, objective: Any, *, several: bool = False, **parameters: Any) -> Callable[[Split], Floats]:
    """How to get the test scores of a model of ours."""

    def scores(split: Split) -> Floats:
        numbers = (split.baseline, *split.others) if several else (split.baseline,)
        ranker = rr.LambdaMART(
            objective,
            n_trees=shape.n_trees,
            n_leaves=shape.n_leaves,
            min_docs_in_leaf=None if parameters.get("engine") == "xgboost" else shape.min_docs,
            learning_rate=shape.rate,
            **parameters,
        )
        return ranker.fit(split.train, baseline=[rr.Feature(number) for number in numbers]).predict(split.test)

    return scores


def theirs(shape: Shape, name: str) -> Callable[[Split], Floats]:
    """Those of a library's own objective."""
    return lambda split: TRAINERS[name](split.train, shape)(split.test.features)


@dataclass(frozen=True, eq=False)
class Outcome:
    """nDCG@10 of models and of the baseline, over the test queries of all splits; processor time and wall clock."""

    models: dict[str, Floats]
    baseline: Floats
    seconds: dict[str, Floats]


def outcomes(splits: list[Split], models: dict[str, Callable[[Split], Floats]]) -> Outcome:
    """Train each model on each split."""
    values: dict[str, list[Floats]] = {name: [] for name in [*models, ""]}
    seconds = {name: np.zeros(2) for name in models}
    for split in splits:
        scores = {}
        for name, scores_of in models.items():
            started = np.array([time.process_time(), time.perf_counter()])
            scores[name] = scores_of(split)
            seconds[name] += [time.process_time(), time.perf_counter()] - started
        found = rr.evaluate(split.test, {**scores, "": split.test.feature(split.baseline)}, "nDCG@10")
        for name, parts in values.items():
            parts.append(found[name])
    joint = {name: np.concatenate(parts) for name, parts in values.items()}
    baseline = joint.pop("")
    return Outcome(joint, baseline, seconds)


def print_outcome(title: str, outcome: Outcome, *, reference: str) -> None:
    """The columns of Wang et al. 2012, Table 1, and the paired difference from a reference model."""
    b = outcome.baseline
    print(f"\n{title} ({len(b)} test queries, baseline {b.mean():.4f})")
    print(
        f"{'':<30} {'nDCG@10':>8} {'± 95 %':>15} {'risk':>7} {'reward':>7} {'wins':>5} {'losses':>6} {'>20 %':>6} "
        f"{'cpu':>8} {'wall':>8}"
    )
    for name, values in outcome.models.items():
        d = values - b
        cpu, wall = outcome.seconds[name]
        large = int(((d < 0) & (b > 0) & (d / np.where(b > 0, b, 1) < -0.2)).sum())
        print(
            f"{name:<30} {values.mean():>8.4f} {paired(values, outcome.models[reference]):>15} "
            f"{rr.risk.risk(values, b):>7.4f} {rr.risk.reward(values, b):>7.4f} "
            f"{(d > 0).sum():>5} {(d < 0).sum():>6} {large:>6} {cpu:>6.1f} s {wall:>6.1f} s"
        )


def paired(values: Floats, others: Floats) -> str:
    """The mean difference and its 95 % interval."""
    d = values - others
    return f"{d.mean():+.4f}±{1.96 * d.std(ddof=1) / np.sqrt(len(d)):.4f}"


def gain_table(splits: list[Split], shape: Shape) -> None:
    """Gain against the libraries' own objectives."""
    for called, of in (("", shape), (", LightGBM's defaults", replace(shape, **THEIR_DEFAULTS))):
        models = {
            LIGHTGBM: theirs(of, LIGHTGBM),
            "Gain on LightGBM": model(of, rr.Gain()),
            "Gain on LightGBM, fast": model(of, rr.Gain(), fast=True),
            "Gain, native": model(of, rr.Gain(), engine="native"),
            XGBOOST: theirs(of, XGBOOST),
            "Gain on XGBoost": model(of, rr.Gain(), engine="xgboost"),
            CATBOOST: theirs(of, CATBOOST),
            SYMMETRIC: theirs(of, SYMMETRIC),
        }
        outcome = outcomes(splits, models)
        print_outcome(f"Gain against the libraries' own{called}", outcome, reference=LIGHTGBM)
        difference = paired(outcome.models["Gain on XGBoost"], outcome.models[XGBOOST])
        print(f"  Gain on XGBoost against {XGBOOST}: {difference}")


def depth_table(splits: list[Split], shape: Shape) -> None:
    """How deep nDCG@10 should be trained, and how to normalise."""
    models: dict[str, Any] = {f"truncation {depth}": rr.Gain(truncation=depth) for depth in (None, 20, 30, 60, 100)}
    models["normalise none"] = rr.Gain(normalise=False)
    outcome = outcomes(splits, {name: model(shape, o) for name, o in models.items()})
    print_outcome("Depth and normalisation of Gain", outcome, reference="truncation 30")


def alpha_table(splits: list[Split], shape: Shape) -> None:
    """URisk for several alphas, and whether it beats tossing a coin between model and baseline."""
    for normalise in ("all", "gain"):
        models = {f"alpha {alpha}": rr.URisk(alpha=alpha, normalise=normalise) for alpha in ALPHAS}
        outcome = outcomes(splits, {name: model(shape, o) for name, o in models.items()})
        print_outcome(f"URisk, normalised by {normalise}", outcome, reference="alpha 0")
        print_mixing(outcome, "alpha 0")


def print_mixing(outcome: Outcome, gain_only: str) -> None:
    """The reward of the coin that has the same risk."""
    first, b = outcome.models[gain_only], outcome.baseline
    if rr.risk.risk(first, b) == 0:
        return
    for name, values in outcome.models.items():
        if name != gain_only:
            kept = 100 * rr.risk.risk(values, b) / rr.risk.risk(first, b)
            won = 100 * rr.risk.reward(values, b) / rr.risk.reward(first, b)
            print(
                f"  {name}: {kept:.0f} % of the risk, {won:.0f} % of the reward; "
                f"a coin with that risk has {kept:.0f} % of the reward"
            )


def start_table(splits: list[Split], shape: Shape) -> None:
    """Boosting from nothing, and from the baseline."""
    models: dict[str, tuple[Any, dict[str, Any]]] = {}
    for name, objective in (("Gain", rr.Gain()), ("URisk 5", rr.URisk(alpha=5)), ("URisk 10", rr.URisk(alpha=10))):
        models[name] = (objective, {})
        for spread in (0.5, 1.0, 2.0):
            models[f"{name} from baseline × {spread:g}"] = (objective, {"start": "baseline", "start_spread": spread})
    outcome = outcomes(splits, {name: model(shape, o, **p) for name, (o, p) in models.items()})
    print_outcome("Where boosting starts", outcome, reference="Gain")
    print_mixing(outcome, "Gain")


def adaptive_table(splits: list[Split], shape: Shape) -> None:
    """The two readings of SARO and FARO."""
    models: dict[str, Any] = {"Gain": rr.Gain(), "URisk 5": rr.URisk(alpha=5)}
    for kind in (rr.SARO, rr.FARO):
        for standardise in ("error", "deviation"):
            models[f"{kind.__name__} 5, {standardise}"] = kind(alpha=5, standardise=standardise)
    outcome = outcomes(splits, {name: model(shape, o) for name, o in models.items()})
    print_outcome("Adaptive alpha", outcome, reference="Gain")
    print_mixing(outcome, "Gain")


def several_table(splits: list[Split], shape: Shape) -> None:
    """Several baselines at once."""
    models = {
        "Gain": rr.Gain(),
        "URisk 5": rr.URisk(alpha=5),
        "T*-FARO 5": rr.TStarFARO(alpha=5),
        "GeoRisk 5": rr.GeoRisk(alpha=5),
        "GeoRisk 10": rr.GeoRisk(alpha=10),
    }
    outcome = outcomes(splits, {name: model(shape, o, several=True) for name, o in models.items()})
    print_outcome("Several baselines (judged against the first)", outcome, reference="Gain")
    print_mixing(outcome, "Gain")


TABLES: dict[str, Callable[[list[Split], Shape], None]] = {
    "gain": gain_table,
    "depth": depth_table,
    "alpha": alpha_table,
    "start": start_table,
    "adaptive": adaptive_table,
    "several": several_table,
}

if __name__ == "__main__":
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    main()
