"""Gain against what is re-ranked."""

from __future__ import annotations

import pytest

from .specs import values


def test_gain_stands_against_what_is_reranked(sweep):
    coin, points, _ = values(sweep.chart("reranked"))
    models = [(row["reranked"], row["gain"]) for row in points if row["series"] == "URisk"]
    assert models == [(0.75, pytest.approx(0.1)), (0.75, pytest.approx(0.08)), (0.25, pytest.approx(0.05))]
    assert [(row["reranked"], row["gain"]) for row in coin] == [(0, 0), (0.75, pytest.approx(0.1))]
