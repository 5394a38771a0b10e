"""What training achieves on test queries: against LightGBM's and XGBoost's own objectives, and for each alpha.

Data: MQ2008 (five folds) and a sample of MSLR-WEB10K where RISKRANK_DATA has them, and synthetic data in several draws.
All models have as many trees, leaves and the same learning rate; nothing is tuned to any of the data.
"""

from __future__ import annotations

import argparse
import os
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from interleaved import print_machine

import riskrank as rr
from riskrank.data.synthetic.synthetic_features import cubic_data, web_search_data

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from riskrank.data.ranking_data import RankingData

    Floats = NDArray[np.float64]

DATA = Path(os.environ.get("RISKRANK_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))
LIGHTGBM, XGBOOST = "LightGBM lambdarank", "XGBoost rank:ndcg"
ALPHAS = (0, 1, 5, 10)


@dataclass(frozen=True)
class Shape:
    """What all trees have in common."""

    n_trees: int
    n_leaves: int = 31
    min_docs: int = 50
    rate: float = 0.1


@dataclass(frozen=True, eq=False)
class Split:
    """Training and test queries, the feature that is the baseline, and others that could be."""

    train: RankingData
    test: RankingData
    baseline: int
    others: tuple[int, ...]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trees", type=int, default=150, help="trees of every model (default 150)")
    parser.add_argument("--queries", type=int, default=6000, help="queries of the synthetic web search (default 6,000)")
    parser.add_argument("--only", default="", help=f"tables whose name holds this text: {', '.join(TABLES)}")
    parser.add_argument("--data", default="", help="data whose name holds this text")
    options = parser.parse_args()
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


def data_sets(options: argparse.Namespace) -> Iterator[tuple[str, list[Split], Shape]]:
    """Every data set that is here."""
    small = Shape(options.trees, n_leaves=7, min_docs=20)
    if (DATA / "mq2008").is_dir():
        parts = [rr.read_letor(DATA / "mq2008" / f"S{i}.txt") for i in range(1, 6)]
        yield "MQ2008", [Split(joined(parts[:i] + parts[i + 1 :]), parts[i], 25, (21, 40)) for i in range(5)], small
    if (DATA / "mslr_sample").is_dir():
        train, test = (rr.read_letor(DATA / "mslr_sample" / f"msn1.fold1.{kind}.5k.txt") for kind in ("train", "test"))
        yield "MSLR sample", [Split(train, test, 110, (108, 130)), Split(test, train, 110, (108, 130))], small
    whole = Shape(options.trees)
    web = web_search_data(options.queries + options.queries // 2, n_features=60, random_state=11)
    yield f"synthetic web search of {options.queries:,}", [split_at(web, options.queries, 1, (9, 14))], whole
    draws = [
        split_at(web_search_data(3000, documents_per_query=50, n_features=40, random_state=seed), 1500, 1, (9, 14))
        for seed in range(4)
    ]
    yield "synthetic web search, four draws of 1,500", draws, whole
    yield "cubic polynomial", [split_at(cubic_data(3000, random_state=3), 1500, 1, (2, 3))], whole


def split_at(data: RankingData, n_train: int, baseline: int, others: tuple[int, ...]) -> Split:
    return Split(data.take(slice(0, n_train)), data.take(slice(n_train, None)), baseline, others)


def joined(parts: list[RankingData]) -> RankingData:
    """Several parts as one."""
    sizes = np.concatenate([np.diff(part.query_offsets) for part in parts])
    return rr.RankingData(
        np.concatenate([part.features for part in parts]),
        np.concatenate([part.labels for part in parts]),
        np.concatenate([[0], np.cumsum(sizes)]),
        tuple(f"{i}-{query}" for i, part in enumerate(parts) for query in part.query_ids),
    )


def trained(split: Split, shape: Shape, objective: Any, *, several: bool = False, **parameters: Any) -> Floats:
    """Test scores of a model of ours."""
    engine = parameters.get("engine", "lightgbm")
    ranker = rr.LambdaMART(
        objective,
        n_trees=shape.n_trees,
        n_leaves=shape.n_leaves,
        min_docs_in_leaf=shape.min_docs if engine == "lightgbm" else None,
        learning_rate=shape.rate,
        **parameters,
    )
    numbers = (split.baseline, *split.others) if several else (split.baseline,)
    baselines = [rr.Feature(number) for number in numbers]
    ranker.fit(split.train, baseline=baselines)
    return ranker.predict(split.test)


def their_lightgbm(split: Split, shape: Shape) -> Floats:
    import lightgbm

    parameters = {
        "objective": "lambdarank",
        "num_leaves": shape.n_leaves,
        "min_data_in_leaf": shape.min_docs,
        "learning_rate": shape.rate,
        "verbosity": -1,
    }
    sizes = np.diff(split.train.query_offsets)
    bins = lightgbm.Dataset(split.train.features, split.train.labels, group=sizes)
    return np.asarray(lightgbm.train(parameters, bins, shape.n_trees).predict(split.test.features))


def their_xgboost(split: Split, shape: Shape) -> Floats:
    import xgboost

    parameters = {
        "objective": "rank:ndcg",
        "tree_method": "hist",
        "grow_policy": "lossguide",
        "max_depth": 0,
        "max_leaves": shape.n_leaves,
        "min_child_weight": 1e-3,
        "learning_rate": shape.rate,
        "lambdarank_pair_method": "topk",
        "lambdarank_num_pair_per_sample": 30,
    }
    query = np.repeat(np.arange(split.train.n_queries), np.diff(split.train.query_offsets))
    bins = xgboost.QuantileDMatrix(split.train.features, label=split.train.labels, qid=query)
    booster = xgboost.train(parameters, bins, shape.n_trees)
    return np.asarray(booster.inplace_predict(split.test.features, predict_type="margin"))


def model(shape: Shape, objective: Any, **parameters: Any) -> Callable[[Split], Floats]:
    """How to get the test scores of a model of ours."""
    return lambda split: trained(split, shape, objective, **parameters)


@dataclass(frozen=True, eq=False)
class Outcome:
    """nDCG@10 of models and of the baseline, over the test queries of all splits."""

    models: dict[str, Floats]
    baseline: Floats


def outcomes(splits: list[Split], models: dict[str, Callable[[Split], Floats]]) -> Outcome:
    """Train each model on each split."""
    values: dict[str, list[Floats]] = {name: [] for name in [*models, ""]}
    for split in splits:
        scores = {name: train(split) for name, train in models.items()}
        found = rr.evaluate(split.test, {**scores, "": split.test.feature(split.baseline)}, "nDCG@10")
        for name, parts in values.items():
            parts.append(found[name])
    joint = {name: np.concatenate(parts) for name, parts in values.items()}
    baseline = joint.pop("")
    return Outcome(joint, baseline)


def print_outcome(title: str, outcome: Outcome, *, reference: str) -> None:
    """The columns of Wang et al. 2012, Table 1, and the paired difference from a reference model."""
    b = outcome.baseline
    print(f"\n{title} ({len(b)} test queries, baseline {b.mean():.4f})")
    print(f"{'':<30} {'nDCG@10':>8} {'± 95 %':>15} {'risk':>7} {'reward':>7} {'wins':>5} {'losses':>6} {'>20 %':>6}")
    for name, values in outcome.models.items():
        d = values - b
        large = int(((d < 0) & (b > 0) & (d / np.where(b > 0, b, 1) < -0.2)).sum())
        print(
            f"{name:<30} {values.mean():>8.4f} {paired(values, outcome.models[reference]):>15} "
            f"{rr.risk.risk(values, b):>7.4f} {rr.risk.reward(values, b):>7.4f} "
            f"{(d > 0).sum():>5} {(d < 0).sum():>6} {large:>6}"
        )


def paired(values: Floats, others: Floats) -> str:
    """The mean difference and its 95 % interval."""
    d = values - others
    return f"{d.mean():+.4f}±{1.96 * d.std(ddof=1) / np.sqrt(len(d)):.4f}"


def gain_table(splits: list[Split], shape: Shape) -> None:
    """Gain against the engines' own objectives."""
    outcome = outcomes(
        splits,
        {
            LIGHTGBM: lambda split: their_lightgbm(split, shape),
            "Gain on LightGBM": model(shape, rr.Gain()),
            "Gain on LightGBM, fast": model(shape, rr.Gain(), fast=True),
            XGBOOST: lambda split: their_xgboost(split, shape),
            "Gain on XGBoost": model(shape, rr.Gain(), engine="xgboost"),
        },
    )
    print_outcome("Gain against the engines' own", outcome, reference=LIGHTGBM)
    print(f"  Gain on XGBoost against {XGBOOST}: {paired(outcome.models['Gain on XGBoost'], outcome.models[XGBOOST])}")


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
