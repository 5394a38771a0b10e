"""Learning against several baselines: the design of Dinçer et al. 2016, Table 7.

Four rankers are learned on a fifth of the queries, which is then put away. On the other queries, in five folds, plain
LambdaMART and its risk-sensitive kin are trained against BM25 or against the four, and compared with both. MQ2008 is
used where RISKRANK_DATA has it; synthetic data always.
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from interleaved import print_machine
from splits import joined

import riskrank as rr
from riskrank.data.synthetic.synthetic_features import web_search_data

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from riskrank.data.ranking_data import RankingData

    Floats = NDArray[np.float64]

DATA = Path(os.environ.get("RISKRANK_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))
FOLDS = 5
CLAIMS = (
    "Paper: GeoRisk with alpha 1 has the highest nDCG of all",
    "Paper: against BM25, T-FARO or U-CRO has the best reward/risk",
    "Paper: against the learned baselines, GeoRisk with alpha 1 has the best reward/risk",
    "Paper: against the learned baselines, GeoRisk with alpha 1 has the best wins/losses",
    "Paper: against the learned baselines, T*-FARO has the worst reward/risk",
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trees", type=int, default=150, help="trees of every model (default 150)")
    parser.add_argument("--queries", type=int, default=2000, help="queries of the synthetic web search (default 2,000)")
    parser.add_argument("--cache", help="folder that keeps the learned baselines")
    parser.add_argument("--data", default="", help="data whose name holds this text")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    print_machine("before")
    for name, data, bm25, leaves in data_sets(options):
        if options.data in name:
            experiment(name, data, bm25, leaves, options)
    print_machine("after")


def data_sets(options: argparse.Namespace) -> Iterator[tuple[str, RankingData, int, int]]:
    """Every data set that is here, with the number of its BM25 feature and leaves for trees."""
    if (DATA / "mq2008").is_dir():
        yield "MQ2008", joined([rr.read_letor(DATA / "mq2008" / f"S{i}.txt") for i in range(1, 6)]), 25, 7
    synthetic = web_search_data(options.queries, documents_per_query=60, n_features=60, random_state=11)
    yield "synthetic web search", synthetic, 1, 15


def experiment(name: str, data: RankingData, bm25: int, leaves: int, options: argparse.Namespace) -> None:
    """Learn the population, train all learners in folds, print the table."""
    shape = {"n_trees": options.trees, "n_leaves": leaves, "min_docs_in_leaf": 20}
    systems = {
        "LambdaMART": rr.LambdaMART(early_stopping=30, **shape),
        "regression trees": rr.RegressionTrees(early_stopping=30, **shape),
        "AFS": rr.AFS(),
        "AdaRank": rr.AdaRank(),
    }
    population, rest = rr.Baselines.learn(data, systems, share=0.2, cache=options.cache)
    one = rr.Feature(bm25)
    learners: dict[str, tuple[Any, Any]] = {"LambdaMART 0": (rr.Gain(), None)}
    for label, kind, baseline in (
        ("U-CRO", rr.URisk, one),
        ("T-FARO", rr.FARO, one),
        ("T*-FARO", rr.TStarFARO, population),
        ("GeoRisk", rr.GeoRisk, population),
    ):
        learners |= {f"{label} {alpha}": (kind(alpha=alpha), baseline) for alpha in (1, 5)}

    fold = np.random.default_rng(0).permutation(rest.n_queries) % FOLDS
    values: dict[str, list[Floats]] = {}
    for number in range(FOLDS):
        test, valid = fold == number, fold == (number + 1) % FOLDS
        parts = {"train": rest.take(~test & ~valid), "valid": rest.take(valid), "test": rest.take(test)}
        scores: dict[str, Any] = {**population.scores(parts["test"]), "BM25": parts["test"].feature(bm25)}
        for label, (objective, baseline) in learners.items():
            print(f"\r  fold {number + 1} of {FOLDS}: {label:<14}", end="", file=sys.stderr)
            ranker = rr.LambdaMART(objective, early_stopping=50, **shape)
            scores[label] = ranker.fit(parts["train"], valid=parts["valid"], baseline=baseline).predict(parts["test"])
        found = rr.evaluate(parts["test"], scores, "nDCG@10")
        for system in scores:
            values.setdefault(system, []).append(found[system])
    print(file=sys.stderr)
    whole = {system: np.concatenate(several) for system, several in values.items()}
    print_table(name, whole, list(learners), list(population))


def print_table(name: str, values: dict[str, Floats], learners: list[str], population: list[str]) -> None:
    """Both halves of the paper's table, and what becomes of its claims."""
    print(f"\n== {name}: {len(values['BM25'])} test queries; nDCG@10 of the baselines: "
          + ", ".join(f"{system} {values[system].mean():.4f}" for system in ("BM25", *population)))  # fmt: skip
    halves = {"BM25": ["BM25"], "the 4 learned baselines": population}
    tables = {}
    for half, baselines in halves.items():
        print(f"\nCompared to {half}")
        print("learner     α  nDCG@10   ± vs plain      reward    risk  reward/risk   wins  losses    W/L  L>20%")
        tables[half] = {
            learner: np.mean([outcome(values[learner], values[each]) for each in baselines], axis=0)
            for learner in learners
        }
        for learner in learners:
            reward, risk, wins, losses, large = tables[half][learner]
            difference = values[learner] - values[learners[0]]
            error = 1.96 * difference.std(ddof=1) / np.sqrt(len(difference))
            label, _, alpha = learner.rpartition(" ")
            print(
                f"{label:<10} {alpha:>2} {values[learner].mean():8.4f}  {difference.mean():+.4f}±{error:.4f}"
                f" {reward:9.4f} {risk:7.4f} {reward / risk:12.3f} {wins:6.1f} {losses:7.1f} {wins / losses:6.2f}"
                f" {large:6.1f}"
            )
    print()
    for claim, holds in zip(CLAIMS, claims(values, tables, learners), strict=True):
        print(f"{claim}: {'holds here' if holds else 'does not hold here'}.")


def outcome(system: Floats, baseline: Floats) -> tuple[float, float, float, float, float]:
    """Reward, risk, wins, losses and large losses."""
    return (
        rr.risk.reward(system, baseline),
        rr.risk.risk(system, baseline),
        float((system > baseline).sum()),
        float((system < baseline).sum()),
        float((system < 0.8 * baseline).sum()),
    )


def claims(values: dict[str, Floats], tables: dict[str, Any], learners: list[str]) -> list[bool]:
    """Whether each of the paper's claims holds."""
    one, four = tables.values()

    def ratio(table: Any) -> dict[str, float]:
        return {learner: table[learner][0] / table[learner][1] for learner in learners}

    turns = {learner: four[learner][2] / four[learner][3] for learner in learners}
    worst = min(ratio(four), key=lambda learner: ratio(four)[learner])
    return [
        max(learners, key=lambda learner: values[learner].mean()) == "GeoRisk 1",
        max(ratio(one), key=lambda learner: ratio(one)[learner]).startswith(("T-FARO", "U-CRO")),
        max(ratio(four), key=lambda learner: ratio(four)[learner]) == "GeoRisk 1",
        max(turns, key=lambda learner: turns[learner]) == "GeoRisk 1",
        worst.startswith("T*-FARO"),
    ]


if __name__ == "__main__":
    main()
