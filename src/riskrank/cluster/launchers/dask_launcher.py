"""Workers as tasks of Dask, one on each of its workers."""

from __future__ import annotations

from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

from riskrank.cluster.launchers.launcher import (
    FIRST_WAIT,
    LOOK,
    LostClusterError,
    LostWorkerError,
    engine_line,
    lost_by,
    missing,
    no_engine,
    telling_of,
)
from riskrank.cluster.worker_process import decoded, run_apart
from riskrank.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from contextlib import AbstractContextManager

    from distributed import Client

    from riskrank.typing import ClusterLike

UNSEEN = 20.0  # seconds that a worker may be behind the others in what the scheduler heard of it
VERSION = "riskrank:__version__"
TURN = "riskrank training"  # trainings take turns: each needs all workers at once


class DaskLauncher:
    """``dask:tcp://scheduler:8786``, or a `dask.distributed.Client`."""

    def __init__(self, client: Client, *, is_own: bool = False) -> None:
        self._client, self._is_own = client, is_own
        self._is_checked = False

    @classmethod
    def named(cls, address: str) -> DaskLauncher:
        try:
            from distributed import Client
        except ImportError:
            raise missing("dask") from None
        if not address:
            raise ParameterError("cluster must be like dask:tcp://scheduler:8786.", "cluster")
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
        try:
            self._client.wait_for_workers(1, timeout=FIRST_WAIT)
            workers = self._workers()
        except (OSError, RuntimeError, ValueError) as error:  # also TimeoutError
            raise LostClusterError(f"there is no worker at this Dask scheduler ({engine_line(error)})") from None
        self._check_riskrank(workers)
        return len(workers)

    def n_threads(self, n_workers: int) -> int | None:
        return min((int(each["nthreads"]) for each in self._workers().values()), default=1)

    def run(self, jobs: Sequence[str], look: Callable[[], None]) -> list[str]:
        from distributed import Lock

        client = self._client
        with (
            self._telling(),
            client.as_current(),
            Lock(TURN, scheduler_rpc=client.scheduler, loop=client.loop),
        ):
            places = sorted(self._workers())[: len(jobs)]
            if len(places) < len(jobs):
                raise LostWorkerError("a worker has left the Dask cluster")
            return self._results(jobs, places, look)

    def map(self, jobs: Sequence[str], look: Callable[[], None]) -> list[str]:
        with self._telling(), self._client.as_current():
            return self._results(jobs, None, look)

    def close(self) -> None:
        if self._is_own:
            self._client.close()

    def _results(self, jobs: Sequence[str], places: Sequence[str] | None, look: Callable[[], None]) -> list[str]:
        """With places of their own the first job that fails ends all others."""
        from distributed import wait

        own = [None] * len(jobs) if places is None else [[place] for place in places]
        futures = [
            self._client.submit(run_apart, job, workers=place, allow_other_workers=False, pure=False, retries=0)
            for job, place in zip(jobs, own, strict=True)
        ]
        waiting = set(futures)
        try:
            while waiting:
                try:
                    done = wait(waiting, timeout=LOOK, return_when="FIRST_COMPLETED").done
                except TimeoutError:
                    done = set()
                for future in done if places is not None else ():
                    decoded(future.result())
                waiting -= done
                look()
                if places is not None and waiting and not set(places) <= set(self._workers()):
                    raise LostWorkerError("a worker has left the Dask cluster")
            return [future.result() for future in futures]
        finally:
            if self._client.status == "running":
                self._client.cancel(futures)

    def _check_riskrank(self, workers: Collection[str]) -> None:
        """Dask's workers die of a function that they cannot import, so they are first asked by one of Python's own."""
        if self._is_checked:
            return
        try:
            with self._telling():
                self._client.run(resolve_name, VERSION, workers=list(workers))
        except ImportError as error:
            raise lost_by("Dask", error) from None
        self._is_checked = True

    @staticmethod
    def _telling() -> AbstractContextManager[None]:
        from distributed import CancelledError
        from distributed.scheduler import KilledWorker

        return telling_of("Dask", CancelledError, KilledWorker, OSError, RuntimeError, ValueError)

    def _workers(self) -> dict[str, Any]:
        """Those that the scheduler still hears: of a machine that is cut off it says for minutes that it is there."""
        known: dict[str, Any] = self._client.scheduler_info(n_workers=-1)["workers"]
        latest = max((each["last_seen"] for each in known.values()), default=0.0)
        return {address: each for address, each in known.items() if latest - each["last_seen"] < UNSEEN}
