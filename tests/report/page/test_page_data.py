"""What a page knows: sums over all topics, and a choice of topics where there are many."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import riskrank as rr
from riskrank.report.page import page_data as module
from riskrank.report.page.page_data import default_alpha, page_data, thinned

SYSTEMS = ("old", "new", "bold", "same")


def made_up_scores(n=500, seed=0):
    rng = np.random.default_rng(seed)
    old = np.round(rng.beta(2, 3, n), 3)
    new = np.round(np.clip(old + rng.normal(0.02, 0.05, n) * (rng.random(n) < 0.7), 0, 1), 3)
    bold = np.round(np.clip(old + rng.normal(0.03, 0.2, n), 0, 1), 3)
    topics = tuple(f"q{q}" for q in range(n))
    return rr.Effectiveness("AP", SYSTEMS, topics, np.array([old, new, bold, old]))


@pytest.fixture(scope="module")
def assessment():
    return rr.assess(made_up_scores(), baseline="old", alphas=(0, 5))


@pytest.fixture
def small_room(monkeypatch):
    monkeypatch.setattr(module, "MOST_CELLS", 80)
    monkeypatch.setattr(module, "FEWEST_TOPICS", 8)


# Thinning.


@given(st.integers(0, 2000), st.integers(4, 300))
def test_thinning_keeps_the_worst_and_the_best_and_spreads_the_rest(count, most):
    kept = thinned(count, most).tolist()
    assert len(kept) == min(count, most)
    assert kept == sorted(set(kept))
    if count > most:
        assert kept[: most // 2] == list(range(most // 2))
        assert kept[-(most // 4) :] == list(range(count - most // 4, count))
        # between the ends no gap is much larger than another
        gaps = np.diff(kept[most // 2 - 1 : most - most // 4 + 1])
        assert gaps.max() <= gaps.min() + 1


def test_few_topics_are_all_kept(assessment):
    found = page_data(assessment, {})
    scores = assessment.scores
    for i, own in enumerate(found["kept"]):
        if i == 0:
            assert own is None  # the baseline has no changes
            continue
        assert sorted(found["topics"][topic] for topic in own["topics"]) == sorted(scores.topics)
        assert own["places"] == list(range(500))
        assert own["changes"] == sorted(own["changes"])
        order = [int(found["topics"][topic][1:]) for topic in own["topics"]]
        np.testing.assert_allclose(own["changes"], (scores.matrix[i] - scores.matrix[0])[order], atol=5e-7)
        np.testing.assert_allclose(own["scores"], scores.matrix[i][order], atol=5e-7)
        np.testing.assert_allclose([found["baseline"][t] for t in own["topics"]], scores.matrix[0][order], atol=5e-7)


def test_of_many_topics_each_system_keeps_its_worst_and_its_best(assessment, small_room):
    found = page_data(assessment, {})
    assert found["count"] == 500
    for i in (1, 2):
        own = found["kept"][i]
        delta = np.sort(assessment.scores.matrix[i] - assessment.scores.matrix[0])
        assert own["places"] == thinned(500, 80 // 4).tolist()
        np.testing.assert_allclose(own["changes"], delta[own["places"]], atol=5e-7)
        assert found["topics"][own["topics"][0]] == assessment.systems[i].worst_topic
    assert len(found["topics"]) < 3 * 20 + 1  # no topic that nobody shows
    assert len(set(found["topics"])) == len(found["topics"]) == len(found["baseline"])


def test_however_many_systems_there_are_each_keeps_some_topics(small_room):
    rng = np.random.default_rng(0)
    scores = rr.Effectiveness.from_rows({f"s{i}": rng.random(50) for i in range(30)})
    kept = page_data(rr.assess(scores, baseline="s0"), {})["kept"]
    assert {len(own["topics"]) for own in kept[1:]} == {8}


# Numbers.


def test_sums_are_over_all_topics_however_few_are_kept(assessment, small_room):
    found = page_data(assessment, {})
    matrix = assessment.scores.matrix
    for system, row, summary in zip(found["systems"], matrix, assessment, strict=True):
        delta = np.where(np.abs(row - matrix[0]) < 1e-12, 0, row - matrix[0])
        won, lost = delta[delta > 0], -delta[delta < 0]
        sums = [won.sum(), lost.sum(), (won**2).sum(), (lost**2).sum(), row.sum()]
        assert [system[n] for n in ("won", "lost", "wonSquares", "lostSquares", "total")] == pytest.approx(sums)
        assert (system["name"], system["isBaseline"]) == (summary.system, summary.is_baseline)
        for at in summary.at:  # all that the slider needs
            assert (system["won"] - (1 + at.alpha) * system["lost"]) / 500 == pytest.approx(at.urisk)
            assert system["above"] + (1 + at.alpha) * system["below"] == pytest.approx(at.zrisk)
    assert (found["measure"], found["baselineName"], found["baselineIndex"]) == ("AP", "old", 0)
    assert found["level"] == assessment.level


@pytest.mark.parametrize(
    ("alphas", "expected"), [((0, 1, 5), 1), ((0, 0.5), 0.5), ((0,), 0), ((0, 5, 1), 5), ((0.5, 2.5), 2.5)]
)
def test_the_slider_begins_at_the_first_alpha_from_1(alphas, expected):
    assert default_alpha(alphas) == expected


def plain_json(assessment):
    return json.loads(json.dumps(page_data(assessment, {}), allow_nan=False))


@pytest.mark.parametrize(
    "matrix",
    [np.zeros((2, 3)), np.ones((2, 1)), np.empty((2, 0)), np.array([[-1.0, 2.0], [1.0, 1.0]])],
    ids=["zeros", "one topic", "no topics", "negative"],
)
def test_odd_scores_are_plain_json(matrix):
    scores = rr.Effectiveness("x", ("a", "b"), tuple(map(str, range(matrix.shape[1]))), matrix)
    found = plain_json(rr.assess(scores, baseline="a"))
    assert found["count"] == matrix.shape[1]
    if (matrix < 0).any() or not matrix.size:
        assert found["systems"][1]["above"] is None  # there is no GeoRisk


@pytest.mark.parametrize("odd", [np.nan, np.inf])
def test_scores_that_are_not_finite_are_plain_json(odd):
    scores = rr.Effectiveness.from_rows({"a": [0.1, 0.2, 0.3], "b": [0.2, odd, 0.1], "c": [0.3, 0.1, 0.2]})
    found = plain_json(rr.assess(scores, baseline="a"))
    assert found["systems"][1]["won"] is None
    assert found["systems"][2]["won"] is not None


def test_a_baseline_that_is_no_system_has_no_place_among_them():
    found = plain_json(rr.assess(made_up_scores(20), baseline="mean"))
    assert found["baselineIndex"] is None
    assert found["baselineName"] == "mean of 4 systems"
    assert all(own is not None for own in found["kept"])


# Rankings.


class Known:
    """Rankings of two documents each, and a record of who asked."""

    def __init__(self):
        self.asked = []

    def top(self, system, topic):
        self.asked.append((system, topic))
        return [(f"{system}-{topic}", 1.0), ("other", None)]


def test_rankings_are_of_each_topic_where_there_is_room():
    assessment = rr.assess(made_up_scores(20), baseline="old")
    known = Known()
    found = page_data(assessment, {}, rankings=known)
    assert len(known.asked) == len(set(known.asked)) == 4 * 20
    for number, name in enumerate(found["topics"]):
        assert found["rankings"][number] == {
            i: [(f"{system}-{name}", 1.0), ("other", None)] for i, system in enumerate(SYSTEMS)
        }


def test_where_there_is_little_room_rankings_are_of_the_largest_changes(monkeypatch):
    monkeypatch.setattr(module, "MOST_DOCUMENTS", 40)
    assessment = rr.assess(made_up_scores(100), baseline="old")
    found = page_data(assessment, {}, rankings=Known())
    shown = sum(len(documents) for systems in found["rankings"].values() for documents in systems.values())
    assert 40 <= shown <= 44
    for i, system in ((1, "new"), (2, "bold")):
        delta = np.abs(assessment.scores[system] - assessment.scores["old"])
        largest = [f"q{q}" for q in np.argsort(-delta, kind="stable")[:3]]
        for name in largest:
            assert set(found["rankings"][found["topics"].index(name)]) >= {0, i}
    assert found["rankingsNote"] == "Rankings are shown for the topics that lose and gain most."


def test_without_rankings_the_page_says_why(assessment):
    found = page_data(assessment, {})
    assert found["rankings"] == {}
    assert found["rankingsNote"] == "The rankings are not known here: only scores were given."


def test_without_a_ranking_of_the_baseline_the_page_says_why():
    found = page_data(rr.assess(made_up_scores(20), baseline="mean"), {}, rankings=Known())
    assert found["rankings"] == {}
    assert "are shown" not in found["rankingsNote"]
