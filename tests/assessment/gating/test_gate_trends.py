from __future__ import annotations

import math
from dataclasses import replace

import pytest

from riskrank.assessment.gating.gate_history import GateHistory
from riskrank.assessment.gating.gate_trends import limit_trends, long_runs
from riskrank.assessment.gating.past_gates import PastCheck

from .past_gates import creeping, past_comparison, past_gates


def only_run(*rows, **options):
    (run,) = long_runs(past_gates(*rows, **options))
    return run


def test_changes_of_releases_in_a_row_are_added_up():
    run = only_run(
        [past_comparison("v2", "v1", -0.004)],
        [past_comparison("v3", "v2", 0.001)],
        [past_comparison("v4", "v3", -0.006)],
    )
    assert (run.how, run.steps) == ("chain", (-0.004, 0.001, -0.006))
    assert run.total == pytest.approx(-0.009)
    assert run.largest_loss == pytest.approx(0.006)
    assert run.is_creeping


def test_releases_are_known_by_their_means_where_names_never_change():
    steps = [-0.004, -0.002, -0.006]
    means = [0.5, 0.496, 0.494]
    run = only_run(
        *([past_comparison("new", "live", step, before=mean)] for step, mean in zip(steps, means, strict=True))
    )
    assert (run.how, run.steps) == ("chain", tuple(steps))


def test_one_that_failed_is_left_out_unless_it_was_released():
    rows = [
        [past_comparison("v2", "v1", -0.004)],
        [past_comparison("bad", "v2", -0.2)],
        [past_comparison("v3", "v2", -0.006)],
    ]
    assert only_run(*rows, passed=[True, False, True]).steps == (-0.004, -0.006)
    rows[2] = [past_comparison("v3", "bad", -0.006)]
    assert only_run(*rows, passed=[True, False, True]).steps == (-0.004, -0.2, -0.006)


def test_a_gate_that_was_run_twice_counts_once():
    again = [past_comparison("v3", "v2", -0.006, before=0.496)]
    assert only_run([past_comparison("v2", "v1", -0.004)], again, again).steps == (-0.004, -0.006)


def test_a_pinned_baseline_says_it_directly():
    run = only_run(
        [past_comparison("v2", "v1", -0.004), past_comparison("v2", "v0", 0.001)],
        [past_comparison("v3", "v2", -0.006, before=0.496), past_comparison("v3", "v0", -0.008)],
    )
    assert (run.how, run.baseline, run.total, run.steps) == ("pinned", "v0", -0.008, (-0.004, -0.006))


def test_with_one_baseline_that_never_changes_nothing_is_added_up():
    run = only_run(*([past_comparison(f"v{i}", "bm25", gain)] for i, gain in enumerate([0.05, 0.045, 0.04])))
    assert (run.how, run.baseline) == ("one baseline", "bm25")
    assert run.total == pytest.approx(-0.01)
    assert run.steps == pytest.approx((-0.005, -0.005))


def test_where_every_gate_has_another_baseline_a_chain_is_assumed():
    run = only_run([past_comparison("b", "a", -0.01, before=0.4)], [past_comparison("d", "c", -0.02, before=0.6)])
    assert (run.how, run.steps) == ("assumed", (-0.01, -0.02))


def test_where_a_baseline_changed_and_nobody_knows_how_nothing_is_said():
    rows = [[past_comparison("new", "live", -0.01, before=0.4)], [past_comparison("new", "live", -0.02, before=0.6)]]
    assert long_runs(past_gates(*rows)) == ()


def test_one_release_has_no_long_run():
    assert long_runs(past_gates([past_comparison("v2", "v1", -0.01)])) == ()
    assert long_runs(GateHistory(())) == ()


def test_a_loss_of_one_release_is_no_creeping():
    run = only_run([past_comparison("v2", "v1", -0.03)], [past_comparison("v3", "v2", 0.01)])
    assert not run.is_creeping


def test_uses_of_limits_stand_release_by_release():
    trends = limit_trends(creeping(3))
    assert [(each.segment, each.check) for each in trends] == [
        ("", "hurt"),
        ("", "risk"),
        ("", "urisk"),
        ("mobile", "hurt"),
    ]
    assert trends[1].uses == pytest.approx((0.4, 0.65, 0.9))
    assert {each.baseline for each in trends} == {""}


def test_a_pinned_baseline_has_limits_of_its_own():
    assert {each.baseline for each in limit_trends(creeping(5, pinned=True))} == {"", "v0"}


def test_a_check_that_came_later_has_no_use_before():
    rows = [[past_comparison("a", "old", 0.0)], [past_comparison("b", "old", 0.0)]]
    late = PastCheck("loss", "", 0.1, 0.4, True)
    rows[1] = [replace(rows[1][0], checks=(*rows[1][0].checks, late))]
    risk, loss = limit_trends(past_gates(*rows))
    assert risk.uses == (0.5, 0.5)
    assert math.isnan(loss.uses[0])
    assert loss.known == [0.25]


def test_of_several_candidates_the_largest_use_counts():
    rows = [past_comparison(name, "old", 0.0, checks=[PastCheck("risk", "", value, 0.02, True)])
            for name, value in {"a": 0.004, "b": 0.012, "c": 0.008}.items()]  # fmt: skip
    (trend,) = limit_trends(past_gates(rows))
    assert trend.uses == pytest.approx((0.6,))
    assert trend.broken == (False,)


def test_a_limit_is_broken_where_its_check_did_not_hold():
    held = [(0.03, True), (0.03, False), (0.01, False)]  # a segment that is not surely over, one that is, a strict gate
    rows = [[past_comparison("a", "b", 0.0, checks=[PastCheck("risk", "x", v, 0.02, h)])] for v, h in held]
    (trend,) = limit_trends(past_gates(*rows))
    assert trend.uses == pytest.approx((1.5, 1.5, 0.5))
    assert trend.broken == (False, True, True)
