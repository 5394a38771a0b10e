from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import assume, given
from hypothesis import strategies as st

from riskrank import risk
from riskrank.errors import ParameterError
from riskrank.risk.inference.mirror_shift import MirrorShift
from riskrank.risk.paired import difference, tradeoff
from riskrank.risk.trisk import jackknife_standard_error, standard_error

from .examples import BASELINE, SYSTEM, alphas, pairs


def test_a_worked_example():
    # x = 0.1, −0.4, 0, −0.08 at α = 1; mean −0.095; s² = Σ(x + 0.095)²/3
    x = np.array([0.1, -0.4, 0.0, -0.08])
    error = math.sqrt(((x + 0.095) ** 2).sum() / 3) / 2
    result = risk.trisk(SYSTEM, BASELINE, alpha=1)
    assert result.urisk == pytest.approx(-0.095)
    assert result.standard_error == pytest.approx(error)
    assert result.statistic == pytest.approx(-0.095 / error)
    assert result.degrees_of_freedom == 3
    assert result.verdict == "inconclusive"
    assert result.reason == "fewer than 6 scores differ from the baseline's"


@given(pairs(), alphas)
def test_jackknife_error_equals_the_parametric_one(pair, alpha):
    x = tradeoff(pair[0] - pair[1], alpha)
    assert jackknife_standard_error(x) == pytest.approx(float(standard_error(x)), rel=1e-6, abs=1e-9)
    by_jackknife = risk.trisk(*pair, alpha=alpha, error="jackknife")
    assert by_jackknife.urisk == pytest.approx(risk.trisk(*pair, alpha=alpha).urisk)


@given(pairs())
def test_alpha_zero_is_the_paired_t_statistic(pair):
    result = risk.trisk(*pair, alpha=0)
    assume(not math.isnan(result.statistic))
    t, p = scipy.stats.ttest_rel(*pair)
    assume(abs(t) < 1e6)
    assert result.statistic == pytest.approx(t, rel=1e-6, abs=1e-9)
    assert result.p_value == pytest.approx(p, rel=1e-5, abs=1e-12)


@given(pairs(), alphas)
def test_it_is_a_one_sample_t_test_of_the_tradeoffs(pair, alpha):
    result = risk.trisk(*pair, alpha=alpha)
    assume(abs(result.statistic) < 1e6)
    t, p = scipy.stats.ttest_1samp(tradeoff(pair[0] - pair[1], alpha), 0)
    assert result.statistic == pytest.approx(t, rel=1e-6, abs=1e-9)
    assert result.p_value == pytest.approx(p, rel=1e-5, abs=1e-12)
    assert result.critical_value == pytest.approx(scipy.stats.t.ppf(0.975, len(pair[0]) - 1))


@given(pairs(), alphas, st.floats(0.01, 0.5))
def test_the_verdict_goes_by_the_p_value_that_holds(pair, alpha, level):
    result = risk.trisk(*pair, alpha=alpha, level=level)
    assume(result.verdict != "undefined")
    assert result.p_mirror == MirrorShift(difference(*pair)).test(alpha).p_value
    expected = "significant gain" if result.urisk > 0 else "significant loss"
    assert result.verdict == (expected if result.p_mirror <= level else "inconclusive")


def test_few_small_losses_are_no_proof_of_a_gain():
    # 12 gains of about 0.1, 3 losses of about 0.005: by t a significant gain even where losses weigh 11 times
    changes = np.concatenate([np.linspace(0.02, 0.2, 12), np.linspace(-0.01, -0.002, 3)])
    result = risk.trisk(0.5 + changes, np.full(15, 0.5), alpha=10)
    assert result.p_value < 0.01
    assert result.p_mirror > 0.05
    assert result.verdict == "inconclusive"


@pytest.mark.parametrize(
    ("system", "baseline", "verdict", "reason"),
    [
        ([0.5], [0.4], "undefined", "a test needs at least 2 scores, got 1"),
        ([], [], "undefined", "a test needs at least 2 scores, got 0"),
        ([0.5, 0.2], [0.5, 0.2], "undefined", "the system equals the baseline everywhere"),
        ([0.0, 0.0], [0.0, 0.0], "undefined", "the system equals the baseline everywhere"),
        ([0.3, 0.5, 0.9], [0.2, 0.4, 0.8], "inconclusive", "the trade-off is the same everywhere"),
        ([0.5, math.inf], [0.5, math.inf], "undefined", "some scores are not finite numbers"),
        ([0.5, math.nan], [0.5, 0.2], "undefined", "some scores are not finite numbers"),
    ],
)
def test_degenerate_input_is_nan_with_a_reason(system, baseline, verdict, reason):
    for alpha in (0, 5):
        result = risk.trisk(system, baseline, alpha=alpha)
        assert math.isnan(result.statistic)
        assert math.isnan(result.p_value)
        assert (result.verdict, result.reason) == (verdict, reason)
        assert not math.isinf(result.standard_error)
        assert np.isnan(risk.explore(system, baseline, alpha=alpha).t_r).all()


def test_equal_changes_have_no_statistic_but_a_verdict():
    result = risk.trisk(np.full(12, 0.6), np.full(12, 0.5), alpha=0)
    assert math.isnan(result.statistic)
    assert result.p_mirror == pytest.approx(2 * 0.5**12)
    assert result.verdict == "significant gain"


def test_senseless_options_are_refused():
    with pytest.raises(ParameterError, match="level must lie between 0 and 1, got 5"):
        risk.trisk([0.1], [0.1], alpha=1, level=5)
    with pytest.raises(ParameterError, match="error must be one of parametric, jackknife, got 'bootstrap'"):
        risk.trisk([0.1], [0.1], alpha=1, error="bootstrap")
