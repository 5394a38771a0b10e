"""What a sweep's page keeps closed: training, distance, areas, all numbers, and how they were computed."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from riskrank.errors import one_line
from riskrank.report.findings.digits import percent
from riskrank.report.findings.sweeps.budget_fit import (
    budget_states,
    controlled,
    model_losses,
    point_loss,
    tested_queries,
)
from riskrank.report.findings.sweeps.model_words import model_name, point_name
from riskrank.report.findings.sweeps.shown_gains import LEVEL
from riskrank.report.findings.words import counted
from riskrank.report.table import Table, TitledTable
from riskrank.report.text.sweep_text import alpha_of_interest_text, summary_table
from riskrank.tradeoff.curves import N_BINS
from riskrank.tradeoff.risk_control.guarantee import held_out_queries

if TYPE_CHECKING:
    from riskrank.tradeoff.operating_point import OperatingPoint
    from riskrank.tradeoff.risk_control.control import Control
    from riskrank.tradeoff.sweep import Sweep


def closed_tables(sweep: Sweep, point: OperatingPoint | None = None) -> list[TitledTable]:
    """Each under a title that says what is in it."""
    return [
        *([] if point is None or point.control is None else [budget_part(point, point.control)]),
        training(sweep),
        distance(sweep),
        areas(sweep),
        TitledTable("All numbers", summary_table(sweep), about=counted(len(sweep), "model"), is_folded=True),
    ]


def budget_part(point: OperatingPoint, control: Control) -> TitledTable:
    """What each model loses on the queries that test the budget, and what they show of it."""
    rows = []
    is_model = point.index is not None and point.is_used_always
    for i, (lost, state) in enumerate(zip(model_losses(point), budget_states(point), strict=True)):
        said = f"{state} (not tested)" if state == "unclear" and i not in point.tested else state
        chosen = ", chosen" if is_model and point.index == i else ""
        rows.append([model_name(point.sweep, i), f"{lost:.4f}", f"{said}{chosen}"])
    if point.index is not None and not is_model:
        rows.append([point_name(point), f"{point_loss(point):.4f}", "fits, chosen"])
    what, tested = controlled(point), tested_queries(point)
    table = Table(["model", f"{what}, {tested}", "budget"], rows, words=(2,))
    about = f"{what} at most {control.budget:g}, {tested}"
    return TitledTable("The budget", table, about=about, note=_how_tested(point, control), is_folded=True)


def _how_tested(point: OperatingPoint, control: Control) -> str:
    """Which points were tested, in which order, and which of them is chosen."""
    sweep = point.sweep
    if point.predictor is not None:
        full = model_name(sweep, sweep.reference_model)
        by = sweep.words_of(point.predictor)
        points = f"Models were not tested: points are {full} on more and more queries, by {by}"
        order = f"{points}. Tests begin with the fewest queries and"
    else:
        each = ", in each series" if len(sweep.series) > 1 else ""
        order = f"Points are tested from the most careful on{each}; tests"
    chosen = f"Of those that fit, the one that gains most on the {tested_queries(point)} is chosen."
    if point.index is None:
        chosen = "None of those that fit gains there." if control.is_safe.any() else "None is shown to fit."
    return f"{order} end with the first that is not shown to fit. {chosen}"


def training(sweep: Sweep) -> TitledTable:
    """How long each model learned, and what it reached on validation queries."""
    rows, reached = [], []
    for i, to_95 in enumerate(sweep.convergence):
        curve = sweep.learning_curve(i)
        last = float(curve[-1]) if len(curve) else math.nan
        if not math.isnan(to_95):
            reached.append(to_95)
        rows.append([model_name(sweep, i), _number(to_95, 0), str(len(curve)), _number(last, 4)])
    said = "no gain over the baseline" if any(row[2] != "0" for row in rows) else "no validation"
    if reached:
        steps = _from_to(min(reached), max(reached), 0)
        said = f"95% of the last gain after {steps} {sweep.unit.removesuffix('s') if steps == '1' else sweep.unit}"
    header = ["model", f"{sweep.unit} to 95%", sweep.unit, f"last {sweep.measure}, validation"]
    return TitledTable("Training", Table(header, rows), about=said, is_folded=True)


def distance(sweep: Sweep) -> TitledTable:
    """How far rankings move from the baseline's."""
    summary, bins = sweep.summary, sweep.distances()
    taus = [math.nan if tau is None else tau for tau in summary["kendall_tau"].to_list()]
    shares = np.asarray(bins["share"].to_list()).reshape(len(sweep), N_BINS)
    header = ["model", "τ", "re-ranked", *(f"{k / N_BINS:.1f}–{(k + 1) / N_BINS:.1f}" for k in range(N_BINS))]
    rows = [
        [model_name(sweep, i), _number(taus[i], 3), f"{reranked:.0%}", *(f"{share:.0%}" for share in shares[i])]
        for i, reranked in enumerate(summary["reranked"].to_list())
    ]
    known = [tau for tau in taus if not math.isnan(tau)]
    said = f"Kendall τ with the baseline {_from_to(min(known), max(known), 2)}" if known else "not known"
    note = "Columns from 0.0–0.1 on: the share of queries at that Kendall distance (0 same order, 1 reversed)."
    return TitledTable("How far the rankings move", Table(header, rows), about=said, note=note, is_folded=True)


def areas(sweep: Sweep) -> TitledTable:
    """The area under gain against cost of every way to risk less."""
    by_risk, by_reranking = sweep.areas(), sweep.areas("reranked")
    rows = [[one_line(name), _number(area, 3), _number(by_reranking[name], 3)] for name, area in by_risk.items()]
    said = ", ".join(f"{one_line(name)} {_number(area, 3)}" for name, area in list(by_risk.items())[:3])
    rows.append(["at random", "0.500", "0.500"])
    note = (
        "Area under the hull of gain against cost, as a share of the reference model’s gain × cost. At random: that "
        "model on some queries, by coin."
    )
    if sweep.parameter == "alpha" and math.isfinite(sweep.alpha_of_interest):
        note += f" {alpha_of_interest_text(sweep, model_name(sweep, sweep.reference_model))}"
    table = Table(["way", "against risk", "against re-ranking"], rows)
    about = f"area under gain against risk: {said}, at random 0.500"
    return TitledTable("Other ways to risk less", table, about=about, note=note, is_folded=True)


def sweep_definitions(sweep: Sweep, point: OperatingPoint | None) -> list[tuple[str, str]]:
    """What each column and line means."""
    baseline, full = one_line(sweep.baseline), model_name(sweep, sweep.reference_model)
    interval = f"{1 - LEVEL:.0%} interval"
    said = [
        ("Gain", f"Mean change of {sweep.measure} per test query against {baseline}."),
        ("Mean loss (risk)", "Mean of max(0, baseline − model) per test query."),
        (
            interval,
            f"The values that a test (mirror-shift bootstrap) does not reject at {LEVEL:g}, for each model alone. For "
            "a model that a coin uses, that of its expected change, without the coin’s own chance.",
        ),
        ("Filled dots", f"Significant at {LEVEL:g}, Holm’s correction for {counted(len(sweep), 'model')}."),
        ("Kept", f"Gain and risk as a share of those of {full}, the reference model."),
        ("> 20% worse", "Queries that lose more than a fifth of the baseline’s score."),
        ("Step", "From the model above, on the same queries; in bold where significant by itself."),
        ("Used less often", f"A coin uses {full} on some queries and {baseline} on the others."),
    ]
    if point is not None and point.control is not None:
        control = point.control
        said.append(
            (
                "Budget",
                f"Fits: shown to by the {tested_queries(point)}. Over: its {controlled(point)} there is above the "
                "budget. Unclear: it is not, but too near to be sure, or it was not tested.",
            )
        )
        said.append(
            (
                "Guarantee",
                f"Learn then test on {tested_queries(point)}{_beside_test(sweep)} ({control.method}): with "
                f"a probability of {percent(control.confidence)}, no point that is said to fit has a true "
                f"{controlled(point)} above {control.budget:g}.",
            )
        )
    elif point is not None:
        said.append(("Chosen", point.why))
    return said


def _beside_test(sweep: Sweep) -> str:
    """What the queries that test a budget have to do with the test queries, as far as their names and values tell."""
    held_out, test = held_out_queries(sweep)[1], sweep.test
    if set(held_out.queries).isdisjoint(test.queries):
        return ", none of which is a test query"
    is_test = held_out.queries == test.queries and np.array_equal(held_out.values, test.values)
    return ", which are the test queries" if is_test else ""


def _number(value: float, digits: int) -> str:
    return "–" if math.isnan(value) else f"{value:.{digits}f}".replace("-", "−")


def _from_to(low: float, high: float, digits: int) -> str:
    ends = _number(low, digits), _number(high, digits)
    return ends[0] if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"
