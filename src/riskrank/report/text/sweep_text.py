"""A sweep on a terminal: the first screen, and all numbers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from riskrank.errors import one_line
from riskrank.report.findings.digits import risk_text, share_text
from riskrank.report.findings.sweeps.model_words import kept_text, model_name, risked_text
from riskrank.report.findings.sweeps.shown_gains import has_gain
from riskrank.report.findings.sweeps.sweep_findings import sweep_findings
from riskrank.report.findings.words import counted, joined, one_sentence, queries_counted, words
from riskrank.report.table import Table
from riskrank.report.text.formatting import aligned, decimals, display_width, signed
from riskrank.report.text.system_table import shortened
from riskrank.report.text.terminal import WIDTH, interval_glyphs, paragraph, style
from riskrank.tradeoff.grid import SEVERAL, symbol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.report.findings.digits import Digits
    from riskrank.report.findings.sweeps.sweep_findings import ModelFinding, SweepFindings
    from riskrank.tradeoff.operating_point import OperatingPoint
    from riskrank.tradeoff.sweep import Sweep

MOST_MODELS = 8
WIDEST_GLYPH = 16
INTERVAL = "95% interval"


def sweep_text(sweep: Sweep, point: OperatingPoint | None = None, *, styled: bool = False) -> str:
    """The first screen: which model to use, one table, and what the steps and the guarantee are."""
    said = sweep_findings(sweep, point)
    baseline = f"{one_line(sweep.baseline)} ({said.digits.score(sweep.test.baseline_mean)})"
    folds = f" in {sweep.n_folds} folds" if sweep.n_folds > 1 else ""
    series = f"{sweep.series[0]} " if len(sweep.series) == 1 else ""
    context = f"{sweep.measure}, {series}against {baseline}, {queries_counted(sweep.test)}{folds}"
    below = "\n".join(paragraph(words(each)) for each in (said.step, said.guarantee) if each)
    first = paragraph(joined(said.headline, said.beside), styled=styled)
    table, legend = _model_table(sweep, said, styled=styled), _legend(sweep, said, point)
    parts = (first, paragraph(words(one_sentence(context))), table, legend, below)
    return "\n\n".join(part for part in parts if part)


def _model_table(sweep: Sweep, said: SweepFindings, *, styled: bool) -> str:
    """A line per model, and one for the point that was chosen; columns that say nothing are left out."""
    shown = _shown(said.models)
    rows = [_model_cells(model, said.digits) for model in shown]
    titles = {
        "model": symbol(sweep.parameter) if len(sweep.series) == 1 else "model", "gain": "gain", "gain_kept": "kept",
        "interval": INTERVAL, "risk": "risk", "risk_kept": "kept", "hurt": "hurt", "large": ">20%",
        "budget": "budget" if said.guarantee else "",
    }  # fmt: skip
    titles = {name: title for name, title in titles.items() if any(row[name] not in ("", "–") for row in rows)}
    columns = [[title, *(row[name] for row in rows)] for name, title in titles.items()]
    widths = [max(map(display_width, column)) for column in columns]
    width = min(max(WIDTH - sum(widths) - 2 * len(widths) + len(INTERVAL), len(INTERVAL)), WIDEST_GLYPH)
    glyphs = interval_glyphs([(model.interval[0], model.gain, model.interval[1]) for model in shown], width)
    cells = [[(row | {"interval": glyph})[name] for name in titles] for row, glyph in zip(rows, glyphs, strict=True)]
    lines = aligned(list(titles.values()), cells, left=(titles["model"], INTERVAL, "budget", "")).splitlines()
    for i, model in enumerate(shown, start=1):
        if styled and model.budget == "chosen":
            lines[i] = style(lines[i], "strong")
    n_more = len(said.models) - len(shown)
    return "\n".join([*lines, *([f"… and {n_more} more model{'' if n_more == 1 else 's'}"] if n_more else [])])


def _shown(models: Sequence[ModelFinding]) -> list[ModelFinding]:
    """All, or of very many the first, and always the one that was chosen and the last."""
    if len(models) <= MOST_MODELS:
        return list(models)
    kept = [model for model in models[:-1] if model.budget == "chosen"]
    first = [model for model in models[:-1] if model not in kept][: MOST_MODELS - 1 - len(kept)]
    return [model for model in models if model in first or model in kept or model is models[-1]]


def _model_cells(model: ModelFinding, digits: Digits) -> dict[str, str]:
    return {
        "model": shortened(model.label), "gain": digits.gain(model.gain), "gain_kept": share_text(model.gain_kept),
        "interval": INTERVAL, "risk": risk_text(model.risk), "risk_kept": share_text(model.risk_kept),
        "hurt": f"{model.hurt:,.0f}", "large": "" if model.large_losses is None else f"{model.large_losses:,}",
        "budget": model.budget,
    }  # fmt: skip


def _legend(sweep: Sweep, said: SweepFindings, point: OperatingPoint | None) -> str:
    """What the columns are, and what becomes of queries that a point leaves out."""
    parts = ["α: losses weigh 1 + α in training"] if sweep.parameter == "alpha" else []
    if any(not math.isnan(share) for model in said.models for share in (model.gain_kept, model.risk_kept)):
        parts.append(f"kept: share of {model_name(sweep, sweep.reference_model)}'s")
    parts += ["risk: mean loss", "hurt: queries that lose", ">20%: over a fifth"]
    if point is not None and point.probability < 1:
        parts.append(f"on {point.probability:.0%}: baseline on the rest")
    return paragraph(words("; ".join(parts)))


def sweep_numbers(sweep: Sweep, point: OperatingPoint | None = None) -> str:
    """All numbers: the table, what it means, and the operating point if one was chosen."""
    table = summary_table(sweep)
    folds = f", {sweep.n_folds} folds" if sweep.n_folds > 1 else ""
    lines = [
        f"{sweep.measure} against {one_line(sweep.baseline)}, {queries_counted(sweep.test)}{folds}",
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
    first = ["baseline", "", decimals(sweep.test.baseline_mean)]
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
                "" if steps is None or math.isnan(steps) else counted(round(steps), sweep.unit.removesuffix("s")),
            ]
        )  # fmt: skip
    return Table(header, rows, kind="sweep")


def _notes_on_columns(sweep: Sweep) -> list[str]:
    reference = sweep.settings[sweep.reference_model].label
    return [
        "Gain, risk, reward: mean change, loss, win per query. W/L/T: queries won, lost, tied; >20%: those that lose "
        f"more than a fifth. Kept: of the gain and risk of {reference}.",
        "τ: Kendall's, with the baseline's ranking. gain/R, τ|R: of re-ranked queries only. to 95%: until "
        "effectiveness in training has gone 95% of the way from the baseline's to its last value.",
    ]


def sweep_words(sweep: Sweep) -> list[str]:
    """What the table says."""
    test, reference = sweep.test, sweep.reference_model
    lines = []
    name = sweep.settings[reference].label
    if test.gain[reference] <= 0:
        best = int(test.gain.argmax())
        most = "there is nothing to trade"
        if test.gain[best] > 0:
            most = f"{sweep.settings[best].label} gains most, {signed(float(test.gain[best]))}"
        return [f"{name} gains nothing on the test queries: {most}."]
    if not has_gain(sweep):
        lines.append(f"The gain of {name} could be chance: shares of it say little.")
    for series in sweep.series if has_gain(sweep) else ():
        members = [i for i in sweep.members(series) if i != reference]
        if not members:
            continue
        last = members[-1]
        kept = kept_text(float(test.gain[last] / test.gain[reference]), name)
        risked = risked_text(float(test.risk[last] / test.risk[reference]) if test.risk[reference] else math.nan)
        lines.append(f"{sweep.settings[last].label} {kept}{risked}.")
    areas = ", ".join(f"{series} {value:.3f}" for series, value in sweep.areas().items())
    lines.append(f"Area under gain against risk (at random: 0.500): {areas}.")
    if sweep.parameter == "alpha" and math.isfinite(sweep.alpha_of_interest):
        lines.append(alpha_of_interest_text(sweep, name))
    return lines


def alpha_of_interest_text(sweep: Sweep, name: str) -> str:
    """Up to which alpha the reference model beats the baseline (Wang et al. 2012, section 5.7)."""
    return (
        f"On training queries gain / risk of {name} is {sweep.alpha_of_interest:.3g}: up to that α its URisk is above "
        "the baseline's."
    )


def point_text(point: OperatingPoint) -> str:
    """The operating point, why, and what it does on the test queries."""
    if point.index is None:
        return f"Operating point: {point.label}. {point.why}"
    return (
        f"Operating point: {point.label}. {point.why} On the test queries it gains {point.gain:.4f} with a risk of "
        f"{point.risk:.4f} and hurts {point.hurt:.0%} of them."
    )
