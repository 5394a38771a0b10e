"""The figures of what was learned from clicks."""

from __future__ import annotations

import dataclasses
import json
from xml.etree import ElementTree

import numpy as np
import pytest

import riskrank as rr
from riskrank.errors import ParameterError
from riskrank.report.charts import catalogue as charts
from riskrank.tradeoff.clicks.click_table import chosen_models

from ...tradeoff.synthetic_clicks import points
from ...tradeoff.synthetic_sweeps import judged, synthetic_sweep
from ..charts.specs import described, values
from .click_sweeps import METHODS, MODELS, SPECIAL

FIGURES = ("click-models", "click-parameters")


@pytest.mark.parametrize("name", SPECIAL)
def test_every_sweep_over_clicks_has_its_table_and_its_figures(name):
    assert SPECIAL[name].table.height == len(chosen_models(SPECIAL[name]))
    for figure in FIGURES:
        json.dumps(described(SPECIAL[name].chart(figure)), allow_nan=False)


def test_chosen_models_stand_at_what_they_keep_and_what_they_rerank(sweep):
    naive, shown, texts = values(sweep.chart("click-models"))
    test = sweep.test
    assert [row["series"] for row in shown] == METHODS
    for row, i in zip(shown, chosen_models(sweep).values(), strict=True):
        assert row["reranked"] == pytest.approx(test.is_reranked[i].mean())
        assert row["gain"] == pytest.approx(test.changes[i].mean())
        assert row["share"] == pytest.approx(test.changes[i].mean() / test.changes[0].mean())
        assert row["risk"] == pytest.approx(np.maximum(-test.changes[i], 0).mean())
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
    title = described(sweep.chart(figure))["layer"][1]["encoding"]["y"]["title"]
    assert title == "gain (mean change)"
    usual = described(SPECIAL["no risk"].chart(figure))["layer"][1]["encoding"]["y"]["title"]
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
