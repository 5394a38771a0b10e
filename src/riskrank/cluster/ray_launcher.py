"""Workers as tasks of Ray, which starts them all or none."""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING, Any

from riskrank.cluster.launcher import LostWorkerError, address_and_count, missing
from riskrank.cluster.worker_process import decoded, run_apart
from riskrank.errors import ParameterError, one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from riskrank.typing import ClusterLike

FIRST_WAIT = 60  # seconds, until all workers can be started
LOOK = 1.0


class RayLauncher:
    """``ray:ADDRESS`` (or ``ray:auto``), perhaps with ``?workers=4``; or the module ray, where it is connected.

    Without a number there is a worker for each node, with all its cores.
    """

    def __init__(self, ray: ModuleType, count: int | None = None) -> None:
        self._ray: Any = ray
        self._count = count

    @classmethod
    def named(cls, address: str) -> RayLauncher:
        place, count = address_and_count(address)
        ray: Any = _ray()
        if not ray.is_initialized():
            try:
                ray.init(address=place or "auto", log_to_driver=False, configure_logging=False)
            except (ConnectionError, ValueError, RuntimeError) as error:
                reason = one_line(str(error).split("\n")[0], limit=200)
                raise ParameterError(f"there is no Ray at {place or 'auto'} ({reason}).", "cluster") from None
        return cls(ray, count)

    @classmethod
    def around(cls, existing: ClusterLike, /) -> RayLauncher | None:
        return cls(existing) if isinstance(existing, ModuleType) and existing.__name__ == "ray" else None

    @property
    def address(self) -> str:
        return str(self._ray.util.get_node_ip_address())

    def n_workers(self) -> int:
        return self._count or max(1, len(self._nodes()))

    def n_threads(self, n_workers: int) -> int | None:
        cores = sum(int(node["Resources"].get("CPU", 0)) for node in self._nodes())
        return max(1, cores // n_workers)

    def run(self, jobs: Sequence[str], tell: Callable[[int], None]) -> list[str]:
        from ray.util.placement_group import placement_group, remove_placement_group
        from ray.util.scheduling_strategies import PlacementGroupSchedulingStrategy

        cores = self.n_threads(len(jobs)) or 1
        group = placement_group([{"CPU": cores}] * len(jobs), strategy="SPREAD")
        task = self._ray.remote(num_cpus=cores, max_retries=0)(run_apart)
        running: list[Any] = []
        try:
            self._ray.get(group.ready(), timeout=FIRST_WAIT)
            for number, job in enumerate(jobs):
                place = PlacementGroupSchedulingStrategy(group, placement_group_bundle_index=number)
                running.append(task.options(scheduling_strategy=place).remote(job))
            waiting = list(running)
            while waiting:
                done, waiting = self._ray.wait(waiting, timeout=LOOK)
                for each in done:
                    decoded(self._ray.get(each))  # one that failed ends the others
            return [str(self._ray.get(each)) for each in running]
        except self._ray.exceptions.RayError as error:
            reason = one_line(str(error).strip().split("\n")[0], limit=200)
            raise LostWorkerError(f"Ray lost a worker, or has no place for it ({reason})") from None
        finally:
            for each in running:
                self._ray.cancel(each)
            remove_placement_group(group)

    def map(self, jobs: Sequence[str]) -> list[str]:
        task = self._ray.remote(max_retries=2)(run_apart)
        return [str(result) for result in self._ray.get([task.remote(job) for job in jobs])]

    def _nodes(self) -> list[dict[str, Any]]:
        return [node for node in self._ray.nodes() if node["Alive"]]


def _ray() -> ModuleType:
    try:
        import ray
    except ImportError:
        raise missing("ray") from None
    module: ModuleType = ray
    return module
