"""Gain against risk."""

from __future__ import annotations

import pytest

from ...tradeoff.synthetic_sweeps import judged, synthetic_sweep
from .specs import described, refused, values


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


@pytest.mark.parametrize("alpha", [-1, float("nan")])
def test_a_break_even_line_of_no_alpha_is_refused(assessment, alpha):
    refused(lambda: assessment.chart("risk-gain", alpha=alpha), "alpha must be a number from 0")
