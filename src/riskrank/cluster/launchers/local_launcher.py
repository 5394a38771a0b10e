"""Workers as processes of this machine, which only its own loopback connects."""

from __future__ import annotations

import time
from contextlib import ExitStack
from typing import TYPE_CHECKING

from riskrank.cluster.job_outcome import LostWorkerError, check_done, failure
from riskrank.cluster.launchers.launcher import count_said
from riskrank.cluster.worker_process import WAIT, WorkerProcess
from riskrank.cores import divided_cores, usable_cores

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from riskrank.cluster.launchers.launcher import Take
    from riskrank.typing import ClusterLike


class LocalLauncher:
    """``local:4``: so many processes; without a number, one per core."""

    example, modules, existing = "4", (), ""
    address = "127.0.0.1"

    def __init__(self, count: int) -> None:
        self.count = count
        self.processes: list[WorkerProcess] = []  # of the training that runs

    @classmethod
    def named(cls, address: str) -> LocalLauncher:
        return cls(count_said(address) if address else usable_cores())

    @classmethod
    def around(cls, _: ClusterLike, /) -> None:
        return None

    def n_workers(self) -> int:
        return self.count

    def n_threads(self, n_workers: int) -> int | None:
        return max(1, usable_cores() // n_workers)

    def run(self, jobs: Sequence[str], look: Callable[[], None]) -> list[str]:
        with ExitStack() as ending:
            self.processes = []
            for number, (job, cores) in enumerate(zip(jobs, divided_cores(len(jobs)), strict=True), start=1):
                process = WorkerProcess(job, f"worker {number} of {len(jobs)}", cores)
                ending.callback(process.kill)
                self.processes.append(process)
            waiting = set(self.processes)
            while waiting:
                for process in [each for each in waiting if each.is_done()]:
                    check_done(process.result or "")  # one that failed ends the others
                    waiting.discard(process)
                look()
                time.sleep(WAIT if waiting else 0)
            return [process.result or "" for process in self.processes]

    def map(self, jobs: Sequence[str], look: Callable[[], None], take: Take, n_threads: int | None) -> None:
        left = list(enumerate(jobs))[::-1]
        running: dict[int, WorkerProcess] = {}
        try:
            while left or running:
                while left and len(running) < self.count:
                    number, job = left.pop()
                    running[number] = WorkerProcess(job)
                for number, process in list(running.items()):
                    if (result := _result_of(process)) is not None:
                        del running[number]
                        process.kill()
                        take(number, result)
                look()
                time.sleep(WAIT if running else 0)
        finally:
            for process in running.values():
                process.kill()

    def close(self) -> None:
        """Processes end with their training."""


def _result_of(process: WorkerProcess) -> str | None:
    """What came of a job, be it that its worker was lost; None if it is at work."""
    try:
        return process.result if process.is_done() else None
    except LostWorkerError as lost:
        return failure(lost)
