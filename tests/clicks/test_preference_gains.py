"""Preference gains: Bennett et al. 2015, §2."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import riskrank as rr
from riskrank.clicks import lowest_click_plus_one, preference_gains, standard_gains
from riskrank.errors import AlignmentError, ParameterError


def pairwise(grades, alpha, beta):
    """The definition, pair by pair."""
    gains = []
    for i, one in enumerate(grades):
        total = 0.0
        for j, other in enumerate(grades):
            if i != j:
                total += alpha if one > other else beta if one == other and i < j else 0.0
        gains.append(total)
    return gains


pages = st.lists(st.booleans(), min_size=1, max_size=12)
graded = st.lists(st.integers(0, 3), min_size=1, max_size=12)


def test_gains_are_those_of_table_1():
    clicked_sixth = [0] * 5 + [1] + [0] * 4
    gains = preference_gains(clicked_sixth, alpha=1.0, beta=0.5)
    assert gains.tolist() == [4, 3.5, 3, 2.5, 2, 9, 1.5, 1, 0.5, 0]
    assert preference_gains(clicked_sixth, beta=0.05).tolist() == pytest.approx(
        [0.4, 0.35, 0.3, 0.25, 0.2, 9, 0.15, 0.1, 0.05, 0]
    )


@pytest.mark.parametrize(("beta", "printed"), [(0.5, 0.798), (0.05, 0.434)])
def test_what_the_presented_order_has_by_these_gains(beta, printed):
    """With gains used as they are. The paper prints 0.80 and, for 0.05, 0.20, which the definition does not give."""
    gains = preference_gains([0] * 5 + [1] + [0] * 4, beta=beta)
    data = rr.RankingData(np.zeros((10, 1)), gains, np.array([0, 10]), ("1",))
    value = rr.evaluate(data, {"presented": -np.arange(10.0)}, "nDCG(dcg='log2')@10").matrix[0, 0]
    assert value == pytest.approx(printed, abs=0.0005)


@given(graded, st.floats(0, 3), st.floats(0, 3))
def test_the_closed_form_is_the_sum_over_pairs(grades, alpha, beta):
    np.testing.assert_allclose(
        preference_gains(grades, alpha=alpha, beta=beta), pairwise(grades, alpha, beta), atol=1e-9
    )


@given(pages, st.floats(0.01, 0.99))
def test_theorem_1_relevant_documents_stand_above_all_others(page, beta):
    gains = preference_gains(page, alpha=1.0, beta=beta)
    relevant = np.array(page)
    if relevant.any() and not relevant.all():
        assert gains[relevant].min() > gains[~relevant].max()


@given(pages, st.floats(0.01, 2))
def test_theorems_2_and_3_documents_alike_keep_the_presented_order(page, beta):
    gains = preference_gains(page, alpha=1.0, beta=beta)
    for kind in (True, False):
        own = gains[np.array(page) == kind]
        assert (np.diff(own) < 0).all()


@given(graded, st.floats(0.01, 0.99))
def test_the_target_ranking_of_grades_is_by_grade_and_then_as_presented(grades, beta):
    gains = preference_gains(grades, beta=beta)
    order = np.argsort(-gains, kind="stable").tolist()
    assert order == sorted(range(len(grades)), key=lambda i: (-grades[i], i))


@given(st.lists(graded, min_size=1, max_size=6), st.data())
def test_many_pages_at_once_are_each_by_itself(several, draw):
    betas = draw.draw(st.lists(st.floats(0, 1), min_size=len(several), max_size=len(several)))
    offsets = np.cumsum([0, *map(len, several)])
    gains = preference_gains(np.concatenate(several), beta=betas, offsets=offsets)
    alone = [preference_gains(page, beta=beta) for page, beta in zip(several, betas, strict=True)]
    np.testing.assert_allclose(gains, np.concatenate(alone), atol=1e-12)
    masks = [lowest_click_plus_one(page) for page in several]
    assert lowest_click_plus_one(np.concatenate(several), offsets=offsets).tolist() == np.concatenate(masks).tolist()


def test_documents_down_to_one_below_the_lowest_click():
    assert lowest_click_plus_one([1, 0, 1, 0, 0]).tolist() == [True, True, True, True, False]
    assert lowest_click_plus_one([0, 0, 1]).tolist() == [True] * 3
    assert lowest_click_plus_one([0, 0, 0]).tolist() == [True] * 3


def test_the_usual_gains_are_the_clicks():
    assert standard_gains([True, False]).tolist() == [1, 0]
    assert standard_gains([2, 0]).tolist() == [2, 0]


def test_nothing_shown_has_no_gains():
    assert preference_gains([]).tolist() == []
    assert preference_gains([1], offsets=[0, 0, 1, 1]).tolist() == [0]


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"relevant": [[1, 0]]}, AlignmentError),
        ({"relevant": [0.5]}, AlignmentError),
        ({"relevant": [1, 0], "offsets": [0, 1]}, AlignmentError),
        ({"relevant": [1, 0], "offsets": [0, 2, 1, 2]}, AlignmentError),
        ({"relevant": [1, 0], "beta": [0.1, 0.2]}, AlignmentError),
        ({"relevant": [1, 0], "beta": -1}, ParameterError),
        ({"relevant": [1, 0], "alpha": float("nan")}, ParameterError),
    ],
)
def test_what_makes_no_sense_is_refused(arguments, error):
    with pytest.raises(error) as told:
        preference_gains(**arguments)
    assert "\n" not in str(told.value)
