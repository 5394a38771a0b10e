from __future__ import annotations

import numpy as np
import pytest

from riskrank.errors import ParameterError
from riskrank.risk.budget.weighted_changes import WeightedChanges


def test_weights_have_a_mean_of_one_and_means_are_weighted():
    changes = WeightedChanges.of([0.6, 0.3], [0.5, 0.5], [3, 1])
    assert changes.weights.tolist() == [1.5, 0.5]
    assert changes.weighted.mean() == pytest.approx((3 * 0.1 - 1 * 0.2) / 4)
    assert changes.share(np.array([False, True])) == 0.25


def test_unequal_weights_tell_as_much_as_fewer_topics():
    assert WeightedChanges.of(np.ones(8), np.zeros(8)).n_effective == 8
    assert WeightedChanges.of(np.ones(8), np.zeros(8), [1] * 4 + [0] * 4).n_effective == pytest.approx(4)
    assert WeightedChanges.of(np.ones(2), np.zeros(2), [3, 1]).n_effective == pytest.approx(
        16 / 10
    )  # (3 + 1)² / (9 + 1)


def test_changes_left_out_are_ties_in_the_copy_only():
    changes = WeightedChanges.of([0.6, 0.3], [0.5, 0.5])
    assert changes.mirror.n_changed == 2
    rest = changes.without(np.array([False, True]))
    assert rest.delta.tolist() == pytest.approx([0.1, 0.0])
    assert rest.mirror.n_changed == 1
    assert changes.delta.tolist() == pytest.approx([0.1, -0.2])


@pytest.mark.parametrize(("system", "baseline"), [([], []), ([float("nan")], [0.1])])
def test_nothing_to_compare_is_refused(system, baseline):
    with pytest.raises(ParameterError, match="at least one topic and no NaN"):
        WeightedChanges.of(system, baseline)


def test_equal_weights_are_none():
    assert not WeightedChanges.of([0.6, 0.3], [0.5, 0.5]).is_weighted
    assert not WeightedChanges.of([0.6, 0.3], [0.5, 0.5], [0.3, 0.3]).is_weighted
    assert WeightedChanges.of([0.6, 0.3], [0.5, 0.5], [0.3, 0.4]).is_weighted
