"""Dinçer, Macdonald, Ounis: Hypothesis Testing for the Risk-Sensitive Evaluation of Retrieval Systems. SIGIR 2014.

Runs of TREC 2012 (Tables 1 and 2, Figures 1 and 2) are here; learning to rank (Table 3) is in `dincer.learning_2014`.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from riskrank.papers.data_folders import MSLR, TREC_2012
from riskrank.papers.dincer.learning_2014 import table_3, table_3_seconds
from riskrank.papers.dincer.track import track_of, track_seconds
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
from riskrank.papers.paper import Equation, Experiment, Paper
from riskrank.papers.verdicts import exactly
from riskrank.risk.exploratory import LIMIT, explore
from riskrank.risk.trisk import trisk
from riskrank.risk.urisk import urisk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from riskrank.papers.dincer.track import Track
    from riskrank.papers.paper import Workplace
    from riskrank.typing import Floats

# Columns of the anonymised public matrix. The first two are found by the numbers that the text prints of them.
RUNS = {
    "uogTrA44xi": "run24", "srchvrs12c09": "run22", "DFalah121A": "run6", "QUTparaBline": "run18",
    "utw2012fc1": "run27", "ICTNET12ADR2": "run10", "irra12c": "run14", "qutwb": "run21",
}  # fmt: skip
ALPHAS = (0, 1, 5, 10)
FIGURE_1_ALPHAS = range(16)
FIGURE_2_ALPHAS = (0, 5, 10, 15)
N_TOP = 4  # the runs of which the text says that they gain significantly

# §4.2 prints of Table 2: URisk and TRisk at α = 0.
PRINTED = {"uogTrA44xi": (0.1185, 2.2440), "srchvrs12c09": (0.1102, 2.3034)}
RMSE = 0.000  # §3.3, between both estimates of the standard error, over all runs
SIGNIFICANT_LOSSES = {"uogTrA44xi": (166, 175), "qutwb": (166, 172, 175, 191)}  # §5.2, at α = 0
LOST_BY_BOTH = (166, 172, 174, 175, 191)  # §5.2
NEARLY = 0.2  # what we take for nearly the same
FOUND = (
    "the first two runs were found by these printed numbers: that they agree shows that the arithmetic is right, not "
    "who they are"
)
READING = (
    "The rows are the best ad-hoc run of each of the eight best groups. The public matrix has no names: the runs of "
    "uogTr and srchvrs are found by their printed numbers, the others by their means, by Table 6 of Dinçer et al. 2016 "
    "and by the order of columns, which is alphabetical. qutwb is run21, which does in Figure 2 what the text says; "
    "utw2012fc1 may also be run26 or run28.",
    "The cells of Tables 1 to 3 are not in the copy of the paper that we worked from: compared are the numbers that "
    "its sentences repeat.",
)
DEVIATION = (
    "T_J is divided by the standard deviation of a topic. By the standard error of the mean, as Eq. 23 has it, more "
    "topics would lie beyond ±2 than the text names."
)


def table_1(work: Workplace) -> Outcome:
    """Both estimates of the standard error of URisk, and how far they are apart over all runs."""
    track = track_of(work, RUNS)
    rows = []
    for name in track.shown:
        errors = (
            PaperNumber(trisk(track.of(name), track.against, alpha=alpha, error=error).standard_error, digits=4)
            for alpha in ALPHAS
            for error in ("parametric", "jackknife")
        )
        rows.append(PaperRow(name, tuple(errors)))
    columns = tuple(f"{name} α={alpha}" for alpha in ALPHAS for name in ("SE_x̄", "SE_J"))
    rmse = np.sqrt(np.mean(np.square(_error_differences(track))))
    printed = PaperNumber(float(rmse), RMSE if track.is_real else None)
    tables = (
        PaperTable("Standard errors of URisk", "run", columns, tuple(rows)),
        PaperTable("Between both estimates, over all runs and α", "", ("RMSE",), (PaperRow("all runs", (printed,)),)),
    )
    claim = Claim(
        "Both estimates agree",
        exactly(bool(rmse < 0.0005)),
        f"RMSE {rmse:.1e} over {len(track.scores.systems) - 1} runs",
    )
    return Outcome(
        track.data, tables=tables, claims=on_paper_data((claim,), is_so=track.is_real), departures=_departures(track)
    )


def _error_differences(track: Track) -> Floats:
    return np.array(
        [
            trisk(track.scores[run], track.against, alpha=alpha).standard_error
            - trisk(track.scores[run], track.against, alpha=alpha, error="jackknife").standard_error
            for run in track.scores.systems
            if run != track.baseline
            for alpha in ALPHAS
        ]
    )


def table_2(work: Workplace) -> Outcome:
    """URisk and TRisk of the top runs."""
    track = track_of(work, RUNS)
    rows = []
    for name in track.shown:
        cells = []
        for alpha in ALPHAS:
            test = trisk(track.of(name), track.against, alpha=alpha)
            printed = PRINTED.get(name, (None, None)) if track.is_real and alpha == 0 else (None, None)
            cells += [PaperNumber(test.urisk, printed[0], 4), PaperNumber(test.statistic, printed[1], 4)]
        rows.append(PaperRow(name, tuple(cells)))
    columns = tuple(f"{name} α={alpha}" for alpha in ALPHAS for name in ("URisk", "TRisk"))
    table = PaperTable(
        "URisk and TRisk against the baseline", "run", columns, tuple(rows), FOUND if track.is_real else ""
    )
    values = {name: _statistics(track, name, ALPHAS) for name in track.shown}
    claims = [_discordance(track), _favours_risk(track)]
    if track.is_real:
        claims += _significance_claims(values)
    return Outcome(
        track.data, tables=(table,), claims=on_paper_data(claims, is_so=track.is_real), departures=_departures(track)
    )


def _statistics(track: Track, name: str, alphas: range | tuple[int, ...]) -> dict[int, float]:
    return {alpha: trisk(track.of(name), track.against, alpha=alpha).statistic for alpha in alphas}


def _discordance(track: Track) -> Claim:
    tests = {name: trisk(track.of(name), track.against, alpha=0) for name in track.shown}
    pairs = [
        (one, other)
        for one in tests
        for other in tests
        if tests[one].urisk > tests[other].urisk and tests[one].statistic < tests[other].statistic
    ]
    said = "none"
    if pairs:
        one, other = (tests[name] for name in pairs[0])
        said = (
            f"{' and '.join(pairs[0])}: URisk {one.urisk:.4f} and {other.urisk:.4f}, "
            f"TRisk {one.statistic:.4f} and {other.statistic:.4f}"
        )
    return Claim("A higher URisk need not be a higher TRisk", exactly(bool(pairs)), said)


def _favours_risk(track: Track) -> Claim:
    values = {name: [urisk(track.of(name), track.against, alpha=alpha) for alpha in ALPHAS] for name in track.shown}
    return Claim(
        "As α increases, the trade-off of each run changes in favour of risk",
        exactly(all(np.all(np.diff(row) < 0) for row in values.values())),
        ", ".join(f"{name} from {row[0]:.3f} to {row[-1]:.3f}" for name, row in values.items()),
    )


def _significance_claims(values: dict[str, dict[int, float]]) -> Iterator[Claim]:
    top, last = list(values)[:N_TOP], list(values)[N_TOP:]

    def said(names: list[str], alpha: int) -> str:
        return ", ".join(f"{name} {values[name][alpha]:.2f}" for name in names)

    yield Claim(
        "At α = 0 the top 4 runs gain significantly (TRisk > 2), the last 4 are inconclusive",
        exactly(all(values[name][0] > LIMIT for name in top) and all(abs(values[name][0]) < LIMIT for name in last)),
        said([*top, *last], 0),
    )
    yield Claim(
        "At α = 10 the last 4 runs lose significantly (TRisk < −2), the top 4 are inconclusive",
        exactly(all(values[name][10] < -LIMIT for name in last) and all(abs(values[name][10]) < LIMIT for name in top)),
        said([*top, *last], 10),
    )


def figure_1(work: Workplace) -> Outcome:
    """TRisk of the top runs as α grows from 0 to 15."""
    track = track_of(work, RUNS)
    values = {name: _statistics(track, name, FIGURE_1_ALPHAS) for name in track.shown}
    series = tuple(
        FigureSeries(name, tuple(map(float, curve)), tuple(curve.values())) for name, curve in values.items()
    )
    claims = [
        Claim(
            "TRisk falls as α grows",
            exactly(all(np.all(np.diff(list(curve.values())) < 0) for curve in values.values())),
            ", ".join(f"{name} from {curve[0]:.2f} to {curve[15]:.2f}" for name, curve in values.items()),
        )
    ]
    if track.is_real:
        claims += _figure_1_claims(values)
    figure = PaperFigure("TRisk as α grows", "α", "TRisk", series)
    tables = _printed_points(values) if track.is_real else ()
    return Outcome(track.data, tables, (figure,), on_paper_data(claims, is_so=track.is_real), _departures(track))


def _printed_points(values: dict[str, dict[int, float]]) -> tuple[PaperTable, ...]:
    rows = tuple(PaperRow(name, (PaperNumber(values[name][0], printed[1], 4),)) for name, printed in PRINTED.items())
    return (PaperTable("Points of the curves that the text prints", "run", ("α=0",), rows),)


def _figure_1_claims(values: dict[str, dict[int, float]]) -> Iterator[Claim]:
    top, last = list(values)[:N_TOP], list(values)[N_TOP:]
    above = [alpha for alpha in FIGURE_1_ALPHAS if alpha > 5]
    yield Claim(
        "For α > 5 TRisk of all runs is negative",
        exactly(all(values[name][alpha] < 0 for name in values for alpha in above)),
        f"at α = 6 from {min(v[6] for v in values.values()):.2f} to {max(v[6] for v in values.values()):.2f}",
    )
    yield Claim(
        "For α > 5 TRisk of the last 4 runs lies below −2",
        exactly(all(values[name][alpha] < -LIMIT for name in last for alpha in above)),
        "at α = 6: " + ", ".join(f"{name} {values[name][6]:.2f}" for name in last),
    )
    yield Claim(
        "Even at α = 15 the top 4 runs are inconclusive",
        exactly(all(abs(values[name][15]) < LIMIT for name in top)),
        "at α = 15: " + ", ".join(f"{name} {values[name][15]:.2f}" for name in top),
    )


def figure_2(work: Workplace) -> Outcome:
    """T_J of every topic, of two runs at four α."""
    track = track_of(work, RUNS)
    names = list(track.shown)
    two = (names[0], names[-1])
    topics = [int(topic) for topic in track.scores.topics]
    t_j = {
        name: {alpha: explore(track.of(name), track.against, alpha=alpha).t_j for alpha in FIGURE_2_ALPHAS}
        for name in two
    }
    figures = tuple(
        PaperFigure(
            f"{name}: T_J of each topic", "topic", "T_J",
            tuple(FigureSeries(f"α = {alpha}", tuple(map(float, topics)), tuple(values.tolist()), kind="points")
                  for alpha, values in of.items()),
            note="topics beyond ±2 stand out",
        )
        for name, of in t_j.items()
    )  # fmt: skip
    claims = [_same_topics(track, two)]
    if track.is_real:
        claims += _figure_2_claims(track, t_j, topics)
    tables = _loss_counts(t_j) if track.is_real else ()
    return Outcome(
        track.data, tables, figures, on_paper_data(claims, is_so=track.is_real), (*_departures(track), DEVIATION)
    )


def _loss_counts(t_j: dict[str, dict[int, Floats]]) -> tuple[PaperTable, ...]:
    """How many topics lose significantly at α = 0."""
    rows = tuple(
        PaperRow(name, (PaperNumber(int((t_j[name][0] < -LIMIT).sum()), len(printed), 0),))
        for name, printed in SIGNIFICANT_LOSSES.items()
    )
    return (PaperTable("Topics that lose significantly at α = 0", "run", ("topics",), rows),)


def _same_topics(track: Track, two: tuple[str, str]) -> Claim:
    n_other = {}
    for name in two:
        explored = explore(track.of(name), track.against, alpha=0)
        n_other[name] = int(((explored.t_r < -LIMIT) != (explored.t_j < -LIMIT)).sum())
    said = ", ".join(f"{name} {count}" for name, count in n_other.items())
    return Claim(
        "T_R and T_J show the same losses", exactly(not any(n_other.values())), f"topics that only one shows: {said}"
    )


def _figure_2_claims(track: Track, t_j: dict[str, dict[int, Floats]], topics: list[int]) -> Iterator[Claim]:
    for name, printed in SIGNIFICANT_LOSSES.items():
        losing = tuple(topic for topic, t in zip(topics, t_j[name][0], strict=True) if t < -LIMIT)
        listed = ", ".join(map(str, printed))
        yield Claim(
            f"At α = 0 {name} loses significantly on topics {listed}",
            exactly(losing == printed),
            f"T_J < −2 on {', '.join(map(str, losing))}",
        )
    (_, one), (_, other) = t_j.items()
    wins = [int((t[0] > LIMIT).sum()) for t in (one, other)]
    losses = [int((t[0] < -LIMIT).sum()) for t in (one, other)]
    yield Claim(
        "At α = 0 uogTrA44xi has more significant wins than qutwb, and fewer significant losses",
        exactly(wins[0] > wins[1] and losses[0] < losses[1]),
        f"wins {wins[0]} and {wins[1]}, losses {losses[0]} and {losses[1]}",
    )
    places = [topics.index(topic) for topic in LOST_BY_BOTH]
    lost = [(track.of(name) - track.against)[places] for name in t_j]
    yield Claim(
        f"Both lose on topics {', '.join(map(str, LOST_BY_BOTH))}",
        exactly(bool((np.array(lost) < 0).all())),
        "; ".join(", ".join(f"{x:.2f}" for x in row) for row in lost),
    )
    yield from _growth_claims(track, t_j, topics)
    at = topics.index(175)
    yield Claim(
        "At α = 0 T_J of topic 175 is smaller for uogTrA44xi than for qutwb",
        exactly(bool(abs(one[0][at]) < abs(other[0][at]))),
        f"{one[0][at]:.2f} and {other[0][at]:.2f}",
    )


def _growth_claims(track: Track, t_j: dict[str, dict[int, Floats]], topics: list[int]) -> Iterator[Claim]:
    """§5.2: how topics 166 and 175 weigh as α grows."""
    one, other = t_j
    t_r = {name: {alpha: explore(track.of(name), track.against, alpha=alpha).t_r for alpha in (0, 15)} for name in t_j}
    first, second = topics.index(166), topics.index(175)
    growth = {(name, at): float(t_j[name][15][at] / t_j[name][0][at]) for name in t_j for at in (first, second)}
    by_r = float(t_r[one][15][first] / t_r[one][0][first])
    at_zero = [float(t_j[name][0][first]) for name in t_j]
    yield Claim(
        f"At α = 0 T_J of topic 166 is nearly the same for both (within {NEARLY:.0%})",
        exactly(abs(at_zero[0] / at_zero[1] - 1) <= NEARLY),
        f"{at_zero[0]:.2f} and {at_zero[1]:.2f}",
    )
    yield Claim(
        f"As α grows, topic 166 doubles for {one}",
        exactly(round(growth[one, first], 1) >= 2),
        f"T_J at α = 15 is {growth[one, first]:.2f} times that at 0, T_R {by_r:.2f} times",
    )
    yield Claim(
        f"It remains nearly the same for {other} (within {NEARLY:.0%})",
        exactly(abs(growth[other, first] - 1) <= NEARLY),
        f"T_J at α = 15 is {growth[other, first]:.2f} times that at 0",
    )
    yield Claim(
        f"The situation is similar for topic 175 (within {NEARLY:.0%})",
        exactly(all(abs(growth[name, second] / growth[name, first] - 1) <= NEARLY for name in t_j)),
        ", ".join(f"{name} {growth[name, second]:.2f} times" for name in t_j),
    )


def _departures(track: Track) -> tuple[str, ...]:
    return READING if track.is_real else track.departures


PAPER = Paper(
    key="dincer2014",
    authors="Dinçer, Macdonald, Ounis",
    title="Hypothesis Testing for the Risk-Sensitive Evaluation of Retrieval Systems",
    venue="SIGIR 2014",
    experiments=(
        Experiment(
            "table-1", "two estimates of the standard error of URisk", table_1, TREC_2012, partial(track_seconds, RUNS)
        ),
        Experiment(
            "table-2", "URisk and TRisk of the top TREC 2012 runs", table_2, TREC_2012, partial(track_seconds, RUNS)
        ),
        Experiment(
            "figure-1", "TRisk of the top TREC 2012 runs as α grows", figure_1, TREC_2012, partial(track_seconds, RUNS)
        ),
        Experiment(
            "figure-2", "which topics make the risk of two runs", figure_2, TREC_2012, partial(track_seconds, RUNS)
        ),
        Experiment("table-3", "learning to rank with SARO and FARO", table_3, MSLR, table_3_seconds),
    ),
    equations=(
        Equation("1", "risk", "riskrank.risk.outcomes:risk"),
        Equation("2", "reward", "riskrank.risk.outcomes:reward"),
        Equation("3, 5, 6", "gain, the mean difference", "riskrank.risk.outcomes:gain"),
        Equation("4", "URisk", "riskrank.risk.urisk:urisk"),
        Equation("7, 9", "t, which is TRisk at α = 0", "riskrank.risk.trisk:trisk"),
        Equation("8, 12", "standard error of a mean", "riskrank.risk.trisk:standard_error"),
        Equation("10, 13, 19, 20", "TRisk", "riskrank.risk.trisk:trisk"),
        Equation("11", "trade-off of a topic", "riskrank.risk.paired:tradeoff"),
        Equation("14–17", "the jackknife's standard error", "riskrank.risk.trisk:jackknife_standard_error"),
        Equation("18", "the test of no difference", "riskrank.risk.inference.student_t:two_sided_p"),
        Equation(
            "21–23",
            "T_R and T_J of a topic, in standard deviations instead of standard errors",
            "riskrank.risk.exploratory:explore",
        ),
        Equation("24", "gradients of LambdaMART", "riskrank.objectives.on_data.bound_objective:BoundObjective"),
        Equation("25", "Pr(Z ≥ T_R), which is 1 − Φ(T_R)", "riskrank.risk.georisk:normal_cdf"),
        Equation(
            "26",
            "α′ of a query; by default by its deviation, as the authors’ code has it",
            "riskrank.objectives.saro:Adaptive",
        ),
        Equation("27", "FARO; SARO has α′ in the place of α", "riskrank.objectives.faro:FARO"),
    ),
)
