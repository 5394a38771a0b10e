from __future__ import annotations

import math

import numpy as np
import pytest

from riskrank.errors import ParameterError
from riskrank.risk import Budget, check_budget, trisk

from .examples import BASELINE, SYSTEM


@pytest.mark.parametrize(
    ("budget", "value", "holds", "topics"),
    [
        ({"max_risk": 0.05}, 0.06, False, (1, 3)),
        ({"max_risk": 0.07}, 0.06, True, ()),
        ({"min_urisk": -0.3, "alpha": 5}, -0.335, False, (1, 3)),
        ({"max_hurt": 0.4}, 0.5, False, (1, 3)),
        ({"max_hurt": 0.25, "tolerance": 0.05}, 0.25, True, ()),
        ({"max_hurt": 0.0, "tolerance": 0.05}, 0.25, False, (1,)),
        ({"max_loss": 0.1}, 0.2, False, (1,)),
        ({"max_loss": 0.2}, 0.2, True, ()),
        ({"max_risk": 0.06}, 0.06, True, ()),
        ({"max_loss": 0.2 - 1e-9}, 0.2, False, (1,)),
    ],
)
def test_each_limit_is_checked_by_its_value_and_names_the_topics_that_broke_it(budget, value, holds, topics):
    (check,) = check_budget(SYSTEM, BASELINE, Budget(**budget))
    assert (check.value, check.holds, check.topics) == (pytest.approx(value), holds, topics)


def test_without_limits_a_significant_loss_fails():
    (check,) = check_budget(SYSTEM, BASELINE, Budget(alpha=5))
    assert check.holds
    assert check.words.endswith("(no significant loss: fewer than 6 topics changed)")
    assert math.isnan(check.limit)
    worse = [0.5 - 0.2 - 0.01 * i for i in range(10)]
    (check,) = check_budget(worse, [0.5] * 10, Budget())
    assert not check.holds
    assert "(a significant loss: p = 0.00" in check.words


def test_an_undefined_statistic_is_judged_by_its_direction():
    for limit in (-1.0, 0.0):
        assert check_budget(BASELINE, BASELINE, Budget(min_trisk=limit))[0].holds
    flat_loss = [b - 0.125 for b in (0.5, 0.75, 0.25)]
    assert not check_budget(flat_loss, [0.5, 0.75, 0.25], Budget(min_trisk=-2))[0].holds
    assert check_budget([0.5, 0.75, 0.25], flat_loss, Budget(min_trisk=2))[0].holds
    with pytest.raises(ParameterError, match="at least 2 topics"):
        check_budget([0.5], [0.4], Budget())


def test_without_a_limit_the_verdict_of_the_test_decides_and_is_told():
    for n_topics, has_loss in ((3, False), (5, False), (6, True), (30, True)):
        baseline = np.linspace(0.5, 0.9, n_topics)
        for system in (baseline - 0.125, baseline - np.linspace(0.1, 0.2, n_topics)):
            (check,) = check_budget(system, baseline, Budget())
            assert check.holds == (trisk(system, baseline, alpha=0).verdict != "significant loss") == (not has_loss)
            assert ("a significant loss: p " in check.words) == has_loss
    (same,) = check_budget(BASELINE, BASELINE, Budget())
    assert same.words.endswith("(no significant loss: the system equals the baseline on every topic)")


def test_senseless_budgets_are_refused():
    for wrong in (
        {"max_risk": -1},
        {"max_hurt": 5},
        {"alpha": -2},
        {"max_loss": float("nan")},
        {"tolerance": -0.1},
    ):
        with pytest.raises(ParameterError):
            Budget(**wrong)
