from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import riskrank as rr
from riskrank.errors import ParameterError

RNG = np.random.default_rng(6)
BASE = RNG.uniform(0.2, 0.6, 40)
ROWS = {name: BASE + RNG.laplace(gain, 0.08, 40) for name, gain in (("a", 0.0), ("b", 0.06), ("c", 0.02), ("d", 0.0))}
SCORES = rr.Effectiveness.from_rows(ROWS)


def test_without_a_weight_each_pair_stands_once_the_better_first():
    result = rr.all_pairs(SCORES)
    assert len(result.pairs) == 6
    gains = [pair.gain for pair in result.pairs]
    assert min(gains) >= 0
    assert gains == sorted(gains, reverse=True)
    first = result.pairs[0]
    assert first.gain == pytest.approx(ROWS[first.system].mean() - ROWS[first.other].mean())
    assert first.p_mirror == pytest.approx(rr.risk.trisk(ROWS[first.system], ROWS[first.other], alpha=0).p_mirror)


def test_with_a_weight_both_directions_stand():
    result = rr.all_pairs(SCORES, alpha=2)
    assert {(pair.system, pair.other) for pair in result.pairs} == {(x, y) for x in ROWS for y in ROWS if x != y}
    for pair in result.pairs:
        assert pair.urisk == pytest.approx(rr.risk.urisk(ROWS[pair.system], ROWS[pair.other], alpha=2))


@pytest.mark.parametrize("alpha", [0, 2])
def test_verdicts_go_by_the_corrected_p_value_which_is_never_below_the_own_one(alpha):
    pairs = rr.all_pairs(SCORES, alpha=alpha).pairs
    assert all(pair.p_max_t >= pair.p_mirror for pair in pairs)
    significant = [pair.verdict.startswith("significant") for pair in pairs]
    assert significant == [pair.p_max_t <= 0.05 for pair in pairs]
    assert 0 < sum(significant) < len(pairs)
    assert [pair.p_holm for pair in pairs] == pytest.approx(rr.risk.holm([pair.p_mirror for pair in pairs]).tolist())


@pytest.mark.parametrize("alpha", [0, 2])
def test_the_order_of_topics_and_systems_changes_nothing(alpha):
    topics, systems = RNG.permutation(40), RNG.permutation(list(ROWS))
    other = rr.Effectiveness.from_rows({name: ROWS[name][topics] for name in systems})
    for one, same in zip(rr.all_pairs(SCORES, alpha=alpha).pairs, rr.all_pairs(other, alpha=alpha).pairs, strict=True):
        assert dataclasses.astuple(one)[:2] == dataclasses.astuple(same)[:2]
        assert dataclasses.astuple(one)[2:7] == pytest.approx(dataclasses.astuple(same)[2:7], rel=1e-9)


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e300])
def test_a_system_that_cannot_be_reckoned_with_spoils_only_its_own_pairs(value):
    spoilt = BASE.copy()
    spoilt[3] = value
    pairs = rr.all_pairs(rr.Effectiveness.from_rows({"x": spoilt, **ROWS})).pairs
    assert [pair.verdict for pair in pairs[6:]] == ["undefined"] * 4
    assert all("x" in (pair.system, pair.other) for pair in pairs[6:])
    assert pairs[0].p_mirror == rr.all_pairs(SCORES).pairs[0].p_mirror


def test_equal_systems_do_not_differ():
    result = rr.all_pairs(rr.Effectiveness.from_rows({"a": BASE, "b": BASE}))
    (pair,) = result.pairs
    assert (pair.gain, pair.verdict) == (0, "undefined")
    assert np.isnan([pair.p_mirror, pair.p_holm, pair.p_max_t]).all()


@pytest.mark.parametrize("alpha", [0, 5])
def test_a_pair_has_the_p_value_and_the_verdict_of_an_assessment(alpha):
    rng = np.random.default_rng(3)
    for b in (BASE, BASE[:1], BASE + 0.1, BASE + rng.laplace(0.05, 0.1, len(BASE)), BASE - 0.2 * (BASE > 0.5)):
        scores = rr.Effectiveness.from_rows({"a": BASE[: len(b)], "b": b})
        (at,) = rr.assess(scores, "a", alphas=[alpha])["b"].at
        pair = next(
            pair
            for pair in rr.all_pairs(scores, alpha=alpha).pairs
            if alpha == 0 or (pair.system, pair.other) == ("b", "a")
        )
        assert pair.p_mirror == pytest.approx(at.p_mirror, nan_ok=True)
        assert (pair.verdict == "undefined") == (at.verdict == "undefined")


def test_there_must_be_something_to_compare():
    with pytest.raises(ParameterError, match="at least 2 systems and a topic, got 1 and 40"):
        rr.all_pairs(rr.Effectiveness.from_rows({"a": BASE}))
    with pytest.raises(ParameterError, match="at least 2 systems and a topic, got 2 and 0"):
        rr.all_pairs(rr.Effectiveness.from_rows({"a": [], "b": []}))


def test_the_table_has_a_row_for_each_pair():
    result = rr.all_pairs(SCORES)
    assert result.table.rows() == [("score", *dataclasses.astuple(pair)) for pair in result.pairs]
    assert result.table.columns[-2:] == ["p_max_t", "verdict"]
