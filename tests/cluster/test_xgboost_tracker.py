"""The process where workers meet: what is told of one that does not start."""

from __future__ import annotations

import errno
import os

import pytest

from riskrank.errors import TrainingError
from riskrank.rankers.trees.collective import xgboost_tracker
from riskrank.rankers.trees.collective.xgboost_tracker import TrackerProcess

OF_OTHERS = "198.51.100.7"  # kept for documents: no machine has it


def test_an_address_of_another_machine_is_told():
    with pytest.raises(
        TrainingError, match=rf"^workers cannot meet: nothing can listen at {OF_OTHERS} \(.*assign.*\)\.$"
    ):
        TrackerProcess(2, OF_OTHERS)


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("echo Traceback >&2; echo 'ImportError: no such\tlibrary' >&2; exit 1", r"ImportError: no such\\tlibrary"),
        ("kill -9 $$", "its tracker ended with status -9"),
    ],
)
def test_a_tracker_that_fails_is_told_with_its_reason(stand_in, script, why):
    stand_in(script)
    with pytest.raises(TrainingError, match=rf"^workers cannot meet: {why}\.$"):
        TrackerProcess(2, "127.0.0.1")


def test_a_tracker_that_does_not_begin_is_not_waited_for(stand_in, monkeypatch):
    monkeypatch.setattr(xgboost_tracker, "LONGEST_START", 0.05)
    stand_in("exec sleep 1000")
    with pytest.raises(TrainingError, match="their tracker has not begun"):
        TrackerProcess(2, "127.0.0.1")


def test_a_tracker_finds_riskrank_where_its_driver_did(stand_in, tmp_path, monkeypatch):
    """In a checkout that is not installed, say."""
    monkeypatch.syspath_prepend(tmp_path)
    stand_in("""echo '["'"$PYTHONPATH"'"]'""")
    tracker = TrackerProcess(2, "127.0.0.1")
    tracker.close()
    assert str(tmp_path) in tracker.arguments[0].split(os.pathsep)


def test_a_tracker_that_the_system_does_not_start_is_told(monkeypatch):
    def denied(*_, **__):
        raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr("subprocess.Popen", denied)
    with pytest.raises(TrainingError, match=r"^workers cannot meet: their tracker cannot be started \(Resource"):
        TrackerProcess(2, "127.0.0.1")
