"""XGBoost's workers as peers: sums and maxima over all of them, and the tracker that brings them together."""

from __future__ import annotations

import re
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Self

import numpy as np
import xgboost
from xgboost import collective
from xgboost.tracker import RabitTracker

from riskrank.data.shards.data_share import LostPeersError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from types import TracebackType

    from riskrank.typing import Floats

LONGEST_WAIT = 3600  # seconds, for others that load more or count longer; whoever is lost, the driver ends all
AMONG_PEERS = re.compile(r"src.collective.")  # where XGBoost says that an error is from
NO_MEMORY = "bad_alloc"
PeerError = xgboost.core.XGBoostError  # what it cannot do


@contextmanager
def trouble_told() -> Iterator[None]:
    """Errors of XGBoost that are not about what it was asked: peers that are lost, and memory that is not there."""
    try:
        yield
    except PeerError as error:
        if AMONG_PEERS.search(str(error)):
            raise LostPeersError("a worker lost the others") from None
        if NO_MEMORY in str(error):
            raise MemoryError from None
        raise


class XGBoostPeers:
    """Workers that know each other while within; `arguments` are those of the tracker, and who this worker is."""

    def __init__(self, arguments: Mapping[str, str | int], rank: int) -> None:
        self._context = collective.CommunicatorContext(
            **arguments, dmlc_timeout=LONGEST_WAIT, dmlc_retry=2, dmlc_task_id=f"{rank:06d}"
        )
        self.rank = rank

    def __enter__(self) -> Self:
        with trouble_told():
            self._context.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:  # otherwise the others would be waited for
            with trouble_told():
                self._context.__exit__(kind, error, trace)

    def total(self, values: Floats) -> Floats:
        """The sums of everybody's values."""
        return self._reduced(values, collective.Op.SUM)

    def largest(self, values: Floats) -> Floats:
        """The largest of everybody's values."""
        return self._reduced(values, collective.Op.MAX)

    def _reduced(self, values: Floats, operation: collective.Op) -> Floats:
        given = np.ascontiguousarray(values, np.float64)
        with trouble_told():
            return np.asarray(collective.allreduce(given, operation), np.float64).reshape(given.shape)


class Tracker:
    """Where the workers of one training meet, at an address of this machine."""

    def __init__(self, n_workers: int, address: str) -> None:
        self._tracker = RabitTracker(n_workers, address, sortby="task")  # without an end: workers may wait for cores
        self._tracker.start()

    @property
    def arguments(self) -> dict[str, str | int]:
        """For the workers."""
        return dict(self._tracker.worker_args())

    def close(self) -> None:
        """Nobody meets here any more."""
        with suppress(PeerError):  # it may be broken, as its workers are
            self._tracker.free()
