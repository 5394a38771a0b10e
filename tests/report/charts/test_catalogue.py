"""Charts: every one is drawn in every format, shows the numbers it should, and refuses what it cannot draw."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

import numpy as np
import pytest

import riskrank as rr
from riskrank.errors import AlignmentError, FileError, ParameterError

from ...tradeoff.synthetic_sweeps import judged, synthetic_sweep

pytest.importorskip("altair", reason="needs Altair")
charts = pytest.importorskip("riskrank.report.charts.catalogue")
chart_style = pytest.importorskip("riskrank.report.charts.style")
topic_charts = pytest.importorskip("riskrank.report.charts.topics")

OF_ASSESSMENTS = ("risk-gain", "helped-hurt", "topics", "exploratory", "georisk")
OF_SWEEPS = (*OF_ASSESSMENTS, "convergence", "distance", "distance-reward", "reranked")


@pytest.fixture(scope="module")
def assessment():
    rng = np.random.default_rng(0)
    rows = {name: np.round(rng.random(12), 2) for name in ("old", "new", "bold")}
    return rr.assess(rr.Effectiveness.from_rows(rows), baseline="old")


@pytest.fixture(scope="module")
def sweep():
    """Four queries, three models, a predictor."""
    delta = [[0.4, 0.2, 0.0, -0.2], [0.2, 0.2, 0.0, -0.08], [0.2, 0.0, 0.0, 0.0]]
    distance = [[0.05, 0.15, 0.0, 0.95], [0.05, 0.05, 0.0, 0.15], [0.05, 0.0, 0.0, 0.0]]
    part = judged(delta, distance=distance, predictors={"max feature:1": np.array([0.1, 0.4, 0.6, 0.9])})
    limits = {"max feature:1": [0.0, 0.5, 1.0]}
    return synthetic_sweep(part, valid=part, thresholds=limits, values=[0, 1, 5], learning=(
        (np.array([0.2, 0.38, 0.4]),), (np.array([0.1, 0.2, 0.3]),), (np.array([0.3, 0.3, 0.3]),),
    ))  # fmt: skip


def described(chart):
    return json.loads(json.dumps(chart_style.described(chart), allow_nan=False))


def values(chart):
    """All rows of a chart, layer by layer."""
    spec = described(chart)
    parts = [part["data"] for part in [spec, *spec.get("layer", [])] if "data" in part]
    return [part["values"] if "values" in part else spec["datasets"][part["name"]] for part in parts]


def test_these_are_all_charts():
    assert set(charts.CHARTS) == {*OF_SWEEPS, "click-models", "click-parameters"}


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


# What they show.


def test_systems_stand_at_their_risk_and_gain(assessment):
    points = values(assessment.chart("risk-gain"))[1]
    assert [(p["series"], p["risk"], p["gain"], p["reward"]) for p in points] == [
        (s.system, s.risk, s.gain, s.reward) for s in assessment.systems[1:]
    ]


def test_models_stand_at_their_risk_and_gain_with_the_lines_of_reference(sweep):
    lines, points = values(sweep.chart("risk-gain", alpha=5))[:2]
    models = [p for p in points if p["series"] == "URisk"]
    assert [(p["tag"], p["risk"], p["gain"]) for p in models] == [
        ("0", pytest.approx(0.05), pytest.approx(0.1)),
        ("1", pytest.approx(0.02), pytest.approx(0.08)),
        ("5", 0.0, pytest.approx(0.05)),
    ]
    # below 0, 0.5 and 1 the predictor finds none, the first two and all of the four queries
    selective = [(p["label"], p["risk"], p["gain"]) for p in points if p["series"] == "selective: max feature:1"]
    assert selective == [
        ("max feature:1 below 0", 0.0, 0.0),
        ("max feature:1 below 0.5", 0.0, pytest.approx(0.15)),
        ("max feature:1 below 1", pytest.approx(0.05), pytest.approx(0.1)),
    ]
    corners = {}
    for row in lines:
        corners.setdefault(row["line"], []).append((row["risk"], row.get("gain")))
    assert corners["proportional reduction (coin)"] == [(0.0, 0.0), (pytest.approx(0.05), pytest.approx(0.1))]
    # gain / risk on training queries is 5: all models are of interest, and from the last one by coin to the baseline
    assert corners["near-optimal hull"] == [
        (pytest.approx(0.05), pytest.approx(0.1)), (pytest.approx(0.02), pytest.approx(0.08)),
        (0.0, pytest.approx(0.05)), (0.0, 0.0),
    ]  # fmt: skip
    assert described(sweep.chart("risk-gain", alpha=5))["params"] == [{"name": "alpha", "value": 5}]


def test_the_chosen_point_is_marked(sweep):
    assert len(values(sweep.chart("risk-gain"))) == 4
    point = sweep.choose("risk", max_risk=0.03)
    *_, ring, text = values(sweep.chart("risk-gain", point=point))
    assert ring == text
    assert [(row["label"], row["gain"], row["risk"]) for row in ring] == [("URisk, α = 1", point.gain, point.risk)]
    kept = sweep.choose("risk", max_risk=0.0)
    assert kept.index == 2
    nothing = synthetic_sweep(judged([[-0.1, 0.0]])).choose("risk", max_risk=0.0)
    assert nothing.index is None
    assert len(values(nothing.sweep.chart("risk-gain", point=nothing))) == 4  # the baseline needs no ring


def test_the_helped_and_hurt_are_counted(assessment, sweep):
    rows = values(assessment.chart("helped-hurt"))[0]
    for system in assessment.systems[1:]:
        own = {row["bucket"]: row["queries"] for row in rows if row["system"] == system.system}
        assert sum(own.values()) == system.wins + system.losses
        assert len(own) == 22
    # from 0.5 by +0.4, +0.2 and −0.2: +80 %, +40 %, −40 %
    own = {row["bucket"]: row["queries"] for row in values(sweep.chart("helped-hurt"))[0][:22]}
    assert [bucket for bucket, count in own.items() if count] == ["−40 to −30 %", "+40 to +50 %", "+80 to +90 %"]
    assert list(own)[9:11] == ["−10 to 0 %", "0 to +10 %"]
    assert list(own)[-2:] == ["+100 % or more", "from zero"]


def test_some_systems_can_be_picked_for_the_histogram(assessment):
    rows = values(assessment.chart("helped-hurt", systems=["bold"]))[0]
    assert {row["system"] for row in rows} == {"bold"}


@pytest.mark.parametrize("alpha", [0, 5])
def test_topics_stand_worst_first_with_their_statistics(assessment, alpha):
    explored = assessment.explore("bold", alpha=alpha)
    delta = assessment.scores["bold"] - assessment.scores["old"]
    by_change = values(assessment.chart("topics", system="bold", alpha=alpha))[0]
    by_t = values(assessment.chart("exploratory", system="bold", alpha=alpha))[1]
    for rows, order in ((by_change, np.argsort(delta)), (by_t, np.argsort(explored.t_j.statistic))):
        assert [row["topic"] for row in rows] == [assessment.scores.topics[q] for q in order]
        assert [row["place"] for row in rows] == list(range(1, 13))
        assert [row["t_j"] for row in rows] == pytest.approx(explored.t_j.statistic[order].tolist())
        far = np.abs(explored.t_r.statistic[order]) > explored.critical_value
        assert [row["outcome"].endswith("stands out") for row in rows] == far.tolist()
    limits = values(assessment.chart("exploratory", system="bold", alpha=alpha))[0]
    assert [row["t_j"] for row in limits] == [-explored.critical_value, explored.critical_value]


def test_of_many_topics_a_chart_shows_the_ends_and_some_between(monkeypatch):
    monkeypatch.setattr(topic_charts, "MOST_TOPICS", 40)
    rng = np.random.default_rng(0)
    assessment = rr.assess(rr.Effectiveness.from_rows({"a": rng.random(1000), "b": rng.random(1000)}), baseline="a")
    rows = values(assessment.chart("topics"))[0]
    assert [row["place"] for row in rows[:20]] == list(range(1, 21))
    assert (len(rows), rows[-1]["place"]) == (40, 1000)
    assert rows[0]["topic"] == assessment["b"].worst_topic


def test_georisk_is_a_line_for_each_system(assessment):
    rows = values(assessment.chart("georisk", largest_alpha=10))[0]
    assert len(rows) == 3 * 41
    for row in rows[::20]:
        place = assessment.scores.systems.index(row["system"])
        assert row["georisk"] == pytest.approx(rr.risk.georisk(assessment.scores.matrix, alpha=row["alpha"])[place])
    assert max(row["alpha"] for row in rows) == 10


def test_convergence_marks_where_95_percent_are_reached(sweep):
    lines, marks = values(sweep.chart("convergence"))
    assert [row["effectiveness"] for row in lines[:3]] == [0.2, 0.38, 0.4]
    # 0.38 is 95 % of 0.4; 0.3 takes all three steps, and is there from the first
    assert [(row["step"], row["effectiveness"]) for row in marks] == [(2, 0.38), (3, 0.3), (1, 0.3)]


def test_distances_are_shares_and_rewards_in_bins(sweep):
    rows = values(sweep.chart("distance"))[0]
    assert [row["bin"] for row in rows[:10]] == [f"{k / 10:.1f}–{(k + 1) / 10:.1f}" for k in range(10)]
    assert [row["share"] for row in rows[:10]] == [0.5, 0.25, 0, 0, 0, 0, 0, 0, 0, 0.25]
    rewards = [row["reward"] for row in values(sweep.chart("distance-reward"))[0][:10]]
    assert rewards[:2] == [pytest.approx(0.2), pytest.approx(0.2)]
    assert (rewards[2], rewards[9]) == (None, 0.0)


def test_gain_stands_against_what_is_reranked(sweep):
    coin, points, _ = values(sweep.chart("reranked"))
    models = [(row["reranked"], row["gain"]) for row in points if row["series"] == "URisk"]
    assert models == [(0.75, pytest.approx(0.1)), (0.75, pytest.approx(0.08)), (0.25, pytest.approx(0.05))]
    assert [(row["reranked"], row["gain"]) for row in coin] == [(0, 0), (0.75, pytest.approx(0.1))]


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
def test_every_sweep_has_its_page(delta, options):
    sweep = synthetic_sweep(judged(delta), **options)
    found = json.loads(
        sweep.to_html(point=sweep.choose("risk", max_risk=0.1)).split('-data">')[1].split("</script>")[0]
    )
    unknown = {"exploratory"} if len(sweep.test.queries) == 1 else set()  # one query stands out from nothing
    assert set(found[0]["charts"]) == set(OF_SWEEPS) - {"georisk"} - unknown


def test_one_topic_can_be_explored(tmp_path):
    assessment = rr.assess(rr.Effectiveness.from_rows({"a": [0.1], "b": [0.2]}), baseline="a")
    charts.save_chart(assessment.chart("exploratory"), tmp_path / "one.json")
    json.loads((tmp_path / "one.json").read_text(), parse_constant=pytest.fail)


def test_queries_whose_distance_is_not_known_are_left_out():
    sweep = synthetic_sweep(judged([[0.1, 0.2]], distance=[[np.nan, np.nan]]))
    assert {row["queries"] for row in values(sweep.chart("distance"))[0]} == {0}


# What is refused.


def refused(call, message, error=ParameterError):
    with pytest.raises(error, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)


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


@pytest.mark.parametrize("alpha", [-1, float("nan")])
def test_a_break_even_line_of_no_alpha_is_refused(assessment, alpha):
    refused(lambda: assessment.chart("risk-gain", alpha=alpha), "alpha must be a number from 0")


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
