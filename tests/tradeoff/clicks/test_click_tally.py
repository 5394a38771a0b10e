"""Tallies of pages: against a plain count, however the pages are cut into batches."""

from __future__ import annotations

import functools
import itertools
import math
import operator
from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import riskrank as rr
from riskrank.risk.inference.moments import Moments
from riskrank.tradeoff.clicks.click_tally import ClickTally, tallies

from ..plain_clicks import PlainPages


class Scorer:
    """A model that scores by one feature."""

    def __init__(self, feature):
        self.feature = feature

    def predict(self, data):
        return data.feature(self.feature).astype(np.float64)


def pages_of(seed, n_pages, *, sizes=(1, 7), clicks=0.3):
    """Feature 1 is the order shown, 2 changes a bit of it, 3 has many ties, 4 is the order shown once more."""
    rng = np.random.default_rng(seed)
    lengths = rng.integers(*sizes, n_pages)
    shown = -np.concatenate([np.arange(length) for length in lengths]).astype(float)
    n = len(shown)
    features = np.column_stack([shown, shown + 2.2 * (rng.random(n) < 0.15), rng.integers(0, 2, n), 5 * shown])
    pages = rr.RankingData.from_arrays(features, rng.random(n) < clicks, group=lengths)
    return replace(pages, is_presented=True)


def cut(data, places):
    """Whole pages, in batches."""
    ends = sorted({0, data.n_queries, *(place % data.n_queries for place in places)})
    return [data.take(slice(*pair)) for pair in itertools.pairwise(ends)]


def counted(data, models, places=()):
    return tallies(models, iter(cut(data, places)), measure="AP", measures=["nDCG@10"], baseline=1)


def numbers(tally):
    """All that is counted, as plain numbers."""
    plain = {}
    counts = {field.name: getattr(tally, field.name) for field in fields(tally) if field.name != "others"}
    for name, value in {**counts, **tally.others}.items():
        parts = (value.n, value.mean, value.squares) if isinstance(value, Moments) else (value,)
        plain |= {f"{name} {k}": part for k, part in enumerate(parts)}
    return plain


def test_an_example_by_hand():
    # Changes +0.2, −0.1, 0, 0: mean 0.025, mean loss 0.025; two of four pages re-ranked, one of a single document.
    tally = ClickTally.of(
        np.array([0.7, 0.4, 0.5, 1.0]),
        np.array([0.5, 0.5, 0.5, 1.0]),
        np.array([0.6, 0.8, 1.0, math.nan]),
        np.array([True, True, False, False]),
    )
    assert tally.n == 4
    assert tally.effectiveness.mean == pytest.approx(0.65)
    assert tally.change.mean == pytest.approx(0.025)
    assert tally.risk == pytest.approx(0.025)
    assert tally.reranked == 0.5
    assert (tally.tau.n, tally.tau.mean) == (3, pytest.approx(0.8))
    assert (tally.tau_reranked.n, tally.tau_reranked.mean) == (2, pytest.approx(0.7))


@pytest.mark.parametrize("seed", range(4))
def test_all_that_is_counted_is_what_a_plain_count_finds(seed):
    data = pages_of(seed, 150)
    models = {"first": Scorer(2), "second": Scorer(3)}
    by_model = counted(data, models, places=(20, 21, 90))
    plain = {name: PlainPages(data, data.feature(1), model.predict(data)) for name, model in models.items()}
    for name, pages in plain.items():
        expected, tally = pages.columns(plain["first"]), by_model[name]
        assert 0 < expected["reranked"] < 1
        counts = {
            "n": tally.n,
            "effectiveness": tally.effectiveness.mean,
            "gain": tally.change.mean,
            "gain_per_reranked": tally.change.mean * tally.n / tally.n_reranked,
            "reranked": tally.reranked,
            "risk_share": tally.risk / by_model["first"].risk,
            "kendall_tau": tally.tau.mean,
            "kendall_tau_reranked": tally.tau_reranked.mean,
            "p_value": tally.change.p_value,
        }
        for column, value in counts.items():
            assert value == pytest.approx(expected[column], rel=1e-9, abs=1e-12), column
        assert tally.risk == pytest.approx(pages.loss)
        assert tally.others["nDCG@10"].mean == pytest.approx(np.mean(pages.ndcg_changes), abs=1e-12)
        assert tally.others["nDCG@10"].n == tally.n


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.integers(2, 40), st.lists(st.integers(0, 10**6), max_size=6))
def test_any_cutting_into_batches_gives_the_same(seed, n_pages, places):
    data = pages_of(seed, n_pages)
    models = {"first": Scorer(2), "second": Scorer(3)}
    whole, cut_up = counted(data, models), counted(data, models, places)
    for name in models:
        assert numbers(cut_up[name]) == pytest.approx(numbers(whole[name]), rel=1e-9, abs=1e-12)


def test_tallies_of_single_pages_add_up():
    data = pages_of(7, 60)
    model = {"first": Scorer(2)}
    single = [counted(page, model)["first"] for page in cut(data, range(60))]
    assert len(single) == 60
    total = functools.reduce(operator.add, single)
    assert numbers(total) == pytest.approx(numbers(counted(data, model)["first"]), rel=1e-9, abs=1e-12)
    assert numbers(total + ClickTally()) == pytest.approx(numbers(total))
    assert numbers(ClickTally() + total) == pytest.approx(numbers(total))


def test_a_model_that_shows_what_was_shown_changes_nothing():
    data = pages_of(3, 80)
    tally = counted(data, {"first": Scorer(4)}, places=(10, 30))["first"]
    assert (tally.n_reranked, tally.lost, tally.change.mean, tally.risk) == (0, 0, 0, 0)
    assert tally.tau.mean == 1
    assert tally.tau_reranked.n == 0
    assert math.isnan(tally.change.p_value)


def test_documents_with_equal_scores_stay_as_they_were_shown():
    data = pages_of(4, 80)
    tally = counted(data, {"first": Ties()})["first"]
    assert tally.n_reranked == 0


class Ties:
    def predict(self, data):
        return np.zeros(data.n_documents)


def test_pages_of_one_document_have_no_tau_but_count():
    data = pages_of(5, 30, sizes=(1, 2))
    tally = counted(data, {"first": Scorer(2)}, places=(3,))["first"]
    assert (tally.n, tally.tau.n, tally.n_reranked) == (30, 0, 0)


def test_differences_within_rounding_are_no_loss():
    third = np.array([0.1 + 0.2, 0.5])
    tally = ClickTally.of(np.array([0.3, 0.5]), third, np.ones(2), np.zeros(2, bool))
    assert (tally.lost, tally.change.mean) == (0, 0)


def test_without_pages_nothing_is_known():
    tally = ClickTally()
    assert tally.n == 0
    assert math.isnan(tally.risk)
    assert math.isnan(tally.reranked)
    assert tallies({"first": Scorer(2)}, [], measure="AP", baseline=1)["first"] == tally


def test_batches_are_gone_through_once_for_all_models():
    data = pages_of(6, 40)
    seen = []

    def batches():
        for part in cut(data, (10, 20)):
            seen.append(part.n_queries)
            yield part

    by_model = tallies({"a": Scorer(2), "b": Scorer(3)}, batches(), measure="AP", baseline=1)
    assert seen == [10, 10, 20]
    assert by_model["a"].n == by_model["b"].n == 40


def test_any_measure_and_any_feature_as_the_order_shown_will_do():
    data = pages_of(8, 60)
    tally = tallies({"a": Scorer(2)}, [data], measure="nDCG@10", baseline=3)["a"]
    values = rr.evaluate(data, {"a": data.feature(2), "b": data.feature(3)}, "nDCG@10")
    assert tally.change.mean == pytest.approx((values["a"] - values["b"]).mean())
    assert tally.change.p_value == pytest.approx(stats.ttest_rel(values["a"], values["b"]).pvalue)
    assert tally.n_reranked == rr.rank_changes(
        {"a": data.feature(2), "b": data.feature(3)}, "b", data=data
    )["a"].is_reranked.sum()  # fmt: skip
