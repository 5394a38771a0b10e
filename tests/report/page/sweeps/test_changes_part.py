"""What a model does to each query, beside the reference model."""

from __future__ import annotations

import pytest

from riskrank.report.findings.digits import Digits
from riskrank.report.page.sweeps.changes_part import changes_part, shown_model

from ....tradeoff.synthetic_sweeps import selective_sweep


def test_the_facts_are_beside_those_of_the_reference_model(two_models, guaranteed):
    part = changes_part(two_models, shown_model(two_models, guaranteed), Digits(4))
    assert part.large_heading == "No query loses more than a fifth with α = 5 on all queries (100 with α = 0)"
    assert part.hurt_heading == "α = 5 on all queries hurts 100 of 400 queries, α = 0 hurts 100, but by more in all"
    assert [tuple(row) for row in part.worst] == [(str(4 * k), "0.5000", "−0.2000", "−0.0300") for k in range(5)]
    # −6 % and 10 %, beside 40 % either way.
    assert [bar.own for bar in part.bars] == [0, 0, 0, 0, 100, 300, 0, 0, 0, 0, 0]
    assert [bar.outline for bar in part.bars] == [0, 0, 0, 100, 0, 0, 0, 300, 0, 0, 0]


def test_the_reference_model_stands_alone(two_models):
    shown = shown_model(two_models, two_models.choose("risk", max_risk=1.0))
    assert shown.is_reference
    part = changes_part(two_models, shown, Digits(4))
    assert (part.full, part.outline) == ("", "")
    assert part.hurt_heading == "α = 0 hurts 100 of 400 queries"


def test_without_a_point_the_last_model_is_shown(two_models):
    assert shown_model(two_models, None).name == "α = 5"


def test_a_model_that_is_used_by_a_predictor_changes_only_its_queries():
    sweep = selective_sweep()
    point = sweep.guarantee(0.05, via="x", confidence=0.8)
    shown = shown_model(sweep, point)
    assert shown.name.startswith("α = 0 where the query's largest feature 1 is ")
    assert shown.changes.mean() == pytest.approx(point.gain)
    assert (shown.changes == 0).any()
