"""Which topics stand out."""

from __future__ import annotations

import json

import pytest

import riskrank as rr
from riskrank.report.charts.catalogue import save_chart


def test_one_topic_can_be_explored(tmp_path):
    assessment = rr.assess(rr.Effectiveness.from_rows({"a": [0.1], "b": [0.2]}), baseline="a")
    save_chart(assessment.chart("exploratory"), tmp_path / "one.json")
    json.loads((tmp_path / "one.json").read_text(), parse_constant=pytest.fail)
