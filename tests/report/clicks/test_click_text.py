"""What was learned from clicks, as text: the table and the words."""

from __future__ import annotations

import dataclasses
import math
import re

import numpy as np
import pytest

from riskrank.report.clicks.click_text import (
    SIGNIFICANT,
    click_cells,
    click_header,
    click_numbers,
    click_text,
    click_words,
)
from riskrank.report.text.formatting import display_width
from riskrank.tradeoff.clicks.click_table import PARITY, STANDARD, click_table, method_standings

from ...tradeoff.synthetic_clicks import PREFERENCE, RISK, points, synthetic_click_sweep
from .click_sweeps import COLUMNS, METHODS, MODELS, ROW

# The table.


def test_a_row_is_shown_in_hundredths():
    assert click_cells(ROW) == [
        STANDARD, "α = 0", "61.71", "+0.488*", "+1.09", "44.91", "100.00", "100.00", "94.45", "87.64", "0.0312",
    ]  # fmt: skip
    loss = dataclasses.replace(ROW, gain=-0.0037, gain_share=-0.7588, gain_per_reranked=-0.0037, p_value=0.122)
    assert click_cells(loss)[3:8] == ["−0.370", "−0.37", "44.91", "100.00", "−75.88"]


@pytest.mark.parametrize(
    ("p_value", "shown"),
    [(0.05, "*0.0500"), (0.0501, "0.0501"), (1e-9, "*<0.0001"), (1.0, "1.0000"), (math.nan, "")],
)
def test_a_star_marks_what_differs_from_the_order_shown(p_value, shown):
    cells = click_cells(dataclasses.replace(ROW, p_value=p_value))
    assert cells[3].removeprefix("+0.488") + cells[-1] == shown


def test_columns_are_named_as_in_the_paper():
    assert click_header("AP") == COLUMNS
    assert click_header("nDCG@10")[2:5] == ["nDCG@10", "ΔnDCG@10", "ΔnDCG@10/R"]


def test_further_measures_have_a_column_each(sweep):
    assert click_header("nDCG@10", ["AP", "RR"])[2:6] == ["nDCG@10", "ΔnDCG@10", "ΔMAP", "ΔRR"]
    means = {"nDCG@10": np.array([0.5, 0.51, *[0.49] * 8])}  # the order shown, Standard Gain, all others
    test = dataclasses.replace(sweep.test, others=means)
    first, second, *_ = click_table(dataclasses.replace(sweep, test=test))
    assert first.other_gains == pytest.approx({"nDCG@10": 0.01})
    assert (click_cells(first)[4], click_cells(second)[4]) == ("+1.000", "−1.000")
    assert second.to_dict()["gain_nDCG@10"] == pytest.approx(-0.01)
    text = click_numbers(click_table(dataclasses.replace(sweep, test=test)), "AP")
    assert re.split(r"\s{2,}", text.splitlines()[2]) == click_header("AP", ["nDCG@10"])


def test_all_numbers_are_the_table_and_what_it_says(sweep):
    rows = click_table(sweep)
    first, blank, header, *lines = click_numbers(rows, "AP").splitlines()
    base = 100 * sweep.test.baseline.mean()
    assert first == f"60 test pages; the order shown has MAP {base:.2f}; all numbers are in hundredths"
    assert blank == ""
    assert re.split(r"\s{2,}", header) == COLUMNS
    assert [re.split(r"\s{2,}", line) for line in lines[: len(rows)]] == [click_cells(row) for row in rows]
    assert lines[len(rows) :] == ["", SIGNIFICANT, *click_words(rows)]


def test_the_first_screen_is_what_a_sweep_looks_like(sweep):
    text = click_text(click_table(sweep), "AP", method_standings(sweep))
    assert repr(sweep) == text
    assert max(map(display_width, text.splitlines())) <= 79
    assert len(text.splitlines()) <= 24
    table = text.split("\n\n")[2].splitlines()
    assert table[0].split() == ["method", "parameter", "gain", "95%", "interval", "kept", "moved", "risk"]
    assert [re.split(r"\s{2,}", line)[0] for line in table[1:]] == [
        method for method in METHODS if not method.startswith("RS ")
    ]
    styled = click_text(click_table(sweep), "AP", method_standings(sweep), styled=True)
    assert f"\x1b[1m{method_standings(sweep).leader} " in styled


def test_columns_stand_below_each_other(sweep):
    _, _, *table = click_numbers(click_table(sweep), "AP").splitlines()[: 3 + len(METHODS)]
    assert len({len(line.rstrip("*")) for line in table}) == 1


def test_many_pages_are_counted_in_thousands(sweep):
    assert click_numbers([ROW], "nDCG@10").startswith("1,234 test pages; the order shown has nDCG@10 61.23;")


# The words.


def rows_with(**changed):
    """A row for each method; `changed` by method."""
    return [dataclasses.replace(ROW, method=method, **changed.get(method, {})) for method in METHODS]


def test_words_say_what_is_kept_and_what_it_takes():
    rows = rows_with(
        **{
            STANDARD: {"reranked": 0.41},
            PREFERENCE: {"gain_share": 0.953, "reranked": 0.059, "parameter": "β = 0.2"},
            PARITY: {"gain_share": 0.94, "reranked": 0.208, "parameter": "α = 2"},
            "Preference and Risk": {
                "gain_share": 0.8, "reranked": 0.03, "risk_share": 0.1, "parameter": "β = 0.1, α = 1"
            },
        }
    )  # fmt: skip
    assert click_words(rows) == [
        "Weight-Initial-Pref (β = 0.2) has 95% of Standard Gain's gain and re-ranks 5.9% of the pages instead of "
        "41.0%, with 100% of the risk.",
        "The risk-sensitive model nearest to it in gain (α = 2) has 94% of Standard Gain's gain and re-ranks 20.8% "
        "of the pages instead of 41.0%, with 100% of the risk.",
        "Preference and Risk (β = 0.1, α = 1) has 80% of Standard Gain's gain and re-ranks 3.0% of the pages instead "
        "of 41.0%, with 10% of the risk.",
    ]


def test_words_leave_out_what_is_not_there():
    rows = {row.method: row for row in rows_with()}
    (alone,) = click_words([rows[STANDARD]])
    assert alone.startswith("Standard Gain re-ranks ")
    (risk,) = click_words([rows[STANDARD], rows[RISK], rows[PARITY]])  # parity with nothing says nothing
    assert risk.startswith("Risk Sensitive (")
    assert len(click_words([rows[STANDARD], rows[PREFERENCE]])) == 1
    assert click_words([rows[STANDARD], rows["Preference and Risk"]])[0].startswith("Preference and Risk (")


@pytest.mark.parametrize("gain", [0.0, -0.01, math.nan])
def test_where_standard_gain_gains_nothing_there_is_nothing_to_keep(gain):
    rows = rows_with(**{STANDARD: {"gain": gain, "gain_share": math.nan}})
    assert click_words(rows) == ["Standard Gain gains nothing on these pages: there is nothing to keep."]


def test_words_hold_only_numbers_that_are_known():
    harmless = synthetic_click_sweep(MODELS, points(*[(0.1, 0.5)] * len(MODELS)))
    assert "nan" not in " ".join(click_words(click_table(harmless)))
