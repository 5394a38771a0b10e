"""The change of every topic, and which of them stand out."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

import riskrank as rr
from riskrank.risk.exploratory import LIMIT

from .specs import described, values

topics = pytest.importorskip("riskrank.report.charts.topics")


@pytest.mark.parametrize("alpha", [0, 5])
def test_topics_stand_worst_first_with_their_statistics(assessment, alpha):
    explored = assessment.explore("bold", alpha=alpha)
    delta = assessment.scores["bold"] - assessment.scores["old"]
    by_change = values(assessment.chart("topics", system="bold", alpha=alpha))[0]
    by_t = values(assessment.chart("exploratory", system="bold", alpha=alpha))[1]
    for rows, order in ((by_change, np.argsort(delta)), (by_t, np.argsort(explored.t_j))):
        assert [row["topic"] for row in rows] == [assessment.scores.topics[q] for q in order]
        assert [row["place"] for row in rows] == list(range(1, 13))
        assert [row["t_j"] for row in rows] == pytest.approx(explored.t_j[order].tolist())
        far = np.abs(explored.t_j[order]) > LIMIT
        assert [row["outcome"].endswith("stands out") for row in rows] == far.tolist()
    limits = values(assessment.chart("exploratory", system="bold", alpha=alpha))[0]
    assert [row["t_j"] for row in limits] == [-LIMIT, LIMIT]


@pytest.mark.parametrize("unit", ["topic", "query"])
def test_axes_name_what_is_counted(assessment, unit):
    renamed = replace(assessment, scores=replace(assessment.scores, unit=unit))
    text = {name: json.dumps(described(renamed.chart(name))) for name in ("topics", "exploratory", "helped-hurt")}
    units = {"topic": "topics", "query": "queries"}[unit]
    assert f'"title": "{units}, worst first"' in text["topics"]
    assert f'"title": "{units}, by T_J"' in text["exploratory"]
    assert f'"title": "relative change of a {unit}"' in text["helped-hurt"]


def test_of_many_topics_a_chart_shows_the_ends_and_some_between(monkeypatch):
    monkeypatch.setattr(topics, "MOST_TOPICS", 40)
    rng = np.random.default_rng(0)
    assessment = rr.assess(rr.Effectiveness.from_rows({"a": rng.random(1000), "b": rng.random(1000)}), baseline="a")
    rows = values(assessment.chart("topics"))[0]
    assert [row["place"] for row in rows[:20]] == list(range(1, 21))
    assert (len(rows), rows[-1]["place"]) == (40, 1000)
    assert rows[0]["topic"] == assessment["b"].worst_topic
