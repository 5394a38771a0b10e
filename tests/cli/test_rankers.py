"""Other rankers and populations of baselines on the command line."""

from __future__ import annotations

import json

import numpy as np
import pytest

import riskrank as rr
from riskrank.data.letor.writer import write_letor
from riskrank.data.synthetic.synthetic_features import web_search_data


@pytest.fixture
def files(tmp_path):
    data = web_search_data(40, documents_per_query=10, n_features=20)
    write_letor(data.take(slice(0, 25)), tmp_path / "train.txt")
    write_letor(data.take(slice(25, 40)), tmp_path / "valid.txt")
    return tmp_path


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
def test_every_ranker_goes_from_training_to_a_run(riskrank, files, name, options, said):
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
    ranker = rr.load(files / "model")
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
        (("--ranker", "AFS", "--rounds", 0), "n_rounds must be a whole number from 1, got 0"),
        (("--epochs", 3), "LambdaMART has no --epochs."),
    ],
)
def test_an_option_that_a_ranker_lacks_is_refused_before_anything_is_written(riskrank, files, options, message):
    done = riskrank("train", "train.txt", *options, "-o", "model")
    assert done.status == 2
    assert message in done.err
    assert len(done.err.splitlines()) == 1
    assert not (files / "model").exists()


def test_a_population_is_learned_and_trained_against(riskrank, files):
    kinds = ("--ranker", "AFS", "--ranker", "adarank")
    done = riskrank("baselines", "train.txt", *kinds, "--share", 0.4, "-m", "AP", "--threads", 1, "-o", "deep/pop")
    assert (done.status, done.err) == (0, "")
    assert "2 baselines learned on 10 queries; on the other 15 (rest.txt)" in done.out
    assert [path.name for path in (files / "deep").iterdir()] == ["pop"]
    rest = rr.read_letor(files / "deep" / "pop" / "rest.txt")
    data = rr.read_letor(files / "train.txt")
    assert rest.n_queries == 15
    assert set(rest.query_ids) < set(data.query_ids)
    model = rr.load(files / "deep" / "pop" / "AdaRank")
    value = rr.evaluate(rest, {"m": model.predict(rest)}, "AP").matrix.mean()
    assert f"{value:.4f}" in done.out
    against = ("-b", "deep/pop/AFS", "-b", "deep/pop/AdaRank", "--objective", "georisk", "--trees", 3, "--leaves", 4)
    assert riskrank("train", "deep/pop/rest.txt", *against, "--threads", 1, "-o", "geo").status == 0
    assert rr.load(files / "geo").card_["baselines"] == ["AFS", "AdaRank"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("-o", "valid.txt"), "exists and is not an empty folder"),
        (("-o", "pop", "--share", 0.01), "leaves too few"),
        (("-o", "pop", "--ranker", "AFS", "--ranker", "afs"), "AFS is given twice"),
        (("-o", "pop", "--ranker", "svm"), "unknown ranker 'svm'"),
    ],
)
def test_a_population_that_cannot_be_had_leaves_nothing(riskrank, files, options, message):
    done = riskrank("baselines", "train.txt", *options)
    assert done.status == 2
    assert message in done.err
    assert not (files / "pop").exists()


def test_predictions_are_the_same_from_the_command_line(riskrank, files):
    riskrank("train", "train.txt", "--ranker", "AFS", "--rounds", 2, "--threads", 1, "-o", "model")
    data = rr.read_letor(files / "train.txt")
    expected = rr.AFS(n_rounds=2, n_threads=1).fit(data).predict(data)
    found = [float(line) for line in riskrank("rank", "model", "train.txt", "--scores").out.splitlines()]
    np.testing.assert_array_equal(found, data.to_source_order(expected))
