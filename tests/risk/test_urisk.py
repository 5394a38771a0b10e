from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riskrank import evaluate, risk

from .examples import BASELINE, SYSTEM, alphas, pairs, shuffled


def test_a_worked_example():
    assert risk.urisk(SYSTEM, BASELINE, alpha=5) == pytest.approx((0.1 - 6 * 0.24) / 4)


@given(pairs(), alphas)
def test_it_is_reward_minus_weighted_risk_and_linear_in_alpha(pair, alpha):
    value = risk.urisk(*pair, alpha=alpha)
    assert value == pytest.approx(risk.reward(*pair) - (1 + alpha) * risk.risk(*pair), abs=1e-9)
    zero, one = risk.urisk(*pair, alpha=0), risk.urisk(*pair, alpha=1)
    assert value == pytest.approx(zero + alpha * (one - zero), abs=1e-9)


@given(pairs(), alphas, st.randoms(use_true_random=False))
def test_the_order_of_topics_does_not_matter(pair, alpha, random):
    expected = risk.urisk(*pair, alpha=alpha)
    assert risk.urisk(*shuffled(pair, random), alpha=alpha) == pytest.approx(expected, abs=1e-9)


def test_no_topics_are_nan():
    assert math.isnan(risk.urisk([], [], alpha=1))


def test_it_is_that_of_the_track_organisers_own_tool(shared_data):
    folder = shared_data / "trec_web2012"
    runs = {"base": folder / "indri_rm_cata_filtered.run", "ql": folder / "indri_ql_catb_filtered.run"}
    scores = evaluate(folder / "qrels.adhoc.txt", runs, ["ERR@20", "nDCG(dcg='exp-log2')@20"])
    expected = {
        "ERR@20": {1: -0.05410, 5: -0.20440, 10: -0.39228},
        "nDCG(dcg='exp-log2')@20": {1: -0.02925, 5: -0.12208, 10: -0.23811},
    }
    for measure, values in expected.items():
        for alpha, value in values.items():
            urisk = risk.urisk(scores[measure]["ql"], scores[measure]["base"], alpha=alpha)
            assert f"{urisk:.5f}" == f"{value:.5f}"
