"""Trainings of LambdaMART that do not come to their end."""

from __future__ import annotations

import pytest

import riskrank as rr

from .interrupting import Crash, crash, interrupting

OBJECTIVE, BASELINE = rr.URisk(alpha=5), rr.Feature(1)
CHECKPOINT = "checkpoint.npz"


def seventy_trees(engine, objective=OBJECTIVE, **parameters):
    return rr.LambdaMART(objective, **{"n_trees": 70, "n_leaves": 6, "n_threads": 1, "engine": engine, **parameters})


def interrupted(ranker, folder, train, *, at=63, action=crash, error=Crash, **arguments):
    """A training that ends before its tree numbered `at`."""
    ranker.set_params(objective=interrupting(ranker.objective, action, at=at))
    arguments = {"baseline": BASELINE, "checkpoint": folder, "checkpoint_every": 5, **arguments}
    with pytest.raises(error):
        ranker.fit(train, **arguments)
    assert (folder / CHECKPOINT).exists()
    return ranker
