"""What the page of clicks keeps closed."""

from __future__ import annotations

from riskrank.report.clicks.click_text import SIGNIFICANT, click_cells, click_header
from riskrank.report.page.clicks.click_notes import click_definitions, click_tables
from riskrank.report.text.sweep_text import summary_table
from riskrank.tradeoff.clicks.click_table import click_table, method_standings

from ....tradeoff.synthetic_clicks import RISK, points, synthetic_click_sweep
from ...clicks.click_sweeps import MODELS, pages_of
from .hand_worked import PAGES, hand_worked, methods_of


def said(sweep):
    return dict(click_definitions(sweep, methods_of(sweep)))


def test_all_models_and_the_table_of_the_paper_are_there():
    sweep = hand_worked()
    rows = click_table(sweep)
    _, models, paper = click_tables(sweep, rows, method_standings(sweep))
    assert (models.title, models.about) == ("All parameters", "3 models")
    assert models.table == summary_table(sweep)
    assert paper.table.header == click_header("AP")
    assert paper.table.rows == [click_cells(row) for row in rows]
    assert paper.note == SIGNIFICANT


def test_the_points_that_methods_are_chosen_by_are_there():
    sweep = hand_worked(valid=PAGES)
    first, *_ = click_tables(sweep, click_table(sweep), method_standings(sweep))
    assert (first.title, first.about) == ("Which method leads", "100 validation pages")
    assert first.table.rows == [
        ["Weight-Initial-Pref", "β = 0.5", "57%", "20%", "40%", "17"],
        ["Lowest-Click-Plus-One", "β = 1", "−83%", "100%", "–", "–"],  # Standard Gain re-ranks half of the pages
    ]
    nothing = synthetic_click_sweep([(RISK, 0)], points((-0.1, 0.5)))
    assert [table.title for table in click_tables(nothing, click_table(nothing), method_standings(nothing))] == [
        "All parameters",
        "As in the paper",
    ]


def test_it_says_on_which_pages_was_chosen():
    assert said(hand_worked(valid=PAGES))["Which leads"].endswith("on validation pages.")
    assert "on the test pages themselves" in said(hand_worked())["Which model"]


def test_only_methods_that_are_shown_are_explained():
    alone = said(synthetic_click_sweep([(RISK, 0)], points((0.1, 0.5))))
    assert "Lowest-Click-Plus-One" not in alone
    assert "RS" not in alone
    everything = said(synthetic_click_sweep(MODELS, pages_of(0)))
    assert "Lowest-Click-Plus-One" in everything
    assert "Weight-Initial-Pref in gain" in everything["RS"]
    assert (
        f"Holm’s correction for {len(methods_of(synthetic_click_sweep(MODELS, pages_of(0))))} methods"
        in (everything["95% interval, filled dots"])
    )
