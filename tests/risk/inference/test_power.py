from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from riskrank import risk
from riskrank.errors import ParameterError
from riskrank.risk.inference.mirror_shift import MirrorShift

rng = np.random.default_rng(2)
OLD = rng.uniform(0.2, 0.6, 60)
NEW = OLD + rng.normal(0.01, 0.1, 60)


def test_at_alpha_0_it_is_near_the_formula_of_the_t_test():
    # n = ((z₀.₉₇₅ + z₀.₈) σ / effect)²
    spread = (NEW - OLD).std()
    needed = ((1.96 + 0.8416) * spread / 0.03) ** 2
    assert risk.power(NEW, OLD, effect=0.03).n_topics == pytest.approx(needed, rel=0.08)


def test_now_is_the_power_of_a_t_test_at_alpha_0():
    spread = (NEW - OLD).std()
    exact = scipy.stats.nct.sf(scipy.stats.t.ppf(0.975, 59), 59, 0.03 / spread * np.sqrt(60))
    assert risk.power(NEW, OLD, effect=0.03).now == pytest.approx(exact, abs=0.03)


def test_what_can_be_seen_now_needs_as_many_topics_as_there_are():
    smallest = risk.power(NEW, OLD, effect=0.01).smallest_effect
    assert risk.power(NEW, OLD, effect=smallest).n_topics == pytest.approx(60, abs=3)


def test_losses_that_weigh_more_need_more_topics():
    needed = [risk.power(NEW, OLD, effect=0.03, alpha=alpha).n_topics for alpha in (0, 1, 5)]
    assert needed == sorted(needed)


def test_to_be_surer_takes_more_topics_and_larger_effects():
    usual, sure = (risk.power(NEW, OLD, effect=0.03, wanted=wanted) for wanted in (0.8, 0.95))
    # by the formula above, (1.96 + 1.6449)² / (1.96 + 0.8416)² times as many
    assert sure.n_topics / usual.n_topics == pytest.approx((3.6049 / 2.8016) ** 2, rel=0.08)
    assert sure.smallest_effect > usual.smallest_effect
    assert sure.now == usual.now


def test_a_million_topics_may_be_too_few():
    assert risk.power(NEW, OLD, effect=1e-6).n_topics is None


def test_nothing_to_go_by_is_refused():
    with pytest.raises(ParameterError, match="power needs changes that differ: the system equals the baseline"):
        risk.power(OLD, OLD, effect=0.01)
    with pytest.raises(ParameterError, match="all scores changed equally"):
        risk.power(OLD + 0.5, OLD, effect=0.01)
    with pytest.raises(ParameterError, match="effect must be"):
        risk.power(NEW, OLD, effect=0)


def test_what_draws_cannot_tell_is_refused():
    with pytest.raises(ParameterError, match=r"level must be at least 0\.001 for power, got 1e-09"):
        risk.power(NEW, OLD, effect=0.01, level=1e-9)


@pytest.mark.parametrize(("n_changed", "effect"), [(30, 0.04), (9, 0.02)])
def test_with_ties_the_topics_needed_are_those_of_the_test(n_changed, effect):
    rng = np.random.default_rng(4)
    changes = np.append(rng.laplace(0, 0.1, n_changed), np.zeros(60 - n_changed))
    needed = risk.power(changes, np.zeros(60), effect=effect)
    moved = changes[:n_changed] - changes[:n_changed].mean()
    values = np.append(np.concatenate([moved, -moved]) + effect * 60 / n_changed, np.zeros(2 * (60 - n_changed)))
    drawn = rng.choice(values, size=(300, needed.n_topics))
    seen = np.mean([MirrorShift(each).test(0).gain <= 0.025 for each in drawn])
    assert 0.72 < seen < 0.9


def test_an_effect_beyond_all_changes_is_certain_at_any_scale():
    for scale in (1e-300, 1.0, 1e90):
        certain = risk.power(NEW * scale, OLD * scale, effect=1e99)
        assert (certain.now, certain.n_topics) == (1, 6)


def test_with_few_changes_no_effect_may_be_seen():
    changes = np.zeros(60)
    changes[:6] = [0.3, -0.2, 0.1, -0.25, 0.15, 0.02]
    seldom = risk.power(changes, np.zeros(60), effect=5.0, alpha=5)
    assert seldom.now < 0.8
    assert np.isnan(seldom.smallest_effect)
