from __future__ import annotations

import os

from riskrank.cores import usable_cores


def test_only_the_cores_that_the_process_may_use_count(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {1, 5, 7}, raising=False)
    assert usable_cores() == 3


def test_where_no_system_tells_them_all_cores_count(monkeypatch):
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    for known, expected in ((8, 8), (None, 1)):
        monkeypatch.setattr(os, "cpu_count", lambda known=known: known)
        assert usable_cores() == expected
