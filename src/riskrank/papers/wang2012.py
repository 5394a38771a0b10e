"""Wang, Bennett, Collins-Thompson: Robust Ranking Models via Risk-Sensitive Optimization. SIGIR 2012."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from riskrank.papers.outcome import Outcome, PaperNumber, PaperRow, PaperTable, on_paper_data
from riskrank.papers.paper import Equation, Experiment, Paper, Workplace
from riskrank.papers.wang.wang_claims import (
    convergence_claims,
    distance_claims,
    helped_and_hurt,
    location_claims,
    summary_claims,
    tradeoff_claims,
    variance_claim,
)
from riskrank.papers.wang.wang_figures import (
    bins_figure,
    has_no_thresholds,
    histogram_figure,
    in_bins,
    learning_figure,
    tradeoff_figure,
)
from riskrank.papers.wang.wang_numbers import (
    BIN_0,
    BM25_NDCG,
    CHOSEN,
    COUNTS,
    LEVEL,
    LEVEL_SHARE,
    SEGMENTS,
    STEPS,
    TABLE_1,
    TABLE_2,
)
from riskrank.papers.wang.wang_protocol import NEEDS, Sizes, Study, location_study, mslr_seconds, mslr_study
from riskrank.tradeoff.curves import steps_to, steps_to_level

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from riskrank.papers.outcome import Claim
    from riskrank.tradeoff.sweep import Sweep

ALPHAS = (0, 1, 5, 10)
SEGMENT_ALPHAS = (0, 1, 5, 10, 20, 30)  # Figure 2: the paper names 30 beside those of Table 1
LOCATION_ALPHAS = (0, 1, 4, 5, 9, 10)  # Figures 2 and 5: the paper names 4, 9 and 10 beside those of Table 2

LOCATION = "Location, a log of Bing"
SAFE = 9  # the α of the safe model of §5.9

STEPS_ARE_NEWTON_S = (
    "The paper explains faster convergence by gradients that grow with α. Trees here take Newton steps, which divide "
    "gradients by hessians; that may be why it is not seen."
)


def table_1(work: Workplace, sizes: Sizes | None = None) -> Outcome:
    """Effectiveness and robustness on MSLR, and the parameters of each fold."""
    study = mslr_study(work, ALPHAS, sizes)
    return Outcome(
        study.data,
        tables=(
            _summary(study, TABLE_1, "limits: NDCG, reward 1; risk 0.25; queries 300, >20% 100"),
            _baseline(study),
            _chosen(study),
        ),
        claims=_claims(study, summary_claims(study, "NDCG@10")),
        departures=(
            *study.departures,
            "At α = 10 the paper prints a reward − risk of 14.742, but its NDCG@10 is 14.671 above its baseline.",
        ),
    )  # fmt: skip


def table_2(work: Workplace, sizes: Sizes | None = None) -> Outcome:
    """The same for personalisation by the user's place."""
    study = location_study(work, ALPHAS, sizes)
    return Outcome(
        study.data,
        tables=(_summary(study, TABLE_2, "in hundredths"),),
        claims=_claims(study, (*summary_claims(study, "ΔMRR"), *location_claims(study))),
        departures=(
            *study.departures,
            "The paper speaks of a consistent reduction in losses; in its own Table 2 they rise from 8,041 at α = 5 to "
            "8,090 at α = 10.",
        ),
    )


def figure_1(work: Workplace, sizes: Sizes | None = None) -> Outcome:
    """Gains and losses of the model for gain alone."""
    study = mslr_study(work, (0,), sizes)
    return Outcome(
        study.data,
        figures=(histogram_figure(study, "Helped and hurt by the model for gain alone", (0,)),),
        claims=_claims(study, (helped_and_hurt(study),)),
        departures=(*study.departures, "The paper does not say which collection its Figure 1 shows."),
    )


def figure_2(work: Workplace, sizes: Sizes | None = None) -> Outcome:
    """Risk against gain, by α and by selective re-ranking; and the segment of α that is of interest."""
    studies = {
        "Location": location_study(work, LOCATION_ALPHAS, sizes),
        "MSLR": mslr_study(work, SEGMENT_ALPHAS, sizes),
    }
    rows = []
    for name, study in studies.items():
        segments = [fold.alpha_of_interest for fold in study.folds]
        mean, spread = SEGMENTS[name]
        limits = (2 * spread, spread)
        ours = (float(np.mean(segments)), float(np.std(segments, ddof=1)))
        cells = [
            PaperNumber(value, printed, digits=2 if name == "Location" else 1, limit=limit, why_not=study.why_not)
            for value, printed, limit in zip(ours, (mean, spread), limits, strict=True)
        ]
        rows.append(PaperRow(name, tuple(cells)))
    segment = PaperTable(
        "The segment of α: gain / risk of α = 0 in training", "collection", ("mean of folds", "spread ±"),
        tuple(rows), note="limits: 2 spreads, 1 spread",
    )  # fmt: skip
    return Outcome(
        _both(studies),
        tables=(segment,),
        figures=tuple(tradeoff_figure(study, name) for name, study in studies.items()),
        claims=tuple(
            claim for name, study in studies.items() for claim in _claims(study, tradeoff_claims(study, name))
        ),
        departures=(
            *_departures(studies),
            *(
                f"{name}: {study.predictor} is alike for all queries, so that selective re-ranking has no curve."
                for name, study in studies.items()
                if has_no_thresholds(study)
            ),
            "The paper names 0, 1, 5, 10 and the ends of its segments, 30 and 4, of the α of its curves; others are "
            "ours, and so are 21 thresholds at quantiles of training queries.",
            "Gain is compared at the risk of selective re-ranking only where that is no less than the least risk of a "
            "model, and risk only at gains between those of models: no model is elsewhere.",
            "The Break Even line is drawn for α = 1; the paper does not say for which.",
        ),
    )


def figure_3(work: Workplace, sizes: Sizes | None = None) -> Outcome:
    """Gains and losses at four α."""
    studies = {"Location": location_study(work, ALPHAS, sizes), "MSLR": mslr_study(work, ALPHAS, sizes)}
    return Outcome(
        _both(studies),
        figures=tuple(histogram_figure(study, name, ALPHAS) for name, study in studies.items()),
        claims=tuple(
            claim for name, study in studies.items() for claim in _claims(study, [variance_claim(study, name)])
        ),
        departures=_departures(studies),
    )


def figure_4(work: Workplace, sizes: Sizes | None = None) -> Outcome:
    """Effectiveness on validation queries as training goes on, at α = 0 and 5."""
    studies = {"MSLR": mslr_study(work, (0, 5), sizes), "Location": location_study(work, (0, 5), sizes)}
    rows, figures = [], []
    claims: list[Claim] = []
    for name, study in studies.items():
        steps = [[_steps(fold, i, name, study.why_not) for fold in study.folds] for i in range(2)]
        means = [float(np.mean(each)) for each in steps]
        what = "95 % of the gain over the baseline"
        if name == "MSLR":
            what = f"{LEVEL_SHARE:.0%} of the gain at α = 0" if study.why_not else f"nDCG@10 of {LEVEL}"
        cells = [
            PaperNumber(mean, STEPS[name][alpha], digits=1, limit=5.0, why_not=study.why_not)
            for alpha, mean in zip((0, 5), means, strict=True)
        ]
        rows.append(PaperRow(f"{name}: to {what}", tuple(cells)))
        claims += _claims(study, convergence_claims(study, name, *steps))
        figures.append(learning_figure(study, name))
    note = "limit 5; what is never reached counts as all trees"
    table = PaperTable("Iterations", "until", ("α = 0", "α = 5"), tuple(rows), note=note)
    why = "95 % are of the way from the baseline's level, as the paper's ΔMRR has it"
    other = () if studies["MSLR"].why_not == "" else (
        f"The paper's level of {LEVEL}, which lies {LEVEL_SHARE:.0%} of the way from its baseline to its α = 0, is "
        "taken as that share in each fold.",
    )  # fmt: skip
    return Outcome(
        _both(studies), tables=(table,), figures=tuple(figures), claims=tuple(claims),
        departures=(*_departures(studies), f"Location: {why}.", STEPS_ARE_NEWTON_S, *other),
    )  # fmt: skip


def figure_5(work: Workplace, sizes: Sizes | None = None) -> Outcome:
    """Kendall distances to the baseline's ranking, in ten bins, at each α; of MSLR, too, which the paper leaves out."""
    studies = {"Location": location_study(work, LOCATION_ALPHAS, sizes), "MSLR": mslr_study(work, ALPHAS, sizes)}
    study = studies["Location"]
    bins = {name: each.sweep.distances() for name, each in studies.items()}
    alphas = LOCATION_ALPHAS[1:]
    shares = [100 * in_bins(bins["Location"], alpha)[0] for alpha in alphas]
    cells = [
        PaperNumber(share, BIN_0.get(alpha), digits=0, why_not=study.why_not)
        for alpha, share in zip(alphas, shares, strict=True)
    ]
    table = PaperTable(
        "Queries that stay close to the baseline's ranking (bin 0)", "percent of queries",
        tuple(f"α = {alpha}" for alpha in alphas), (PaperRow("Location", tuple(cells)),),
    )  # fmt: skip
    return Outcome(
        _both(studies), tables=(table,), figures=tuple(bins_figure(bins[name], name) for name in studies),
        claims=_claims(study, distance_claims(study, alphas, SAFE)), departures=_departures(studies),
    )  # fmt: skip


# The tables' parts.


def _summary(study: Study, printed: Mapping[str, tuple[Sequence[float], float | None]], note: str) -> PaperTable:
    rows = []
    for name, (numbers, limit) in printed.items():
        cells = [
            PaperNumber(float(ours), number, digits=_digits(name, number), limit=limit, why_not=study.why_not)
            for ours, number in zip(_statistic(study, name), numbers, strict=True)
        ]
        rows.append(PaperRow(name, tuple(cells)))
    columns = tuple(f"α = {alpha}" for alpha in ALPHAS)
    return PaperTable("Summary over test folds", "statistic", columns, tuple(rows), note=note)


def _digits(name: str, number: float) -> int:
    """With how many the paper prints a number."""
    return 0 if name in COUNTS else max(3, len(repr(number).partition(".")[2]))


def _statistic(study: Study, name: str) -> Sequence[float]:
    """A row of Tables 1 and 2, in hundredths where it is no count."""
    test = study.sweep.test
    if name in COUNTS:
        return list(test.outcomes[COUNTS[name]])
    means = {"NDCG@10": test.values.mean(axis=1), "ΔMRR": test.gain, "Risk": test.risk, "Reward": test.reward}
    return list(100 * (test.others["nDCG@1"][1:] if name == "NDCG@1" else means[name]))


def _baseline(study: Study) -> PaperTable:
    number = PaperNumber(100 * float(study.sweep.test.baseline.mean()), BM25_NDCG, limit=0.05, why_not=study.why_not)
    return PaperTable("The baseline", "ranked by", ("NDCG@10",), (PaperRow("BM25", (number,)),), note="limit 0.05")


def _chosen(study: Study) -> PaperTable:
    """In how many folds each parameter was the best."""
    chosen = [
        {f"m = {each.min_docs_in_leaf}", f"l = {each.n_leaves}", f"t = {each.n_trees}", f"r = {each.learning_rate:g}"}
        for each in study.chosen
    ]
    names = list(dict.fromkeys([*CHOSEN, *sorted(set().union(*chosen))]))
    rows = tuple(
        PaperRow(name, (PaperNumber(sum(name in each for each in chosen), CHOSEN.get(name), digits=0, limit=1,
                                    why_not=study.why_not),))
        for name in names
    )  # fmt: skip
    note = "m documents in a leaf, l leaves, t trees, r learning rate; limit one fold"
    return PaperTable("Parameters chosen at α = 0", "parameter", ("folds",), rows, note=note)


# Convergence.


def _steps(fold: Sweep, model: int, name: str, why_not: str) -> int:
    """Location: until 95 % of the way from the baseline; MSLR: until the paper's level, or one as far on the way.

    All trees where it is never reached.
    """
    curve, start = fold.learning[model][0], fold.learning_baseline[model][0]
    if name == "Location":
        n_steps = steps_to(0.95, curve, baseline=start)
    else:
        level = start + LEVEL_SHARE * (fold.learning[0][0][-1] - start) if why_not else LEVEL
        n_steps = steps_to_level(level, curve)
    return len(curve) if n_steps is None else n_steps


# Words and numbers that several have.


def _claims(study: Study, claims: Iterable[Claim]) -> tuple[Claim, ...]:
    """Of a study, which knows whether its data are the paper's."""
    return on_paper_data(claims, is_so=not study.why_not)


def _both(studies: Mapping[str, Study]) -> str:
    return "; ".join(f"{name}: {study.data}" for name, study in studies.items())


def _departures(studies: Mapping[str, Study]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each for study in studies.values() for each in study.departures))


PAPER = Paper(
    key="wang2012",
    authors="Wang, Bennett, Collins-Thompson",
    title="Robust Ranking Models via Risk-Sensitive Optimization",
    venue="SIGIR 2012",
    experiments=(
        Experiment("figure-1", "Helped and hurt by a model for gain alone", figure_1, NEEDS, partial(mslr_seconds, 1)),
        Experiment("table-1", "Effectiveness and robustness on MSLR", table_1, NEEDS, partial(mslr_seconds, 4)),
        Experiment("table-2", "Effectiveness and robustness on Location", table_2, not_public=LOCATION),
        Experiment(
            "figure-2", "Risk against gain; the segment of α", figure_2, NEEDS, partial(mslr_seconds, 6), LOCATION
        ),
        Experiment("figure-3", "Helped and hurt at four α", figure_3, NEEDS, partial(mslr_seconds, 4), LOCATION),
        Experiment("figure-4", "Convergence at α = 0 and 5", figure_4, NEEDS, partial(mslr_seconds, 2), LOCATION),
        Experiment(
            "figure-5", "Kendall distances to the baseline", figure_5, NEEDS, partial(mslr_seconds, 4), LOCATION
        ),
    ),
    equations=(
        Equation("1", "risk", "riskrank.risk.outcomes:risk"),
        Equation("2", "reward", "riskrank.risk.outcomes:reward"),
        Equation("3", "gain", "riskrank.risk.outcomes:gain"),
        Equation("4", "the trade-off T (URisk)", "riskrank.risk.urisk:urisk"),
        Equation("5", "RankNet's cost", "riskrank.kernels.ranknet:ranknet_costs"),
        Equation("6", "λ of a pair", "riskrank.kernels.ranknet:ranknet_gradients"),
        Equation("7, 8", "λ of a document, times the change of the measure", "riskrank.objectives.gain:Gain"),
        Equation("Theorem 1", "ΔT of a swap", "riskrank.objectives.urisk:URisk"),
        Equation("§5.3", "selective re-ranking", "riskrank.rankers.selective.selective:Selective"),
        Equation("§5.7", "the segment of α", "riskrank.tradeoff.curves:alpha_of_interest"),
        Equation("§5.7", "the near-optimal hull", "riskrank.tradeoff.curves:near_optimal_hull"),
        Equation("§5.8", "convergence", "riskrank.tradeoff.curves:steps_to"),
    ),
)
