"""XGBoost's tracker in a process of its own, because it ends its process when a worker is lost while others come.

``python -m riskrank.rankers.trees.collective.xgboost_tracker`` reads how many workers meet at which address, as a line
of JSON, prints what they need, and ends with its standard input.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from selectors import EVENT_READ, DefaultSelector
from typing import Any

from riskrank import programs
from riskrank.errors import TrainingError, one_line

LONGEST_START = 60.0  # seconds


class TrackerProcess:
    """Where the workers of one training meet, at an address of this machine."""

    def __init__(self, n_workers: int, address: str) -> None:
        try:
            self._process = programs.started("riskrank.rankers.trees.collective.xgboost_tracker")
        except OSError as error:
            raise TrainingError(f"workers cannot meet: their tracker cannot be started ({error.strerror}).") from None
        with suppress(BrokenPipeError):
            print(json.dumps([n_workers, address]), file=self._process.stdin, flush=True)
        line = self._first_line()
        if not line:
            words = self.close().split("\n")
            why = next(
                (word for word in reversed(words) if word), f"its tracker ended with status {self._process.returncode}"
            )
            raise TrainingError(f"workers cannot meet: {one_line(why, limit=200)}.")
        self.arguments: dict[str, Any] = json.loads(line)

    def _first_line(self) -> str:
        """What it says; nothing if it ended."""
        said: Any = self._process.stdout
        with DefaultSelector() as selector:
            selector.register(said, EVENT_READ)
            if not selector.select(LONGEST_START):
                self.close()
                raise TrainingError(f"workers cannot meet: their tracker has not begun in {LONGEST_START:.0f} seconds.")
        line: str = said.readline()
        return line

    def close(self) -> str:
        """Nobody meets here any more; returns what it printed of trouble."""
        programs.end(self._process)
        return self._process.communicate()[1].strip()


def keep_tracker() -> None:
    """Keep a tracker for as long as somebody holds the other end of standard input."""
    from riskrank import rankers
    from riskrank.rankers.trees.engine import engine_named

    rankers.are_estimators = False  # scikit-learn is not needed here, and slow to load
    engine_named("xgboost")
    from riskrank.rankers.trees.collective.xgboost_peers import PeerError, Tracker

    n_workers, address = json.loads(sys.stdin.readline())
    try:
        tracker = Tracker(n_workers, address)
    except (OSError, PeerError) as error:
        told = str(error).partition("Stack trace")[0].strip().split("\n")[-1].rpartition("]: ")[2]
        sys.exit(f"nothing can listen at {one_line(address)} ({told})")
    print(json.dumps(tracker.arguments), flush=True)  # noqa: T201 (for the parent)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # nobody reads on
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    keep_tracker()
