"""Table 7 of Dinçer et al. 2016: learning to rank with one baseline and with four learned ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from riskrank.cores import usable_cores
from riskrank.data.synthetic.synthetic_features import web_search_data
from riskrank.objectives.faro import FARO, TStarFARO
from riskrank.objectives.gain import Gain
from riskrank.objectives.georisk import GeoRisk
from riskrank.objectives.urisk import URisk
from riskrank.papers.data_folders import MSLR, MSLR_FEATURES, letor_queries
from riskrank.papers.dincer.learned_models import (
    AS_TRAINED,
    MEASURE,
    NOT_HERE,
    SECONDS,
    TreePlan,
    about_documents,
    by_chance,
    training_files,
)
from riskrank.papers.dincer.numbers_2016 import AGAINST_BM25, AGAINST_LEARNED, Row, Table7Row
from riskrank.papers.dincer.track import holds_folds, holds_track
from riskrank.papers.outcome import Claim, Outcome, PaperNumber, PaperRow, PaperTable
from riskrank.papers.verdicts import exactly
from riskrank.rankers.baselines import Baselines
from riskrank.rankers.linear.adarank import AdaRank
from riskrank.rankers.linear.afs import AFS
from riskrank.rankers.trees.regression_trees import RegressionTrees
from riskrank.risk.outcomes import RiskProfile, risk_profile
from riskrank.tradeoff.run_sweep import sweep

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from riskrank.data.ranking_data import RankingData
    from riskrank.papers.paper import Workplace
    from riskrank.rankers.ranker import Ranker
    from riskrank.typing import Floats

COLUMNS = ("NDCG@10", "reward", "risk", "reward/risk", "wins", "losses", "W/L", "L>20%")
DIGITS = Table7Row(4, 3, 3, 3, 1, 1, 2, 1)
LIMITS = Table7Row(0.01, 0.01, 0.005, 0.5, 200, 200, 0.3, 150)  # other trees, other draws of queries and folds
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
GENERATED = "generated queries: 1500 of about 30 documents with 40 features"
SMALLER = "40 trees of 15 leaves with at least 30 documents each, 3 folds (the paper: 500 of 50 with 1500, 5 folds)."


def table_7(work: Workplace) -> Outcome:
    """The paper's protocol on the reader's copy of MSLR-WEB10K, or a small one on generated queries."""
    if work.data is not None and (holds_folds(work.data) or not holds_track(work.data)):
        queries = letor_queries(work.data, MSLR, n_features=MSLR_FEATURES)
        return table_7_of(work, queries, PAPER_PLAN, "MSLR-WEB10K", is_paper_data=True)
    queries = web_search_data(1500, documents_per_query=30, n_features=40)
    departures = (SMALLER, *((NOT_HERE,) if work.data is not None else ()))
    return table_7_of(work, queries, SMALL_PLAN, GENERATED, departures=departures)


def table_7_seconds(work: Workplace) -> float:
    """Nine models, each on three fifths of four fifths of the queries, in five folds."""
    documents = about_documents(training_files(work, 1)) / 0.6  # a fold's training file has three fifths
    trees = documents * 0.8 * 0.6 * len(AGAINST_BM25) * PAPER_PLAN.folds * PAPER_PLAN.trees.n_trees
    return SECONDS * trees / usable_cores()


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
        "Compared to BM25": {row: risk_profile(values, bm25) for row, values in models.items()},
        "Compared to 4 learned models, each number averaged over them": {
            row: risk_profile(values, learned) for row, values in models.items()
        },
    }
    tables = [
        _table(title, profiles, printed, is_paper_data=is_paper_data)
        for (title, profiles), printed in zip(halves.items(), (AGAINST_BM25, AGAINST_LEARNED), strict=True)
    ]
    plain = models["L'MART", 0]
    chance = by_chance([values - plain for values in models.values()])
    means = ", ".join(f"{name} {mean:.4f}" for name, mean in zip(baselines, learned.mean(axis=1), strict=True))
    return Outcome(
        f"{data}; {len(bm25)} queries tested, BM25 {bm25.mean():.4f}, {means}",
        tables=tuple(tables),
        claims=tuple(_claims(*halves.values())),
        departures=(*departures, chance, *AS_TRAINED, "All trees are used, none is left out by validation queries."),
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
    title: str, profiles: Mapping[Row, RiskProfile], printed: Mapping[Row, Table7Row], *, is_paper_data: bool
) -> PaperTable:
    reason = "" if is_paper_data else OTHER_DATA
    rows = []
    for (series, alpha), profile in profiles.items():
        cells = tuple(
            PaperNumber(getattr(profile, name), number, getattr(DIGITS, name), getattr(LIMITS, name), reason)
            for name, number in printed[series, alpha]._asdict().items()
        )
        rows.append(PaperRow(f"{series}, α = {alpha}", cells))
    limits = ", ".join(f"{column} {limit:g}" for column, limit in zip(COLUMNS, LIMITS, strict=True))
    return PaperTable(title, "model", COLUMNS, tuple(rows), f"agrees within: {limits}" if is_paper_data else "")


def _claims(bm25: Mapping[Row, RiskProfile], learned: Mapping[Row, RiskProfile]) -> Iterator[Claim]:
    geo: Row = ("GeoRisk", 1)
    for text, profiles, name, is_highest in (
        ("GeoRisk at α = 1 has the highest nDCG@10", bm25, "effectiveness", True),
        ("GeoRisk at α = 1 has the highest reward against BM25", bm25, "reward", True),
        ("GeoRisk at α = 1 has the highest reward against the learned models", learned, "reward", True),
        ("GeoRisk at α = 1 has the most wins against them", learned, "wins", True),
        ("GeoRisk at α = 1 has the fewest losses against them", learned, "losses", False),
        ("GeoRisk at α = 1 has the highest reward/risk against them", learned, "reward_per_risk", True),
        ("GeoRisk at α = 1 has the highest W/L against them", learned, "wins_per_loss", True),
    ):
        values = {row: getattr(profile, name) for row, profile in profiles.items()}
        first = (max if is_highest else min)(values, key=values.__getitem__)
        yield Claim(text, exactly(first == geo), f"{_said(geo, values)}; first is {_said(first, values)}")
    risks = {row: profile.risk for row, profile in bm25.items()}
    safest = min(risks, key=risks.__getitem__)
    yield Claim(
        "T-FARO or U-CRO has the lowest risk against BM25",
        exactly(safest[0] in ("T-FARO", "U-CRO")),
        _said(safest, risks),
    )
    ratios = {row: profile.reward_per_risk for row, profile in learned.items()}
    lowest = min(ratios, key=ratios.__getitem__)
    yield Claim(
        "T*-FARO has the lowest reward/risk against the learned models",
        exactly(lowest[0] == "T*-FARO"),
        f"{_said(lowest, ratios)} is the lowest; {_said(('T*-FARO', 1), ratios)}",
    )


def _said(row: Row, values: Mapping[Row, float]) -> str:
    return f"{row[0]} α = {row[1]}: {np.format_float_positional(values[row], precision=4, trim='-')}"
