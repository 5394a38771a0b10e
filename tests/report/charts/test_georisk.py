"""GeoRisk as losses weigh more."""

from __future__ import annotations

import pytest

import riskrank as rr

from .specs import values


def test_georisk_is_a_line_for_each_system(assessment):
    rows = values(assessment.chart("georisk", largest_alpha=10))[0]
    assert len(rows) == 3 * 41
    for row in rows[::20]:
        place = assessment.scores.systems.index(row["system"])
        assert row["georisk"] == pytest.approx(rr.risk.georisk(assessment.scores.matrix, alpha=row["alpha"])[place])
    assert max(row["alpha"] for row in rows) == 10
