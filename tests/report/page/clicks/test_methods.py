"""The methods of a page of clicks: each model once, with its verdict and its place above the coin."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from riskrank.report.page.clicks.methods import shown_methods, standard_of
from riskrank.risk.inference.multiple_testing import holm
from riskrank.tradeoff.clicks.click_table import PARITY, STANDARD, chosen_models, click_table

from ....tradeoff.synthetic_clicks import LOWEST, PREFERENCE, RISK, points, synthetic_click_sweep
from ...clicks.click_sweeps import MODELS, pages_of
from .hand_worked import hand_worked, methods_of


def test_methods_come_by_gain_with_what_they_do_to_pages():
    methods = methods_of(hand_worked())
    assert [(method.number, method.name, method.index) for method in methods] == [
        (0, STANDARD, 0), (1, PREFERENCE, 1), (2, LOWEST, 2),
    ]  # fmt: skip
    assert [method.n_hurt for method in methods] == [10, 2, 50]
    np.testing.assert_allclose([method.risk for method in methods], [0.02, 0.002, 0.1])
    assert standard_of(methods) is methods[0]
    assert [method.is_standard for method in methods] == [True, False, False]


def test_a_method_is_held_against_a_coin_that_reranks_as_many_pages():
    standard, preference, lowest = methods_of(hand_worked())
    assert standard.above == 0
    assert preference.above == pytest.approx(0.034 / 0.06 - 0.2 / 0.5)
    assert math.isnan(lowest.above)  # Standard Gain re-ranks half of the pages: no coin lets it re-rank all


def test_where_standard_gain_gains_nothing_or_moves_nothing_there_is_no_coin():
    for gains in ([(-0.1, 0.5), (0.1, 0.2)], [(0.0, 0.0), (0.0, 0.0)]):
        methods = methods_of(synthetic_click_sweep([(RISK, 0), (PREFERENCE, 1)], points(*gains)))
        assert all(math.isnan(method.above) for method in methods)


def test_a_model_chosen_for_several_methods_is_shown_once_under_the_first():
    sweep = synthetic_click_sweep(
        [(RISK, 0), (RISK, 1), (PREFERENCE, 0.5)], points((0.1, 0.8), (0.06, 0.3), (0.05, 0.2))
    )
    methods = methods_of(sweep)
    chosen = chosen_models(sweep)
    assert chosen[RISK] == chosen[PARITY] == 1
    assert [method.name for method in methods] == [STANDARD, RISK, PREFERENCE]
    assert PARITY in methods[1].also
    assert methods[0].also == methods[2].also == ()


def test_verdicts_are_corrected_for_the_models_that_are_shown():
    sweep = synthetic_click_sweep(MODELS, pages_of(0), valid=pages_of(1))
    methods = methods_of(sweep)
    corrected = holm([method.row.p_value for method in methods])
    signs = {(True, True): "gain", (True, False): "loss", (False, True): "open", (False, False): "open"}
    assert [method.verdict for method in methods] == [
        signs[bool(p <= 0.05), method.row.gain > 0] for p, method in zip(corrected, methods, strict=True)
    ]
    assert len({method.verdict for method in methods}) > 1


def test_plain_p_values_that_holm_does_not_confirm_are_inconclusive():
    rows = [dataclasses.replace(row, p_value=0.03) for row in click_table(hand_worked())]
    assert [method.verdict for method in shown_methods(hand_worked(), rows)] == ["open"] * 3


def test_a_loss_is_a_verdict_too_and_one_page_is_no_test():
    assert [method.verdict for method in methods_of(hand_worked())] == ["gain", "gain", "loss"]
    alone = synthetic_click_sweep([(RISK, 0)], points((0.1, 1.0), n=1))
    assert [method.verdict for method in methods_of(alone)] == ["none"]
