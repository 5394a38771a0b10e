"""The doors of a sweep over clicks: as text, as a page, and with an operating point as any sweep."""

from __future__ import annotations

import pytest

from riskrank.report.clicks.click_text import click_text
from riskrank.report.views.click_sweep import page as click_page
from riskrank.tradeoff.clicks.click_table import click_table, method_standings

from ...tradeoff.synthetic_clicks import synthetic_click_sweep
from ..clicks.click_sweeps import MODELS, pages_of
from ..page.page_text import text_of


@pytest.fixture(scope="module")
def sweep():
    return synthetic_click_sweep(MODELS, pages_of(0), valid=pages_of(1))


def test_its_text_is_the_first_screen(sweep):
    assert repr(sweep) == click_text(click_table(sweep), "AP", method_standings(sweep))


def test_a_page_is_written_or_returned(sweep, tmp_path):
    text = sweep.to_html()
    assert sweep.to_html(tmp_path / "page.html") is None
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == text == click_page(sweep)
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]


def test_with_an_operating_point_the_page_is_that_of_any_sweep(sweep):
    point = sweep.choose("risk", max_risk=1)
    text = sweep.to_html(point=point)
    assert f"Operating point {point.label} Guarantee" in text_of(text)
    assert "Pages re-ranked" not in text


def test_the_page_and_the_notebook_need_no_altair(sweep, hidden):
    page, notebook = sweep.to_html(), sweep._repr_html_()
    for name in ("altair", "vl_convert"):
        hidden(name)
        assert (sweep.to_html(), sweep._repr_html_()) == (page, notebook)
