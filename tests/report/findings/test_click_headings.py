"""What the headings of a page of clicks say."""

from __future__ import annotations

import dataclasses
import math

import pytest

from riskrank.report.findings.click_headings import (
    kept_heading,
    moved_heading,
    pages_hurt_heading,
    verdicts_heading,
)

from ...tradeoff.synthetic_clicks import PREFERENCE
from ..clicks.click_sweeps import ROW as FULL

SAFE = dataclasses.replace(FULL, method=PREFERENCE, gain_share=0.75)
LOSING = [dataclasses.replace(FULL, gain=-0.001), SAFE]


@pytest.mark.parametrize(
    ("rows", "leader", "above", "heading"),
    [
        ([FULL, SAFE], PREFERENCE, 0.56, f"{PREFERENCE}: 75% of the gain; Standard Gain on as many random pages: 19%"),
        ([FULL, SAFE], PREFERENCE, -0.1, f"{PREFERENCE}: 75% of the gain; Standard Gain on as many random pages: 85%"),
        ([FULL, SAFE], PREFERENCE, math.nan, f"{PREFERENCE} re-ranks more pages than Standard Gain"),
        ([FULL, SAFE], "Standard Gain", 0.0, "No method is seen to keep more than Standard Gain on as many random"),
        ([FULL], "Standard Gain", 0.0, "Standard Gain against the order shown"),
        (LOSING, PREFERENCE, math.nan, "Standard Gain has no gain to keep"),
    ],
)
def test_the_plot_is_about_the_coin(rows, leader, above, heading):
    assert kept_heading(rows, leader, above).startswith(heading)


@pytest.mark.parametrize(
    ("verdicts", "heading"),
    [
        (["gain"], "A gains significantly"),
        (["loss"], "A loses significantly"),
        (["open"], "A neither gains nor loses significantly"),
        (["gain", "gain"], "Every method gains significantly; they differ in how many pages they move"),
        (["gain", "open", "none"], "1 of 3 methods gains significantly"),
        (["gain", "gain", "loss"], "2 of 3 methods gain significantly; C loses significantly"),
        (["open", "open"], "No method gains significantly"),
        (["open", "loss", "loss"], "No method gains significantly; 2 lose significantly"),
    ],
)
def test_the_table_is_about_verdicts(verdicts, heading):
    assert verdicts_heading("ABC"[: len(verdicts)], verdicts) == heading


def test_pages_hurt_and_moved():
    assert pages_hurt_heading("A", 0, 1000, 12) == "A hurts no page, Standard Gain 12"
    assert pages_hurt_heading("A", 3, 1000, None) == "A hurts 3 of 1,000 pages"
    assert moved_heading("A", 0.25, None) == "Where A re-ranks, 25% of the pairs swap on average"
    assert moved_heading("A", 0.25, math.nan) == "Where A re-ranks, 25% of the pairs swap on average"
    assert moved_heading("A", math.nan, 0.2) == "A re-ranks no page"
