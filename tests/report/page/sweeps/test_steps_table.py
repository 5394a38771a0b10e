"""The one table of a sweep: its numbers are the library's, each step against the row above."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from riskrank.report.findings.sweeps.sweep_findings import sweep_findings
from riskrank.report.page.sweeps.model_significance import model_significance, model_verdicts
from riskrank.report.page.sweeps.steps_table import steps_table

from ..page_text import rows_of
from .swept import BOLD, CAREFUL, SIGNS, swept


def table_of(sweep, point=None):
    return steps_table(sweep, point, sweep_findings(sweep, point), model_verdicts(model_significance(sweep)))


def test_the_steps_are_those_of_the_library(two_models, guaranteed):
    page = two_models.to_html(point=guaranteed)
    baseline, bold, careful, chosen = rows_of(page, "systems steps-table")
    assert baseline[:2] == ["feature:1 baseline", "nDCG@10 0.5000"]
    # Gain, risk, hurt and helped, more than a fifth worse, gain and risk kept.
    assert bold[:8] == ["α = 0", "+0.1000", "0.0500", "over 0.0500", "100 300", "100", "100%", "100%"]
    assert careful[:8] == ["α = 5", "+0.0300", "0.0075", "over 0.0075", "100 300", "0", "30%", "15%"]
    assert bold[8] == ""
    assert careful[8] == "−0.0700 gain −0.0425 risk"
    share = guaranteed.probability
    assert chosen[:5] == [
        f"α = 5 on {share:.0%}", f"+{share * 0.03:.4f}", f"{share * 0.0075:.4f}", f"chosen {share * 0.0075:.4f}",
        f"{share * 0.25:.1%} hurt, expected",
    ]  # fmt: skip
    assert chosen[6:] == [f"{share * 0.3:.0%}", f"{share * 0.15:.0%}", ""]


def test_only_a_guarantee_has_a_column_of_the_budget(two_models):
    page = two_models.to_html(point=two_models.choose("risk", max_risk=0.01))
    assert rows_of(page, "systems steps-table")[2][:4] == ["α = 5 chosen", "+0.0300", "0.0075", "100 300"]


def test_models_that_are_off_the_chart_stay_in_the_table():
    deltas = [(1 + 0.01 * k) * CAREFUL for k in range(10)] + [-BOLD * 4]
    assert len(table_of(swept(*deltas)).rows) == 11


def test_changes_that_are_significant_by_themselves_are_marked(two_models):
    _, step = table_of(two_models).rows
    assert (step.gain_step.kind, step.risk_step.kind) == ("loss", "gain")  # less gain, and less risk
    rng = np.random.default_rng(0)
    _, noise = table_of(swept(BOLD, BOLD + rng.normal(0, 0.01, len(BOLD)))).rows
    assert noise.gain_step.kind == ""


def test_a_step_is_the_difference_of_the_numbers_that_are_written():
    # Gains 0.10006 and 0.10004 are written 0.1001 and 0.1000, their difference of 0.00002 is not.
    _, row = table_of(swept(BOLD + 0.00006, BOLD + 0.00004)).rows
    assert row.gain_step.text == "−0.0001"


def test_a_series_begins_without_a_step():
    rows = table_of(swept(BOLD, CAREFUL, 0.5 * BOLD, values=[0, 5, 0], series=["URisk", "URisk", "SARO"])).rows
    assert [row.gain_step is None for row in rows] == [True, False, True]


def test_a_budget_is_on_the_scale_of_mean_losses(two_models, guaranteed):
    table = table_of(two_models, guaranteed)
    assert [row.budget_kind for row in table.rows] == ["loss", "loss", "gain"]
    assert table.rows[2].risk_glyph.middle < table.budget < table.rows[1].risk_glyph.middle
    assert table_of(two_models).budget is None


@pytest.mark.parametrize(("scale", "verdict"), [(1.0, "gain"), (0.0, "open")])
def test_a_point_has_the_verdict_of_its_own_changes(scale, verdict):
    noise = np.random.default_rng(2).normal(0, 0.1, len(SIGNS))
    sweep = swept(scale * BOLD + noise - noise.mean(), values=[0])
    point = dataclasses.replace(sweep.choose("risk", max_risk=1.0), index=0, probability=0.5).measured()
    *_, chosen = table_of(sweep, point).rows
    assert (chosen.is_chosen, chosen.verdict) == (True, verdict)
