"""What the explorer knows: all topics while there are few, a choice of many, and rankings of the largest changes."""

from __future__ import annotations

import json

import numpy as np
import pytest

import riskrank as rr
from riskrank.report.findings.headings import losers_of
from riskrank.report.page.explorer import topic_data as module
from riskrank.report.page.explorer.top_documents import Listed, SideBySide
from riskrank.report.thinned import thinned

SYSTEMS = ("old", "new", "bold", "same")


def assessed(n=100, baseline="old"):
    rng = np.random.default_rng(0)
    old = np.round(rng.beta(2, 3, n), 3)
    new = np.round(np.clip(old + rng.normal(0.02, 0.05, n) * (rng.random(n) < 0.7), 0, 1), 3)
    bold = np.round(np.clip(old + rng.normal(0.03, 0.2, n), 0, 1), 3)
    topics = tuple(f"q{q}" for q in range(n))
    return rr.assess(rr.Effectiveness("AP", SYSTEMS, topics, np.array([old, new, bold, old])), baseline)


def topic_data(assessment, chosen, **options):
    return module.topic_data(assessment, chosen, losing=losers_of(assessment), decimals=3, **options)


class Known:
    """Rankings of two documents each, and a record of who asked."""

    def __init__(self, systems=SYSTEMS):
        self.systems, self.asked = systems, []

    def __contains__(self, system):
        return system in self.systems

    def beside(self, system, baseline, topics):
        self.asked += [(system, topic) for topic in topics]
        return {
            topic: SideBySide([Listed(f"{baseline}-{topic}", 1.0, 2)], [Listed("other", None, None)])
            for topic in topics
        }


def test_few_topics_are_all_kept_worst_first():
    assessment = assessed()
    data = topic_data(assessment, 1)
    assert set(data.kept) == {1, 2, 3}  # the baseline has no changes
    for i, kept in data.kept.items():
        assert sorted(data.names[topic] for topic in kept.topics) == sorted(assessment.scores.topics)
        order = [int(data.names[topic][1:]) for topic in kept.topics]
        np.testing.assert_allclose(kept.changes, (assessment.scores.matrix[i] - assessment.scores.matrix[0])[order])
        assert kept.changes == sorted(kept.changes)
        np.testing.assert_allclose([data.baseline[topic] for topic in kept.topics], assessment.scores.matrix[0][order])
    assert data.to_json()["kept"][1]["places"] is None


def test_of_many_topics_each_system_keeps_its_worst_and_its_best(monkeypatch):
    monkeypatch.setattr(module, "MOST_CELLS", 80)
    monkeypatch.setattr(module, "FEWEST_TOPICS", 8)
    assessment = assessed(500)
    data = topic_data(assessment, 1)
    for i in (1, 2):
        kept = data.kept[i]
        delta = np.sort(assessment.scores.matrix[i] - assessment.scores.matrix[0])
        assert kept.places == thinned(500, 20).tolist()
        np.testing.assert_allclose(kept.changes, delta[kept.places], atol=5e-4)
        assert data.names[kept.topics[0]] == assessment.systems[i].worst_topic
    assert len(data.names) < 61  # no topic that nobody shows
    assert data.n_topics == 500


def test_losers_are_counted_among_all_systems():
    assessment = assessed()
    data = topic_data(assessment, 1)
    lost = (assessment.scores.matrix < assessment.scores.matrix[0]).sum(axis=0)
    assert data.losing == [int(lost[int(name[1:])]) for name in data.names]


def test_rankings_of_few_topics_are_all_kept_and_those_of_the_chosen_system_first(monkeypatch):
    known = Known()
    data = topic_data(assessed(20), 2, rankings=known)
    assert len(set(known.asked)) == len(known.asked) == 3 * 20
    assert all(set(by_system) == {1, 2, 3} for by_system in data.pairs.values())
    monkeypatch.setattr(module, "MOST_PAIRS", 26)
    known = Known()
    topic_data(assessed(20), 2, rankings=known)
    asked = [system for system, _ in known.asked]
    assert (asked.count("bold"), len(asked)) == (20, 26)


def test_documents_of_a_topic_stand_once_in_the_page():
    content = topic_data(assessed(20), 1, rankings=Known()).to_json()
    ranked = json.loads(json.dumps(content["rankings"]))["0"]
    assert len(ranked["documents"]) == len(ranked["grades"]) == 2
    assert ranked["of"]["1"] == [[[0, 2]], [[1, None]], ""]


@pytest.mark.parametrize(
    ("options", "start"),
    [({}, "Only scores were given."), ({"rankings": Known(())}, "The baseline has no ranking of its own"),
     ({"rankings": Known()}, "Rankings are kept for the topics that change most")],
)  # fmt: skip
def test_without_rankings_the_page_says_why(options, start):
    data = topic_data(assessed(20), 1, **options)
    assert data.note.startswith(start)
    assert bool(data.pairs) == start.startswith("Rankings")
