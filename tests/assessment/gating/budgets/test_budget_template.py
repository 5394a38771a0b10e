from __future__ import annotations

import re
import tomllib
from datetime import date

import numpy as np
import pytest

import riskrank as rr
from riskrank.assessment.gating.budgets.budget_file import read_budget
from riskrank.assessment.gating.budgets.budget_template import budget_template

RNG = np.random.default_rng(1)
OLD = RNG.uniform(0.2, 0.8, 40)


@pytest.mark.parametrize("spread", [0.0, 0.02, 0.3])
def test_the_present_state_passes_by_it(tmp_path, spread):
    new = OLD + RNG.normal(-spread, spread, 40)
    scores = rr.Effectiveness.from_rows({"old": OLD, "new": new}, measure="AP")
    text = budget_template(rr.gate(scores, "new", "old"), today=date(2026, 11, 17))
    (tmp_path / "budget.toml").write_text(text)
    assert rr.gate(scores, "new", "old", budget=tmp_path / "budget.toml").passed
    assert "until = 2027-02-15" in text


def test_a_good_state_has_the_default_limits(tmp_path):
    scores = rr.Effectiveness.from_rows({"old": OLD, "new": OLD + 0.01}, measure="AP")
    (tmp_path / "budget.toml").write_text(budget_template(rr.gate(scores, "new", "old"), today=date(2026, 1, 1)))
    assert read_budget(tmp_path / "budget.toml") == rr.GateBudget(
        limits=rr.risk.Budget().or_default(), measures=("AP",)
    )


def test_what_is_commented_out_can_be_used(tmp_path):
    scores = rr.Effectiveness.from_rows({"old": OLD, "new": OLD}, measure="AP")
    text = budget_template(rr.gate(scores, "new", "old"), today=date(2026, 1, 1))
    text = text.replace('measures = ["AP"]', 'measures = ["AP", "RR"]')
    used = "\n".join(re.sub(r"^# ([a-z_]+ = |\[)", r"\1", line) for line in text.splitlines())
    content = tomllib.loads(used)
    assert {"segments", "weights", "must_not_break", "measure", "segment", "accepted"} <= content.keys()
    (tmp_path / "budget.toml").write_text(used)
    assert read_budget(tmp_path / "budget.toml").accepted[0].topic == "1"


def test_names_cannot_break_out_of_their_line(tmp_path):
    scores = rr.Effectiveness.from_rows(
        {"old\n[x]": OLD, 'n"\\': OLD}, measure="AP", topics=[f'"\n{i}\\' for i in range(40)]
    )
    text = budget_template(rr.gate(scores, 'n"\\', "old\n[x]"), today=date(2026, 1, 1))
    (tmp_path / "budget.toml").write_text(text)
    assert not read_budget(tmp_path / "budget.toml").limits.is_empty
    tomllib.loads("\n".join(re.sub(r"^# (must_not_break = )", r"\1", line) for line in text.splitlines()))
