"""baselines: a population that is learned on some queries and trained against on others."""

from __future__ import annotations

import pytest

import riskrank as rr


def test_a_population_is_learned_and_trained_against(riskrank, letor_files):
    kinds = ("--ranker", "AFS", "--ranker", "adarank")
    done = riskrank("baselines", "train.txt", *kinds, "--share", 0.4, "-m", "AP", "--threads", 1, "-o", "deep/pop")
    assert (done.status, done.err) == (0, "")
    assert "2 baselines learned on 10 queries; on the other 15 (rest.txt)" in done.out
    assert [path.name for path in (letor_files / "deep").iterdir()] == ["pop"]
    rest = rr.read_letor(letor_files / "deep" / "pop" / "rest.txt")
    data = rr.read_letor(letor_files / "train.txt")
    assert rest.n_queries == 15
    assert set(rest.query_ids) < set(data.query_ids)
    model = rr.load(letor_files / "deep" / "pop" / "AdaRank")
    value = rr.evaluate(rest, {"m": model.predict(rest)}, "AP").matrix.mean()
    assert f"{value:.4f}" in done.out
    against = ("-b", "deep/pop/AFS", "-b", "deep/pop/AdaRank", "--objective", "georisk", "--trees", 3, "--leaves", 4)
    assert riskrank("train", "deep/pop/rest.txt", *against, "--threads", 1, "-o", "geo").status == 0
    assert rr.load(letor_files / "geo").card_["baselines"] == ["AFS", "AdaRank"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("-o", "valid.txt"), "valid.txt: exists and is not a population of baselines"),
        (("-o", "pop", "--share", 0.01), "leaves too few"),
        (("-o", "pop", "--ranker", "AFS", "--ranker", "afs"), "AFS is given twice"),
        (("-o", "pop", "--ranker", "svm"), "unknown ranker 'svm'"),
    ],
)
def test_a_population_that_cannot_be_had_leaves_nothing(riskrank, letor_files, options, message):
    done = riskrank("baselines", "train.txt", *options)
    assert done.status == 2
    assert message in done.err
    assert not (letor_files / "pop").exists()
