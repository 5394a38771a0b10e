from __future__ import annotations

from dataclasses import replace

from riskrank.risk import Budget
from riskrank.risk.budget.budget import DEFAULT_BUDGET


def test_a_budget_without_limits_takes_the_default_ones():
    assert Budget().is_empty
    assert Budget().or_default() == DEFAULT_BUDGET
    assert Budget(alpha=5, level=0.01, strict=True).or_default() == replace(
        DEFAULT_BUDGET, alpha=5, level=0.01, strict=True
    )


def test_a_limit_of_zero_is_a_limit():
    for limit in ("max_hurt", "max_severe", "max_loss", "max_risk", "min_urisk", "min_trisk", "min_gain", "max_worse"):
        budget = Budget(**{limit: 0.0})
        assert not budget.is_empty
        assert budget.or_default() is budget
    assert not Budget(no_significant_loss=True).is_empty


def test_alpha_matters_where_losses_are_weighed():
    assert all(
        Budget(**each).is_weighted for each in ({"min_urisk": 0}, {"min_trisk": 0}, {"no_significant_loss": True})
    )
    assert not Budget(max_risk=0.1, max_hurt=0.1, max_worse=0.1).is_weighted
