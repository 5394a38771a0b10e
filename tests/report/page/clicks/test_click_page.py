"""The page of a sweep over clicks: its numbers are the library's, and names are text."""

from __future__ import annotations

import base64
import hashlib
import html
import io
import json
import re

import numpy as np
import polars as pl
import pytest

from riskrank.report.clicks.click_text import click_cells
from riskrank.report.findings.click_findings import click_findings
from riskrank.report.findings.words import plain
from riskrank.tradeoff.clicks.click_table import click_table, method_standings

from ....tradeoff.synthetic_clicks import BOTH, LOWEST, PREFERENCE, RISK, synthetic_click_sweep
from ....tradeoff.synthetic_sweeps import judged
from ...clicks.click_sweeps import MODELS, SPECIAL, few, pages_of
from ..page_text import Tree, content, finding, markup, rows_of, text_of, unknowns
from .hand_worked import PAGES, hand_worked, methods_of

HOSTILE = "</script><b>x&y</b>"


@pytest.fixture(scope="module")
def sweep():
    return hand_worked(valid=PAGES)


@pytest.fixture(scope="module")
def page(sweep):
    return sweep.to_html()


def shown_first(page, kind):
    """The parts of a kind that are not hidden."""
    return re.findall(rf'<{kind} data-of="(\d+)">', page)


# Numbers.


def test_the_finding_is_that_of_the_terminal(sweep, page):
    said = click_findings(click_table(sweep), "AP", method_standings(sweep))
    assert finding(page) == plain(said.headline)
    assert finding(page) == (
        "Use Weight-Initial-Pref: it keeps 57% of the gain of Standard Gain and re-ranks 20% of the pages instead of "
        "50%."
    )
    assert text_of(re.search(r'<p class="lede">(.*?)</p>', page, flags=re.DOTALL)[1]) == plain(said.beside)


def test_a_leader_chosen_on_the_pages_it_is_judged_on_says_so(page):
    assert "It leads on validation pages: " in page
    assert "chosen for it on validation pages" in page
    unfresh = hand_worked().to_html()
    assert "It leads on the pages it is judged on: " in unfresh
    assert "chosen for it on the pages they are judged on" in unfresh
    assert "Leads on these pages" in unfresh


def test_the_leader_is_that_of_the_validation_pages_wherever_it_stands_on_the_test_pages():
    turned = judged(PAGES.changes[[0, 2, 1]], is_reranked=PAGES.is_reranked[[0, 2, 1]])  # there, the last one is best
    sweep = hand_worked(valid=turned)
    assert method_standings(sweep).leader == LOWEST
    page = sweep.to_html()
    assert finding(page).startswith(
        "Lowest-Click-Plus-One keeps nothing of the gain of Standard Gain and re-ranks 100%"
    )
    assert "It loses 0.050 MAP against the order shown" in text_of(page)
    assert "Lowest-Click-Plus-One re-ranks more pages than Standard Gain" in page


def test_the_table_has_each_method_and_the_order_shown(page):
    assert rows_of(page, "systems methods") == [
        ["order shown baseline", "MAP 0.500", "", "", "", "", ""],
        ["Standard Gain α = 0", "+0.060", "100%", "50%", "100%", "10 (10.0%) · 40", "+0.120"],
        ["Weight-Initial-Pref β = 0.5", "+0.034", "57%", "20%", "10%", "2 (2.0%) · 18", "+0.170"],
        ["Lowest-Click-Plus-One β = 1", "−0.050", "−83%", "100%", "500%", "50 (50.0%) · 50", "−0.050"],
    ]
    assert "2 of 3 methods gain significantly; Lowest-Click-Plus-One loses significantly" in page


def test_each_method_has_its_card_and_pictures_and_the_leaders_are_shown(page):
    assert shown_first(page, 'div class="card"') == shown_first(page, 'section class="facts"') == ["1"]
    assert page.count('<div class="card"') == page.count('<section class="facts"') == 3
    assert "17 points more than at random" in page
    assert re.search(r'<tr data-choice="1" class="gain chosen">', page)


def test_without_a_leader_standard_gain_is_shown():
    alone = few([(RISK, 0), (PREFERENCE, 1)], (0.1, 0.5), (0.02, 0.4)).to_html()
    assert shown_first(alone, 'div class="card"') == ["0"]
    assert "No method is seen to keep more than Standard Gain on as many random pages" in alone


def test_the_paper_s_table_is_there_and_as_csv(sweep, page):
    paper = rows_of(page.split("As in the paper")[1], "sweep")
    assert paper == [click_cells(row) for row in click_table(sweep)]
    (data,) = json.loads(content(page))
    assert pl.read_csv(io.StringIO(data["exports"]["csv"]))["method"].to_list() == sweep.table["method"].to_list()


def test_models_far_below_are_named_below_the_chart():
    changes = np.vstack([PAGES.changes, [-0.5] * 100])
    far = synthetic_click_sweep([(RISK, 0), (PREFERENCE, 0.5), (LOWEST, 1), (LOWEST, 2)], judged(changes)).to_html()
    assert "1 off the chart" in far
    assert "Off the chart: Lowest-Click-Plus-One, β = 2 (−833%)." in text_of(far)


def test_very_many_pages_make_no_larger_page(page):
    many = judged(np.tile(PAGES.changes, 1000), is_reranked=np.tile(PAGES.is_reranked, 1000))
    text_of_many = synthetic_click_sweep([(RISK, 0), (PREFERENCE, 0.5), (LOWEST, 1)], many).to_html()
    assert len(text_of_many) < len(page) + 2000
    assert ">40k</b>" in text_of_many


def test_sixty_models_make_a_small_page():
    rng = np.random.default_rng(0)
    models = [(RISK, k) for k in range(30)] + [(PREFERENCE, k / 30) for k in range(30)]
    page = synthetic_click_sweep(models, judged(rng.normal(0.02, 0.1, (60, 200)))).to_html()
    assert page.count('<svg class="other"') + page.count('<svg class="dot ') + page.count("(−") >= 60
    assert len(page) < 200_000


# Sweeps that are not as one would like.


@pytest.mark.parametrize("name", SPECIAL)
def test_every_sweep_over_clicks_has_its_page(name):
    for text in (SPECIAL[name].to_html(), SPECIAL[name]._repr_html_()):
        tree = Tree()
        tree.feed(text)
        assert tree.open == []
        assert len(set(tree.ids)) == len(tree.ids)
        assert unknowns(text) == []


@pytest.mark.parametrize(
    "models", [[(RISK, 0)], [(RISK, 0), (RISK, 1)], [(RISK, 0), (LOWEST, 1)]], ids=["standard", "risk", "lowest"]
)
def test_a_sweep_without_preference_gains_has_its_page_too(models):
    sweep = few(models, *[(0.1, 0.5), (0.05, 0.2)][: len(models)])
    assert len(rows_of(sweep.to_html(), "systems methods")) == 1 + len(methods_of(sweep))


def test_where_there_is_nothing_to_keep_the_plot_has_gains_and_no_coin():
    page = SPECIAL["no gain"].to_html()
    assert "Standard Gain has no gain to keep" in page
    assert "↑ mean gain in MAP" in page
    assert "curve coin" not in page


# Safety.


def test_names_are_text_everywhere():
    models = [(f"Preference and Risk, {HOSTILE}" if name == BOTH else name, value) for name, value in MODELS]
    sweep = synthetic_click_sweep(models, pages_of(0), valid=pages_of(1), measure=HOSTILE)
    for text in (sweep.to_html(title=HOSTILE), sweep._repr_html_()):
        assert "<b>x" not in text
        assert "x&y" not in text
        assert "&lt;b&gt;x&amp;y" in text
    assert sweep.to_html().count("</script>") == 2
    assert f"<title>{html.escape(HOSTILE)}</title>" in sweep.to_html(title=HOSTILE)


def test_only_the_script_of_the_page_may_run(page):
    script = re.search(r"<script>(.*?)</script>", page, flags=re.DOTALL)[1]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = html.unescape(re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1])
    assert f"script-src 'sha256-{digest}';" in policy
    assert "unsafe-eval" not in policy
    assert not re.search(r"<(script|link)[^>]*(src|href)=", page)


def test_all_is_in_the_markup_without_the_script(page):
    text = markup(page)
    for part in (
        "curve coin",
        "order shown",
        "Pages hurt",
        "of the pairs swap",
        "All parameters",
        "How it was computed",
    ):
        assert part in text


def test_a_title_may_be_given(page, sweep):
    assert "<title>Learning from clicks: MAP, 100 test pages</title>" in page
    assert "<title>Mine</title>" in sweep.to_html(title="Mine")
