"""synthesise: synthetic data to learn from, and runs to compare."""

from __future__ import annotations

import pytest

import riskrank as rr

from ..mistakes import told_in_one_line

SMALL = ("--documents", 8, "--features", 20)


def test_cubic_data_are_written_and_learned_from(riskrank, tmp_path):
    done = riskrank("synthesise", "cubic", "-o", "cubic", "--queries", "30,10,10", *SMALL)
    assert (done.status, done.err) == (0, "")
    assert done.out.split() == ["cubic/train.txt", "cubic/valid.txt", "cubic/test.txt"]
    model = ("--ranker", "AFS", "-o", "model")
    assert riskrank("train", "cubic/train.txt", "--valid", "cubic/valid.txt", *model).status == 0
    assert rr.read_letor(tmp_path / "cubic" / "test.txt").n_queries == 10


def test_runs_are_written_and_evaluated(riskrank):
    assert riskrank("synthesise", "runs", "-o", "runs", "-n", 10, "--documents", 30).status == 0
    done = riskrank("evaluate", "runs/qrels.txt", "runs/bm25.run", "runs/neural.run", "-b", "bm25")
    assert done.status == 0
    assert "neural" in done.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("quartic", "-o", "new"), "kind must be one of cubic, web-search, runs, got 'quartic'"),
        (("cubic", "-o", "new", "-n", "2.5"), "--queries takes whole numbers"),
        (("cubic", "-o", "new", "-n", "many"), "--queries takes numbers like"),
        (("cubic", "-o", "new", "-n", "0"), "--queries must be a whole number from 1, got 0"),
        (("web-search", "-o", "new", "--features", 3), "20 features are needed"),
        (("cubic", "-o", "nowhere/new.txt", "-n", "2"), "nowhere/new.txt: cannot be written"),
    ],
)
def test_mistakes_are_told_in_one_line(riskrank, tmp_path, arguments, message):
    told_in_one_line(riskrank, tmp_path, ("synthesise", *arguments), message)
    assert not (tmp_path / "new").exists()
