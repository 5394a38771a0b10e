"""A sweep on a terminal: the first screen, and all numbers."""

from __future__ import annotations

import numpy as np
import pytest

from riskrank.report.text.formatting import display_width
from riskrank.report.text.sweep_text import point_text, summary_table, sweep_numbers, sweep_text, sweep_words

from ...tradeoff.synthetic_sweeps import judged, synthetic_sweep

N = 400
SIGNS = np.where(np.arange(N) % 4 == 0, -1.0, 1.0)  # a quarter loses
BOLD = 0.2 * SIGNS  # gain 0.1, risk 0.05
CAREFUL = np.where(SIGNS > 0, 0.05, -0.03)  # gain 0.0375 − 0.0075 = 0.03, risk 0.0075


def swept(*deltas, **options):
    test = judged(np.array(deltas))
    return synthetic_sweep(test, valid=test, **options)


def table_of(text):
    return [line.split() for line in text.split("\n\n")[2].splitlines()]


def test_the_first_screen():
    first, context, table = sweep_text(swept(BOLD, CAREFUL, values=[0, 5])).split("\n\n")[:3]
    assert first.startswith("α = 5 ")
    assert context == "nDCG@10, URisk against feature:1 (0.5000), 400 test queries"
    header, bold, careful = (line.split() for line in table.splitlines())
    assert header == ["α", "gain", "kept", "95%", "interval", "risk", "kept", "hurt", ">20%"]
    assert (bold[:3], bold[-4:]) == (["0", "+0.1000", "100%"], ["0.0500", "100%", "100", "100"])
    assert (careful[:3], careful[-4:]) == (["5", "+0.0300", "30%"], ["0.0075", "15%", "100", "0"])


def test_a_budget_has_a_column_and_the_point_a_line():
    sweep = swept(BOLD, CAREFUL, values=[0, 5])
    point = sweep.guarantee(0.004)
    header, *rows = table_of(sweep_text(sweep, point))
    assert header[-1] == "budget"
    assert [row[-1] for row in rows] == ["over", "over", "chosen"]
    assert rows[-1][:3] == ["5", "on", f"{point.probability:.0%}"]
    assert "\x1b[1m5 on " in sweep_text(sweep, point, styled=True)


def test_several_series_have_a_column_of_models():
    sweep = swept(BOLD, CAREFUL, BOLD, CAREFUL, values=[0, 5, 0, 5], series=["URisk", "URisk", "SARO", "SARO"])
    assert table_of(sweep_text(sweep))[0][0] == "model"


@pytest.mark.parametrize("n_models", [1, 4, 12, 30])
def test_every_line_fits_a_terminal(n_models):
    deltas = [BOLD * (1 - i / 40) for i in range(n_models)]
    sweep = swept(*deltas, series=["a long name of a series"] * n_models)
    for point in (None, sweep.guarantee(0.03)):
        text = sweep_text(sweep, point)
        assert max(map(display_width, text.splitlines())) <= 79
        assert len(text.splitlines()) <= 24


def test_all_numbers_hold_a_row_per_model_below_the_baselines():
    sweep = swept(BOLD, CAREFUL, values=[0, 5])
    table = summary_table(sweep)
    assert [row[:3] for row in table.rows] == [
        ["baseline", "", "0.5000"],
        ["URisk", "0", "0.6000"],
        ["URisk", "5", "0.5300"],
    ]
    careful = dict(zip(table.header, table.rows[2], strict=True))
    assert (careful["W/L/T"], careful[">20%"], careful["gain kept"]) == ("300/100/0", "0", "30%")
    assert careful["risk kept"] == "15%"
    title, _, header, *_ = sweep_numbers(sweep).splitlines()
    assert title == "nDCG@10 against feature:1, 400 test queries"
    assert header.split()[:3] == ["series", "α", "nDCG@10"]


def test_what_the_numbers_say():
    said = sweep_words(swept(BOLD, CAREFUL, values=[0, 5]))
    assert said[0] == "URisk, α = 5 keeps 30% of the gain of URisk, α = 0 at 15% of its risk."
    assert said[1].startswith("Area under gain against risk (at random: 0.500): URisk 0.")
    assert said[2].startswith(
        "On training queries gain / risk of URisk, α = 0 is 5: up to that α its URisk is above "
    )  # 0.1 / 0.02
    assert sweep_words(swept(-BOLD)) == ["URisk, α = 0 gains nothing on the test queries: there is nothing to trade."]


def test_columns_without_a_number_are_left_out_and_those_there_are_are_explained():
    text = sweep_text(swept(-BOLD, CAREFUL, values=[0, 5]))
    assert table_of(text)[0] == ["α", "gain", "95%", "interval", "risk", "kept", "hurt", ">20%"]
    legend = text.split("\n\n")[3].replace("\n", " ")
    assert legend == (
        "α: losses weigh 1 + α in training; kept: share of α = 0's; risk: mean loss; hurt: queries that lose; >20%: "
        "over a fifth"
    )
    sweep = swept(BOLD, CAREFUL, values=[0, 5])
    point = sweep.guarantee(0.004)
    legend = sweep_text(sweep, point).split("\n\n")[3].replace("\n", " ")
    assert legend.endswith(f"; on {point.probability:.0%}: baseline on the rest")


def test_a_point_without_a_guarantee_has_no_budget():
    sweep = swept(BOLD, CAREFUL, values=[0, 5])
    header, _, careful = table_of(sweep_text(sweep, sweep.choose("risk", max_risk=0.01)))
    assert header[-1] == ">20%"
    assert careful[-1] == "chosen"


def test_of_very_many_models_the_chosen_one_is_shown():
    sweep = swept(*[BOLD * (1 - i / 40) for i in range(30)])
    point = sweep.choose("risk", max_risk=0.05 * (1 - 17 / 40) + 1e-9)
    assert point.index == 17
    lines = sweep_text(sweep, point).split("\n\n")[2].splitlines()
    assert [line.split()[0] for line in lines[1:9]] == [*map(str, range(6)), "17", "29"]
    assert lines[9] == "… and 22 more models"


def test_a_point_in_words():
    sweep = swept(BOLD, CAREFUL, values=[0, 5])
    told = point_text(sweep.choose("risk", max_risk=0.01))
    assert told.startswith("Operating point: URisk, α = 5. It gains most of those with a risk up to 0.01")
    assert told.endswith(" On the test queries it gains 0.0300 with a risk of 0.0075 and hurts 25% of them.")
    kept = point_text(sweep.guarantee(0.00001))
    assert kept.startswith("Operating point: keep the baseline, feature:1. ")
