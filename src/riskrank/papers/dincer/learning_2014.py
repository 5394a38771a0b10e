"""Table 3 of Dinçer et al. 2014: LambdaMART for URisk, SARO and FARO."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from riskrank.cores import usable_cores
from riskrank.data.synthetic.synthetic_features import web_search_data
from riskrank.objectives.faro import FARO
from riskrank.objectives.gain import Gain
from riskrank.objectives.saro import SARO
from riskrank.objectives.urisk import URisk
from riskrank.papers.data_folders import MSLR, MSLR_FEATURES, N_FOLDS, letor_folds
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
from riskrank.papers.verdicts import exactly
from riskrank.risk.outcomes import RiskProfile, risk_profile
from riskrank.tradeoff.run_sweep import sweep

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from riskrank.papers.paper import Workplace
    from riskrank.typing import Floats, SplitLike

Model = tuple[str, int]  # a series and its α
TOP = "nDCG@1"
PLAIN: Model = ("LambdaMART", 0)
SERIES = {"URisk": URisk, "SARO": SARO, "FARO": FARO}
BM25_PRINTED = 0.309  # §6.4, NDCG@10 of the baseline
COLUMNS = ("NDCG@1", "NDCG@10", "risk/reward", "loss/win", "losses", "wins", "loss>20%")


@dataclass(frozen=True)
class Table3Plan:
    """The sizes of the experiment; of the numbers of documents in a leaf, each fold's validation queries choose one."""

    trees: TreePlan
    leaf_sizes: tuple[int, ...]
    alphas: tuple[int, ...]
    bm25: str


PAPER_PLAN = Table3Plan(TreePlan(800, 50, 0.075, 500), (500, 1000), (1, 5, 10, 20), "feature:110")
SMALL_PLAN = Table3Plan(TreePlan(60, 15, 0.075, 30), (15, 30), (1, 5, 10, 20), "feature:1")
GENERATED = "generated queries: 800 to train, 400 to validate and 2400 to test, of about 30 documents with 40 features"
SMALLER = (
    "60 trees of 15 leaves with at least 15 or 30 documents each, one split (the paper: 800 of 50 with 500 or 1000, "
    "5 folds)."
)
NO_CELLS = "The cells of Table 3 are not in the copy of the paper that we worked from: its sentences are checked."
ALL_QUERIES = "All queries of MSLR-WEB10K count, also those without a relevant document; the paper speaks of 9,685."


class FoldScores(NamedTuple):
    """nDCG@10 of each model and of the baseline on a fold's test queries, and the mean nDCG@1 of the models."""

    models: Mapping[Model, Floats]
    baseline: Floats
    top: Mapping[Model, float]
    leaf_size: int


def table_3(work: Workplace) -> Outcome:
    """The paper's protocol on the reader's copy of MSLR-WEB10K, or a small one on generated queries."""
    if work.data is not None and (holds_folds(work.data) or not holds_track(work.data)):
        splits = letor_folds(work.data, MSLR, n_features=MSLR_FEATURES)
        return table_3_of(work, splits, PAPER_PLAN, "MSLR-WEB10K", is_paper_data=True, departures=(ALL_QUERIES,))
    queries = web_search_data(3600, documents_per_query=30, n_features=40)
    split = tuple(queries.take(np.arange(*ends)) for ends in ((0, 800), (800, 1200), (1200, 3600)))
    departures = (SMALLER, *((NOT_HERE,) if work.data is not None else ()))
    return table_3_of(work, [(split[0], split[1], split[2])], SMALL_PLAN, GENERATED, departures=departures)


def table_3_seconds(work: Workplace) -> float:
    """Two searches and twelve models on the training queries of each fold."""
    n_models = len(PAPER_PLAN.leaf_sizes) + len(SERIES) * len(PAPER_PLAN.alphas)
    documents = about_documents(training_files(work, N_FOLDS))
    return SECONDS * documents * n_models * PAPER_PLAN.trees.n_trees / usable_cores()


def table_3_of(
    work: Workplace,
    splits: Sequence[SplitLike],
    plan: Table3Plan,
    data: str,
    *,
    is_paper_data: bool = False,
    departures: tuple[str, ...] = (),
) -> Outcome:
    """All models on all folds, judged on the test queries of all folds together."""
    folds = [_fold(work, number, split, plan) for number, split in enumerate(splits, start=1)]
    baseline = np.concatenate([fold.baseline for fold in folds])
    sizes = [len(fold.baseline) for fold in folds]
    values = {model: np.concatenate([fold.models[model] for fold in folds]) for model in folds[0].models}
    profiles = {model: risk_profile(scores, baseline) for model, scores in values.items()}
    chance = by_chance([scores - values[PLAIN] for scores in values.values()])
    top = {model: float(np.average([fold.top[model] for fold in folds], weights=sizes)) for model in profiles}
    rows = tuple(
        PaperRow(f"{series}, α = {alpha}", _cells(top[series, alpha], profile))
        for (series, alpha), profile in profiles.items()
    )
    printed = PaperNumber(float(baseline.mean()), BM25_PRINTED if is_paper_data else None)
    tables = (
        PaperTable("SARO, FARO and URisk", "model", COLUMNS, rows),
        PaperTable("The baseline, BM25", "", ("NDCG@10",), (PaperRow("BM25", (printed,)),)),
    )
    chosen = ", ".join(str(fold.leaf_size) for fold in folds)
    return Outcome(
        f"{data}; {len(baseline)} queries tested, at least {chosen} documents in a leaf",
        tables=tables,
        claims=tuple(_claims(profiles, plan.alphas)),
        departures=(*departures, chance, NO_CELLS, *AS_TRAINED),
    )


def _fold(work: Workplace, number: int, split: SplitLike, plan: Table3Plan) -> FoldScores:
    """The size of leaves that plain LambdaMART does best with on validation queries, then all models with it."""
    place = work.place("table-3") / f"fold-{number}"
    search = sweep(
        [split],
        {PLAIN[0]: plan.trees.ranker(Gain)},
        parameter="min_docs_in_leaf",
        values=plan.leaf_sizes,
        baseline=plan.bm25,
        measure=MEASURE,
        measures=[TOP],
        folder=place / "leaf-size",
        verbose=work.verbose,
    )
    judged = search.test if search.valid is None else search.valid
    best = int(np.argmax(judged.values.mean(axis=1)))
    leaf_size = int(search.settings[best].value)
    trees = replace(plan.trees, min_docs_in_leaf=leaf_size)
    swept = sweep(
        [split],
        {name: trees.ranker(objective) for name, objective in SERIES.items()},
        values=plan.alphas,
        baseline=plan.bm25,
        measure=MEASURE,
        measures=[TOP],
        folder=place / "models",
        verbose=work.verbose,
    )
    models = {(each.series, int(each.value)): i for i, each in enumerate(swept.settings)}
    return FoldScores(
        {PLAIN: search.test.values[best], **{model: swept.test.values[i] for model, i in models.items()}},
        swept.test.baseline,
        {
            PLAIN: float(search.test.others[TOP][1 + best]),
            **{model: float(swept.test.others[TOP][1 + i]) for model, i in models.items()},
        },
        leaf_size,
    )


def _cells(top: float, profile: RiskProfile) -> tuple[PaperNumber, ...]:
    ratios = (1 / profile.reward_per_risk, 1 / profile.wins_per_loss)
    counts = (profile.losses, profile.wins, profile.large_losses)
    return (
        PaperNumber(top, digits=4),
        PaperNumber(profile.effectiveness, digits=4),
        *(PaperNumber(ratio) for ratio in ratios),
        *(PaperNumber(count, digits=0) for count in counts),
    )


def _claims(profiles: Mapping[Model, RiskProfile], alphas: Sequence[int]) -> Iterator[Claim]:
    """What §6.5 says of the table."""
    of = {name: [profiles[name, alpha] for alpha in alphas] for name in SERIES}
    plain = profiles[PLAIN].effectiveness
    ndcg = {name: [each.effectiveness for each in of[name]] for name in SERIES}
    for name in ("URisk", "SARO"):
        yield Claim(
            f"nDCG@10 of {name} falls steadily as α grows",
            exactly(bool((np.diff([plain, *ndcg[name]]) < 0).all())),
            f"{plain:.4f} at α = 0, then {_listed(ndcg[name])}",
        )
    yield Claim(
        "SARO loses less nDCG@10 than URisk at every α",
        exactly(all(saro > urisk for saro, urisk in zip(ndcg["SARO"], ndcg["URisk"], strict=True))),
        f"SARO {_listed(ndcg['SARO'])}; URisk {_listed(ndcg['URisk'])}",
    )
    spread = {name: max(plain, *values) - min(plain, *values) for name, values in ndcg.items()}
    yield Claim(
        "FARO keeps nDCG@10 nearly constant: it varies less over α than with URisk and SARO",
        exactly(spread["FARO"] < min(spread["URisk"], spread["SARO"])),
        "spread over α: " + ", ".join(f"{name} {value:.4f}" for name, value in spread.items()),
    )
    for what, name in (("risk/reward", "reward_per_risk"), ("loss/win", "wins_per_loss")):
        ratios = {series: [1 / getattr(each, name) for each in of[series]] for series in SERIES}
        yield Claim(
            f"{what} of SARO is lower than that of URisk at every α",
            exactly(all(saro < urisk for saro, urisk in zip(ratios["SARO"], ratios["URisk"], strict=True))),
            f"SARO {_listed(ratios['SARO'])}; URisk {_listed(ratios['URisk'])}",
        )
    large = {series: [each.large_losses for each in of[series]] for series in SERIES}
    yield Claim(
        "FARO has more losses beyond 20 % than URisk and SARO at every α",
        exactly(all(faro > max(urisk, saro) for urisk, saro, faro in zip(*large.values(), strict=True))),
        "; ".join(f"{series} {', '.join(f'{x:.0f}' for x in values)}" for series, values in large.items()),
    )


def _listed(values: Sequence[float]) -> str:
    return ", ".join(f"{value:.4f}" for value in values)
