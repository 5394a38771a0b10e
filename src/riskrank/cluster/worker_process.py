"""A worker in a process of its own, watched by whoever started it: on this machine, or inside an engine's worker.

XGBoost ends the process of a worker whose others are lost; memory that a training takes goes back at its end; and two
trainings do not know each other.
"""

from __future__ import annotations

import json
import os
import re
import signal
import threading
import time
from collections import deque
from contextlib import ExitStack, suppress
from queue import Empty, Queue
from typing import TYPE_CHECKING

from riskrank import programs
from riskrank.cluster.job_outcome import LostWorkerError, failure
from riskrank.errors import one_line

if TYPE_CHECKING:
    from collections.abc import Collection

SILENCE = 45.0  # seconds without a sign of life
WAIT = 0.2
KEPT_LINES = 20  # of what a worker printed
GREETING = re.compile(r"\[[\d:]+\] Task \d+ got rank")  # of XGBoost, whenever workers have met


class WorkerProcess:
    """A process that does a job, on some cores or, without any named, wherever the system has it."""

    def __init__(self, job: str, name: str = "a worker", cores: Collection[int] = ()) -> None:
        self.name = name
        self.result: str | None = None
        self._heard = time.monotonic()
        self._lines: Queue[str | None] = Queue()
        self._printed: deque[str] = deque(maxlen=KEPT_LINES)
        try:
            self._process = programs.started("riskrank.cluster.worker", OMP_WAIT_POLICY="PASSIVE")
        except OSError as error:
            raise LostWorkerError(f"{name} cannot be started ({error.strerror})") from None
        if cores:
            with suppress(OSError):  # it is only slower without
                os.sched_setaffinity(self._process.pid, cores)  # of its first thread, which others take it from
        self._threads = [
            threading.Thread(target=target, args=arguments, daemon=True)
            for target, *arguments in ((self._send, job), (self._listen,), (self._keep_printed,))
        ]
        for thread in self._threads:
            thread.start()

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    def is_done(self) -> bool:
        """Has it a result? Raises `LostWorkerError` if it died or has been silent for too long."""
        ended = self._hear()
        if self.result is not None:
            return True
        if ended:
            status = self._process.wait()
            raise LostWorkerError(f"{self.name} {_ending(status)}{self._last_words()}")
        if time.monotonic() - self._heard > SILENCE:
            raise LostWorkerError(f"{self.name} has given no sign of life for {SILENCE:.0f} seconds")
        return False

    def _hear(self) -> bool:
        """Take in what it said; True if it says no more."""
        while True:
            try:
                line = self._lines.get_nowait()
            except Empty:
                return False
            if line is None:
                return True
            self._heard = time.monotonic()
            with suppress(ValueError):  # it was killed while it wrote, so this is the last line
                self.result = json.loads(line).get("result", self.result)

    def _send(self, job: str) -> None:
        with suppress(BrokenPipeError):  # if it died, that is told when it is asked
            print(job, file=self._process.stdin, flush=True)

    def _listen(self) -> None:
        for line in self._process.stdout or ():
            self._lines.put(line)
        self._lines.put(None)

    def _keep_printed(self) -> None:
        for line in self._process.stderr or ():
            if not GREETING.match(line):
                self._printed.append(line.strip())

    def _last_words(self) -> str:
        words = next((line for line in reversed(self._printed) if line), "")
        return f" ({one_line(words, limit=200)})" if words else ""

    def kill(self) -> None:
        """End it at once, whatever it does."""
        programs.end(self._process)
        for thread in self._threads:
            thread.join()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            with suppress(BrokenPipeError):
                if stream is not None:
                    stream.close()


def run_apart(job: str) -> str:
    """A worker's result, from a process of its own; this is what engines run on their machines."""
    with ExitStack() as ending:
        try:
            process = WorkerProcess(job)
            ending.callback(process.kill)
            while not process.is_done():
                time.sleep(WAIT)
        except LostWorkerError as lost:
            return failure(lost)
        return process.result or ""


def _ending(status: int) -> str:
    if status >= 0:
        return f"ended with status {status}"
    name = signal.Signals(-status).name if -status in signal.valid_signals() else str(-status)
    return f"was killed ({name}{', perhaps for want of memory' if name == 'SIGKILL' else ''})"
