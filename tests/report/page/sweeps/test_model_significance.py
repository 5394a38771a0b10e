from __future__ import annotations

import numpy as np

import riskrank as rr
from riskrank.report.page.sweeps.model_significance import model_significance, model_verdicts, point_verdict
from riskrank.risk.inference.mirror_shift import MirrorShift

from ....tradeoff.synthetic_sweeps import selective_sweep
from .swept import BOLD, CAREFUL, swept


def verdicts(sweep):
    return model_verdicts(model_significance(sweep))


def test_verdicts_are_those_of_the_test_after_holm():
    noise = np.random.default_rng(0).normal(0, 0.1, len(BOLD))
    assert verdicts(swept(BOLD, -BOLD, noise - noise.mean(), 0 * BOLD)) == ["gain", "loss", "open", "none"]


def test_what_is_significant_by_itself_may_not_be_among_many():
    noise = np.random.default_rng(3).normal(0, 0.1, len(BOLD))
    weak = noise - noise.mean() + 0.011
    assert MirrorShift(weak).p_value(0.0) <= 0.05
    assert verdicts(swept(weak)) == ["gain"]
    assert verdicts(swept(weak, *(noise - noise.mean() for _ in range(9))))[0] == "open"


def test_a_point_of_a_predictor_is_tested_by_itself():
    sweep = selective_sweep(win=0.06)  # 60 of 100 gain 0.06, the others lose 0.1
    assert verdicts(sweep) == ["open"]
    point = sweep.guarantee(0.05, via="x", confidence=0.8)
    assert point_verdict(point, verdicts(sweep)) == "gain"


def test_as_losses_weigh_more_verdicts_are_those_of_an_assessment():
    sweep = swept(BOLD, CAREFUL, 0.5 * BOLD)
    significance = model_significance(sweep)
    assessed = rr.assess(sweep.effectiveness(), "feature:1", alphas=[0]).significance
    assert significance.alphas == assessed.alphas
    np.testing.assert_array_equal(significance.verdicts, assessed.verdicts[1:])
    assert {-1.0, 1.0} <= set(significance.verdicts.ravel().tolist())
