"""The operating point that options ask for: chosen, kept, replaced, or refused before any training."""

from __future__ import annotations

import re

import numpy as np
import pytest

import riskrank as rr

from .mistakes import told_in_one_line
from .sweeping import ALONE, BARE, SWEEP, swept


def test_the_chosen_ranker_can_be_inspected_and_deployed(riskrank, sweep_files):
    out = swept(riskrank, "--alpha", "5", "--budget", 0.05)
    chosen = rr.load(sweep_files / "out" / "chosen")
    assert isinstance(chosen, rr.Mixed)
    assert out.startswith(f"Use α = 5 on {chosen.probability:.0%} of queries, drawn at random: it gains ")
    ranked = riskrank("rank", "out/chosen", "test.txt", "--scores")
    assert (ranked.status, ranked.err) == (0, "")
    test = rr.read_letor(sweep_files / "test.txt")
    np.testing.assert_array_equal([float(line) for line in ranked.out.splitlines()], chosen.predict(test))
    used = chosen.uses_model(test)
    assert 0 < used.mean() < 1
    values = rr.evaluate(test, {"chosen": chosen.predict(test), "old": test.feature(8)}, "nDCG@10")
    assert (values["chosen"][~used] == values["old"][~used]).all()
    told = riskrank("inspect", "out/chosen")
    assert (told.status, told.err) == (0, "")
    assert f"on {chosen.probability:.0%} of queries, by a coin" in told.out
    assert "LambdaMART of 6 trees" in told.out


def test_points_are_chosen_in_the_ways_that_there_are(riskrank, sweep_files):
    common = ("--alpha", "0,5", "--select", "max feature:1")
    budget = swept(riskrank, *common, "--budget", 0.3, "--confidence", 0.8)
    assert "its mean loss stays within 0.3 with 80% confidence." in budget.replace("\n", " ")
    assert "Guarantee: mean loss at most 0.3 (betting test on 40 validation queries)." in budget
    hurt = swept(riskrank, *common, "--budget", 0.4, "--hurt-beyond", 0.1)
    assert "the share of queries that lose more than 0.1 stays within 0.4" in hurt.replace("\n", " ")
    alone = swept(riskrank, *common, "--budget", 0.3, "--via", "alpha")
    assert re.match(r"Use α = \d: it gains ", alone)
    by_feature = swept(riskrank, *common, "--budget", 0.3, "--via", "max feature:1")
    assert re.match(r"Use α = 0 where the query's largest feature 1 is (above|below) ", by_feature)
    assert isinstance(rr.load(sweep_files / "out" / "chosen"), rr.Selective)
    limit = swept(riskrank, *common, "--max-risk", 0.5)
    assert "It gains most of those with a risk up to 0.5 on validation queries." in limit.replace("\n", " ")


def test_where_nothing_is_safe_the_baseline_is_kept(riskrank, sweep_files):
    out = swept(riskrank, "--alpha", "0,5", "--budget", 0.0001)
    assert out.startswith("Keep feature:8: no model is shown to stay within 0.0001.")
    assert "no point could be shown to be safe" in out.replace("\n", " ")
    assert "to deploy" not in out
    assert not (sweep_files / "out" / "chosen").exists()
    assert "keep the baseline, feature:8" in (sweep_files / "out" / "report.html").read_text()


@pytest.mark.parametrize("later", [("--budget", 0.0001), ()], ids=["nothing is safe", "nothing is asked"])
def test_what_was_chosen_before_does_not_stay(riskrank, sweep_files, later):
    swept(riskrank, "--alpha", "0,5", "--max-risk", 1)
    assert (sweep_files / "out" / "chosen").exists()
    swept(riskrank, "--alpha", "0,5", *later)
    assert not (sweep_files / "out" / "chosen").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([*SWEEP, "--budget", 2], "--budget must lie between 0 and 1, got 2"),
        ([*SWEEP, "--budget", 0], "--budget must lie between 0 and 1"),
        ([*SWEEP, "--budget", 0.1, "--confidence", 1], "--confidence must lie between 0 and 1"),
        ([*SWEEP, "--budget", 0.1, "--via", "luck"], "--via must be one of mixed, alpha, got 'luck'"),
        ([*SWEEP, "--budget", 0.1, "--hurt-beyond", -1], "--hurt-beyond must be a number from 0"),
        ([*SWEEP, "--max-risk", -1], "--max-risk must be a number from 0, got -1.0"),
        ([*SWEEP, "--budget", 0.1, "--early-stopping", 2], "a guarantee needs fresh queries"),
        ([*SWEEP, "--budget", 0.1, "--select", "gain", "--via", "gain"], "gain has learned from the validation"),
        ([*BARE, "--test", "test.txt", "--trees", 2, "--budget", 0.1], "a guarantee needs queries"),
        ([*BARE, "--folds", 3, "--trees", 2, "--budget", 0.1], "a guarantee is for one model"),
        ([*SWEEP, "-b", "feature:1", "--budget", 0.1], "need one baseline"),
    ],
    ids=lambda x: x if isinstance(x, str) else " ",
)
def test_a_point_that_cannot_be_chosen_is_told_in_one_line(riskrank, sweep_files, arguments, message):
    told_in_one_line(riskrank, sweep_files, [*arguments, *ALONE], message)


@pytest.mark.parametrize(
    "idle", [("--hurt-beyond", 0.1), ("--via", "alpha"), ("--confidence", 0.5)], ids=lambda x: x[0]
)
def test_options_of_a_budget_need_a_budget(riskrank, sweep_files, idle):
    told_in_one_line(riskrank, sweep_files, [*SWEEP, *ALONE, *idle], "--budget")
