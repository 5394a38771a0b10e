"""Table 7 of Dinçer et al. 2016: learning to rank with one baseline and with four learned ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import numpy as np

from riskrank.data.synthetic.synthetic_features import web_search_data
from riskrank.objectives.faro import FARO, TStarFARO
from riskrank.objectives.gain import Gain
from riskrank.objectives.georisk import GeoRisk
from riskrank.objectives.urisk import URisk
from riskrank.papers.data_folders import (
    MSLR,
    MSLR_FEATURES,
    about_documents,
    check_letor_queries,
    known_as_mslr,
    letor_queries,
)
from riskrank.papers.dincer.learned_models import (
    AS_TRAINED,
    MEASURE,
    JudgedModel,
    TreePlan,
    has_folds,
    higher,
    small_departures,
    training_files,
    training_seconds,
)
from riskrank.papers.dincer.numbers_2016 import AGAINST_BM25, AGAINST_LEARNED, Row, Table7Row
from riskrank.papers.outcome import Claim, Outcome, PaperNumber, PaperRow, PaperTable, on_paper_data
from riskrank.papers.verdicts import all_of, any_of
from riskrank.rankers.baselines import Baselines
from riskrank.rankers.linear.adarank import AdaRank
from riskrank.rankers.linear.afs import AFS
from riskrank.rankers.trees.regression_trees import RegressionTrees
from riskrank.tradeoff.run_sweep import sweep

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from riskrank.data.ranking_data import RankingData
    from riskrank.papers.paper import Workplace
    from riskrank.papers.verdicts import Margin
    from riskrank.rankers.ranker import Ranker
    from riskrank.typing import Floats

COLUMNS = ("NDCG@10", "reward", "risk", "reward/risk", "wins", "losses", "W/L", "L>20%")
DIGITS = Table7Row(4, 3, 3, 3, 1, 1, 2, 1)
LIMITS = Table7Row(0.01, 0.01, 0.005, 0.5, 200, 200, 0.3, 150)  # other trees, other draws of queries and folds
GEO: Row = ("GeoRisk", 1)
BETTER = 1.027  # §6.2
OTHER_DATA = "other data than the paper's"


@dataclass(frozen=True)
class Table7Plan:
    """The sizes of the experiment: trees, rounds of the linear baselines, folds, and which feature is BM25."""

    trees: TreePlan
    n_rounds: int
    folds: int
    bm25: str


PAPER_PLAN = Table7Plan(TreePlan(500, 50, 0.1, 1500), n_rounds=300, folds=5, bm25="feature:110")
SMALL_PLAN = Table7Plan(TreePlan(40, 15, 0.1, 30), n_rounds=20, folds=3, bm25="feature:1")
SMALL_QUERIES = 5000  # by the rule of docs/papers.md
GENERATED = f"generated queries: {SMALL_QUERIES} of about 30 documents with 40 features"
SMALLER = "40 trees of 15 leaves with at least 30 documents each, 3 folds (the paper: 500 of 50 with 1500, 5 folds)."


def table_7(work: Workplace) -> Outcome:
    """The paper's protocol on the reader's copy of MSLR-WEB10K, or a small one on generated queries."""
    if has_folds(work):
        queries = letor_queries(cast("Path", work.data), MSLR, n_features=MSLR_FEATURES)
        words, why_not = known_as_mslr(queries.n_queries)
        departures = (f"Numbers are not compared: {why_not}.",) if why_not else ()
        return table_7_of(work, queries, PAPER_PLAN, words, is_paper_data=not why_not, departures=departures)
    queries = web_search_data(SMALL_QUERIES, documents_per_query=30, n_features=40)
    return table_7_of(work, queries, SMALL_PLAN, GENERATED, departures=small_departures(work, SMALLER))


def table_7_seconds(work: Workplace) -> float:
    """Nine models, each on three fifths of four fifths of the queries, in five folds."""
    if not has_folds(work):
        return 0.0
    check_letor_queries(cast("Path", work.data), MSLR, n_features=MSLR_FEATURES)
    documents = about_documents(training_files(work, 1)) / 0.6  # a fold's training file has three fifths
    return training_seconds(0.8 * 0.6 * documents, len(AGAINST_BM25) * PAPER_PLAN.folds, PAPER_PLAN.trees)


def table_7_of(
    work: Workplace,
    queries: RankingData,
    plan: Table7Plan,
    data: str,
    *,
    is_paper_data: bool = False,
    departures: tuple[str, ...] = (),
) -> Outcome:
    """Baselines learned on a fifth of the queries; models of the others, judged against BM25 and those baselines."""
    baselines, rest = Baselines.learn(
        queries, _baseline_rankers(plan), share=0.2, cache=work.place("table-7") / "baselines"
    )
    models, bm25, learned = _trained(work, rest, baselines, plan)
    halves = {
        "Compared to BM25": {row: JudgedModel(values, bm25) for row, values in models.items()},
        "Compared to 4 learned models, each number averaged over them": {
            row: JudgedModel(values, learned) for row, values in models.items()
        },
    }
    tables = [
        _table(title, judged, printed, is_paper_data=is_paper_data)
        for (title, judged), printed in zip(halves.items(), (AGAINST_BM25, AGAINST_LEARNED), strict=True)
    ]
    means = ", ".join(f"{name} {mean:.4f}" for name, mean in zip(baselines, learned.mean(axis=1), strict=True))
    return Outcome(
        f"{data}; {len(bm25)} queries tested, BM25 {bm25.mean():.4f}, {means}",
        tables=tuple(tables),
        claims=on_paper_data(
            (*bm25_claims(halves["Compared to BM25"]), *learned_claims(list(halves.values())[1])), is_so=is_paper_data
        ),
        departures=(*departures, *AS_TRAINED, "All trees are used, none is left out by validation queries."),
    )


def _baseline_rankers(plan: Table7Plan) -> dict[str, Ranker]:
    trees = plan.trees
    return {
        "LambdaMART": trees.ranker(Gain),
        "regression trees": RegressionTrees(
            MEASURE,
            n_trees=trees.n_trees,
            n_leaves=trees.n_leaves,
            learning_rate=trees.learning_rate,
            min_docs_in_leaf=trees.min_docs_in_leaf,
        ),
        "AFS": AFS(MEASURE, n_rounds=min(plan.n_rounds, 50)),
        "AdaRank": AdaRank(MEASURE, n_rounds=plan.n_rounds),
    }


def _trained(
    work: Workplace, rest: RankingData, baselines: Baselines, plan: Table7Plan
) -> tuple[dict[Row, Floats], Floats, Floats]:
    """nDCG@10 of every model on every query, of BM25 and of the learned baselines; a training baseline per series."""
    trees, place = plan.trees, work.place("table-7")
    single = sweep(
        rest,
        {"L'MART": trees.ranker(URisk), "U-CRO": trees.ranker(URisk), "T-FARO": trees.ranker(FARO)},
        baseline=plan.bm25,
        values={"L'MART": (0,), "U-CRO": (1, 5), "T-FARO": (1, 5)},
        folds=plan.folds,
        measure=MEASURE,
        folder=place / "bm25",
        verbose=work.verbose,
    )
    several = sweep(
        rest,
        {"T*-FARO": trees.ranker(TStarFARO), "GeoRisk": trees.ranker(GeoRisk)},
        baseline=baselines,
        values=(1, 5),
        folds=plan.folds,
        measure=MEASURE,
        folder=place / "learned",
        verbose=work.verbose,
    )
    models = {
        (setting.series, int(setting.value)): values
        for swept in (single, several)
        for setting, values in zip(swept.settings, swept.test.values, strict=True)
    }
    judged = baselines.evaluate(rest, MEASURE)
    position = {query: i for i, query in enumerate(rest.query_ids)}
    order = [position[query] for query in single.test.queries]
    return models, single.test.baseline, judged.matrix[:, order]


def _table(
    title: str, models: Mapping[Row, JudgedModel], printed: Mapping[Row, Table7Row], *, is_paper_data: bool
) -> PaperTable:
    reason = "" if is_paper_data else OTHER_DATA
    rows = []
    for (series, alpha), model in models.items():
        cells = tuple(
            PaperNumber(getattr(model.profile, name), number, getattr(DIGITS, name), getattr(LIMITS, name), reason)
            for name, number in printed[series, alpha]._asdict().items()
        )
        rows.append(PaperRow(f"{series}, α = {alpha}", cells))
    limits = ", ".join(f"{column} {limit:g}" for column, limit in zip(COLUMNS, LIMITS, strict=True))
    return PaperTable(title, "model", COLUMNS, tuple(rows), f"agrees within: {limits}" if is_paper_data else "")


def bm25_claims(models: Mapping[Row, JudgedModel]) -> Iterator[Claim]:
    """§6.2, of the top half."""
    yield _highest("GeoRisk at α = 1 has the highest nDCG@10, above LambdaMART's", models, "effectiveness")
    yield _highest("GeoRisk at α = 1 has the highest reward against BM25", models, "reward")
    careful = [row for row in models if row[0] in ("T-FARO", "U-CRO")]
    others = [row for row in models if row not in careful]
    for text, name, is_high in (
        ("the lowest risk", "risk", False), ("the best reward/risk", "reward_per_risk", True),
        ("the best W/L", "wins_per_loss", True), ("the fewest losses beyond 20 %", "large_losses", False),
    ):  # fmt: skip
        best = any_of(
            all_of(_better(name, models[row], models[other], is_high=is_high) for other in others) for row in careful
        )
        yield Claim.estimated(f"T-FARO or U-CRO has {text} against BM25", best, _values(models, name, is_high=is_high))


def learned_claims(models: Mapping[Row, JudgedModel]) -> Iterator[Claim]:
    """§6.2, of the bottom half."""
    for text, name, is_high in (
        ("the highest reward", "reward", True), ("the most wins", "wins", True), ("the fewest losses", "losses", False),
        ("the best reward/risk", "reward_per_risk", True), ("the best W/L", "wins_per_loss", True),
    ):  # fmt: skip
        yield _highest(f"GeoRisk at α = 1 has {text} against the learned models", models, name, is_high=is_high)
    plain = models["L'MART", 0]
    better = higher("wins_per_loss", models[GEO], plain, by=float(np.log(BETTER)))
    yield Claim.estimated(
        f"Its W/L is {BETTER - 1:.1%} better than LambdaMART's, or more",
        better,
        f"{models[GEO].profile.wins_per_loss:.3f} and {plain.profile.wins_per_loss:.3f}; beyond that by a factor whose "
        f"logarithm is {better.said()}",
    )
    lowest = [row for row in models if row[0] == "T*-FARO"]
    others = [row for row in models if row not in lowest]
    for what, name in (("reward/risk", "reward_per_risk"), ("W/L", "wins_per_loss")):
        worst = any_of(all_of(higher(name, models[other], models[row]) for other in others) for row in lowest)
        yield Claim.estimated(
            f"T*-FARO has the lowest {what} against the learned models", worst, _values(models, name, is_high=False)
        )


def _highest(text: str, models: Mapping[Row, JudgedModel], name: str, *, is_high: bool = True) -> Claim:
    parts = all_of(_better(name, models[GEO], model, is_high=is_high) for row, model in models.items() if row != GEO)
    return Claim.estimated(
        text, parts, f"{_said(GEO, models, name)}; {_values(models, name, is_high=is_high)}; {parts.counted}"
    )


def _better(name: str, one: JudgedModel, other: JudgedModel, *, is_high: bool) -> Margin:
    return higher(name, one, other) if is_high else higher(name, other, one)


def _values(models: Mapping[Row, JudgedModel], name: str, *, is_high: bool) -> str:
    """Which row is the first, and which comes next."""
    order = sorted(models, key=lambda row: getattr(models[row].profile, name), reverse=is_high)
    return f"first is {_said(order[0], models, name)}, then {_said(order[1], models, name)}"


def _said(row: Row, models: Mapping[Row, JudgedModel], name: str) -> str:
    value = getattr(models[row].profile, name)
    return f"{row[0]} α = {row[1]} with {np.format_float_positional(value, precision=4, trim='-')}"
