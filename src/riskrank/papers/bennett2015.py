"""Bennett, Shokouhi, Caruana: Implicit Preference Labels for Learning Highly Selective Personalized Rankers, 2015.

Table 1 is computed as it stands. Table 2 and the figures run on either Yandex log, or on synthetic logs in their place;
`bennett.bennett_logs` has the protocol of each log, `bennett.bennett_numbers` what the paper prints and
`bennett.bennett_claims` what it says of them.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from riskrank.assessment.rank_changes import rank_changes
from riskrank.clicks.preference_gains import preference_gains
from riskrank.data.ranking_data import RankingData
from riskrank.measures.evaluate import evaluate
from riskrank.papers.bennett.bennett_claims import figure_claims, table_claims
from riskrank.papers.bennett.bennett_logs import (
    BING,
    NEEDS,
    WSCD_12,
    WSCD_14,
    click_study,
    estimated_seconds,
    log_files,
)
from riskrank.papers.bennett.bennett_numbers import CLICKED, COLUMNS, GAINS, LIMITS, PLACES, PRESENTED_NDCG, TABLE_2
from riskrank.papers.outcome import (
    Claim,
    FigureSeries,
    Outcome,
    PaperFigure,
    PaperNumber,
    PaperRow,
    PaperTable,
    on_paper_data,
)
from riskrank.papers.paper import Equation, Experiment, Paper, Workplace
from riskrank.papers.verdicts import exactly
from riskrank.rankers.trees.preference_lambdamart import PreferenceLambdaMART
from riskrank.tradeoff.clicks.careful_use import FUSION, NAIVE
from riskrank.tradeoff.clicks.click_table import PREFERENCE, RISK, STANDARD

if TYPE_CHECKING:
    from riskrank.papers.bennett.bennett_logs import ClickStudy, PaperLog
    from riskrank.tradeoff.clicks.click_table import ClickRow

AXES = ("% of queries re-ranked", "normalised gain (%)")
SHARES = ("reranked", "gain_share")  # what the figures show
SYNTHETIC = "synthetic clicks are not those of the paper's log"


def table_1(_work: Workplace) -> Outcome:
    """Two re-rankings of a page with a click on the sixth document, and the gains of two weights of its order."""
    gains = {beta: preference_gains(CLICKED, alpha=1.0, beta=beta) for beta in GAINS}
    target = np.argsort(np.argsort(-gains[0.5], kind="stable")) + 1  # the place of each document
    ours = {"A": target, "B": np.array(PLACES["B"])}
    rows = [
        PaperRow(
            str(i + 1),
            (
                *(PaperNumber(float(ours[name][i]), PLACES[name][i], digits=0) for name in ours),
                *(PaperNumber(float(gains[beta][i]), GAINS[beta][i][0], digits=GAINS[beta][i][1]) for beta in GAINS),
            ),
        )
        for i in range(len(CLICKED))
    ]
    by_gains = {beta: _page(labels) for beta, labels in gains.items()}
    linear = PreferenceLambdaMART.measure
    presented = {beta: evaluate(page, {"own": page.feature(1)}, linear)["own"][0] for beta, page in by_gains.items()}
    values = tuple(PaperNumber(float(presented[beta]), PRESENTED_NDCG[beta], digits=2) for beta in GAINS)
    columns = tuple(f"gain (1, {beta:g})" for beta in GAINS)
    tables = (
        PaperTable("Places and gains", "rank", ("A", "B", *columns), tuple(rows), note="B is given, A is computed"),
        PaperTable(
            "nDCG@10 of the presented order (§2.1)", "", columns, (PaperRow("gains as they are", values),),
            note="with no usual discount both are as printed",
        ),
    )  # fmt: skip
    return Outcome("the page of the paper", tables, claims=on_paper_data(_claims_of_table_1(ours, by_gains)))


def _page(labels: np.ndarray | tuple[int, ...]) -> RankingData:
    """The page with some labels; its feature is the presented order."""
    order = -np.arange(1.0, len(labels) + 1)
    return RankingData.from_arrays(order[:, None], np.asarray(labels, np.float64), group=[len(labels)])


def _claims_of_table_1(places: dict[str, np.ndarray], by_gains: dict[float, RankingData]) -> tuple[Claim, ...]:
    page = _page(CLICKED)
    runs = {
        "shown": page.feature(1).astype(np.float64),
        **{name: -place.astype(float) for name, place in places.items()},
    }
    precision = evaluate(page, runs, "AP")
    ideal = [float(evaluate(each, runs, PreferenceLambdaMART.measure)["A"][0]) for each in by_gains.values()]
    tau = {name: float(rank_changes(runs, "shown", data=page)[name].tau_per_topic[0]) for name in places}
    a, b = (float(precision[name][0]) for name in ("A", "B"))
    return (
        Claim("A and B have the same average precision", exactly(a == b), f"{a:g} and {b:g}"),
        Claim(
            "A is ideal for both gains", exactly(min(ideal) > 1 - 1e-9), f"nDCG@10 {ideal[0]:.4f} and {ideal[1]:.4f}"
        ),
        Claim(
            "A is nearer to the presented order than B",
            exactly(tau["A"] > tau["B"]),
            f"τ {tau['A']:.3f} and {tau['B']:.3f}",
        ),
    )


def table_2(work: Workplace) -> Outcome:
    """The chosen models on the test pages of each log, and two more ways to use Standard Gain carefully."""
    known = None if work.data is None else log_files(work.data)
    logs = [log for log in (BING, WSCD_12, WSCD_14) if known is None or log.layout in known]
    studies = [click_study(log, work) for log in logs]
    claims = tuple(claim for each in studies for claim in on_paper_data(table_claims(each), is_so=each.is_full))
    departures = dict.fromkeys(text for each in studies for text in each.departures)
    lacking = [log.name for log in (BING, WSCD_12, WSCD_14) if log not in logs]
    left_out = (f"not run, for want of the log: {', '.join(lacking)}",) if lacking else ()
    return Outcome(
        "; ".join(each.data for each in studies), tuple(map(_table, studies)), claims=claims,
        departures=(*left_out, *departures),
    )  # fmt: skip


def figure(log: PaperLog, work: Workplace) -> Outcome:
    """Gain, normalised to Standard Gain's, against the share re-ranked: chosen models, and all values of parameters."""
    study = click_study(log, work)
    figures = (
        PaperFigure(f"{log.name}: chosen models", *AXES, _chosen_series(study)),
        PaperFigure(f"{log.name}: all values of the parameters", *AXES, _all_series(study)),
    )
    table = _table(study, SHARES)
    claims = on_paper_data(figure_claims(study), is_so=study.is_full)
    return Outcome(study.data, (table,), figures, claims, study.departures)


def _table(study: ClickStudy, names: tuple[str, ...] = LIMITS._fields[1:]) -> PaperTable:
    """The rows of Table 2, in hundredths; `names`: of its columns."""
    log, printed = study.log, TABLE_2[study.log.key]
    label = {"AP": "MAP"}.get(log.measure, log.measure)
    columns = dict(zip(LIMITS._fields, (each.replace("M", label) for each in COLUMNS), strict=True))
    columns["parameter"] = COLUMNS[0]
    rows = []
    for method, row in study.rows.items():
        known = printed.get(method)
        cells = [_number(row, name, None if known is None else getattr(known, name), study) for name in names]
        told = row.parameter if known is None else f"{row.parameter} (paper: {known.parameter})"
        rows.append(PaperRow(method, (told, *cells)))
    limits = ", ".join(f"{columns[name]} {getattr(LIMITS, name):g}" for name in names)
    compared = f"agrees within {limits}; " if study.is_full else ""
    note = f"{compared}{NAIVE} and {FUSION} are not in the paper’s table"
    return PaperTable(f"{log.name}", "method", ("Param.", *(columns[name] for name in names)), tuple(rows), note)


def _number(row: ClickRow, name: str, printed: float | None, study: ClickStudy) -> PaperNumber:
    digits = 4 if name == "gain" and study.log.key == WSCD_14.key else 2
    why_not = "" if study.is_full or printed is None else SYNTHETIC
    return PaperNumber(100 * float(getattr(row, name)), printed, digits, getattr(LIMITS, name), why_not)


def _chosen_series(study: ClickStudy) -> tuple[FigureSeries, ...]:
    """The left figures: a point for each method, and the line of the coin."""
    standard = study.rows[STANDARD]
    line = FigureSeries(f"{NAIVE} (any p)", (0.0, 100 * standard.reranked), (0.0, 100.0))
    places: dict[tuple[float, float], list[str]] = {}  # one model may be that of several methods
    for method, row in study.rows.items():
        if method != NAIVE:
            places.setdefault((100 * row.reranked, 100 * row.gain_share), []).append(method)
    points = [FigureSeries(", ".join(names), (x,), (y,), kind="points") for (x, y), names in places.items()]
    return (line, *points)


def _all_series(study: ClickStudy) -> tuple[FigureSeries, ...]:
    """The right figures: all models of both series, by the value of the parameter."""
    series = []
    for name in (RISK, PREFERENCE):
        reranked, gain = _points(study, name)
        series.append(FigureSeries(name, tuple((100 * reranked).tolist()), tuple((100 * gain).tolist())))
    return tuple(series)


def _points(study: ClickStudy, series: str) -> tuple[np.ndarray, np.ndarray]:
    """Share re-ranked and normalised gain of all models of a series on the test pages."""
    sweep, test = study.sweep, study.sweep.test
    members = sorted(sweep.members(series), key=lambda i: sweep.settings[i].value)
    whole = float(test.gain[sweep.reference_model])
    return test.reranked[members], test.gain[members] / (whole if whole > 0 else np.nan)


def _of_logs(*logs: PaperLog) -> partial[float]:
    return partial(estimated_seconds, logs)


PAPER = Paper(
    key="bennett2015",
    authors="Bennett, Shokouhi, Caruana",
    title="Implicit Preference Labels for Learning Highly Selective Personalized Rankers",
    venue="ICTIR 2015",
    experiments=(
        Experiment("table-1", "a page with a click: two re-rankings, and gains of two weights of its order", table_1),
        Experiment(
            "table-2",
            "gain, risk and re-ranking of the chosen models",
            table_2,
            NEEDS,
            _of_logs(WSCD_12, WSCD_14),
            not_public="Bing’s log",
        ),
        Experiment("figure-1", "gain against queries re-ranked, Bing", partial(figure, BING), not_public="Bing’s log"),
        Experiment(
            "figure-2", "gain against queries re-ranked, WSCD ’12", partial(figure, WSCD_12), NEEDS, _of_logs(WSCD_12)
        ),
        Experiment(
            "figure-3", "gain against queries re-ranked, WSCD ’14", partial(figure, WSCD_14), NEEDS, _of_logs(WSCD_14)
        ),
    ),
    equations=(
        Equation("1", "the gain of a document", "riskrank.clicks.preference_gains:preference_gains"),
        Equation("2–4", "Theorem 1: relevant documents gain more", "riskrank.clicks.preference_gains:preference_gains"),
        Equation("5–8", "Theorem 2: equals keep their order", "riskrank.clicks.preference_gains:preference_gains"),
        Equation("9", "ΔMAP", "riskrank.risk.outcomes:gain"),
        Equation("10", "reward − (1 + α) risk, as a number", "riskrank.risk.urisk:urisk"),
        Equation("10", "the same as what is learned, with AP", "riskrank.objectives.urisk:URisk"),
    ),
)
