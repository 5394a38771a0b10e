from __future__ import annotations

import os

import pytest

from riskrank.cores import divided_cores, usable_cores


def test_only_the_cores_that_the_process_may_use_count(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {1, 5, 7}, raising=False)
    assert usable_cores() == 3


def test_where_no_system_tells_them_all_cores_count(monkeypatch):
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    for known, expected in ((8, 8), (None, 1)):
        monkeypatch.setattr(os, "cpu_count", lambda known=known: known)
        assert usable_cores() == expected


@pytest.mark.parametrize(
    ("n_processes", "expected"),
    [(1, [{1, 4, 5, 7, 9}]), (2, [{1, 4, 5}, {7, 9}]), (5, [{1}, {4}, {5}, {7}, {9}]), (6, [set()] * 6)],
)
def test_cores_are_divided_whole_or_not_at_all(n_processes, expected, monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {9, 1, 5, 7, 4}, raising=False)
    assert divided_cores(n_processes) == expected


def test_where_no_system_tells_them_no_cores_are_divided(monkeypatch):
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    assert divided_cores(2) == [set(), set()]
