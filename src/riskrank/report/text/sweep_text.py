"""A sweep on a terminal: the first screen, and all numbers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from riskrank.errors import one_line
from riskrank.report.findings.digits import risk_text, share_text
from riskrank.report.findings.sweep_findings import sweep_findings
from riskrank.report.findings.words import counted, joined, one_sentence, words
from riskrank.report.table import Table
from riskrank.report.text.formatting import aligned, decimals, display_width, signed
from riskrank.report.text.system_table import shortened
from riskrank.report.text.terminal import WIDTH, interval_glyphs, paragraph, style
from riskrank.tradeoff.grid import SEVERAL, symbol

if TYPE_CHECKING:
    from riskrank.report.findings.digits import Digits
    from riskrank.report.findings.sweep_findings import ModelFinding, SweepFindings
    from riskrank.tradeoff.operating_point import OperatingPoint
    from riskrank.tradeoff.sweep import Sweep

MOST_MODELS = 12
WIDEST_GLYPH, NARROWEST_GLYPH = 16, 12


def sweep_text(sweep: Sweep, point: OperatingPoint | None = None, *, styled: bool = False) -> str:
    """The first screen: which model to use, one table, and what the steps and the guarantee are."""
    said = sweep_findings(sweep, point)
    baseline = f"{one_line(sweep.baseline)} ({said.digits.score(float(sweep.test.baseline.mean()))})"
    folds = f" in {sweep.n_folds} folds" if sweep.n_folds > 1 else ""
    series = f"{sweep.series[0]} " if len(sweep.series) == 1 else ""
    context = f"{sweep.measure}, {series}against {baseline}, {counted(len(sweep.test.queries), 'test query')}{folds}"
    below = "\n".join(paragraph(words(each)) for each in (said.step, said.guarantee) if each)
    first = paragraph(joined(said.headline, said.beside), styled=styled)
    table = _model_table(sweep, said, styled=styled)
    return "\n\n".join(part for part in (first, paragraph(words(one_sentence(context))), table, below) if part)


def _model_table(sweep: Sweep, said: SweepFindings, *, styled: bool) -> str:
    """A line per model, and one for the point that was chosen."""
    is_guaranteed = any(model.budget for model in said.models)
    title = symbol(sweep.parameter) if len(sweep.series) == 1 else "model"
    header = [
        title,
        "gain",
        "kept",
        "95% interval",
        "risk",
        "kept",
        "hurt",
        ">20%",
        *(["budget"] if is_guaranteed else []),
    ]
    shown = said.models if len(said.models) <= MOST_MODELS else [*said.models[: MOST_MODELS - 1], said.models[-1]]
    rows = [_model_cells(model, said.digits) for model in shown]
    others = [[*row[:3], *row[4:]] for row in rows]
    titles = [*header[:3], *header[4:]]
    taken = sum(2 + max(map(display_width, column)) for column in zip(titles, *others, strict=False))
    width = min(max(WIDTH - taken, NARROWEST_GLYPH), WIDEST_GLYPH)
    glyphs = interval_glyphs([(model.interval[0], model.gain, model.interval[1]) for model in shown], width)
    cells = [[*row[:3], glyph, *row[4:]][: len(header)] for row, glyph in zip(rows, glyphs, strict=True)]
    lines = aligned(header, cells, left=(title, "95% interval", "budget")).splitlines()
    for i, model in enumerate(shown, start=1):
        if styled and model.budget == "chosen":
            lines[i] = style(lines[i], "strong")
    n_more = len(said.models) - len(shown)
    return "\n".join([*lines, *([f"… and {n_more} more models"] if n_more else [])])


def _model_cells(model: ModelFinding, digits: Digits) -> list[str]:
    large = "" if model.large_losses is None else f"{model.large_losses:,}"
    return [
        shortened(model.label), digits.gain(model.gain), share_text(model.gain_kept), "", risk_text(model.risk),
        share_text(model.risk_kept), f"{model.hurt:,.0f}", large, model.budget,
    ]  # fmt: skip


def sweep_numbers(sweep: Sweep, point: OperatingPoint | None = None) -> str:
    """All numbers: the table, what it means, and the operating point if one was chosen."""
    table = summary_table(sweep)
    folds = f", {sweep.n_folds} folds" if sweep.n_folds > 1 else ""
    lines = [
        f"{sweep.measure} against {one_line(sweep.baseline)}, {len(sweep.test.queries):,} test queries{folds}",
        "",
        aligned(table.header, table.rows, left=("series",)),
        "",
        *sweep_words(sweep),
        *_notes_on_columns(sweep),
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
        "W/L/T", ">20%", "gain kept", "risk kept", "re-ranked", "gain/R", "τ", "τ|R", "to 95%",
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
                str(row["losses_over_20_percent"]), share_text(row["gain_percent"] / 100),
                share_text(row["risk_percent"] / 100), f"{row['reranked']:.0%}", signed(row["gain_per_reranked"]),
                decimals(row["kendall_tau"], 3), decimals(row["kendall_tau_reranked"], 3),
                "" if steps is None or math.isnan(steps) else f"{steps:.0f} {sweep.unit}",
            ]
        )  # fmt: skip
    return Table(header, rows, kind="sweep")


def _notes_on_columns(sweep: Sweep) -> list[str]:
    reference = sweep.settings[sweep.reference_model].label
    return [
        "Gain, risk, reward: mean change, loss, win per query. W/L/T: queries won, lost, tied; >20%: those that lose "
        f"more than a fifth. Kept: of the gain and risk of {reference}.",
        "τ: Kendall's, with the baseline's ranking. gain/R, τ|R: of re-ranked queries only. to 95%: until "
        "effectiveness is 95% of its last value in training.",
    ]


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
        f"{point.risk:.4f} and hurts {point.hurt:.0%} of them."
    )
