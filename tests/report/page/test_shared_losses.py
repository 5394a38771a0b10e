from __future__ import annotations

import numpy as np
import pytest

import riskrank as rr
from riskrank.report.findings.digits import Digits
from riskrank.report.findings.headings import losers_of
from riskrank.report.page.shared_losses import shared_losses


def shared(rows):
    assessment = rr.assess(rr.Effectiveness.from_rows(rows), "old")
    return shared_losses(assessment, losers_of(assessment), Digits(3))


def test_of_few_systems_every_change_is_shown():
    both = shared({"old": [0.5, 0.4, 0.3], "a": [0.1, 0.5, 0.1], "b": [0.2, 0.3, 0.3]})
    assert both.columns == ["b", "a"]  # by gain
    assert [(row.topic, row.baseline, row.n_systems, row.changes) for row in both.rows] == [
        ("1", "0.500", 2, ["−0.300", "−0.400"])
    ]
    assert both.heading == "1 topic is hurt by two systems or more"


@pytest.mark.parametrize(("n_hurt", "note"), [(8, "Change of"), (9, "The 8 that most systems hurt. Change of")])
def test_of_few_systems_up_to_eight_topics_are_listed(n_hurt, note):
    worse = np.where(np.arange(12) < n_hurt, 0.4, 0.6)
    both = shared({"old": np.full(12, 0.5), "a": worse, "b": worse})
    assert both.heading == f"{n_hurt} topics are hurt by two systems or more"
    assert len(both.rows) == 8
    assert both.note.startswith(note)


def test_of_many_systems_the_median_and_those_that_most_lose():
    rows = {"old": np.full(10, 0.5)} | {f"s{i}": 0.5 + np.where(np.arange(10) < i, -0.1, 0.1) for i in range(10)}
    most = shared(rows)
    assert most.columns == []
    assert [row.n_systems for row in most.rows] == [9, 8, 7, 6, 5, 4]
    assert [row.share for row in most.rows] == [90, 80, 70, 60, 50, 40]
    assert [row.changes for row in most.rows[3:]] == [["−0.100"], ["0.000"], ["+0.100"]]
    assert most.heading == "4 topics are hurt by more than half of the systems"


@pytest.mark.parametrize(
    "rows", [{"old": [0.5, 0.4], "a": [0.1, 0.2]}, {"old": [0.5, 0.4], "a": [0.4, 0.5], "b": [0.5, 0.4]}]
)
def test_one_system_or_no_shared_loss_is_nothing_to_show(rows):
    assert shared(rows) is None
