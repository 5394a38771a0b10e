"""The page of a sweep over clicks: its tables, what it says, and what it escapes."""

from __future__ import annotations

import dataclasses
import html
import json
import re
from html.parser import HTMLParser

import pytest

from riskrank.report.clicks.click_text import SIGNIFICANT, click_cells, click_words
from riskrank.report.views.click_sweep import page as click_page
from riskrank.tradeoff.clicks.click_table import chosen_models, click_table

from ...tradeoff.synthetic_clicks import BOTH, LOWEST, RISK, synthetic_click_sweep
from ..clicks.click_sweeps import COLUMNS, MODELS, few, pages_of

pytest.importorskip("altair", reason="needs Altair")
pytest.importorskip("vl_convert", reason="needs vl-convert")


@pytest.fixture(scope="module")
def sweep():
    return synthetic_click_sweep(MODELS, pages_of(0), valid=pages_of(1))


@pytest.fixture(scope="module")
def page(sweep):
    return sweep.to_html()


class Tables(HTMLParser):
    """The cells of all tables of a page, after the heading that they stand under."""

    def __init__(self, text):
        super().__init__()
        self.cells, self._heading, self._in = {}, "", None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        if tag == "tr":
            self.cells.setdefault(self._heading, []).append([])
        if tag in ("h3", "summary", "td", "th"):
            self._in = tag
            if tag in ("h3", "summary"):
                self._heading = ""
            else:
                self.cells[self._heading][-1].append("")

    def handle_endtag(self, tag):
        if tag == self._in:
            self._in = None

    def handle_data(self, data):
        if self._in in ("h3", "summary"):
            self._heading += data
        elif self._in is not None:
            self.cells[self._heading][-1][-1] += data


def in_hundredths(cell):
    return float(cell.rstrip("*").replace("−", "-")) / 100


def test_the_tables_of_the_page_hold_the_numbers_of_python(sweep, page):
    header, *cells = Tables(page).cells["Chosen models"]
    assert header == COLUMNS
    rows = click_table(sweep)
    assert cells == [click_cells(row) for row in rows]
    for line, row in zip(cells, rows, strict=True):
        assert in_hundredths(line[2]) == pytest.approx(row.effectiveness, abs=6e-5)
        assert in_hundredths(line[3]) == pytest.approx(row.gain, abs=6e-6)
        assert line[3].endswith("*") == (row.p_value <= 0.05)
        shares = (row.gain_per_reranked, row.reranked, row.risk_share, row.gain_share, row.kendall_tau)
        for cell, value in zip(line[4:10], (*shares, row.kendall_tau_reranked), strict=True):
            assert in_hundredths(cell) == pytest.approx(value, abs=6e-5)
    listed = Tables(page).cells[f"All {len(MODELS)} models"]
    symbols = ["α" if series == RISK else "β" for series, _ in MODELS]
    assert [line[:2] for line in listed[2 : 2 + len(MODELS)]] == [
        [series, f"{symbol} = {value:g}"] for symbol, (series, value) in zip(symbols, MODELS, strict=True)
    ]


def test_the_page_says_what_the_table_means(sweep, page):
    for text in (*click_words(click_table(sweep)), SIGNIFICANT):
        assert text in html.unescape(page)
    assert "<h1>Learning from clicks: MAP, 60 test pages</h1>" in page


def test_text_of_users_is_escaped(sweep):
    evil = '<img src=x onerror="alert(1)">'
    series = [(f"Preference and Risk, {evil}" if name == BOTH else name, value) for name, value in MODELS]
    test = dataclasses.replace(sweep.test, queries=tuple(f"{evil}{k}" for k in range(60)))
    hostile = dataclasses.replace(synthetic_click_sweep(series, test, valid=sweep.valid), measure="AP")
    text = hostile.to_html(title=f"{evil} & more")
    assert evil not in text
    assert f"<title>{evil} & more</title>" in html.unescape(text)
    assert any(evil in cell for line in Tables(text).cells["Chosen models"] for cell in line)


def test_a_page_is_written_or_returned(sweep, page, tmp_path):
    assert sweep.to_html(tmp_path / "page.html") is None
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == page == click_page(sweep)
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]
    assert not re.search(r"<(script|link)[^>]*(src|href)=", page)


def test_a_notebook_shows_the_page_in_a_frame(sweep):
    shown = sweep._repr_html_()
    assert shown.startswith("<iframe srcdoc=")
    assert "Learning from clicks" in shown


def test_with_an_operating_point_the_page_is_that_of_any_sweep(sweep):
    point = sweep.choose("risk", max_risk=1)
    text = sweep.to_html(point=point)
    assert f'<p class="card-kind">Operating point</p>\n<h3 class="card-title">{point.label}</h3>' in html.unescape(text)
    assert "Chosen models" not in text


def test_without_charts_there_are_tables_and_words(sweep, monkeypatch):
    monkeypatch.setattr("riskrank.report.views.click_sweep.has_charts", lambda: False)
    text = sweep.to_html()
    assert "<script" not in text
    assert Tables(text).cells["Chosen models"][1:] == [click_cells(row) for row in click_table(sweep)]
    assert click_words(click_table(sweep))[0] in html.unescape(text)


def test_a_model_that_is_chosen_twice_is_shown_once_among_the_systems(sweep, page):
    data = json.loads(page.split('-data">')[1].split("</script>")[0])[0]
    names = [system["name"] for system in data["systems"]]
    assert names[0] == "order shown"
    assert len(names) == 1 + len(set(chosen_models(sweep).values()))
    assert names[1] == "Standard Gain, α = 0"


@pytest.mark.parametrize(
    "models", [[(RISK, 0)], [(RISK, 0), (RISK, 1)], [(RISK, 0), (LOWEST, 1)]], ids=["standard", "risk", "lowest"]
)
def test_a_sweep_without_preference_gains_has_its_page_too(models):
    assert "Standard Gain" in few(models, *[(0.1, 0.5), (0.05, 0.2)][: len(models)]).to_html()
