"""What was learned from clicks, as people see it: the table in text and HTML, the words, the figures, the page."""

from __future__ import annotations

import dataclasses
import json
import math
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import numpy as np
import pytest

import riskrank as rr
from riskrank.errors import ParameterError
from riskrank.report.clicks.click_page import click_page
from riskrank.report.clicks.click_text import SIGNIFICANT, click_cells, click_header, click_text, click_words
from riskrank.tradeoff.clicks.click_table import NEAR, PARITY, STANDARD, ClickRow, chosen_models, click_table

from ..tradeoff.synthetic_clicks import BOTH, LOWEST, PREFERENCE, RISK, points, synthetic_click_sweep
from ..tradeoff.synthetic_sweeps import judged, synthetic_sweep

pytest.importorskip("altair", reason="needs Altair")
pytest.importorskip("vl_convert", reason="needs vl-convert")
charts = pytest.importorskip("riskrank.report.charts.catalogue")
chart_style = pytest.importorskip("riskrank.report.charts.style")

FIGURES = ("click-models", "click-parameters")
METHODS = [STANDARD, PREFERENCE, RISK, PARITY, NEAR, LOWEST, "Preference and Risk"]
COLUMNS = ["method", "parameter", "MAP", "ΔMAP", "ΔMAP/R", "% re-ranked", "% risk", "% gain", "K-τ", "K-τ|R", "p"]
MODELS = [
    (RISK, 0), (RISK, 1), (RISK, 5), (PREFERENCE, 0.1), (PREFERENCE, 0.5), (LOWEST, 1), (LOWEST, 2), (BOTH, 0.1),
    ("Preference and Risk, α = 5", 0.2),
]  # fmt: skip
ROW = ClickRow(
    method=STANDARD, parameter="α = 0", n=1234, effectiveness=0.61714, gain=0.00488, gain_per_reranked=0.010867,
    reranked=0.4491, risk_share=1.0, gain_share=1.0, kendall_tau=0.9445, kendall_tau_reranked=0.87638, p_value=0.0312,
)  # fmt: skip


def pages_of(seed, n=60, *, scale=1.0):
    """Models that win and lose on some of their pages, the careful ones on fewer."""
    rng = np.random.default_rng(seed)
    share = np.array([0.9, 0.6, 0.3, 0.35, 0.15, 1.0, 0.95, 0.2, 0.1])
    moved = rng.random((len(MODELS), n)) < share[:, None]
    delta = np.where(moved, np.round(rng.normal(0.06 * scale, 0.1, moved.shape), 3), 0.0)
    distance = np.where(moved, rng.integers(1, 20, moved.shape) / 45, 0.0)
    return judged(delta, baseline=np.round(rng.uniform(0.3, 0.6, n), 3), distance=distance, is_reranked=moved)


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
        self.found, self._heading, self._in = {}, "", None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        if tag == "tr":
            self.found.setdefault(self._heading, []).append([])
        if tag in ("h3", "summary", "td", "th"):
            self._in = tag
            if tag in ("h3", "summary"):
                self._heading = ""
            else:
                self.found[self._heading][-1].append("")

    def handle_endtag(self, tag):
        if tag == self._in:
            self._in = None

    def handle_data(self, data):
        if self._in in ("h3", "summary"):
            self._heading += data
        elif self._in is not None:
            self.found[self._heading][-1][-1] += data


def in_hundredths(cell):
    return float(cell.rstrip("*").replace("−", "-")) / 100


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
    text = repr(dataclasses.replace(sweep, test=test))
    assert re.split(r"\s{2,}", text.splitlines()[2]) == click_header("AP", ["nDCG@10"])


def test_the_text_is_the_table_and_what_it_says(sweep):
    rows = click_table(sweep)
    first, blank, header, *lines = click_text(rows, "AP").splitlines()
    base = 100 * sweep.test.baseline.mean()
    assert first == f"60 test pages; the order shown has MAP {base:.2f}; all numbers are in hundredths"
    assert blank == ""
    assert re.split(r"\s{2,}", header) == COLUMNS
    assert [re.split(r"\s{2,}", line) for line in lines[: len(rows)]] == [click_cells(row) for row in rows]
    assert lines[len(rows) :] == ["", SIGNIFICANT, *click_words(rows)]
    assert repr(sweep) == click_text(rows, "AP")


def test_columns_stand_below_each_other(sweep):
    _, _, *table = click_text(click_table(sweep), "AP").splitlines()[: 3 + len(METHODS)]
    assert len({len(line.rstrip("*")) for line in table}) == 1


def test_many_pages_are_counted_in_thousands(sweep):
    assert click_text([ROW], "nDCG@10").startswith("1,234 test pages; the order shown has nDCG@10 61.23;")


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
        "Weight-Initial-Pref (β = 0.2) has 95 % of Standard Gain's gain and re-ranks 5.9 % of the pages instead of "
        "41.0 %, with 100 % of the risk.",
        "The risk-sensitive model nearest to it in gain (α = 2) has 94 % of Standard Gain's gain and re-ranks 20.8 % "
        "of the pages instead of 41.0 %, with 100 % of the risk.",
        "Preference and Risk (β = 0.1, α = 1) has 80 % of Standard Gain's gain and re-ranks 3.0 % of the pages instead "
        "of 41.0 %, with 10 % of the risk.",
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


# The HTML.


def test_the_tables_of_the_page_hold_the_numbers_of_python(sweep, page):
    header, *cells = Tables(page).found["Chosen models"]
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
    listed = Tables(page).found[f"All {len(MODELS)} models"]
    symbols = ["α" if series == RISK else "β" for series, _ in MODELS]
    assert [line[:2] for line in listed[2 : 2 + len(MODELS)]] == [
        [series, f"{symbol} = {value:g}"] for symbol, (series, value) in zip(symbols, MODELS, strict=True)
    ]


def test_the_page_says_what_the_table_means(sweep, page):
    for text in (*click_words(click_table(sweep)), SIGNIFICANT):
        assert text.replace("'", "&#x27;") in page
    assert "<h1>Learning from clicks: MAP, 60 test pages</h1>" in page


def test_text_of_users_is_escaped(sweep):
    evil = '<img src=x onerror="alert(1)">'
    series = [(f"Preference and Risk, {evil}" if name == BOTH else name, value) for name, value in MODELS]
    test = dataclasses.replace(sweep.test, queries=tuple(f"{evil}{k}" for k in range(60)))
    found = dataclasses.replace(synthetic_click_sweep(series, test, valid=sweep.valid), measure="AP")
    text = found.to_html(title=f"{evil} & more")
    assert evil not in text
    assert "<title>&lt;img src=x onerror=&quot;alert(1)&quot;&gt; &amp; more</title>" in text
    assert any(evil in cell for line in Tables(text).found["Chosen models"] for cell in line)


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
    assert "Operating point: " in text
    assert "Chosen models" not in text


def test_without_charts_there_are_tables_and_words(sweep, monkeypatch):
    monkeypatch.setattr("riskrank.report.clicks.click_page.has_charts", lambda: False)
    text = sweep.to_html()
    assert "<script" not in text
    assert Tables(text).found["Chosen models"][1:] == [click_cells(row) for row in click_table(sweep)]
    assert click_words(click_table(sweep))[0].replace("'", "&#x27;") in text


def test_a_model_that_is_chosen_twice_is_shown_once_among_the_systems(sweep, page):
    data = json.loads(page.split('-data">')[1].split("</script>")[0])[0]
    names = [system["name"] for system in data["systems"]]
    assert names[0] == "order shown"
    assert len(names) == 1 + len(set(chosen_models(sweep).values()))
    assert names[1] == "Standard Gain, α = 0"


def few(models, *gains_and_shares, **options):
    return synthetic_click_sweep(models, points(*gains_and_shares, **options))


SPECIAL = {
    "no gain": few([(RISK, 0), (RISK, 1), (PREFERENCE, 1)], (-0.1, 0.5), (-0.05, 0.2), (0.01, 0.1)),
    "no risk": few([(RISK, 0), (PREFERENCE, 1)], (0.1, 0.5), (0.05, 0.2)),
    "nothing moves": few([(RISK, 0), (PREFERENCE, 1)], (0.0, 0.0), (0.0, 0.0)),
    "one page": few([(RISK, 0), (PREFERENCE, 1)], (0.1, 1.0), (0.1, 1.0), n=1),
    "two pages": few([(RISK, 0), (RISK, 2), (PREFERENCE, 1)], (0.1, 1.0), (0.1, 0.5), (0.0, 0.5), n=2),
    "preference alone": few([(RISK, 0), (PREFERENCE, 1)], (0.1, 0.5), (0.05, 0.1)),
}


@pytest.mark.parametrize("name", SPECIAL)
def test_every_sweep_over_clicks_has_its_table_its_figures_and_its_page(name):
    text = SPECIAL[name].to_html()
    data = json.loads(text.split('-data">')[1].split("</script>")[0])
    assert set(FIGURES) <= set(data[0]["charts"])
    assert SPECIAL[name].table.height == len(chosen_models(SPECIAL[name]))
    for figure in FIGURES:
        json.dumps(chart_style.described(SPECIAL[name].chart(figure)), allow_nan=False)


@pytest.mark.parametrize(
    "models", [[(RISK, 0)], [(RISK, 0), (RISK, 1)], [(RISK, 0), (LOWEST, 1)]], ids=["standard", "risk", "lowest"]
)
def test_a_sweep_without_preference_gains_has_its_page_too(models):
    assert "Standard Gain" in few(models, *[(0.1, 0.5), (0.05, 0.2)][: len(models)]).to_html()


# The figures.


def values(chart):
    """All rows of a chart, layer by layer."""
    spec = json.loads(json.dumps(chart_style.described(chart), allow_nan=False))
    parts = [layer["data"] for layer in spec["layer"]]
    return [part["values"] if "values" in part else spec["datasets"][part["name"]] for part in parts]


def test_chosen_models_stand_at_what_they_keep_and_what_they_rerank(sweep):
    naive, shown, texts = values(sweep.chart("click-models"))
    test = sweep.test
    assert [row["series"] for row in shown] == METHODS
    for row, i in zip(shown, chosen_models(sweep).values(), strict=True):
        assert row["reranked"] == pytest.approx(test.is_reranked[i].mean())
        assert row["gain"] == pytest.approx(test.delta[i].mean())
        assert row["share"] == pytest.approx(test.delta[i].mean() / test.delta[0].mean())
        assert row["risk"] == pytest.approx(np.maximum(-test.delta[i], 0).mean())
    assert texts == shown
    assert [(row["reranked"], row["share"]) for row in naive] == [
        (0, 0), (pytest.approx(test.is_reranked[0].mean()), pytest.approx(1)),
    ]  # fmt: skip


def test_all_models_stand_in_a_line_for_each_series(sweep):
    _, lines, shown = values(sweep.chart("click-parameters"))
    assert lines == shown
    assert [(row["series"], row["value"]) for row in shown] == MODELS
    assert [row["label"] for row in shown[:4]] == [
        "Risk Sensitive, α = 0", "Risk Sensitive, α = 1", "Risk Sensitive, α = 5", "Weight-Initial-Pref, β = 0.1",
    ]  # fmt: skip
    np.testing.assert_allclose([row["reranked"] for row in shown], sweep.test.reranked)
    np.testing.assert_allclose([row["share"] for row in shown], sweep.test.gain / sweep.test.gain[0])


def test_what_is_chosen_by_validation_is_drawn_on_the_test_pages(sweep):
    gains = (0.1, 0.8), (0.01, 0.9), (0.09, 0.1), (0.01, 0.9), (0.09, 0.05), (0.02, 1), (0.01, 1), (0, 0.5), (0.09, 0.1)
    other = dataclasses.replace(sweep, valid=points(*gains))
    assert not set(chosen_models(other).values()) - {0} <= set(chosen_models(sweep).values())
    for row, (method, i) in zip(values(other.chart("click-models"))[1], chosen_models(other).items(), strict=True):
        assert (row["series"], row["label"]) == (method, sweep.settings[i].label)
        assert row["gain"] == pytest.approx(sweep.test.gain[i])


@pytest.mark.parametrize("figure", FIGURES)
def test_where_nothing_is_gained_figures_show_the_gain_itself(figure):
    sweep = SPECIAL["no gain"]
    naive, shown, *_ = values(sweep.chart(figure))
    assert [row["share"] for row in shown[:1]] == [pytest.approx(-0.1)]
    assert [row["share"] for row in naive] == [0, pytest.approx(-0.1)]
    title = chart_style.described(sweep.chart(figure))["layer"][1]["encoding"]["y"]["title"]
    assert title == "gain (mean change)"
    usual = chart_style.described(SPECIAL["no risk"].chart(figure))["layer"][1]["encoding"]["y"]["title"]
    assert usual == "gain, of Standard Gain's"


@pytest.mark.parametrize("figure", FIGURES)
def test_figures_are_saved_in_every_format(sweep, figure, tmp_path):
    for ending in charts.FORMATS:
        charts.save_chart(sweep.chart(figure), tmp_path / f"chart.{ending}", scale=1)
    assert (tmp_path / "chart.png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    assert (tmp_path / "chart.pdf").read_bytes().startswith(b"%PDF-")
    drawn = ElementTree.fromstring((tmp_path / "chart.svg").read_text())
    marks = [group for group in drawn.iter() if "role-mark" in group.get("class", "")]
    symbols = [group for group in marks if "mark-symbol" in group.get("class", "")]
    assert max(map(len, symbols)) == (len(METHODS) if figure == "click-models" else len(MODELS))
    json.loads((tmp_path / "chart.json").read_text(), parse_constant=pytest.fail)
    assert "Content-Security-Policy" in (tmp_path / "chart.html").read_text()


@pytest.fixture
def saved(sweep, tmp_path):
    sweep.save(tmp_path / "models")
    return tmp_path


@pytest.mark.parametrize("figure", FIGURES)
def test_figures_are_plotted_by_the_command(riskrank, saved, sweep, figure):
    for ending, start in (("svg", b"<svg"), ("png", b"\x89PNG"), ("pdf", b"%PDF-")):
        done = riskrank("plot", "models", "-c", figure, "-o", f"figure.{ending}", "--scale", 1)
        assert (done.status, done.out, done.err) == (0, "", "")
        assert (saved / f"figure.{ending}").read_bytes().startswith(start)
    charts.save_chart(sweep.chart(figure), saved / "same.svg")
    assert (saved / "figure.svg").read_bytes() == (saved / "same.svg").read_bytes()


@pytest.mark.parametrize("figure", FIGURES)
def test_figures_of_what_is_no_sweep_over_clicks_are_refused(riskrank, tmp_path, figure):
    assessment = rr.assess(rr.Effectiveness.from_rows({"a": [0.1, 0.3], "b": [0.2, 0.2]}), baseline="a")
    with pytest.raises(ParameterError, match=f"the chart {figure} needs a sweep over clicks"):
        assessment.chart(figure)
    plain = synthetic_sweep(judged([[0.1, -0.1], [0.0, 0.1]]))
    with pytest.raises(ParameterError, match="this is not a sweep over clicks: it has no Risk Sensitive"):
        plain.chart(figure)
    plain.save(tmp_path / "sweep")
    done = riskrank("plot", "sweep", "-c", figure, "-o", "figure.svg")
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert "this is not a sweep over clicks" in done.err
    assert not (tmp_path / "figure.svg").exists()


def test_the_help_of_plot_names_every_figure(riskrank):
    shown = " ".join(riskrank("plot", "--help").out.split())
    for name in charts.CHARTS:
        assert name in shown, name
