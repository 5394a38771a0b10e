"""Workers as the tasks of one barrier stage of Spark, which starts them all or none."""

from __future__ import annotations

import os
import re
import socket
import sys
import time
from base64 import b64decode, b64encode
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextlib import suppress
from functools import partial
from ipaddress import ip_address
from secrets import token_hex
from typing import TYPE_CHECKING, Any, TypeVar

from riskrank.cluster.job_outcome import LostClusterError, LostWorkerError, check_done, failure
from riskrank.cluster.launchers.launcher import (
    FIRST_WAIT,
    LOOK,
    SharedEngine,
    Take,
    address_and_count,
    check_answers,
    engine_line,
    missing,
    no_engine,
    telling_of,
)
from riskrank.cluster.worker_process import run_apart
from riskrank.errors import ParameterError, RiskrankError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pyspark.sql import SparkSession

    from riskrank.typing import ClusterLike

T = TypeVar("T")

LOOPBACK = "127.0.0.1"
MASTER, ANY_PORT = re.compile(r"spark://([^:,/]+)"), 9  # one that is a machine's of its own
FAILED = re.compile(r"riskrank:([A-Za-z0-9+/=]+):")  # in what Spark says of a task
# Of sessions that are made here: nothing listens for others, and a lost stage is ours to begin again.
SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.stage.maxConsecutiveAttempts": "1",
    "spark.task.maxFailures": "1",
    "spark.network.timeout": "40s",  # until a silent machine counts as lost
    "spark.network.timeoutInterval": "10s",
    "spark.executor.heartbeatInterval": "5s",
}
LOCAL = {"spark.driver.host": LOOPBACK, "spark.driver.bindAddress": LOOPBACK}

SETTLED = 5.0  # seconds in which no executor has come

_session = SharedEngine("Spark")


class SparkLauncher:
    """``spark:MASTER`` (``spark:spark://host:7077``, ``spark:local[3]``), perhaps with ``?workers=3``; or a session.

    Without a number there are as many workers as Spark has cores.
    """

    example, modules, existing = "spark://host:7077", ("pyspark",), "a Spark session"

    def __init__(self, session: SparkSession, count: int | None = None, *, has_joined: bool = False) -> None:
        self._session, self._context = session, session.sparkContext
        self._count, self._has_joined = count, has_joined
        self._has_waited = False

    @classmethod
    def named(cls, address: str) -> SparkLauncher:
        master, count = address_and_count(address)
        if not master:
            raise ParameterError("cluster must be like spark:spark://host:7077 or spark:local[3].", "cluster")
        return cls(_session.join(master, _there, partial(_connected, master)), count, has_joined=True)

    @classmethod
    def around(cls, existing: ClusterLike, /) -> SparkLauncher | None:
        from pyspark.sql import SparkSession

        return cls(existing) if isinstance(existing, SparkSession) else None

    @property
    def address(self) -> str:
        """Not by its name, where that stands for the loopback on this machine alone, as on Debian."""
        host = str(self._context.getConf().get("spark.driver.host", LOOPBACK))
        elsewhere = MASTER.match(str(self._context.master))
        with suppress(OSError):
            if elsewhere is not None and ip_address(socket.gethostbyname(host)).is_loopback:
                with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
                    line.connect((elsewhere[1], ANY_PORT))
                    return str(line.getsockname()[0])
        return host

    def n_workers(self) -> int:
        places = self._places()
        if not self._has_waited or not places:
            places = self._settled_places()
        if not places:
            raise LostClusterError("there is no executor in this Spark cluster")
        self._has_waited = True
        return min(self._count or places, places)

    def n_threads(self, n_workers: int) -> int | None:
        return int(self._context.getConf().get("spark.task.cpus", "1"))

    def run(self, jobs: Sequence[str], look: Callable[[], None]) -> list[str]:
        results: list[str] = []
        self._watch([partial(self._together, jobs)], look, lambda _, made: results.extend(made))
        return results

    def map(self, jobs: Sequence[str], look: Callable[[], None], take: Take, n_threads: int | None) -> None:
        self._watch([partial(self._alone, job) for job in jobs], look, take)

    def close(self) -> None:
        if self._has_joined:
            _session.leave(self._session.stop)

    def _watch(
        self, calls: Sequence[Callable[[], T]], look: Callable[[], None], take: Callable[[int, T], None]
    ) -> None:
        """Calls to Spark, each in a thread; what is left of them in the end is cancelled."""
        group = f"riskrank {token_hex(8)}"

        def grouped(call: Callable[[], T]) -> T:
            with telling_of("Spark", Exception):  # whatever Java says
                self._context.setJobGroup(group, "riskrank", interruptOnCancel=True)  # of this thread
                return call()

        with ThreadPoolExecutor(len(calls)) as pool:
            numbers = {pool.submit(grouped, call): number for number, call in enumerate(calls)}
            waiting = set(numbers)
            try:
                look()
                while waiting:
                    done, waiting = wait(waiting, timeout=LOOK, return_when=FIRST_COMPLETED)
                    for each in done:
                        take(numbers[each], each.result())
                    look()
            finally:
                while not all(each.done() for each in numbers):  # a job may be about to begin
                    with suppress(Exception):  # whatever Java says, if it is there
                        self._context.cancelJobGroup(group)
                    wait(numbers, timeout=LOOK)

    def _together(self, jobs: Sequence[str]) -> list[str]:
        """The first job that fails ends the others; what was wrong with it is in Spark's message."""
        try:
            stage: Any = self._context.parallelize(list(jobs), len(jobs)).barrier()
            return list(stage.mapPartitions(_each_done).collect())
        except Exception as error:  # whatever Java says
            failed = FAILED.search(str(error))
            if failed is not None:
                check_done(b64decode(failed[1]).decode())
            raise

    def _alone(self, job: str) -> str:
        """What came of a job, be it that its worker was lost."""
        try:
            with telling_of("Spark", Exception):
                return str(self._context.parallelize([job], 1).map(run_apart).first())
        except LostWorkerError as lost:
            return failure(lost)

    def _settled_places(self) -> int:
        """As many as are wanted, or those that are there when no more come."""
        begun = changed = time.monotonic()
        places = self._places()
        while time.monotonic() - begun < FIRST_WAIT and places < (self._count or sys.maxsize):
            if places and not self._count and (self._is_local or time.monotonic() - changed > SETTLED):
                break
            time.sleep(LOOK)
            before, places = places, self._places()
            changed = time.monotonic() if places != before else changed
        return places

    @property
    def _is_local(self) -> bool:
        return str(self._context.master).startswith("local[")

    def _places(self) -> int:
        """Tasks that run at once; where the master is no machine of its own, Spark knows them from the beginning."""
        try:
            context: Any = self._context._jsc.sc()
            return int(context.maxNumConcurrentTasks(context.resourceProfileManager().defaultResourceProfile()))
        except Exception as error:  # whatever Java says
            raise LostClusterError(f"Spark does not answer ({engine_line(error)})") from None


def _there() -> tuple[SparkSession, str] | None:
    """The session of this process, which keeps the settings of its own, and its master."""
    try:
        from pyspark import SparkContext
        from pyspark.sql import SparkSession
    except ImportError:
        raise missing("spark") from None
    if SparkContext._active_spark_context is None:
        return None
    builder: Any = SparkSession.builder
    session: SparkSession = builder.getOrCreate()
    return session, str(session.sparkContext.master)


def _connected(master: str) -> SparkSession:
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder: Any = SparkSession.builder
    builder = builder.master(master).appName("riskrank")
    for name, value in (SETTINGS | (LOCAL if master.startswith("local") else {})).items():
        builder = builder.config(name, value)
    check_answers("Spark", master)
    try:
        session: SparkSession = builder.getOrCreate()
    except Exception as error:  # whatever Java says
        raise no_engine("Spark", master, error) from None
    session.sparkContext.setLogLevel("OFF")
    return session


def _each_done(jobs: Iterator[str]) -> Iterator[str]:
    """A job that fails ends the stage."""
    for job in jobs:
        result = run_apart(job)
        try:
            check_done(result)
        except RiskrankError:
            raise RuntimeError(f"riskrank:{b64encode(result.encode()).decode()}:") from None
        yield result
