"""The one table of a sweep's page: a row per model, each against the one above it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from riskrank.report.findings.digits import RISK_DIGITS, Digits, risk_interval_text, risk_text, share_text
from riskrank.report.findings.sweeps.budget_fit import model_losses, point_loss, tested_queries
from riskrank.report.findings.sweeps.shown_gains import LEVEL, expected_changes, is_significant
from riskrank.report.page.plots.interval_glyph import interval_glyph
from riskrank.report.page.plots.scale import scale_around
from riskrank.report.page.sweeps.model_significance import point_verdict
from riskrank.risk.inference.unseen_losses import risk_interval
from riskrank.risk.outcomes import count_outcomes
from riskrank.risk.paired import difference

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.report.findings.sweeps.sweep_findings import ModelFinding, SweepFindings
    from riskrank.report.page.plots.interval_glyph import IntervalGlyph
    from riskrank.report.page.plots.scale import Scale
    from riskrank.risk.intervals import Interval
    from riskrank.tradeoff.judged_queries import JudgedQueries
    from riskrank.tradeoff.operating_point import OperatingPoint
    from riskrank.tradeoff.sweep import Sweep
    from riskrank.typing import Floats

BUDGET_KINDS = {"over": "loss", "fits": "gain", "chosen": "gain"}


class Change(NamedTuple):
    """What a step changes, and whether that is significant by itself: gain, loss or nothing."""

    text: str
    kind: str


class StepRow(NamedTuple):
    """A model, or the point between one and the baseline."""

    name: str
    is_chosen: bool
    verdict: str
    gain: str
    gain_interval: str
    gain_glyph: IntervalGlyph
    risk: str
    risk_interval: str
    risk_glyph: IntervalGlyph
    budget_kind: str
    outcomes: tuple[int, int] | None  # hurt and helped
    hurt_share: float
    helped_share: float
    hurt_text: str  # where a coin decides
    large: str
    gain_kept: str
    risk_kept: str
    gain_step: Change | None
    risk_step: Change | None
    budget: str
    tested_loss: str  # on the queries that test the budget; empty without one


@dataclass(frozen=True)
class StepsTable:
    """Rows, where 0 and the budget stand in the glyphs, and the baseline's score."""

    rows: list[StepRow]
    zero: float
    budget: float | None
    tested: str  # the queries that the budget was tested on; empty without one
    baseline: str
    score: str


def steps_table(sweep: Sweep, point: OperatingPoint | None, said: SweepFindings, verdicts: Sequence[str]) -> StepsTable:
    """All models in their order, with their verdicts, then the point where it is none of them."""
    test = sweep.test
    chosen = point if point is not None and point.index is not None else None
    changes = [*test.changes]
    if len(said.models) > len(changes) and chosen is not None:
        changes.append(expected_changes(chosen))
    limits = [risk_interval(test.mirror(each), 1 - LEVEL) for each in changes]
    budget = None
    if point is not None and point.control is not None and point.hurt_beyond is None:
        budget = point.control.budget
    gains = scale_around([0.0, *(value for model in said.models for value in (model.gain, *model.interval))])
    losses = [*(model.risk for model in said.models), *(limit for pair in limits for limit in pair)]
    risks = scale_around(losses if budget is None else [budget, *losses])
    cells = _StepCells(sweep, said.digits, gains, risks, _tested_losses(point, len(changes)))
    shown = verdicts if chosen is None else [*verdicts, point_verdict(chosen, verdicts)]
    rows = [
        cells.row(i, model, delta, interval, shown[i], chosen)
        for i, (model, delta, interval) in enumerate(zip(said.models, changes, limits, strict=True))
    ]
    score = said.digits.score(test.baseline_mean)
    tested = "" if point is None or point.control is None else tested_queries(point)
    place = None if budget is None else risks.place(budget)
    return StepsTable(rows, gains.place(0), place, tested, sweep.baseline, score)


@dataclass(frozen=True)
class _StepCells:
    sweep: Sweep
    digits: Digits
    gains: Scale
    risks: Scale
    tested_losses: list[str]

    def row(
        self,
        i: int,
        model: ModelFinding,
        changes: Floats,
        limits: Interval,
        verdict: str,
        chosen: OperatingPoint | None,
    ) -> StepRow:
        is_model = i < len(self.sweep)
        counts, hurt_text = None, ""
        if is_model or (chosen is not None and chosen.predictor is not None):
            outcomes = count_outcomes(changes[None], self.sweep.test.baseline)
            wins, losses, _, large = (int(each[0]) for each in outcomes)
            counts = losses, wins
            n_large = f"{large:,}"
        else:
            share = (0.0 if chosen is None else chosen.probability) * float(self.sweep.test.weigh(changes < 0).mean())
            hurt_text, n_large = f"{share:.1%} hurt, expected", ""
        gain_step, risk_step = self._steps(i) if is_model else (None, None)
        hurt, helped = counts or (0, 0)
        return StepRow(
            name=model.name,
            is_chosen=model.budget == "chosen" or (chosen is not None and chosen.is_used_always and chosen.index == i),
            verdict=verdict,
            gain=self.digits.gain(model.gain),
            gain_interval=self.digits.interval(model.interval),
            gain_glyph=interval_glyph(self.gains, model.gain, model.interval),
            risk=risk_text(model.risk),
            risk_interval=risk_interval_text(limits),
            risk_glyph=interval_glyph(self.risks, model.risk, limits),
            budget_kind=BUDGET_KINDS.get(model.budget, "open"),
            outcomes=counts,
            hurt_share=round(100 * hurt / max(1, len(changes)), 1),
            helped_share=round(100 * helped / max(1, len(changes)), 1),
            hurt_text=hurt_text,
            large=n_large,
            gain_kept=share_text(model.gain_kept),
            risk_kept=share_text(model.risk_kept),
            gain_step=gain_step,
            risk_step=risk_step,
            budget=model.budget,
            tested_loss=self.tested_losses[i],
        )

    def _steps(self, j: int) -> tuple[Change | None, Change | None]:
        """From the model before it in its series."""
        members = self.sweep.members(self.sweep.settings[j].series)
        if members.index(j) == 0:
            return None, None
        i, test = members[members.index(j) - 1], self.sweep.test
        lost = np.maximum(0.0, -test.changes)
        gained, risked = difference(test.values[j], test.values[i]), np.asarray(lost[j] - lost[i])
        gain_step = self.digits.gain(self.digits.difference(test.gain[j], test.gain[i]))
        risk_step = RISK_DIGITS.gain(RISK_DIGITS.difference(test.risk[j], test.risk[i]))
        return Change(gain_step, _kind(test, gained, better=1)), Change(risk_step, _kind(test, risked, better=-1))


def _tested_losses(point: OperatingPoint | None, n_rows: int) -> list[str]:
    """What each model, and the point after them, loses on the queries that test a budget."""
    if point is None or point.control is None:
        return [""] * n_rows
    losses = model_losses(point)
    losses += [point_loss(point)] * (n_rows - len(losses))
    return [risk_text(lost) if point.hurt_beyond is None else f"{lost:.1%}" for lost in losses]


def _kind(queries: JudgedQueries, changes: Floats, *, better: int) -> str:
    """Gain or loss where a step is significant by itself."""
    if not is_significant(queries, changes):
        return ""
    return "gain" if queries.weigh(changes).mean() * better > 0 else "loss"
