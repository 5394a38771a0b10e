from __future__ import annotations

from typing import get_args

from riskrank.report.gate_formats.rules import RULES
from riskrank.risk.budget.check import CheckName


def test_every_check_is_explained():
    assert set(RULES) == {*get_args(CheckName), "topic"}


def test_descriptions_are_no_longer_than_github_shows():
    for rule in RULES.values():
        assert len(rule.title) < 255
        assert len(rule.meaning) < 1024
        assert rule.meaning.endswith(".")
        assert rule.advice.endswith(".")
