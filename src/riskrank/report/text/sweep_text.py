"""A sweep in words and as a table."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from riskrank.errors import one_line
from riskrank.report.table import Table
from riskrank.report.text.formatting import aligned, decimals, signed
from riskrank.tradeoff.grid import SEVERAL, symbol

if TYPE_CHECKING:
    from riskrank.tradeoff.operating_point import OperatingPoint
    from riskrank.tradeoff.sweep import Sweep


def sweep_text(sweep: Sweep, point: OperatingPoint | None = None) -> str:
    """The table, what it means, and the operating point if one was chosen."""
    table = summary_table(sweep)
    folds = f", {sweep.n_folds} folds" if sweep.n_folds > 1 else ""
    lines = [
        f"{sweep.measure} against {one_line(sweep.baseline)}, {len(sweep.test.queries):,} test queries{folds}",
        "",
        aligned(table.header, table.rows, left=("series",)),
        "",
        *sweep_words(sweep),
    ]
    if point is not None:
        lines += ["", point_text(point)]
    return "\n".join(lines)


def summary_table(sweep: Sweep) -> Table:
    """What Tables 1 and 2 of Wang et al. 2012 and Table 2 of Bennett et al. 2015 show."""
    frame = sweep.summary
    others = list(sweep.test.others)
    header = [
        "series", symbol(sweep.parameter), sweep.measure, *others, "gain", "risk", "reward",
        "W/L/T", ">20 %", "% gain", "% risk", "re-ranked", "gain/R", "τ", "τ|R", "to 95 %",
    ]  # fmt: skip
    first = ["baseline", "", decimals(float(sweep.test.baseline.mean()))]
    first += [decimals(float(sweep.test.others[name][0])) for name in others]
    rows = [first + [""] * (len(header) - len(first))]
    for setting, row in zip(sweep.settings, frame.to_dicts(), strict=True):
        prefix = f"{symbol(setting.parameter)} = " if sweep.parameter == SEVERAL else ""
        steps = row[f"{sweep.unit}_to_95_percent"]
        rows.append(
            [
                one_line(row["series"], limit=30), f"{prefix}{setting.value:g}", decimals(row[sweep.measure]),
                *(decimals(row[name]) for name in others), signed(row["gain"]), decimals(row["risk"]),
                decimals(row["reward"]), f"{row['wins']}/{row['losses']}/{row['ties']}",
                str(row["losses_over_20_percent"]), _percent(row["gain_percent"]), _percent(row["risk_percent"]),
                f"{row['reranked']:.0%}", signed(row["gain_per_reranked"]), decimals(row["kendall_tau"], 3),
                decimals(row["kendall_tau_reranked"], 3),
                "" if steps is None or math.isnan(steps) else f"{steps:.0f} {sweep.unit}",
            ]
        )  # fmt: skip
    return Table(header, rows, kind="sweep")


def sweep_words(sweep: Sweep) -> list[str]:
    """What the table says."""
    test, reference = sweep.test, sweep.reference_model
    lines = []
    name = sweep.settings[reference].label
    if test.gain[reference] <= 0:
        return [f"{name} gains nothing on the test queries: there is nothing to trade."]
    for series in sweep.series:
        members = [i for i in sweep.members(series) if i != reference]
        if not members:
            continue
        last = members[-1]
        lines.append(
            f"{sweep.settings[last].label} keeps {test.gain[last] / test.gain[reference]:.0%} of the gain of {name} "
            f"with {test.risk[last] / test.risk[reference] if test.risk[reference] else 0:.0%} of its risk."
        )
    areas = ", ".join(f"{series} {value:.3f}" for series, value in sweep.areas().items())
    lines.append(f"Area under gain against risk (a coin has 0.500): {areas}.")
    if sweep.parameter == "alpha" and math.isfinite(sweep.alpha_of_interest):
        lines.append(
            f"Beyond α = {sweep.alpha_of_interest:.3g} (gain / risk of {name} on training queries), using a model less "
            "often does as well."
        )
    return lines


def point_text(point: OperatingPoint) -> str:
    """The operating point, why, and what it does on the test queries."""
    if point.index is None:
        return f"Operating point: {point.label}. {point.why}"
    return (
        f"Operating point: {point.label}. {point.why} On the test queries it gains {point.gain:.4f} with a risk of "
        f"{point.risk:.4f} and hurts {point.hurt:.1%} of them."
    )


def _percent(value: float | None) -> str:
    return "" if value is None or math.isnan(value) else f"{value:.0f} %"
