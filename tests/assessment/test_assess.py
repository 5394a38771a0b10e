from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given

import riskrank as rr
from riskrank.errors import AlignmentError, ParameterError

from ..risk.examples import alphas, matrices
from .examples import SCORES


def test_every_number_is_that_of_the_risk_functions():
    result = rr.assess(SCORES, baseline="old", alphas=(0, 5))
    new, old = SCORES["new"], SCORES["old"]
    row = result["new"]
    assert (row.gain, row.risk, row.reward) == pytest.approx(
        (rr.risk.gain(new, old), rr.risk.risk(new, old), rr.risk.reward(new, old))
    )
    assert (row.wins, row.losses, row.ties, row.large_losses) == (2, 1, 1, 1)
    assert (row.worst_topic, row.worst_loss) == ("t2", pytest.approx(0.3))
    assert row.cvar == pytest.approx(rr.risk.cvar(new, old))
    for at in row.at:
        tested = rr.risk.trisk(new, old, alpha=at.alpha)
        assert (at.urisk, at.trisk, at.p_value) == (tested.urisk, tested.statistic, tested.p_value)
        assert at.zrisk == pytest.approx(rr.risk.zrisk(SCORES.matrix, alpha=at.alpha)[1])
        assert at.georisk == pytest.approx(rr.risk.georisk(SCORES.matrix, alpha=at.alpha)[1])


def test_the_baseline_and_its_equals_have_no_test_and_say_why():
    result = rr.assess(SCORES, baseline="old")
    assert result["old"].is_baseline
    assert result["old"].at[0].reason == "it is the baseline"
    assert result["same"].at[0].reason == "the system equals the baseline everywhere"
    assert math.isnan(result["same"].at[0].trisk)
    # only `new` was tested, so there is nothing to correct for
    assert result["new"].at[0].p_holm == result["new"].at[0].p_mirror


def test_corrections_count_the_systems_compared():
    rng = np.random.default_rng(0)
    rows = {f"s{i}": rng.random(30) for i in range(5)}
    result = rr.assess(rr.Effectiveness.from_rows(rows), baseline="s0", alphas=[1])
    p = [s.at[0].p_mirror for s in result.systems[1:]]
    assert [s.at[0].p_holm for s in result.systems[1:]] == pytest.approx(rr.risk.holm(p).tolist())
    assert [s.at[0].p_bh for s in result.systems[1:]] == pytest.approx(rr.risk.benjamini_hochberg(p).tolist())


def test_a_baseline_is_a_system_a_combination_of_systems_or_scores():
    mean = SCORES.matrix.mean(axis=0)
    assert rr.assess(SCORES, baseline="mean").baseline_scores == pytest.approx(mean)
    assert rr.assess(SCORES, baseline="max").baseline == "max of 3 systems"
    assert rr.assess(SCORES, baseline=["old", "new"]).baseline_scores == pytest.approx(SCORES.matrix[:2].mean(axis=0))
    assert rr.assess(SCORES, baseline=["old", "new"], combine="max").baseline == "max of old, new"
    assert rr.assess(SCORES, baseline=mean).baseline == "given scores"
    assert rr.assess(SCORES, baseline=["old"]).baseline == "old"
    with pytest.raises(
        AlignmentError, match="baseline 'odl' is not among the systems: old, new, same. .* Did you mean 'old'"
    ):
        rr.assess(SCORES, baseline="odl")
    with pytest.raises(AlignmentError, match="each of the 4 topics, got shape"):
        rr.assess(SCORES, baseline=[0.1, 0.2])


@given(matrices, alphas)
def test_adding_a_copy_of_a_system_leaves_the_others_against_a_baseline(matrix, alpha):
    """Holds for URisk and TRisk. ZRisk and GeoRisk measure against the population, which a copy changes."""
    scores = rr.Effectiveness.from_rows({f"s{i}": row for i, row in enumerate(matrix)})
    with_copy = rr.Effectiveness.from_rows({**{f"s{i}": row for i, row in enumerate(matrix)}, "copy": matrix[-1]})
    before, after = (rr.assess(s, "s0", alphas=[alpha]) for s in (scores, with_copy))
    for name in scores.systems:
        assert before[name].at[0].urisk == after[name].at[0].urisk
        np.testing.assert_equal(before[name].at[0].trisk, after[name].at[0].trisk)


def test_intervals_hold_the_estimates():
    rng = np.random.default_rng(0)
    rows = {"old": rng.random(120), "new": rng.random(120)}
    result = rr.assess(rr.Effectiveness.from_rows(rows), baseline="old", alphas=[5], intervals=True)
    row = result["new"]
    for name in ("effectiveness", "geometric_mean", "gain", "risk", "reward", "wins", "losses", "cvar"):
        low, high = row.intervals[name]
        assert low <= getattr(row, name) <= high
    for name in ("urisk", "georisk"):
        low, high = row.intervals[f"{name}_5"]
        assert low <= getattr(row.at[0], name) <= high


def test_degenerate_scores_are_assessed_without_warnings():
    for matrix in (np.zeros((2, 3)), np.ones((2, 1)), np.full((2, 2), np.nan), np.empty((2, 0))):
        scores = rr.Effectiveness("x", ("a", "b"), tuple(map(str, range(matrix.shape[1]))), matrix)
        result = rr.assess(scores, baseline="a", intervals=True)
        assert result["b"].at[0].verdict == "undefined"
        assert result["b"].at[0].reason
        assert "b" in repr(result)
        assert rr.Assessment.from_json(result.to_json()) == result
    negative = rr.Effectiveness.from_rows({"a": [-1.0, 2.0], "b": [1.0, 1.0]})
    assert math.isnan(rr.assess(negative, baseline="a")["b"].at[0].georisk)


@pytest.mark.parametrize("scale", [1e-300, 1e-12, 1.0, 1e90, 1e300])
@pytest.mark.parametrize(
    "options",
    [{"alphas": [0, 1e9]}, {"level": 1e-9}, {"level": 0.999}, {"confidence": 0.999999}, {"confidence": 1e-6},
     {"alphas": [5, 5.0, 1e-300]}, {"population": ["old"]}, {"cvar_share": 1.0}],
    ids=str,
)  # fmt: skip
def test_no_extreme_makes_an_infinite_number_or_ends_that_cross(scale, options):
    rng = np.random.default_rng(1)
    old = rng.uniform(0.3, 0.6, 30)
    rows = {"old": old, "new": old + rng.laplace(0, 0.1, 30), "worse": old - 0.2 * rng.random(30), "shift": old + 0.1}
    result = rr.assess(
        rr.Effectiveness.from_rows({name: scale * row for name, row in rows.items()}), "old", intervals=True, **options
    )
    for system in result:
        limits = np.array(list(system.intervals.values()))
        assert not np.isinf(limits).any()
        assert not (limits[:, 0] > limits[:, 1]).any()
        numbers = [getattr(at, name) for at in system.at for name in ("urisk", "trisk", "p_mirror", "zrisk", "georisk")]
        assert not np.isinf(numbers).any()
    assert rr.Assessment.from_json(result.to_json()) == result


def test_p_values_do_not_depend_on_the_unit_of_scores():
    rng = np.random.default_rng(2)
    old, new = rng.uniform(0.3, 0.6, 30), rng.uniform(0.3, 0.7, 30)
    p = [rr.risk.trisk(scale * new, scale * old, alpha=1).p_mirror for scale in (1e-300, 1.0, 2.0**80)]
    assert p == pytest.approx([p[1]] * 3)


def test_senseless_options_are_refused():
    for options in ({"alphas": []}, {"alphas": [-1]}, {"level": 2}, {"cvar_share": 0}):
        with pytest.raises(ParameterError):
            rr.assess(SCORES, baseline="old", **options)


def test_geometric_means_keep_their_interval():
    scores = rr.evaluate({"1": {"a": 1}, "2": {"a": 1}}, {"x": {"1": {"a": 1.0}, "2": {"a": 1.0, "b": 2.0}}}, "GM(RR)")
    row = rr.assess(scores, baseline="mean", intervals=True)["x"]
    assert row.intervals["effectiveness"] == row.intervals["geometric_mean"]


def test_a_number_of_resamples_is_deprecated_and_still_asks_for_intervals():
    with pytest.warns(DeprecationWarning, match="use intervals=True"):
        former = rr.assess(SCORES, baseline="old", n_resamples=500)
    assert former.to_json() == rr.assess(SCORES, baseline="old", intervals=True).to_json()
    with pytest.warns(DeprecationWarning, match="use intervals=True"):
        assert rr.assess(SCORES, baseline="old", n_resamples=0)["new"].intervals == {}


def test_rank_changes_have_intervals():
    same, turned = {"a": 2.0, "b": 1.0}, {"a": 1.0, "b": 2.0}
    runs = {"old": {"1": same, "2": turned}, "new": {"1": turned, "2": turned}}
    scores = rr.evaluate({"1": {"a": 1}, "2": {"a": 1}}, runs, "RR")
    changes = rr.rank_changes(runs, "old", topics=scores.topics)
    row = rr.assess(scores, baseline="old", intervals=True, rank_changes=changes)["new"]
    assert (row.kendall_tau, row.reranked) == (0.0, 0.5)
    assert row.intervals["kendall_tau"] == (-1.0, 1.0)
