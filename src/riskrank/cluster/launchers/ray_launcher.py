"""Workers as tasks of Ray, which starts them all or none."""

from __future__ import annotations

import time
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Any

from riskrank.cluster.job_outcome import LostClusterError, LostWorkerError, failure
from riskrank.cluster.launchers.launcher import (
    FIRST_WAIT,
    LOOK,
    SharedEngine,
    Take,
    address_and_count,
    all_done,
    check_answers,
    engine_line,
    missing,
    no_engine,
    telling_of,
)
from riskrank.cluster.worker_process import run_apart
from riskrank.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from riskrank.typing import ClusterLike

AUTO = "auto"  # whatever Ray finds
FIRST_END = 3  # seconds, for tasks that end by themselves
LONGEST_END = 15  # for those that were cancelled

_connection = SharedEngine("Ray")


class RayLauncher:
    """``ray:ADDRESS`` (or ``ray:auto``), perhaps with ``?workers=4``; or the module ray, where it is connected.

    Without a number there is a worker for each node, with all its cores.
    """

    example, modules, existing = "auto?workers=4", ("ray",), "the module ray"

    def __init__(self, ray: ModuleType, count: int | None = None, *, has_joined: bool = False) -> None:
        self._ray: Any = ray
        self._count, self._has_joined = count, has_joined

    @classmethod
    def named(cls, address: str) -> RayLauncher:
        place, count = address_and_count(address)
        place = place or AUTO
        return cls(_connection.join(place, partial(_there, place), partial(_connected, place)), count, has_joined=True)

    @classmethod
    def around(cls, existing: ClusterLike, /) -> RayLauncher | None:
        return cls(existing) if isinstance(existing, ModuleType) and existing.__name__ == "ray" else None

    @property
    def address(self) -> str:
        return str(self._ray.util.get_node_ip_address())

    def n_workers(self) -> int:
        until = time.monotonic() + FIRST_WAIT
        while not (cores := sum(self._cores())):
            if time.monotonic() > until:
                raise LostClusterError("there is no node with a core in this Ray cluster")
            time.sleep(LOOK)
        return min(self._count or len(self._cores()), cores)

    def n_threads(self, n_workers: int) -> int | None:
        """So many that all workers find a place, on each node as many as fit."""
        nodes = self._cores()
        threads = max(1, sum(nodes) // n_workers)
        while threads > 1 and sum(cores // threads for cores in nodes) < n_workers:
            threads -= 1
        return threads

    def run(self, jobs: Sequence[str], look: Callable[[], None]) -> list[str]:
        from ray.util.placement_group import placement_group, remove_placement_group
        from ray.util.scheduling_strategies import PlacementGroupSchedulingStrategy

        ray = self._ray
        with telling_of("Ray", ray.exceptions.RayError):
            cores = self.n_threads(len(jobs)) or 1
            tasks: list[Any] = []
            group = placement_group([{"CPU": cores}] * len(jobs), strategy="SPREAD")
            try:
                task = ray.remote(num_cpus=cores, max_retries=0)(run_apart)
                while not group.wait(LOOK):  # others may train
                    look()
                    if sum(self._cores()) < cores * len(jobs):
                        raise LostWorkerError(f"Ray has no place for {len(jobs)} workers any more")
                for number, job in enumerate(jobs):
                    place = PlacementGroupSchedulingStrategy(group, placement_group_bundle_index=number)
                    tasks.append(task.options(scheduling_strategy=place).remote(job))
                return all_done(partial(self._follow, tasks, look))
            finally:
                self._end(tasks)
                remove_placement_group(group)

    def map(self, jobs: Sequence[str], look: Callable[[], None], take: Take, n_threads: int | None) -> None:
        ray = self._ray
        with telling_of("Ray", ray.exceptions.RayError):
            tasks: list[Any] = []
            try:
                task = ray.remote(num_cpus=n_threads or 1, max_retries=0)(run_apart)
                tasks += [task.remote(job) for job in jobs]
                self._follow(tasks, look, take)
            finally:
                self._end(tasks)

    def _follow(self, tasks: Sequence[Any], look: Callable[[], None], take: Take) -> None:
        waiting, numbers = list(tasks), {task: number for number, task in enumerate(tasks)}
        while waiting:
            done, waiting = self._ray.wait(waiting, num_returns=len(waiting), timeout=LOOK)
            for each in done:
                take(numbers[each], self._result(each))
            look()

    def _result(self, task: Any) -> str:
        """What came of a job, be it that its worker was lost."""
        try:
            with telling_of("Ray", self._ray.exceptions.RayError):
                return str(self._ray.get(task))
        except LostWorkerError as lost:
            return failure(lost)

    def close(self) -> None:
        if self._has_joined:
            _connection.leave(self._ray.shutdown)

    def _end(self, tasks: list[Any]) -> None:
        """Cancel those that do not end by themselves.

        Ray aborts this process if it cancels a task that is just ending, as workers do whose others are lost, or
        removes the group of one.
        """
        if tasks:
            _, tasks = self._ray.wait(tasks, num_returns=len(tasks), timeout=FIRST_END)
        for task in tasks:
            self._ray.cancel(task)
        if tasks:
            self._ray.wait(tasks, num_returns=len(tasks), timeout=LONGEST_END)

    def _cores(self) -> list[int]:
        """Of each node that lives and has some."""
        nodes = (node for node in self._ray.nodes() if node["Alive"])
        return [cores for node in nodes if (cores := int(node["Resources"].get("CPU", 0)))]


def _there(address: str) -> tuple[ModuleType, str] | None:
    """Ray where it is connected, and where to."""
    try:
        import ray
    except ImportError:
        raise missing("ray") from None
    if not ray.is_initialized():
        return None
    return ray, AUTO if address == AUTO else str(ray.get_runtime_context().gcs_address)


def _connected(address: str) -> ModuleType:
    import ray

    connection: ModuleType = ray
    check_answers("Ray", address)
    try:
        ray.init(address=address, log_to_driver=False, configure_logging=False)
    except (ConnectionError, ValueError, RuntimeError) as error:
        if address == AUTO:
            raise no_engine("Ray", address, error) from None
        way = "Where the cluster has a token, it is to be in RAY_AUTH_TOKEN, and RAY_AUTH_MODE is to be token"
        raise ParameterError(f"Ray at {address} takes no driver ({engine_line(error)}). {way}.") from None
    return connection
