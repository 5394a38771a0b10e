"""Ctrl-C and SIGTERM end a training after the current step; what is killed can be resumed."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import riskrank as rr
from riskrank.errors import TrainingError
from riskrank.objectives import own_target
from riskrank.rankers.fitting.interruption import interruptible, stop_in_threads

from ..interrupted_trees import BASELINE, CHECKPOINT, interrupted, seventy_trees


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
def test_a_signal_ends_training_after_the_tree_and_leaves_a_usable_model(number, train, valid, tmp_path, engine):
    expected = seventy_trees(engine).fit(train, baseline=BASELINE)
    stopped = interrupted(
        seventy_trees(engine),
        tmp_path / "c",
        train,
        action=lambda: signal.raise_signal(number),
        error=KeyboardInterrupt,
        checkpoint_every=1000,
    )
    assert stopped.card_["trees"] == 64
    assert stopped.card_["ending"] == "interrupted after 64 trees"
    so_far = expected.model_.predict(valid.features, n_trees=64, n_threads=1)
    np.testing.assert_array_equal(stopped.predict(valid), so_far)
    stopped.save(tmp_path / "model")
    np.testing.assert_array_equal(rr.load(tmp_path / "model").predict(valid), so_far)
    resumed = seventy_trees(engine).fit(train, baseline=BASELINE, checkpoint=tmp_path / "c", resume=True)
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
    assert CHECKPOINT in [path.name for path in (tmp_path / "c").iterdir()]
    expected = seventy_trees(engine).fit(train, baseline=BASELINE)
    resumed = seventy_trees(engine).fit(train, baseline=BASELINE, checkpoint=tmp_path / "c", resume=True)
    np.testing.assert_array_equal(resumed.predict(valid), expected.predict(valid))


def nothing(delta, query, training):
    return 0.0 * delta


def test_signals_are_handed_back_after_training(train):
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    rr.LambdaMART(n_trees=2, n_leaves=4).fit(train)
    with pytest.raises(TrainingError):
        rr.LambdaMART(own_target(nothing)()).fit(train, baseline=rr.Feature(1))
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before


# The door through which a training learns of signals.


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
def test_a_signal_asks_to_stop(number):
    with interruptible() as asked_to_stop:
        assert not asked_to_stop.is_set()
        signal.raise_signal(number)
        assert asked_to_stop.is_set()


def test_a_second_ctrl_c_stops_at_once():
    with interruptible():
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)


def test_a_second_sigterm_is_handled_as_it_was_before():
    received = []
    before = signal.signal(signal.SIGTERM, lambda number, _: received.append(number))
    try:
        with interruptible() as asked_to_stop:
            signal.raise_signal(signal.SIGTERM)
            assert received == []
            signal.raise_signal(signal.SIGTERM)
            assert received == [signal.SIGTERM]
            assert asked_to_stop.is_set()
    finally:
        signal.signal(signal.SIGTERM, before)


def test_in_another_thread_an_event_asks_to_stop_and_signals_are_left_alone():
    before = signal.getsignal(signal.SIGINT)
    seen = []

    def work():
        with interruptible() as asked_to_stop:
            seen.extend([asked_to_stop.is_set(), signal.getsignal(signal.SIGINT) is before])
            stop_in_threads.set()
            seen.append(asked_to_stop.is_set())

    thread = threading.Thread(target=work)
    try:
        thread.start()
        thread.join()
    finally:
        stop_in_threads.clear()
    assert seen == [False, True, True]
