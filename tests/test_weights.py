from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from riskrank.errors import ParameterError
from riskrank.weights import checked_weights, effective_number, relative_weights, said_of_weights, weighted_mean

WEIGHTS = st.lists(st.integers(0, 9), min_size=2, max_size=20).filter(any)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, -1, 2], "numbers from 0, got -1 for topic 2"),
        ([1, np.nan, 2], "numbers from 0, got nan for topic 2"),
        ([1, 2, np.inf], "numbers from 0, got inf for topic 3"),
        ([0, 0, 0], "must not all be 0: no topic would count"),
        ([1, 2], "3 topics need as many weights, got 2"),
        ([[1, 2, 3]], r"3 topics need as many weights, got shape \(1, 3\)"),
        (["a", "b", "c"], "must be numbers from 0"),
        ([1e308, 1e308, -1e-320], "got -9.99989e-321 for topic 3"),
    ],
)
def test_what_is_no_weight_is_refused(weights, message):
    with pytest.raises(ParameterError, match=message):
        checked_weights(weights, 3)


def test_messages_name_the_query():
    with pytest.raises(ParameterError, match="got -2 for query 'shoes'"):
        checked_weights([1, -2], 2, unit="query", names=("hats", "shoes"))


def test_equal_weights_are_none_and_others_have_a_mean_of_one():
    assert relative_weights(None) is None
    assert relative_weights(np.full(3, 7.0)) is None
    assert relative_weights(np.array([1.0, 2.0, 6.0])).tolist() == pytest.approx([1 / 3, 2 / 3, 2.0])
    assert relative_weights(np.array([1e308, 0.0])).tolist() == [2.0, 0.0]


@given(WEIGHTS, st.integers(0, 1000))
def test_means_and_effective_numbers_are_those_of_repeated_values(weights, seed):
    values, times = np.random.default_rng(seed).normal(size=len(weights)), np.array(weights)
    repeated = np.repeat(values, times)
    assert float(weighted_mean(values, times.astype(float))) == pytest.approx(repeated.mean(), abs=1e-12)
    shares = times / times.sum()
    assert effective_number(times.astype(float)) == pytest.approx(1 / np.square(shares).sum())


def test_without_weights_the_mean_is_the_plain_one():
    values = np.array([[0.1, 0.2, 0.4], [0.3, 0.3, 0.9]])
    assert weighted_mean(values, None).tolist() == values.mean(axis=1).tolist()
    assert np.isnan(weighted_mean(np.zeros((2, 0)), None)).all()


def test_a_dominant_unit_leaves_little():
    assert said_of_weights(np.array([97.0, 1.0, 1.0, 1.0]), "queries") == "4 queries count as 1.1"
    assert said_of_weights(np.array([1.0, 1.0, 0.0]), "topics") == "3 topics count as 2"
