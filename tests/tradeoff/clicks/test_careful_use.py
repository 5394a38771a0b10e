"""Standard Gain by coin, and fused with the presented order."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import riskrank as rr
from riskrank.errors import ParameterError
from riskrank.rankers.selective.mixed import coins
from riskrank.tradeoff.clicks.careful_use import FUSION, NAIVE, careful_rows, fused_scores
from riskrank.tradeoff.clicks.click_table import PREFERENCE, chosen_models
from riskrank.tradeoff.curves import area

from ..plain_clicks import average_precision, ranking
from ..synthetic_clicks import GRIDS, SMALL, prepared_clicks


def test_a_page_by_hand():
    # Scores 1, 2, 6: mean 3, deviation √((4 + 1 + 9) / 3) = √(14/3) = 2.1602; positions −1, −2, −3: mean −2, √(2/3).
    own, shown = np.array([-2.0, -1.0, 3.0]) / np.sqrt(14 / 3), np.array([1.0, 0.0, -1.0]) / np.sqrt(2 / 3)
    fused = fused_scores([1, 2, 6], [-1, -2, -3], [0, 3], weight=0.75)
    np.testing.assert_allclose(fused, own + 0.75 * shown, rtol=1e-12)


@given(st.lists(st.floats(-10, 10), min_size=2, max_size=8, unique=True), st.floats(0, 5))
def test_pages_have_nothing_to_do_with_each_other(scores, weight):
    shown = -np.arange(len(scores))
    one = fused_scores(scores, shown, [0, len(scores)], weight=weight)
    two = fused_scores([*scores, 5.0, 3.0], [*shown, 0, -1], [0, len(scores), len(scores) + 2], weight=weight)
    np.testing.assert_allclose(two[: len(scores)], one, rtol=1e-9, atol=1e-9)


def test_no_weight_is_the_model_and_a_large_one_the_presented_order():
    scores, shown = [0.3, 0.9, -2.0, 0.5], [-1, -2, -3, -4]
    assert ranking(fused_scores(scores, shown, [0, 4], weight=0)) == ranking(scores)
    assert ranking(fused_scores(scores, shown, [0, 4], weight=1000)) == [0, 1, 2, 3]


def test_equal_scores_leave_the_presented_order():
    assert ranking(fused_scores([0.1] * 3, [-1, -2, -3], [0, 3], weight=0.1)) == [0, 1, 2]
    assert fused_scores([0.1], [-1], [0, 1], weight=1).tolist() == [0.0]


@pytest.mark.parametrize("weight", [-1, float("nan"), "half"])
def test_a_weight_is_a_number_from_0(weight):
    with pytest.raises(ParameterError, match="weight must be a number from 0"):
        fused_scores([1, 2], [-1, -2], [0, 2], weight=weight)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    place = tmp_path_factory.mktemp("careful")
    prepared = prepared_clicks(place, pages=8000)
    grids = {**GRIDS, "lowest_betas": (), "both_alphas": ()}
    return prepared, rr.click_sweep(prepared, **grids, **{**SMALL, "n_trees": 30}, folder=place / "models")


def test_the_coin_uses_standard_gain_on_as_many_pages_as_weight_initial_pref_moves(made):
    prepared, sweep = made
    row = {row.method: row for row in careful_rows(sweep, prepared.read("valid"), prepared.read("test"))}[NAIVE]
    full, own = sweep.reference_model, chosen_models(sweep)[PREFERENCE]
    probability = sweep.valid.reranked[own] / sweep.valid.reranked[full]
    assert row.parameter == f"p = {round(float(probability), 4)}"
    used = coins(sweep.test.queries, 0) < probability
    assert 0 < used.sum() < len(used)
    assert row.reranked == pytest.approx((sweep.test.is_reranked[full] & used).mean())
    assert row.gain == pytest.approx(np.where(used, sweep.test.changes[full], 0).mean())
    lost = np.where(used, np.maximum(0, -sweep.test.changes[full]), 0).mean()
    assert row.risk_share == pytest.approx(lost / sweep.test.risk[full])


def test_the_fusion_is_judged_page_by_page(made):
    prepared, sweep = made
    test = prepared.read("test")
    rows = careful_rows(sweep, prepared.read("valid"), test, weights=[0.5])
    row = {row.method: row for row in rows}[FUSION]
    assert row.parameter == "weight = 0.5"
    scores = sweep.model(sweep.reference_model).predict(test)
    gains, moved = [], []
    for begin, end in zip(test.query_offsets[:-1], test.query_offsets[1:], strict=True):
        labels, shown = test.labels[begin:end].tolist(), test.feature(1)[begin:end].astype(np.float64)
        order = ranking(fused_scores(scores[begin:end], shown, [0, end - begin], weight=0.5).tolist())
        gains.append(average_precision(labels, order) - average_precision(labels, range(len(labels))))
        moved.append(order != list(range(len(labels))))
    assert row.gain == pytest.approx(np.mean(gains))
    assert row.reranked == pytest.approx(np.mean(moved))
    assert 0 < row.reranked < 1


def test_of_several_weights_the_one_with_the_largest_area_on_validation_pages_is_taken(made):
    prepared, sweep = made
    valid, test, weights = prepared.read("valid"), prepared.read("test"), (0.1, 0.5, 1.0, 3.0)
    alone = [careful_rows(sweep, valid, valid, weights=[weight])[-1] for weight in weights]
    full = sweep.reference_model
    ends = {"reference_cost": sweep.valid.reranked[full], "reference_gain": sweep.valid.gain[full]}
    areas = [area([row.reranked], [row.gain], **ends) for row in alone]
    assert max(areas) > min(areas)
    assert careful_rows(sweep, valid, test, weights=weights)[-1].parameter == alone[int(np.argmax(areas))].parameter
