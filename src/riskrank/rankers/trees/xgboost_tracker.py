"""XGBoost's tracker in a process of its own, because it ends its process when a worker is lost while others come.

``python -m riskrank.rankers.trees.xgboost_tracker`` reads how many workers meet at which address, as a line of JSON,
prints what they need, and ends with its standard input.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import suppress
from typing import Any

from riskrank.errors import TrainingError, one_line


class TrackerProcess:
    """Where the workers of one training meet, at an address of this machine."""

    def __init__(self, n_workers: int, address: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "riskrank.rankers.trees.xgboost_tracker"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True,
        )  # fmt: skip
        with suppress(BrokenPipeError):
            print(json.dumps([n_workers, address]), file=self._process.stdin, flush=True)
        line = self._process.stdout.readline() if self._process.stdout is not None else ""
        if not line:
            self.close()
            raise TrainingError(f"workers cannot meet: nothing can listen at {one_line(address)}.")
        self.arguments: dict[str, Any] = json.loads(line)

    def close(self) -> None:
        """Nobody meets here any more."""
        self._process.kill()
        self._process.communicate()


def keep_tracker() -> None:
    """Keep a tracker for as long as somebody holds the other end of standard input."""
    from riskrank import rankers
    from riskrank.rankers.trees.engine import engine_named

    rankers.are_estimators = False  # scikit-learn is not needed here, and slow to load
    engine_named("xgboost")
    from riskrank.rankers.trees.xgboost_peers import Tracker

    tracker = Tracker(*json.loads(sys.stdin.readline()))
    print(json.dumps(tracker.arguments), flush=True)  # noqa: T201 (for the parent)
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    keep_tracker()
