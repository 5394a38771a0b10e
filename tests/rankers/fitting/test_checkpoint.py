"""An interrupted training that is resumed gives the very model of one that was not."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import riskrank as rr

from ..interrupting import interrupting

OBJECTIVE, BASELINE = rr.URisk(alpha=5), rr.Feature(1)
NAME = "checkpoint.npz"


class Crash(BaseException):
    """Nothing catches it: like the end of the process."""


def crash():
    raise Crash


def ranker_of(engine, objective=OBJECTIVE, **parameters):
    return rr.LambdaMART(objective, **{"n_trees": 70, "n_leaves": 6, "n_threads": 1, "engine": engine, **parameters})


SETTINGS = [
    pytest.param("lightgbm", {}, id="lightgbm"),
    pytest.param("xgboost", {}, id="xgboost"),
    pytest.param("lightgbm", {"fast": True}, id="lightgbm-fast"),
    pytest.param(
        "lightgbm",
        {"engine_params": {"feature_fraction": 0.5, "bagging_fraction": 0.6, "bagging_freq": 1}},
        id="lightgbm-samples",
    ),
    pytest.param(
        "lightgbm", {"engine_params": {"bagging_fraction": 0.6, "bagging_freq": 3}}, id="lightgbm-every-third"
    ),
    pytest.param("lightgbm", {"engine_params": {"feature_fraction": 0.5}}, id="lightgbm-columns"),
    pytest.param(
        "lightgbm",
        {"engine_params": {"subsample": 0.6, "subsample_freq": 1, "colsample_bytree": 0.5}},
        id="lightgbm-other-names",
    ),
    pytest.param(
        "lightgbm",
        {"learning_rate": 0.5, "engine_params": {"data_sample_strategy": "goss"}},
        id="lightgbm-goss",
    ),
    pytest.param(
        "lightgbm", {"engine_params": {"extra_trees": True, "feature_fraction_bynode": 0.5}}, id="lightgbm-extra"
    ),
    pytest.param("xgboost", {"engine_params": {"subsample": 0.6, "colsample_bytree": 0.5}}, id="xgboost-samples"),
    pytest.param("xgboost", {"engine_params": {"subsample": 0.6}}, id="xgboost-rows"),
    pytest.param("lightgbm", {"objective": rr.SARO(alpha=5, refresh=4)}, id="lightgbm-memory"),
    pytest.param("xgboost", {"objective": rr.SARO(alpha=5)}, id="xgboost-memory"),
    pytest.param("lightgbm", {"start": "baseline"}, id="lightgbm-start"),
    pytest.param("xgboost", {"start": "baseline"}, id="xgboost-start"),
]


def interrupted(ranker, folder, train, *, at=63, action=crash, error=Crash, **arguments):
    """A training that ends before its tree numbered `at`."""
    ranker.set_params(objective=interrupting(ranker.objective, action, at=at))
    arguments = {"baseline": BASELINE, "checkpoint": folder, "checkpoint_every": 5, **arguments}
    with pytest.raises(error):
        ranker.fit(train, **arguments)
    assert (folder / NAME).exists()
    return ranker


@pytest.mark.parametrize(("engine", "parameters"), SETTINGS)
def test_a_resumed_training_gives_the_very_same_model(engine, parameters, train, valid, tmp_path):
    expected = ranker_of(engine, **parameters).fit(train, baseline=BASELINE)
    interrupted(ranker_of(engine, **parameters), tmp_path / "c", train)
    resumed = ranker_of(engine, **parameters)
    resumed.fit(train, baseline=BASELINE, checkpoint=tmp_path / "c", resume=True)
    np.testing.assert_array_equal(resumed.predict(valid), expected.predict(valid))
    np.testing.assert_equal(resumed.history_.columns, expected.history_.columns)
    assert resumed.card_["trees"] == 70
    assert not (tmp_path / "c").exists()


@pytest.mark.parametrize("measure", [None, "target", "AP"])
def test_validation_and_early_stopping_go_on_where_they_were(measure, train, valid, tmp_path, engine):
    parameters = {"n_trees": 300, "learning_rate": 0.3, "early_stopping": 12, "valid_measure": measure}
    expected = ranker_of(engine, **parameters).fit(train, baseline=BASELINE, valid=valid)
    assert 12 < expected.card_["trees"] < 300
    interrupted(ranker_of(engine, **parameters), tmp_path / "c", train, at=11, valid=valid)
    resumed = ranker_of(engine, **parameters)
    resumed.fit(train, baseline=BASELINE, valid=valid, checkpoint=tmp_path / "c", resume=True)
    np.testing.assert_array_equal(resumed.predict(valid), expected.predict(valid))
    np.testing.assert_equal(resumed.history_.columns, expected.history_.columns)
    assert resumed.best_trees_ == expected.best_trees_


def test_a_training_may_be_interrupted_again_and_again(train, valid, tmp_path, engine):
    expected = ranker_of(engine).fit(train, baseline=BASELINE)
    for at in (7, 4, 6):  # grown since the last interruption
        interrupted(ranker_of(engine), tmp_path / "c", train, at=at, checkpoint_every=3, resume=True)
    resumed = ranker_of(engine).fit(train, baseline=BASELINE, checkpoint=tmp_path / "c", resume=True)
    np.testing.assert_array_equal(resumed.predict(valid), expected.predict(valid))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
def test_a_signal_ends_training_after_the_tree_and_leaves_a_usable_model(number, train, valid, tmp_path, engine):
    expected = ranker_of(engine).fit(train, baseline=BASELINE)
    stopped = interrupted(
        ranker_of(engine),
        tmp_path / "c",
        train,
        action=lambda: signal.raise_signal(number),
        error=KeyboardInterrupt,
        checkpoint_every=1000,
    )
    assert stopped.card_["trees"] == 64
    assert stopped.card_["ending"] == "interrupted after 64 trees"
    begun = expected.model_.predict(valid.features, n_trees=64, n_threads=1)
    np.testing.assert_array_equal(stopped.predict(valid), begun)
    stopped.save(tmp_path / "model")
    np.testing.assert_array_equal(rr.load(tmp_path / "model").predict(valid), begun)
    resumed = ranker_of(engine).fit(train, baseline=BASELINE, checkpoint=tmp_path / "c", resume=True)
    np.testing.assert_array_equal(resumed.predict(valid), expected.predict(valid))


KILLED = """
import os, signal, sys
from pathlib import Path
sys.path.insert(0, sys.argv[3])
from interrupting import interrupting
import riskrank as rr
from riskrank.data.synthetic.synthetic_features import web_search_data

def kill():
    assert Path(sys.argv[2], "checkpoint.npz").exists()
    os.kill(os.getpid(), signal.SIGKILL)

train = web_search_data(60, documents_per_query=12, n_features=20).take(slice(0, 40))
objective = interrupting(rr.URisk(alpha=5), kill, at=63)
ranker = rr.LambdaMART(objective, n_trees=70, n_leaves=6, n_threads=1, engine=sys.argv[1])
ranker.fit(train, baseline=rr.Feature(1), checkpoint=sys.argv[2], checkpoint_every=5)
"""


def test_a_killed_training_is_resumed(train, valid, tmp_path, engine):
    arguments = [engine, str(tmp_path / "c"), str(Path(__file__).parent.parent)]
    done = subprocess.run([sys.executable, "-c", KILLED, *arguments], capture_output=True, text=True)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert [path.name for path in (tmp_path / "c").iterdir()] == [NAME]
    expected = ranker_of(engine).fit(train, baseline=BASELINE)
    resumed = ranker_of(engine).fit(train, baseline=BASELINE, checkpoint=tmp_path / "c", resume=True)
    np.testing.assert_array_equal(resumed.predict(valid), expected.predict(valid))


def test_a_finished_training_leaves_no_checkpoint(train, tmp_path):
    ranker_of("lightgbm").fit(train, baseline=BASELINE, checkpoint=tmp_path / "c", checkpoint_every=3)
    assert not list(tmp_path.iterdir())
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("keep")
    ranker_of("lightgbm").fit(train, baseline=BASELINE, checkpoint=tmp_path / "mine", checkpoint_every=3)
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["notes.txt"]


def test_without_resume_training_starts_anew(train, valid, tmp_path):
    interrupted(ranker_of("lightgbm"), tmp_path / "c", train)
    other = ranker_of("lightgbm", learning_rate=0.3)
    other.fit(train, baseline=BASELINE, checkpoint=tmp_path / "c")
    expected = ranker_of("lightgbm", learning_rate=0.3).fit(train, baseline=BASELINE)
    np.testing.assert_array_equal(other.predict(valid), expected.predict(valid))


def test_resuming_without_a_checkpoint_starts_at_the_beginning(train, valid, tmp_path):
    ranker = ranker_of("lightgbm").fit(train, baseline=BASELINE, checkpoint=tmp_path / "nothing", resume=True)
    expected = ranker_of("lightgbm").fit(train, baseline=BASELINE)
    np.testing.assert_array_equal(ranker.predict(valid), expected.predict(valid))
