"""Synthetic pages with one click each."""

from __future__ import annotations

import numpy as np
import pytest

import riskrank as rr
from riskrank.data.synthetic.synthetic_pages import location_pages
from riskrank.errors import ParameterError


@pytest.fixture(scope="module")
def pages():
    return location_pages(2000)


def test_the_same_seed_gives_the_same_pages():
    first, again, other = (location_pages(5, random_state=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first.features, again.features)
    np.testing.assert_array_equal(first.labels, again.labels)
    assert not np.array_equal(first.features, other.features)


def test_every_page_has_one_satisfied_click(pages):
    assert pages.labels.reshape(2000, 10).sum(axis=1).tolist() == [1.0] * 2000
    assert pages.is_presented


def test_pages_are_in_the_engine_s_order(pages):
    assert (np.diff(pages.feature(1).reshape(2000, 10), axis=1) <= 0).all()
    assert pages.feature(5)[:10].tolist() == list(range(1, 11))


def test_places_matter_where_the_query_is_about_one(pages):
    clicked = pages.labels == 1
    nearness = pages.feature(2)
    is_local, is_not = pages.feature(4) > 1.2, pages.feature(4) < -0.2  # beyond doubt, in spite of the noise
    assert nearness[clicked & is_local].mean() > 0.4
    assert abs(nearness[clicked & is_not].mean()) < 0.1
    entropies = np.minimum.reduceat(pages.feature(3), pages.query_offsets[:-1])
    assert entropies[is_local[::10]].mean() < entropies[is_not[::10]].mean()


def test_the_engine_is_better_than_chance_and_can_be_bettered(pages):
    runs = {"engine": pages.feature(1), "noise": pages.feature(7)}
    values = rr.evaluate(pages, runs, "RR")
    assert values["noise"].mean() < 0.4 < values["engine"].mean() < 0.8


@pytest.mark.parametrize("size", [{"n_queries": 0}, {"n_queries": 1, "documents_per_query": 1}])
def test_too_small_pages_are_refused(size):
    with pytest.raises(ParameterError, match="at least one query and two documents per query"):
        location_pages(**size)
