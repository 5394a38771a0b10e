"""Table 7 of Dinçer et al. 2016: learning to rank with one baseline and with four learned ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

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
from riskrank.papers.dincer.track import holds_folds, holds_track
from riskrank.papers.outcome import Claim, Outcome, PaperNumber, PaperRow, PaperTable
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

Row = tuple[str, int]  # a learner and its α


class Table7Row(NamedTuple):
    """A row of Table 7."""

    effectiveness: float
    reward: float
    risk: float
    reward_per_risk: float
    wins: float
    losses: float
    wins_per_loss: float
    large_losses: float


COLUMNS = ("NDCG@10", "reward", "risk", "reward/risk", "wins", "losses", "W/L", "L>20%")
DIGITS = Table7Row(4, 3, 3, 3, 1, 1, 2, 1)
AGAINST_BM25: Mapping[Row, Table7Row] = {
    ("L'MART", 0): Table7Row(0.4578, 0.195, 0.036, 5.401, 5892, 1715, 3.44, 982),
    ("U-CRO", 1): Table7Row(0.4558, 0.192, 0.035, 5.472, 5913, 1684, 3.51, 965),
    ("U-CRO", 5): Table7Row(0.4461, 0.180, 0.032, 5.552, 5913, 1666, 3.55, 880),
    ("T-FARO", 1): Table7Row(0.4576, 0.194, 0.035, 5.568, 5928, 1671, 3.55, 963),
    ("T-FARO", 5): Table7Row(0.4569, 0.194, 0.036, 5.435, 5889, 1719, 3.43, 995),
    ("T*-FARO", 1): Table7Row(0.4557, 0.194, 0.037, 5.25, 5857, 1753, 3.34, 1016),
    ("T*-FARO", 5): Table7Row(0.4562, 0.194, 0.037, 5.26, 5861, 1737, 3.37, 999),
    ("GeoRisk", 1): Table7Row(0.4581, 0.196, 0.037, 5.327, 5868, 1732, 3.39, 992),
    ("GeoRisk", 5): Table7Row(0.4557, 0.195, 0.038, 5.179, 5876, 1728, 3.40, 1037),
}
AGAINST_LEARNED: Mapping[Row, Table7Row] = {
    ("L'MART", 0): Table7Row(0.4578, 0.061, 0.053, 1.138, 3978.3, 3669.0, 1.12, 1722.5),
    ("U-CRO", 1): Table7Row(0.4558, 0.059, 0.053, 1.103, 3954.5, 3690.0, 1.11, 1718.8),
    ("U-CRO", 5): Table7Row(0.4461, 0.051, 0.056, 0.941, 3748.8, 3887.3, 1.01, 1825.8),
    ("T-FARO", 1): Table7Row(0.4576, 0.059, 0.052, 1.137, 3965.5, 3674.3, 1.12, 1677.0),
    ("T-FARO", 5): Table7Row(0.4569, 0.059, 0.052, 1.121, 3967.3, 3676.5, 1.12, 1692.0),
    ("T*-FARO", 1): Table7Row(0.4557, 0.042, 0.051, 0.820, 3562.0, 4079.5, 0.87, 1821.5),
    ("T*-FARO", 5): Table7Row(0.4562, 0.041, 0.053, 0.823, 3539.0, 4099.5, 0.86, 1783.5),
    ("GeoRisk", 1): Table7Row(0.4581, 0.061, 0.054, 1.142, 4017.0, 3628.8, 1.15, 1709.8),
    ("GeoRisk", 5): Table7Row(0.4557, 0.060, 0.055, 1.095, 3974.0, 3674.0, 1.12, 1756.5),
}
LIMITS = Table7Row(
    0.01, 0.01, 0.005, 0.5, 200, 200, 0.3, 150
)  # other trees, another draw of the 8,000 queries and folds
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
GENERATED = "generated queries: 900 of about 30 documents with 40 features"
SMALLER = "40 trees of 15 leaves with at least 30 documents each, 3 folds (the paper: 500 of 50 with 1500, 5 folds)."


def table_7(work: Workplace) -> Outcome:
    """The paper's protocol on the reader's copy of MSLR-WEB10K, or a small one on generated queries."""
    if work.data is not None and (holds_folds(work.data) or not holds_track(work.data)):
        queries = letor_queries(work.data, MSLR, n_features=MSLR_FEATURES)
        return table_7_of(work, queries, PAPER_PLAN, "MSLR-WEB10K", is_paper_data=True)
    queries = web_search_data(900, documents_per_query=30, n_features=40)
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
        yield Claim(text, first == geo, f"{_said(geo, values)}; first is {_said(first, values)}")
    risks = {row: profile.risk for row, profile in bm25.items()}
    safest = min(risks, key=risks.__getitem__)
    yield Claim(
        "T-FARO or U-CRO has the lowest risk against BM25", safest[0] in ("T-FARO", "U-CRO"), _said(safest, risks)
    )
    ratios = {row: profile.reward_per_risk for row, profile in learned.items()}
    lowest = min(ratios, key=ratios.__getitem__)
    yield Claim(
        "T*-FARO has the lowest reward/risk against the learned models",
        lowest[0] == "T*-FARO",
        f"{_said(lowest, ratios)} is the lowest; {_said(('T*-FARO', 1), ratios)}",
    )


def _said(row: Row, values: Mapping[Row, float]) -> str:
    return f"{row[0]} α = {row[1]}: {np.format_float_positional(values[row], precision=4, trim='-')}"
