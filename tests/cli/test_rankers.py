"""Rankers as the options of train describe them."""

from __future__ import annotations

import json

import pytest

import riskrank as rr


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("RegressionTrees", ("--trees", 5, "--leaves", 4), "RegressionTrees, 5 trees"),
        ("adarank", ("--rounds", 4), "AdaRank, after"),
        ("AFS", ("--rounds", 2, "--set", "adjust=false"), "AFS, after"),
        ("linear-ranker", ("--rounds", 2, "--set", "n_starts=1"), "LinearRanker, after"),
        (
            "lambdanet",
            ("--epochs", 2, "--set", "hidden=(8, 4)", "--objective", "urisk", "-a", 2),
            "LambdaNet for URisk",
        ),
    ],
)
def test_every_ranker_goes_from_training_to_a_run(riskrank, letor_files, name, options, said):
    if name == "lambdanet":
        pytest.importorskip("torch", reason="nets need PyTorch")
    common = ("--valid", "valid.txt", "-b", "feature:1", "-m", "nDCG@5", "--threads", 1, "--seed", 3)
    done = riskrank("train", "train.txt", "--ranker", name, *options, *common, "-o", "model")
    assert (done.status, done.err) == (0, "")
    assert said in done.out
    assert "nDCG@5" in done.out
    assert "risk" in done.out
    assert riskrank("rank", "model", "valid.txt", "-o", "model.run").status == 0
    assert riskrank("evaluate", "valid.txt", "feature:1", "model.run", "--baseline", "feature:1").status == 0
    shown = riskrank("inspect", "model")
    assert shown.status == 0
    assert "nDCG@5" in shown.out
    ranker = rr.load(letor_files / "model")
    assert ranker.random_state == 3
    assert json.loads(riskrank("inspect", "model", "--json").out)["kind"] == type(ranker).__name__


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--ranker", "lambdanett"), "unknown ranker 'lambdanett'. Did you mean 'LambdaNet'?"),
        (("--ranker", "AdaRank", "--leaves", 3), "AdaRank has no --leaves."),
        (("--ranker", "AdaRank", "--objective", "gain"), "AdaRank goes by the measure alone"),
        (("--ranker", "AFS", "--alpha", 3), "AFS goes by the measure alone"),
        (("--ranker", "AFS", "--set", "n_tree=3"), "AFS has no parameter 'n_tree'; it has n_rounds, tolerance"),
        (("--ranker", "AFS", "--set", "measure=AP"), "AFS has no parameter 'measure'"),
        (("--ranker", "AFS", "--rounds", 0), "--rounds must be a whole number from 1, got 0"),
        (("--epochs", 3), "LambdaMART has no --epochs."),
    ],
)
def test_an_option_that_a_ranker_lacks_is_refused_before_anything_is_written(riskrank, letor_files, options, message):
    done = riskrank("train", "train.txt", *options, "-o", "model")
    assert done.status == 2
    assert message in done.err
    assert len(done.err.splitlines()) == 1
    assert not (letor_files / "model").exists()
