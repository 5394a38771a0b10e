"""Workers as tasks of Dask, one on each of its workers."""

from __future__ import annotations

import time
from functools import partial
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

from riskrank.cluster.job_outcome import LostClusterError, LostWorkerError, failure
from riskrank.cluster.launchers.launcher import (
    FIRST_WAIT,
    LOOK,
    Take,
    all_done,
    check_answers,
    engine_line,
    lost_by,
    missing,
    no_engine,
    telling_of,
)
from riskrank.cluster.worker_process import run_apart
from riskrank.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from contextlib import AbstractContextManager

    from distributed import Client

    from riskrank.typing import ClusterLike

UNSEEN = 20.0  # seconds in which the scheduler must have heard of a worker
VERSION = "riskrank:__version__"
TURN = "riskrank training"  # trainings take turns: each needs all workers at once


class DaskLauncher:
    """``dask:tcp://scheduler:8786``, or a `dask.distributed.Client`."""

    example, modules, existing = "tcp://scheduler:8786", ("dask", "distributed"), "a Dask client"

    def __init__(self, client: Client, *, is_own: bool = False) -> None:
        self._client, self._is_own = client, is_own
        self._is_checked = False
        self._seen: dict[str, tuple[float, float]] = {}  # what the scheduler said of a worker, and since when

    @classmethod
    def named(cls, address: str) -> DaskLauncher:
        try:
            from distributed import Client
        except ImportError:
            raise missing("dask") from None
        if not address:
            raise ParameterError("cluster must be like dask:tcp://scheduler:8786.", "cluster")
        check_answers("Dask scheduler", address)
        try:
            return cls(Client(address, timeout=FIRST_WAIT, set_as_default=False), is_own=True)
        except (OSError, ValueError) as error:
            raise no_engine("Dask scheduler", address, error) from None

    @classmethod
    def around(cls, existing: ClusterLike, /) -> DaskLauncher | None:
        from distributed import Client

        return cls(existing) if isinstance(existing, Client) else None

    @property
    def address(self) -> str:
        from distributed.comm import get_address_host
        from distributed.utils import get_ip

        host: str = get_ip(get_address_host(self._client.scheduler.address))
        return host

    def n_workers(self) -> int:
        self._check_riskrank(self._first_workers())
        return len(self._first_workers())

    def _first_workers(self) -> dict[str, Any]:
        """Those that are there, as soon as one is."""
        try:
            self._client.wait_for_workers(1, timeout=FIRST_WAIT)
            workers = self._workers()
        except (OSError, RuntimeError, ValueError) as error:  # also TimeoutError
            raise LostClusterError(f"there is no worker at this Dask scheduler ({engine_line(error)})") from None
        if not workers:
            raise LostClusterError(f"Dask's workers have not been heard of for {UNSEEN:.0f} seconds")
        return workers

    def n_threads(self, n_workers: int) -> int | None:
        return min((int(each["nthreads"]) for each in self._workers().values()), default=1)

    def run(self, jobs: Sequence[str], look: Callable[[], None]) -> list[str]:
        from distributed import Lock

        client = self._client
        with self._telling(), client.as_current():
            turn = Lock(TURN, scheduler_rpc=client.scheduler, loop=client.loop)
            while not turn.acquire(timeout=LOOK):
                look()
            try:
                places = sorted(self._workers())[: len(jobs)]
                if len(places) < len(jobs):
                    raise LostWorkerError("a worker has left the Dask cluster")
                return all_done(partial(self._do, jobs, places, look))
            finally:
                turn.release()

    def map(self, jobs: Sequence[str], look: Callable[[], None], take: Take, n_threads: int | None) -> None:
        with self._telling(), self._client.as_current():
            self._do(jobs, None, look, take)

    def close(self) -> None:
        if self._is_own:
            self._client.close()

    def _do(self, jobs: Sequence[str], places: Sequence[str] | None, look: Callable[[], None], take: Take) -> None:
        """At places of their own, which all must stay, or wherever there is one."""
        from distributed import wait

        own = [None] * len(jobs) if places is None else [[place] for place in places]
        futures = [
            self._client.submit(run_apart, job, workers=place, allow_other_workers=False, pure=False, retries=0)
            for job, place in zip(jobs, own, strict=True)
        ]
        waiting, numbers = set(futures), {future: number for number, future in enumerate(futures)}
        try:
            while waiting:
                try:
                    done = wait(waiting, timeout=LOOK, return_when="FIRST_COMPLETED").done
                except TimeoutError:
                    done = set()
                waiting -= done
                for future in done:
                    take(numbers[future], self._result(future))
                look()
                if places is not None and waiting and not set(places) <= set(self._workers()):
                    raise LostWorkerError("a worker has left the Dask cluster")
        finally:
            if self._client.status == "running":
                self._client.cancel(futures)

    def _result(self, future: Any) -> str:
        """What came of a job, be it that its worker was lost."""
        try:
            with self._telling():
                return str(future.result())
        except LostWorkerError as lost:
            return failure(lost)

    def _check_riskrank(self, workers: Collection[str]) -> None:
        """Dask's workers die of a function that they cannot import, so they are first asked by one of Python's own.

        Whoever does not answer has gone, or is soon not heard of any more.
        """
        if self._is_checked:
            return
        try:
            with self._telling():
                asked = self._client.run  # by itself it would wait for ever for a worker that hangs
                self._client.sync(asked, resolve_name, VERSION, workers=list(workers), callback_timeout=FIRST_WAIT)
        except ImportError as error:
            raise lost_by("Dask", error) from None
        except LostWorkerError:
            return
        self._is_checked = True

    @staticmethod
    def _telling() -> AbstractContextManager[None]:
        from distributed import CancelledError
        from distributed.scheduler import KilledWorker

        return telling_of("Dask", CancelledError, KilledWorker, OSError, RuntimeError, ValueError)

    def _workers(self) -> dict[str, Any]:
        """Those that the scheduler still hears: of a machine that is cut off it says for minutes that it is there.

        When it heard of whom is by its own clock; whether it hears of anybody still, by that of this machine.
        """
        known: dict[str, Any] = self._client.scheduler_info(n_workers=-1)["workers"]
        now, latest = time.monotonic(), max((each["last_seen"] for each in known.values()), default=0.0)
        for address, each in known.items():
            if address not in self._seen or self._seen[address][0] != each["last_seen"]:
                self._seen[address] = each["last_seen"], now
        return {
            address: each
            for address, each in known.items()
            if max(now - self._seen[address][1], latest - each["last_seen"]) < UNSEEN
        }
