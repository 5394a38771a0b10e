"""Table 3 of Dinçer et al. 2014: LambdaMART for URisk, SARO and FARO."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from riskrank.data.letor.reader import read_letor
from riskrank.data.ranking_data import RankingData
from riskrank.data.synthetic.synthetic_features import web_search_data
from riskrank.measures.evaluate import evaluate
from riskrank.objectives.faro import FARO
from riskrank.objectives.gain import Gain
from riskrank.objectives.saro import SARO
from riskrank.objectives.urisk import URisk
from riskrank.papers.data_folders import MSLR, MSLR_FEATURES, N_FOLDS, about_documents, known_as_mslr, letor_folds
from riskrank.papers.dincer.learned_models import (
    AS_TRAINED,
    MEASURE,
    JudgedModel,
    TreePlan,
    alike,
    has_folds,
    higher,
    small_departures,
    training_files,
    training_seconds,
)
from riskrank.papers.outcome import Claim, Outcome, PaperNumber, PaperRow, PaperTable, on_paper_data
from riskrank.papers.verdicts import all_of, falling, mean_margin
from riskrank.tradeoff.run_sweep import sweep

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from riskrank.papers.paper import Workplace
    from riskrank.risk.outcomes import RiskProfile
    from riskrank.typing import Floats, SplitLike

Model = tuple[str, int]  # a series and its α
TOP = "nDCG@1"
PLAIN: Model = ("LambdaMART", 0)
SERIES = {"URisk": URisk, "SARO": SARO, "FARO": FARO}
BM25_PRINTED = 0.309  # §6.4, NDCG@10 of the baseline
STEADY, COMPARABLE, FEW = 0.005, 0.1, 0.01  # what we take for nearly constant, comparable, and few queries
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
SMALL_QUERIES = 5000  # by the rule of docs/papers.md
SMALL_SIZES = (SMALL_QUERIES * 3 // 5, SMALL_QUERIES // 5, SMALL_QUERIES // 5)  # to train, to validate and to test
GENERATED = (
    f"generated queries: {SMALL_SIZES[0]} to train, {SMALL_SIZES[1]} to validate and {SMALL_SIZES[2]} to test, of "
    "about 30 documents with 40 features"
)
SMALLER = (
    "60 trees of 15 leaves with at least 15 or 30 documents each, one split (the paper: 800 of 50 with 500 or 1000, "
    "5 folds)."
)
NO_CELLS = "The cells of Table 3 are not in the copy of the paper that we worked from: its sentences are checked."
ALL_QUERIES = "All queries of MSLR-WEB10K count, also those without a relevant document; the paper speaks of 9,685."


class FoldScores(NamedTuple):
    """nDCG@10 of each model and of the baseline on a fold's test queries, and nDCG@1 of the models."""

    models: Mapping[Model, Floats]
    baseline: Floats
    top: Mapping[Model, Floats]
    leaf_size: int


def table_3(work: Workplace) -> Outcome:
    """The paper's protocol on the reader's copy of MSLR-WEB10K, or a small one on generated queries."""
    if has_folds(work):
        folder = cast("Path", work.data)
        splits = letor_folds(folder, MSLR, n_features=MSLR_FEATURES)
        return table_3_of(work, splits, PAPER_PLAN, None, departures=(ALL_QUERIES,))
    ends = np.cumsum([0, *SMALL_SIZES])
    queries = web_search_data(int(ends[-1]), documents_per_query=30, n_features=40)
    train, valid, test = (queries.take(np.arange(*span)) for span in pairwise(ends))
    departures = small_departures(work, SMALLER)
    return table_3_of(work, [(train, valid, test)], SMALL_PLAN, GENERATED, departures=departures)


def table_3_seconds(work: Workplace) -> float:
    """Two searches and twelve models on the training queries of each fold."""
    if not has_folds(work):
        return 0.0
    letor_folds(cast("Path", work.data), MSLR, n_features=MSLR_FEATURES)  # refuses what cannot be read
    n_models = len(PAPER_PLAN.leaf_sizes) + len(SERIES) * len(PAPER_PLAN.alphas)
    return training_seconds(about_documents(training_files(work, N_FOLDS)), n_models, PAPER_PLAN.trees)


def table_3_of(
    work: Workplace,
    splits: Sequence[SplitLike],
    plan: Table3Plan,
    data: str | None,
    *,
    departures: tuple[str, ...] = (),
) -> Outcome:
    """All models on all folds, judged on the test queries of all folds together; `data` is None for the reader's."""
    folds = [_fold(work, number, split, plan) for number, split in enumerate(splits, start=1)]
    baseline = np.concatenate([fold.baseline for fold in folds])
    words, why_not = known_as_mslr(len(baseline)) if data is None else (data, "")
    is_paper_data = data is None and not why_not
    not_compared = (f"Numbers are not compared: {why_not}.",) if why_not else ()
    models = {
        model: JudgedModel(np.concatenate([fold.models[model] for fold in folds]), baseline)
        for model in folds[0].models
    }
    top = {model: np.concatenate([fold.top[model] for fold in folds]) for model in models}
    rows = tuple(
        PaperRow(f"{series}, α = {alpha}", _cells(float(top[series, alpha].mean()), model.profile))
        for (series, alpha), model in models.items()
    )
    printed = PaperNumber(float(baseline.mean()), BM25_PRINTED if is_paper_data else None)
    tables = (
        PaperTable("SARO, FARO and URisk", "model", COLUMNS, rows),
        PaperTable("The baseline, BM25", "", ("NDCG@10",), (PaperRow("BM25", (printed,)),)),
    )
    chosen = ", ".join(str(fold.leaf_size) for fold in folds)
    return Outcome(
        f"{words}; {len(baseline)} queries tested, at least {chosen} documents in a leaf",
        tables=tables,
        claims=on_paper_data(
            (*effectiveness_claims(models, top, plan.alphas), *robustness_claims(models, plan.alphas)),
            is_so=is_paper_data,
        ),
        departures=(*not_compared, *departures, NO_CELLS, *AS_TRAINED),
    )


def _fold(work: Workplace, number: int, split: SplitLike, plan: Table3Plan) -> FoldScores:
    """The size of leaves that plain LambdaMART does best with on validation queries, then all models with it."""
    place = work.place("table-3") / f"fold-{number}"
    settings: dict[str, Any] = {"baseline": plan.bm25, "measure": MEASURE, "verbose": work.verbose}
    search = sweep(
        [split],
        {PLAIN[0]: plan.trees.ranker(Gain)},
        parameter="min_docs_in_leaf",
        values=plan.leaf_sizes,
        folder=place / "leaf-size",
        **settings,
    )
    judged = search.test if search.valid is None else search.valid
    best = int(np.argmax(judged.values.mean(axis=1)))
    leaf_size = int(search.settings[best].value)
    trees = replace(plan.trees, min_docs_in_leaf=leaf_size)
    swept = sweep(
        [split],
        {name: trees.ranker(objective) for name, objective in SERIES.items()},
        values=plan.alphas,
        folder=place / "models",
        **settings,
    )
    models = {(each.series, int(each.value)): i for i, each in enumerate(swept.settings)}
    test = split[2] if isinstance(split[2], RankingData) else read_letor(cast("Path", split[2]))
    rankers = {PLAIN: search.model(best), **{model: swept.model(i) for model, i in models.items()}}
    scores = {str(model): ranker.predict(test) for model, ranker in rankers.items()}
    top = evaluate(test, scores, TOP)
    return FoldScores(
        {PLAIN: search.test.values[best], **{model: swept.test.values[i] for model, i in models.items()}},
        swept.test.baseline,
        {model: np.asarray(top[str(model)]) for model in rankers},
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


def effectiveness_claims(
    models: Mapping[Model, JudgedModel], top: Mapping[Model, Floats], alphas: Sequence[int]
) -> Iterator[Claim]:
    """§6.5: URisk and SARO trade effectiveness for risk, SARO less of it, FARO none."""
    ndcg = {model: judged.values for model, judged in models.items()}
    for measure, of in ((TOP, top), (MEASURE, ndcg)):
        for name in ("URisk", "SARO"):
            rows = [of[PLAIN], *(of[name, alpha] for alpha in alphas)]
            part = falling(rows)
            means = ", ".join(f"{row.mean():.4f}" for row in rows)
            evidence = f"{means} at α = 0 and {', '.join(map(str, alphas))}; falls by {part.said()}"
            yield Claim.estimated(f"{measure} of {name} falls steadily as α grows", part, evidence)
        less = all_of(mean_margin(of["SARO", alpha] - of["URisk", alpha]) for alpha in alphas)
        yield Claim.estimated(f"SARO loses less {measure} than URisk at every α", less, less.said())
        steady = [mean_margin(STEADY - sign * (of["FARO", a] - of[PLAIN])) for a in alphas for sign in (1, -1)]
        apart = all_of(mean_margin(of["FARO", alpha] - of[PLAIN]) for alpha in alphas)
        yield Claim.estimated(
            f"FARO keeps {measure} nearly constant (within {STEADY} of α = 0)", all_of(steady), apart.said()
        )


def robustness_claims(models: Mapping[Model, JudgedModel], alphas: Sequence[int]) -> Iterator[Claim]:
    """§6.5: risk to reward, losses to wins, and large losses."""
    for what, name in (("risk/reward", "reward_per_risk"), ("loss/win", "wins_per_loss")):
        better = all_of(higher(name, models["SARO", alpha], models["URisk", alpha]) for alpha in alphas)
        yield Claim.estimated(
            f"{what} of SARO is better than that of URisk across α", better,
            f"by a factor whose logarithm is {better.said(3)}",
        )  # fmt: skip
        for other, text in (
            (PLAIN, f"FARO keeps {what} nearly constant"),
            ("URisk", f"{what} of FARO is comparable with that of URisk across α"),
        ):
            pairs = [(models["FARO", a], models[PLAIN if other == PLAIN else ("URisk", a)]) for a in alphas]
            apart = all_of(higher(name, one, second) for one, second in pairs)
            yield Claim.estimated(
                f"{text} (within {COMPARABLE:.0%})",
                all_of(alike(name, one, second, math.log1p(COMPARABLE)) for one, second in pairs),
                f"better by a factor whose logarithm is {apart.said(3)}",
            )
    lost = {alpha: [models[name, alpha] for name in ("URisk", "SARO", "FARO")] for alpha in alphas}
    apart = all_of(higher("large_losses", saro, urisk) for urisk, saro, _ in lost.values())
    yield Claim.estimated(
        f"Losses beyond 20 % are comparable between SARO and URisk (within {FEW:.0%} of queries)",
        all_of(alike("large_losses", saro, urisk, FEW) for urisk, saro, _ in lost.values()),
        f"SARO {apart.said(2, scale=100)} % of queries more",
    )
    worse = all_of(higher("large_losses", faro, other) for *others, faro in lost.values() for other in others)
    counts = "; ".join(
        f"{name} {', '.join(f'{models[name, alpha].profile.large_losses:.0f}' for alpha in alphas)}" for name in SERIES
    )
    yield Claim.estimated(
        "FARO has more losses beyond 20 % than URisk and SARO at every α", worse, f"{counts}; {worse.counted}"
    )
