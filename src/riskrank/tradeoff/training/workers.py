"""Trainings side by side in threads: when somebody interrupts, they stop with a checkpoint; one bar shows them all."""

from __future__ import annotations

import contextlib
import signal
import threading
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, TypeVar

from riskrank.progress import overall
from riskrank.rankers.fitting.interruption import stop_in_threads

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from types import FrameType

    from riskrank.progress import Progress

T = TypeVar("T")
LONGEST_WAIT = 0.5  # seconds; between waits, Ctrl-C is heard


def run_jobs(jobs: Sequence[Callable[[], T]], n_workers: int) -> list[T]:
    """The results of all jobs, in their order; with one worker they run here, one after the other.

    The first error ends the others after their current step.
    """
    if n_workers == 1:
        return [job() for job in jobs]
    with _workers(n_workers) as pool:
        futures = [pool.submit(job) for job in jobs]
        _wait(futures)
        return [future.result() for future in futures]


@contextlib.contextmanager
def _workers(n_workers: int) -> Iterator[ThreadPoolExecutor]:
    """Threads that stop after their current step, with a checkpoint, when somebody interrupts."""
    pool = ThreadPoolExecutor(n_workers, thread_name_prefix="riskrank-sweep")
    is_main = threading.current_thread() is threading.main_thread()
    asked_by = (signal.SIGINT, signal.SIGTERM) if is_main else ()
    before = {number: signal.signal(number, _interrupt) for number in asked_by}
    try:
        yield pool
    except BaseException:
        stop_in_threads.set()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
        stop_in_threads.clear()
        for number, handler in before.items():
            signal.signal(number, handler)


def _interrupt(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 (what a handler gets)
    raise KeyboardInterrupt


def _wait(futures: Iterable[Future[T]]) -> None:
    waiting = set(futures)
    while waiting:
        done, waiting = wait(waiting, timeout=LONGEST_WAIT, return_when=FIRST_EXCEPTION)
        for future in done:
            future.result()


class SharedBar:
    """The steps of several trainings on one bar; `n_done` steps were done before them."""

    def __init__(self, bar: Progress, n_trainings: int, n_done: int) -> None:
        self._bar, self._n_trainings, self._n_done = bar, n_trainings, n_done
        self._steps: list[int] = []  # of each training that has started
        self._n_finished = 0
        self._lock = threading.Lock()

    @contextlib.contextmanager
    def counts(self, n_steps: int) -> Iterator[None]:
        """Count the steps of the training within; it has at most `n_steps`, and has them all when it is over."""
        with self._lock:
            self._steps.append(0)
            number = len(self._steps) - 1

        def tell(done: int, *, is_finished: bool = False) -> None:
            with self._lock:
                self._steps[number] = done
                self._n_finished += is_finished
                text = f"{self._n_finished} of {self._n_trainings} models"
                self._bar.update(self._n_done + sum(self._steps), text)

        token = overall.set(tell)
        try:
            yield
        finally:
            overall.reset(token)
        tell(n_steps, is_finished=True)
