"""What a page knows: sums over all topics, and a choice of topics where there are many."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

import riskrank as rr
from riskrank.report.page import page_data as module
from riskrank.report.page.page_data import default_alpha, page_data
from riskrank.report.thinned import thinned

SYSTEMS = ("old", "new", "bold", "same")


def synthetic_scores(n=500, seed=0):
    rng = np.random.default_rng(seed)
    old = np.round(rng.beta(2, 3, n), 3)
    new = np.round(np.clip(old + rng.normal(0.02, 0.05, n) * (rng.random(n) < 0.7), 0, 1), 3)
    bold = np.round(np.clip(old + rng.normal(0.03, 0.2, n), 0, 1), 3)
    topics = tuple(f"q{q}" for q in range(n))
    return rr.Effectiveness("AP", SYSTEMS, topics, np.array([old, new, bold, old]))


@pytest.fixture(scope="module")
def assessment():
    return rr.assess(synthetic_scores(), baseline="old", alphas=(0, 5))


@pytest.fixture
def few_topics_kept(monkeypatch):
    monkeypatch.setattr(module, "MOST_CELLS", 80)
    monkeypatch.setattr(module, "FEWEST_TOPICS", 8)


def test_few_topics_are_all_kept(assessment):
    data = page_data(assessment, {})
    scores = assessment.scores
    for i, own in enumerate(data["kept"]):
        if i == 0:
            assert own is None  # the baseline has no changes
            continue
        assert sorted(data["topics"][topic] for topic in own["topics"]) == sorted(scores.topics)
        assert own["places"] == list(range(500))
        assert own["changes"] == sorted(own["changes"])
        order = [int(data["topics"][topic][1:]) for topic in own["topics"]]
        np.testing.assert_allclose(own["changes"], (scores.matrix[i] - scores.matrix[0])[order], atol=5e-7)
        np.testing.assert_allclose(own["scores"], scores.matrix[i][order], atol=5e-7)
        np.testing.assert_allclose([data["baseline"][t] for t in own["topics"]], scores.matrix[0][order], atol=5e-7)


def test_of_many_topics_each_system_keeps_its_worst_and_its_best(assessment, few_topics_kept):
    data = page_data(assessment, {})
    assert data["count"] == 500
    for i in (1, 2):
        own = data["kept"][i]
        delta = np.sort(assessment.scores.matrix[i] - assessment.scores.matrix[0])
        assert own["places"] == thinned(500, 80 // 4).tolist()
        np.testing.assert_allclose(own["changes"], delta[own["places"]], atol=5e-7)
        assert data["topics"][own["topics"][0]] == assessment.systems[i].worst_topic
    assert len(data["topics"]) < 3 * 20 + 1  # no topic that nobody shows
    assert len(set(data["topics"])) == len(data["topics"]) == len(data["baseline"])


def test_however_many_systems_there_are_each_keeps_some_topics(few_topics_kept):
    rng = np.random.default_rng(0)
    scores = rr.Effectiveness.from_rows({f"s{i}": rng.random(50) for i in range(30)})
    kept = page_data(rr.assess(scores, baseline="s0"), {})["kept"]
    assert {len(own["topics"]) for own in kept[1:]} == {8}


# Numbers.


def test_sums_are_over_all_topics_however_few_are_kept(assessment, few_topics_kept):
    data = page_data(assessment, {})
    matrix = assessment.scores.matrix
    for system, row, summary in zip(data["systems"], matrix, assessment, strict=True):
        delta = np.where(np.abs(row - matrix[0]) < 1e-12, 0, row - matrix[0])
        won, lost = delta[delta > 0], -delta[delta < 0]
        sums = [won.sum(), lost.sum(), (won**2).sum(), (lost**2).sum(), row.sum()]
        assert [system[n] for n in ("won", "lost", "wonSquares", "lostSquares", "total")] == pytest.approx(sums)
        assert (system["name"], system["isBaseline"]) == (summary.system, summary.is_baseline)
        for at in summary.at:  # all that the slider needs
            assert (system["won"] - (1 + at.alpha) * system["lost"]) / 500 == pytest.approx(at.urisk)
            assert system["above"] + (1 + at.alpha) * system["below"] == pytest.approx(at.zrisk)
    assert (data["measure"], data["baselineName"]) == ("AP", "old")
    assert data["level"] == assessment.level


@pytest.mark.parametrize(
    ("alphas", "expected"), [((0, 1, 5), 1), ((0, 0.5), 0.5), ((0,), 0), ((0, 5, 1), 5), ((0.5, 2.5), 2.5)]
)
def test_the_slider_begins_at_the_first_alpha_from_1(alphas, expected):
    assert default_alpha(alphas) == expected


def test_p_values_of_a_former_file_are_those_of_the_file(assessment):
    former = replace(assessment, test="t")
    data = page_data(former, {})
    assert data["grid"] == sorted(former.alphas)
    for system, summary in zip(data["systems"], former.systems, strict=True):
        if not summary.is_baseline:
            p_values = [summary.at_alpha(alpha).p_value for alpha in data["grid"]]
            assert system["p"] == [None if np.isnan(p) else p for p in p_values]


def plain_json(assessment):
    return json.loads(json.dumps(page_data(assessment, {}), allow_nan=False))


@pytest.mark.parametrize(
    "matrix",
    [np.zeros((2, 3)), np.ones((2, 1)), np.empty((2, 0)), np.array([[-1.0, 2.0], [1.0, 1.0]])],
    ids=["zeros", "one topic", "no topics", "negative"],
)
def test_odd_scores_are_plain_json(matrix):
    scores = rr.Effectiveness("x", ("a", "b"), tuple(map(str, range(matrix.shape[1]))), matrix)
    data = plain_json(rr.assess(scores, baseline="a"))
    assert data["count"] == matrix.shape[1]
    if (matrix < 0).any() or not matrix.size:
        assert data["systems"][1]["above"] is None  # there is no GeoRisk


@pytest.mark.parametrize("odd", [np.nan, np.inf])
def test_scores_that_are_not_finite_are_plain_json(odd):
    scores = rr.Effectiveness.from_rows({"a": [0.1, 0.2, 0.3], "b": [0.2, odd, 0.1], "c": [0.3, 0.1, 0.2]})
    data = plain_json(rr.assess(scores, baseline="a"))
    assert data["systems"][1]["won"] is None
    assert data["systems"][2]["won"] is not None


def test_a_baseline_that_is_no_system_has_no_place_among_them():
    data = plain_json(rr.assess(synthetic_scores(20), baseline="mean"))
    assert data["baselineName"] == "mean of 4 systems"
    assert all(own is not None for own in data["kept"])
