"""What a launcher does, whatever engine it is of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from riskrank import errors
from riskrank.cluster import LAUNCHERS
from riskrank.errors import ParameterError, RiskrankError, TrainingError, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Self

    from riskrank.typing import ClusterLike

LOST = "lost"


class LostWorkerError(TrainingError):
    """A worker died, hangs or was cut off: its work can be done again from the last checkpoint."""


class Launcher(Protocol):
    """Starts workers on an engine's machines with jobs as texts, and gives back the texts that they make.

    A worker is `riskrank.cluster.worker_process.run_apart`, which takes and gives text.
    """

    @classmethod
    def named(cls, address: str) -> Self:
        """From what stands after the colon in ``dask:ADDRESS``; empty where nothing does."""

    @classmethod
    def around(cls, existing: Any, /) -> Self | None:
        """From a client or session of the engine's own; None if it is something else."""

    @property
    def address(self) -> str:
        """Of this machine, where its workers reach the driver."""

    def n_workers(self) -> int:
        """How many workers there are at present; waits a while for the first one."""

    def n_threads(self, n_workers: int) -> int | None:
        """How many threads each of so many workers should use; None where its machine knows best."""

    def run(self, jobs: Sequence[str], tell: Callable[[int], None]) -> list[str]:
        """The results of jobs that work together, all at the same time; `tell` may be told how many steps are done.

        Raises `LostWorkerError` as soon as one of them is lost, and ends the others.
        """

    def map(self, jobs: Sequence[str]) -> list[str]:
        """The results of jobs that do not know each other, in their order."""


def launcher_for(cluster: ClusterLike) -> Launcher:
    """By ``engine:address``, or around an existing client or session."""
    if isinstance(cluster, str):
        name, _, address = cluster.partition(":")
        if name not in LAUNCHERS:
            raise ParameterError(
                f"cluster must be like local:4, dask:ADDRESS, ray:ADDRESS or spark:MASTER, got {quoted(cluster)}.",
                "cluster",
            )
        return LAUNCHERS[name].named(address)
    engine = type(cluster).__module__.split(".")[0]
    home = {"distributed": "dask", "dask": "dask", "ray": "ray", "pyspark": "spark"}.get(engine)
    launcher = None if home is None else LAUNCHERS[home].around(cluster)
    if launcher is None:
        raise ParameterError(
            f"cluster must be a text like local:4, a Dask client, the module ray, or a Spark session, got {cluster!r}.",
            "cluster",
        )
    return launcher


def missing(engine: str) -> ParameterError:
    """An engine that is not installed."""
    return ParameterError(f"this cluster needs {engine}: pip install 'riskrank[{engine}]'.", "cluster")


def remote_error(kind: str, message: str) -> RiskrankError:
    """What a worker raised, as it would have been raised here."""
    if kind == LOST:
        return LostWorkerError(message)
    known = getattr(errors, kind, None)
    is_plain = isinstance(known, type) and issubclass(known, RiskrankError) and known is not errors.FileError
    return known(message) if is_plain and known is not None else RiskrankError(message)
