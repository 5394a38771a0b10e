"""The one table of a report: a row per system, with small pictures in its cells."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from riskrank.report.findings.assessment_findings import FEW_SYSTEMS, leader, rivals, system_numbers
from riskrank.report.findings.digits import digits_of, risk_text
from riskrank.report.page.plots.interval_glyph import IntervalGlyph
from riskrank.report.page.plots.scale import scale_around
from riskrank.report.page.plots.tradeoff_plot import is_on_chart
from riskrank.report.page.plots.verdict_marks import verdict_classes
from riskrank.report.page.plots.weight_rail import stop_place
from riskrank.report.page.system_names import split_names
from riskrank.weights import weighted_mean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.assessment.assessment import Assessment, SystemSummary
    from riskrank.report.findings.digits import Digits
    from riskrank.report.page.plots.scale import Scale
    from riskrank.report.page.system_names import Name

SHOWN_LOSSES = 0.25  # quantile of the gains that the scale of the glyphs reaches down to, if not farther


class UpTo(NamedTuple):
    """The largest alpha at which a gain is significant, in words, and its place on the rail."""

    text: str
    place: float


class Row(NamedTuple):
    """What is written and drawn of a system."""

    number: int
    name: Name
    score: str
    gain: str
    interval: str
    glyph: IntervalGlyph
    hurt: int
    helped: int
    hurt_share: float
    helped_share: float
    large: int
    risk: str
    risk_share: float
    is_far: bool
    up_to: UpTo
    verdict: str
    reason: str
    is_compared: bool  # its scores are all known


class BaselineRow(NamedTuple):
    """The row that stays at the top."""

    name: Name
    score: str


@dataclass(frozen=True)
class SystemsTable:
    """Rows by gain, the one that is chosen at first, where 0 stands in the glyphs, and the baseline."""

    rows: list[Row]
    chosen: Row | None
    zero: float
    baseline: BaselineRow


def is_tested(assessment: Assessment) -> bool:
    """Is there anything to test, and to draw?"""
    return len(assessment.scores.topics) > 1 and any(each.wins + each.losses for each in rivals(assessment))


def systems_table(assessment: Assessment, alpha: float) -> SystemsTable:
    """The table at one alpha."""
    compared = rivals(assessment)
    numbers = system_numbers(assessment)
    unknown = [each for each in assessment.systems if not each.is_baseline and math.isnan(each.gain)]
    drawn = [each for each, is_on in zip(compared, is_on_chart(compared), strict=True) if is_on]
    cells = _SystemCells(
        assessment,
        digits_of(assessment),
        _gain_scale(drawn),
        max((each.risk for each in drawn), default=0.0),
        verdict_classes(assessment.significance, alpha),
    )
    names = split_names([each.system for each in assessment.systems])
    rows = [cells.row(each, numbers[each.system], names[numbers[each.system]]) for each in [*compared, *unknown]]
    own = numbers.get(assessment.baseline)
    name = names[own] if own is not None else split_names([assessment.baseline])[0]
    mean = float(weighted_mean(assessment.baseline_scores, assessment.scores.relative_weights))
    score = assessment.systems[own].effectiveness if own is not None else mean
    best = leader(assessment)
    first = rows[0] if compared else None
    chosen = first if best is None else next(row for row in rows if row.number == numbers[best.system])
    return SystemsTable(rows, chosen, cells.gains.place(0), BaselineRow(name, cells.digits.score(score)))


def _gain_scale(systems: Sequence[SystemSummary]) -> Scale:
    """Of gains and their intervals; of many systems, losses have as much room as gains, or as most of them need, since
    intervals would be too short to be seen on a scale for the worst.
    """
    values = [0.0, *(limit for each in systems for limit in (*each.gain_interval, each.gain))]
    if len(systems) > FEW_SYSTEMS:
        lowest = min(-np.nanmax(values), np.quantile([each.gain for each in systems], SHOWN_LOSSES))
        values = [value for value in values if not value < lowest]
    return scale_around(values)


@dataclass(frozen=True)
class _SystemCells:
    """What all rows have in common."""

    assessment: Assessment
    digits: Digits
    gains: Scale
    largest_risk: float
    verdicts: Sequence[str]

    def row(self, system: SystemSummary, number: int, name: Name) -> Row:
        count = max(1, len(self.assessment.scores.topics))
        significance = self.assessment.significance
        share = min(100 * system.risk / self.largest_risk, 100.0) if self.largest_risk and system.risk else 0.0
        return Row(
            number=number,
            name=name,
            score=self.digits.score(system.effectiveness),
            gain=self.digits.gain(system.gain),
            interval=self.digits.interval(system.gain_interval),
            glyph=self._glyph(system),
            hurt=system.losses,
            helped=system.wins,
            hurt_share=round(100 * system.losses / count, 1),
            helped_share=round(100 * system.wins / count, 1),
            large=system.large_losses,
            risk=risk_text(system.risk),
            risk_share=0.0 if math.isnan(share) else round(share, 1),
            is_far=bool(self.largest_risk) and system.risk > self.largest_risk,
            up_to=up_to(significance.up_to(number), significance.alphas),
            verdict=self.verdicts[number],
            reason=system.at[0].reason,
            is_compared=not math.isnan(system.gain),
        )

    def _glyph(self, system: SystemSummary) -> IntervalGlyph:
        if math.isnan(system.gain):
            return IntervalGlyph(None, None, None)
        side = -1 if system.gain < self.gains.low else 1 if system.gain > self.gains.high else 0
        low, high = (
            None if math.isnan(limit) or side else self.gains.place(self.gains.within(limit))
            for limit in system.gain_interval
        )
        return IntervalGlyph(self.gains.place(self.gains.within(system.gain)), low, high, side)


def up_to(alpha: float | None, alphas: tuple[float, ...]) -> UpTo:
    """As the table has it."""
    if alpha is None:
        return UpTo("never", 0.0)
    more = "+" if alpha == alphas[-1] and len(alphas) > 1 else ""
    return UpTo(f"α = {alpha:g}{more}", stop_place(alphas.index(alpha), len(alphas)))
