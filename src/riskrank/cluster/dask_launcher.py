"""Workers as tasks of Dask, one on each of its workers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from riskrank.cluster.launcher import LostWorkerError, missing
from riskrank.cluster.worker_process import decoded, run_apart
from riskrank.errors import ParameterError, one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from distributed import Client

    from riskrank.typing import ClusterLike

FIRST_WAIT = 30  # seconds, for the scheduler and its first worker
LOOK = 1.0  # seconds between looks at who is there
TURN = "riskrank training"  # trainings take turns: each needs all workers at once


class DaskLauncher:
    """``dask:tcp://scheduler:8786``, or a `dask.distributed.Client`."""

    def __init__(self, client: Client) -> None:
        self._client = client

    @classmethod
    def named(cls, address: str) -> DaskLauncher:
        try:
            from distributed import Client
        except ImportError:
            raise missing("dask") from None
        if not address:
            raise ParameterError("cluster must be like dask:tcp://scheduler:8786.", "cluster")
        try:
            return cls(Client(address, timeout=FIRST_WAIT, set_as_default=False))
        except (OSError, ValueError) as error:
            reason = one_line(str(error).split("\n")[0], limit=200)
            raise ParameterError(f"there is no Dask scheduler at {address} ({reason}).", "cluster") from None

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
        except TimeoutError:
            raise LostWorkerError("there is no worker at this Dask scheduler") from None
        return len(self._workers())

    def n_threads(self, n_workers: int) -> int | None:
        return min((int(each["nthreads"]) for each in self._workers().values()), default=1)

    def run(self, jobs: Sequence[str], tell: Callable[[int], None]) -> list[str]:
        from distributed import Lock

        with self._client.as_current(), Lock(TURN, scheduler_rpc=self._client.scheduler, loop=self._client.loop):
            return self._run_on_each(jobs)

    def map(self, jobs: Sequence[str]) -> list[str]:
        futures = self._client.map(run_apart, list(jobs), pure=False, retries=2)
        return list(self._client.gather(futures))

    def _run_on_each(self, jobs: Sequence[str]) -> list[str]:
        from distributed import CancelledError, wait

        addresses = sorted(self._workers())[: len(jobs)]
        if len(addresses) < len(jobs):
            raise LostWorkerError("a worker has left the Dask cluster")
        options = {"allow_other_workers": False, "pure": False, "retries": 0}
        futures = [
            self._client.submit(run_apart, job, workers=[place], **options)
            for job, place in zip(jobs, addresses, strict=True)
        ]
        try:
            waiting = set(futures)
            while waiting:
                try:
                    done = wait(waiting, timeout=LOOK, return_when="FIRST_COMPLETED").done
                except TimeoutError:
                    done = set()
                for future in done:
                    decoded(future.result())  # one that failed ends the others
                waiting -= done
                if waiting and not set(addresses) <= set(self._workers()):
                    raise LostWorkerError("a worker has left the Dask cluster")
            return [future.result() for future in futures]
        except (CancelledError, OSError) as error:
            raise LostWorkerError(f"Dask lost a worker ({one_line(str(error), limit=200)})") from None
        finally:
            self._client.cancel(futures)

    def _workers(self) -> dict[str, Any]:
        known: dict[str, Any] = self._client.scheduler_info(n_workers=-1)["workers"]
        return known
