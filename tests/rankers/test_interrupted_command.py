"""`riskrank train` under signals: what was trained is usable, and training goes on from there."""

from __future__ import annotations

import signal
import subprocess
import sys

import numpy as np
import pytest

import riskrank as rr

from .interrupting import interrupting

NAME = "checkpoint.npz"
INTERRUPTED = """
import os, sys
from riskrank.cli.main import run

replace, number = os.replace, int(sys.argv.pop(1))


def replace_and_interrupt(source, target):
    replace(source, target)
    if os.path.basename(target) == "checkpoint.npz":
        os.replace = replace  # once: stopping writes another checkpoint
        os.kill(os.getpid(), number)


os.replace = replace_and_interrupt
run()
"""


@pytest.fixture
def files(train, letor, tmp_path):
    (tmp_path / "train.txt").write_text(letor(train))
    return tmp_path


def stopped(files, number, *options):
    """The command in a process that gets a signal as soon as it has written a checkpoint."""
    train = ("train", "train.txt", "-o", "model", "--checkpoint-every", 5, "--trees", 500, "--threads", 1)
    command = [sys.executable, "-c", INTERRUPTED, *map(str, (int(number), *train, "--leaves", 5, *options))]
    done = subprocess.run(command, cwd=files, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    ("engine", "first", "second"),
    [("lightgbm", signal.SIGINT, signal.SIGTERM), ("xgboost", signal.SIGTERM, signal.SIGINT)],
)
def test_an_interrupted_training_leaves_a_usable_model_and_goes_on(files, valid, engine, first, second):
    grown = []
    for number, options in ((first, ()), (second, ("--resume",))):
        status, out, err = stopped(files, number, "--engine", engine, *options)
        assert (status, out) == (130, ""), err
        model = rr.load(files / "model")
        grown.append(model.card_["trees"])
        ending = f"interrupted after {grown[-1]} trees"
        assert err == f"riskrank: {ending}; what was trained is in model. Add --resume to go on.\n"
        assert len(np.unique(model.predict(valid))) > 5
    assert 5 <= grown[0] < grown[1]


def test_a_resumed_training_ends_in_the_very_same_model(riskrank, files, valid):
    folder = files / "model.checkpoint"
    train = rr.read_letor(files / "train.txt")
    expected = rr.LambdaMART(n_trees=12, n_leaves=5).fit(train).predict(valid)
    objective = interrupting(rr.Gain(), lambda: signal.raise_signal(signal.SIGINT), at=7)
    with pytest.raises(KeyboardInterrupt):
        rr.LambdaMART(objective, n_trees=12, n_leaves=5).fit(train, checkpoint=folder, checkpoint_every=5)
    assert (folder / NAME).exists()
    same = ("train", "train.txt", "--leaves", 5, "-o", "model", "--resume")
    refused = riskrank(*same, "--trees", 13)
    assert refused.status == 2
    assert "checkpoint.npz is of another training: n_trees was 12, is 13" in refused.err
    assert not (files / "model").exists()
    done = riskrank(*same, "--trees", 12)
    assert (done.status, done.err) == (0, "")
    np.testing.assert_array_equal(rr.load(files / "model").predict(valid), expected)
    assert not folder.exists()
