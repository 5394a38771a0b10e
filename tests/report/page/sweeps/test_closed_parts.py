"""What is closed at first: all numbers, and how they were computed."""

from __future__ import annotations

import numpy as np
import pytest

from riskrank.report.findings.sweeps.model_words import point_name
from riskrank.report.page.sweeps.closed_parts import (
    areas,
    budget_part,
    closed_tables,
    distance,
    sweep_definitions,
    training,
)
from riskrank.report.text.sweep_text import summary_table

from ....tradeoff.synthetic_sweeps import judged, selective_sweep
from ..page_text import rows_of
from .swept import BOLD, CAREFUL, swept


def test_all_numbers_are_there(two_models):
    page = two_models.to_html()
    assert rows_of(page, "sweep") == [[str(cell) for cell in row] for row in summary_table(two_models).rows]
    assert [table.title for table in closed_tables(two_models)] == [
        "Training", "How far the rankings move", "Other ways to risk less", "All numbers",
    ]  # fmt: skip


def test_training_says_when_each_model_was_nearly_done(two_models):
    table = training(two_models)
    assert table.about == "95% of the last gain after 2 trees"
    assert table.table.rows == [["α = 0", "2", "2", "0.4000"], ["α = 5", "2", "2", "0.4000"]]
    assert training(swept(BOLD, learning=((np.zeros(0),),))).about == "no validation"
    assert training(swept(BOLD, learning_baseline=((0.4,),))).about == "no gain over the baseline"
    assert training(swept(BOLD, learning=((np.array([0.4, 0.4]),),))).about == "95% of the last gain after 1 tree"


def test_the_distance_is_that_of_kendall(two_models):
    first = distance(two_models).table.rows[0]
    assert first[:3] == ["α = 0", "0.500", "100%"]  # a distance of 0.25 is a tau of 0.5
    assert [cell for cell in first[3:] if cell != "0%"] == ["100%"]


def budget_of(point):
    return budget_part(point, point.control)


def test_what_tests_the_budget_is_told_of_every_model():
    valid = judged(np.array([BOLD, 0.85 * BOLD, 0.8 * BOLD, CAREFUL]))  # risks 0.05, 0.0425, 0.04, 0.0075
    sweep = swept(BOLD, 0.85 * BOLD, 0.8 * BOLD, CAREFUL, values=[0, 1, 5, 10])
    table = budget_of(sweep.guarantee(0.045))
    assert table.about == "mean loss at most 0.045, 400 validation queries"
    assert table.table.rows == [
        ["α = 0", "0.0500", "over"],
        ["α = 1", "0.0425", "unclear (not tested)"],  # α = 5 was not shown to fit
        ["α = 5", "0.0400", "unclear"],
        ["α = 10", "0.0075", "fits"],
        ["α = 5 on 95% of queries", "0.0380", "fits, chosen"],
    ]
    calibrated = swept(BOLD, 0.85 * BOLD, 0.8 * BOLD, CAREFUL, values=[0, 1, 5, 10], calibration=valid)
    assert budget_of(calibrated.guarantee(0.045)).table.header[1] == "mean loss, 400 calibration queries"


def test_the_note_of_the_budget_says_what_was_tested():
    end = "end with the first that is not shown to fit."
    sweep = swept(BOLD, CAREFUL)
    best = "Of those that fit, the one that gains most on the 400 validation queries is chosen."
    assert budget_of(sweep.guarantee(0.02)).note == f"Points are tested from the most careful on; tests {end} {best}"
    assert budget_of(sweep.guarantee(0.00001)).note.endswith(f"{end} None is shown to fit.")
    lost = swept(-BOLD)
    assert budget_of(lost.guarantee(0.4)).note.endswith(f"{end} None of those that fit gains there.")
    two = swept(BOLD, CAREFUL, values=[0, 0], series=["URisk", "SARO"])
    assert budget_of(two.guarantee(0.02)).note.startswith("Points are tested from the most careful on, in each series;")
    selective = selective_sweep().guarantee(0.05, via="x")
    assert budget_of(selective).note.startswith("Models were not tested: points are α = 0 on more and more queries, by")


@pytest.mark.parametrize(("via", "budget"), [("mixed", 0.02), ("x", 0.05)])
def test_a_point_between_two_models_is_in_the_table_of_the_budget(via, budget):
    sweep = selective_sweep()
    point = sweep.guarantee(budget, via=via)
    name, lost, state = budget_of(point).table.rows[-1]
    assert not point.is_used_always
    assert (name, state) == (point_name(point), "fits, chosen")
    assert float(lost) == pytest.approx(point.risk, abs=1e-4)  # calibration and test queries are the same


def test_areas_stand_beside_the_coin(two_models):
    rows = areas(two_models).table.rows
    assert rows[-1] == ["at random", "0.500", "0.500"]
    assert float(rows[0][1]) == pytest.approx(two_models.areas()["URisk"], abs=5e-4)


def test_a_guarantee_is_explained_where_there_is_one(two_models, guaranteed):
    assert "Guarantee" not in dict(sweep_definitions(two_models, None))
    said = dict(sweep_definitions(two_models, guaranteed))["Guarantee"]
    assert "400 validation queries, which are the test queries (betting): with a probability of 90%" in said
    for queries, beside in (
        ([f"v{i}" for i in range(400)], ", none of which is a test query"),
        ([*map(str, range(400))], ""),  # the same names, and other values
        (["0", *(f"v{i}" for i in range(399))], ""),
    ):
        other = swept(BOLD, CAREFUL, valid=judged(np.array([0.9 * BOLD, CAREFUL]), queries=queries))
        said = dict(sweep_definitions(other, other.guarantee(0.02)))["Guarantee"]
        assert f"400 validation queries{beside} (betting)" in said
    chosen = two_models.choose("risk", max_risk=0.01)
    assert dict(sweep_definitions(two_models, chosen))["Chosen"] == chosen.why
