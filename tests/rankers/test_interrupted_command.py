"""`riskrank train` under signals: what was trained is usable, and training goes on from there."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import riskrank as rr

from .interrupting import interrupting

DEADLINE = 60  # seconds, for a file to appear
NAME = "checkpoint.npz"


@pytest.fixture
def files(train, letor, tmp_path):
    (tmp_path / "train.txt").write_text(letor(train))
    return tmp_path


def stopped(files, number, *options):
    """The command, sent a signal as soon as it has written another checkpoint."""
    path = files / "model.checkpoint" / NAME
    before = path.stat().st_mtime_ns if path.exists() else None
    train = ("train", "train.txt", "-o", "model", "--checkpoint-every", 5, "--trees", 1_000_000, "--threads", 1)
    command = [Path(sys.executable).parent / "riskrank", *map(str, (*train, "--leaves", 5, *options))]
    process = subprocess.Popen(command, cwd=files, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + DEADLINE
    while process.poll() is None and not (path.exists() and path.stat().st_mtime_ns != before):
        assert time.monotonic() < end
        time.sleep(0.005)
    os.kill(process.pid, number)
    out, err = process.communicate(timeout=DEADLINE)
    return process.returncode, out, err


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
