from __future__ import annotations

import numpy as np
import pytest

import riskrank as rr
from riskrank.assessment.topics_needed import EFFECTS, topics_needed
from riskrank.errors import ParameterError
from riskrank.report.text.power_text import power_text

RNG = np.random.default_rng(1)
OLD = RNG.uniform(0.2, 0.6, 40)
ROWS = {"old": OLD, "new": OLD + RNG.laplace(0.01, 0.05, 40), "same": OLD, "far\tgone": OLD + RNG.normal(0, 50, 40)}


def lines_of(rows, **options):
    assessment = rr.assess(rr.Effectiveness.from_rows(rows), "old", **options)
    title, table = power_text(assessment, topics_needed(assessment)).split("\n\n")
    header, *lines = table.splitlines()
    return title.replace("\n", " "), header, [line.split("  ") for line in lines]


def test_each_system_has_the_topics_that_each_gain_needs():
    title, header, lines = lines_of(ROWS)
    assert title.startswith("About how many topics it takes to see a gain in 4 of 5 cases (α = 0, p ≤ 0.05")
    assert header.split()[:4] == ["system", "+0.01", "+0.02", "+0.05"]
    assert [line[0] for line in lines] == ["new", "same", "far\\tgone"]
    needed = [rr.risk.power(ROWS["new"], OLD, effect=effect) for effect in EFFECTS]
    cells = [cell.strip() for cell in lines[0][1:] if cell.strip()]
    exact = [each.n_topics for each in needed]
    shown = [int(cell.replace(",", "")) for cell in cells[:-1]]
    assert all(n <= rounded <= 1.1 * n for n, rounded in zip(exact, shown, strict=True))  # two digits, rounded up
    assert {len(str(n).rstrip("0")) for n in shown} <= {1, 2}
    assert cells[-1] == f"{needed[0].smallest_effect:.3f}"


def test_where_nothing_can_be_said_there_is_a_dash():
    _, _, lines = lines_of(ROWS)
    assert [cell.strip() for cell in lines[1][1:] if cell.strip()] == ["–"] * 4
    assert "over 1,000,000" in "  ".join(lines[2])


def test_a_level_that_draws_cannot_tell_is_refused():
    with pytest.raises(ParameterError, match="level must be at least 0.001 for power"):
        lines_of(ROWS, level=1e-9)
