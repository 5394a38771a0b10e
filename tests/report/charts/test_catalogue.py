"""Charts: every one is drawn in every format, and refuses what it cannot draw."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from xml.etree import ElementTree

import numpy as np
import pytest

import riskrank as rr
from riskrank.errors import AlignmentError, FileError, ParameterError
from riskrank.registry import Registry
from riskrank.report.charts import catalogue as charts

from ...tradeoff.synthetic_sweeps import judged, synthetic_sweep
from .specs import described, refused, values

OF_ASSESSMENTS = ("risk-gain", "helped-hurt", "topics", "exploratory", "georisk")
OF_SWEEPS = (*OF_ASSESSMENTS, "convergence", "distance", "distance-reward", "reranked")


def test_charts_are_known_by_their_names():
    assert set(charts.CHARTS) >= {*OF_SWEEPS, "click-models", "click-parameters"}


def test_only_a_chart_that_is_asked_for_loads_altair():
    program = """
import sys
from riskrank.report.charts.catalogue import CHARTS
assert "risk-gain" in CHARTS
assert "altair" not in sys.modules
CHARTS["risk-gain"]
assert "altair" in sys.modules
assert "riskrank.report.charts.georisk" not in sys.modules
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_other_packages_add_charts_of_their_own(assessment, monkeypatch):
    class Entry:
        name = "my-chart"

        def load(self):
            return charts.ChartKind(lambda source: f"drawn from {len(source)} systems", caption="Mine.")

    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: [Entry()] * (group == "riskrank.charts"))
    monkeypatch.setattr(charts, "CHARTS", Registry("chart", group="riskrank.charts"))
    assert assessment.chart("my-chart") == "drawn from 3 systems"


@pytest.mark.parametrize(
    ("kind", "name"),
    [("assessment", name) for name in OF_ASSESSMENTS] + [("sweep", name) for name in OF_SWEEPS],
)
def test_every_chart_is_saved_in_every_format(request, tmp_path, kind, name):
    chart = request.getfixturevalue(kind).chart(name)
    for ending in charts.FORMATS:
        charts.save_chart(chart, tmp_path / f"chart.{ending}", scale=1)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(f"chart.{each}" for each in charts.FORMATS)
    png = (tmp_path / "chart.png").read_bytes()
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    assert png[12:16] == b"IHDR"
    pdf = (tmp_path / "chart.pdf").read_bytes()
    assert pdf.startswith(b"%PDF-")
    assert pdf.rstrip().endswith(b"%%EOF")
    drawn = ElementTree.fromstring((tmp_path / "chart.svg").read_text())
    marks = [g for g in drawn.iter() if "role-mark" in g.get("class", "")]
    assert any(len(g) for g in marks)
    spec = json.loads((tmp_path / "chart.json").read_text(), parse_constant=pytest.fail)
    assert spec["$schema"].startswith("https://vega.github.io/schema/vega-lite/")
    page = (tmp_path / "chart.html").read_text()
    assert "Content-Security-Policy" in page
    assert not re.search(r"<(script|link)[^>]*(src|href)=", page)


def test_the_size_and_the_scale_of_a_picture_are_as_asked(assessment, tmp_path):
    chart = assessment.chart("georisk").properties(width=300, height=100)
    for scale in (1, 3):
        charts.save_chart(chart, tmp_path / f"{scale}.png", scale=scale)
    widths = [int.from_bytes((tmp_path / f"{scale}.png").read_bytes()[16:20]) for scale in (1, 3)]
    assert widths[1] == pytest.approx(3 * widths[0], abs=3)
    assert 300 < widths[0] < 420


def test_the_ending_tells_the_format_in_any_case(assessment, tmp_path):
    charts.save_chart(assessment.chart("georisk"), tmp_path / "A.JSON")
    assert json.loads((tmp_path / "A.JSON").read_text())["mark"]["type"] == "line"


def test_more_systems_than_colours_are_drawn(tmp_path):
    rng = np.random.default_rng(0)
    rows = {f"s{i}": rng.random(10) for i in range(30)}
    assessment = rr.assess(rr.Effectiveness.from_rows(rows), baseline="s0")
    for name in ("risk-gain", "georisk"):
        spec = described(assessment.chart(name))
        scale = (spec if name == "georisk" else spec["layer"][1])["encoding"]["color"]["scale"]
        assert len(scale["domain"]) == len(scale["range"]) == len(set(scale["domain"]))


# Sweeps that are not as one would like.


@pytest.mark.parametrize(
    ("delta", "options"),
    [
        ([[-0.1, 0.0], [-0.05, 0.0]], {}),
        ([[0.0, 0.0]], {}),
        ([[0.1, -0.2]], {"learning": ((np.zeros(0),),)}),
        ([[0.1, 0.2]], {"learning": ((np.array([np.nan, np.nan]),),)}),
        ([[0.1, -0.2]], {"train_gain": np.array([0.0]), "train_risk": np.array([0.0])}),
        ([[0.1, -0.2]], {"values": [7], "parameter": "n_leaves"}),
        ([[0.1]], {}),
    ],
    ids=["only losses", "nothing", "no curve", "no risk", "no training gain", "leaves", "one query"],
)
def test_every_sweep_has_its_charts(delta, options):
    sweep = synthetic_sweep(judged(delta), **options)
    point = sweep.choose("risk", max_risk=0.1)
    unknown = {"exploratory"} if len(sweep.test.queries) == 1 else set()  # one query stands out from nothing
    for name in set(OF_SWEEPS) - {"georisk"} - unknown:
        assert described(sweep.chart(name, point=point) if name == "risk-gain" else sweep.chart(name))


# What is refused.


def test_charts_that_need_a_sweep_say_so(assessment):
    for name in ("convergence", "distance", "reranked"):
        refused(lambda: assessment.chart(name), f"the chart {name} needs a sweep")  # noqa: B023


def test_the_chart_of_distance_and_reward_says_that_it_needs_a_sweep(assessment):
    refused(lambda: assessment.chart("distance-reward"), "the chart distance-reward needs a sweep")


def test_what_cannot_be_drawn_is_refused(assessment):
    refused(lambda: assessment.chart("risk-gian"), "unknown chart 'risk-gian'. Did you mean 'risk-gain'\\? Known: ")
    refused(lambda: assessment.chart("topics", system="bolt"), "no system 'bolt'. There are: new, bold. Did you mean")
    refused(lambda: assessment.chart("topics", system="old"), "no system 'old'. There are: new, bold")
    refused(lambda: assessment.chart("topics", alpha=-1), "alpha must be a number from 0")
    alone = rr.assess(rr.Effectiveness.from_rows({"a": [0.1, 0.2]}), baseline="a")
    for name in ("topics", "exploratory"):
        refused(lambda: alone.chart(name), "there is no system to show beside the baseline")  # noqa: B023
    negative = rr.assess(rr.Effectiveness.from_rows({"a": [-0.1, 0.2], "b": [0.1, 0.2]}), baseline="a")
    refused(lambda: negative.chart("georisk"), "GeoRisk needs finite scores from 0 up")


def test_files_that_cannot_be_written_are_refused(assessment, tmp_path):
    chart = assessment.chart("georisk")
    for name in ("a.jpg", "a", "a.png.gz"):
        refused(lambda: charts.save_chart(chart, tmp_path / name), "must end in one of .png, .svg, .pdf, .html, .json")  # noqa: B023
    refused(lambda: charts.save_chart(chart, tmp_path / "no" / "a.svg"), "cannot be written", FileError)
    assert list(tmp_path.iterdir()) == []


def test_scores_that_are_not_finite_leave_their_system_out():
    scores = rr.Effectiveness.from_rows({"a": [0.1, 0.2, 0.3], "b": [0.2, np.nan, 0.1], "c": [0.3, 0.1, 0.2]})
    assessment = rr.assess(scores, baseline="a")
    for name in ("risk-gain", "helped-hurt"):
        shown = {row.get("series", row.get("system")) for rows in values(assessment.chart(name)) for row in rows}
        assert "c" in shown
        assert "b" not in shown
    refused(lambda: assessment.chart("topics", system="b"), "no system 'b'. There are: c")
    refused(lambda: assessment.chart("georisk"), "GeoRisk needs finite scores", (ParameterError, AlignmentError))


def test_without_altair_the_commands_go_on_or_say_what_to_install(riskrank, example, tmp_path, hidden):
    hidden("altair")
    runs = [example / "bm25.run", example / "neural.run"]
    done = riskrank("evaluate", example / "qrels.txt", *runs, "--json", "-o", "r.json", "--html", "page.html")
    assert (done.status, done.err) == (0, "")
    assert '<table class="systems">' in (tmp_path / "page.html").read_text()
    done = riskrank("plot", "r.json", "-o", "chart.png")
    assert (done.status, done.out) == (2, "")
    assert done.err == "riskrank: charts need Altair and vl-convert: pip install 'riskrank[report]'.\n"
    assert not (tmp_path / "chart.png").exists()
