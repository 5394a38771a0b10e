"""Workers as the tasks of one barrier stage of Spark, which starts them all or none."""

from __future__ import annotations

import os
import re
import sys
from base64 import b64decode, b64encode
from typing import TYPE_CHECKING, Any

from riskrank.cluster.launcher import LostWorkerError, address_and_count, missing
from riskrank.cluster.worker_process import decoded, run_apart
from riskrank.errors import ParameterError, one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pyspark.sql import SparkSession

    from riskrank.typing import ClusterLike

LOOPBACK = "127.0.0.1"
FAILED = re.compile(r"riskrank:([A-Za-z0-9+/=]+):")  # in what Spark says of a task
# Of sessions that are made here: nothing listens for others, and a lost stage is ours to begin again.
SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.stage.maxConsecutiveAttempts": "1",
    "spark.task.maxFailures": "1",
}
LOCAL = {"spark.driver.host": LOOPBACK, "spark.driver.bindAddress": LOOPBACK}


class SparkLauncher:
    """``spark:MASTER`` (``spark:spark://host:7077``, ``spark:local[3]``), perhaps with ``?workers=3``; or a session.

    Without a number there are as many workers as Spark has cores.
    """

    def __init__(self, session: SparkSession, count: int | None = None) -> None:
        self._context = session.sparkContext
        self._count = count

    @classmethod
    def named(cls, address: str) -> SparkLauncher:
        try:
            from pyspark.sql import SparkSession
        except ImportError:
            raise missing("spark") from None
        master, count = address_and_count(address)
        if not master:
            raise ParameterError("cluster must be like spark:spark://host:7077 or spark:local[3].", "cluster")
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        builder: Any = SparkSession.builder
        builder = builder.master(master).appName("riskrank")
        for name, value in (SETTINGS | (LOCAL if master.startswith("local") else {})).items():
            builder = builder.config(name, value)
        try:
            session = builder.getOrCreate()
        except Exception as error:  # whatever Java says
            reason = one_line(str(error).strip().split("\n")[0], limit=200)
            raise ParameterError(f"there is no Spark at {master} ({reason}).", "cluster") from None
        session.sparkContext.setLogLevel("OFF")
        return cls(session, count)

    @classmethod
    def around(cls, existing: ClusterLike, /) -> SparkLauncher | None:
        from pyspark.sql import SparkSession

        return cls(existing) if isinstance(existing, SparkSession) else None

    @property
    def address(self) -> str:
        return str(self._context.getConf().get("spark.driver.host", LOOPBACK))

    def n_workers(self) -> int:
        return self._count or int(self._context.defaultParallelism)

    def n_threads(self, n_workers: int) -> int | None:
        return int(self._context.getConf().get("spark.task.cpus", "1"))

    def run(self, jobs: Sequence[str], tell: Callable[[int], None]) -> list[str]:
        return self._collected(self._context.parallelize(list(jobs), len(jobs)).barrier())

    def map(self, jobs: Sequence[str]) -> list[str]:
        return self._collected(self._context.parallelize(list(jobs), len(jobs)))

    def _collected(self, parts: Any) -> list[str]:
        try:
            results: list[str] = parts.mapPartitions(_each_apart).collect()
        except Exception as error:  # whatever Java says
            failed = FAILED.search(str(error))
            if failed is not None:
                decoded(b64decode(failed[1]).decode())
            reason = one_line(str(error).strip().split("\n")[0], limit=200)
            raise LostWorkerError(f"Spark lost a worker ({reason})") from None
        for result in results:
            decoded(result)
        return results


def _each_apart(jobs: Iterator[str]) -> Iterator[str]:
    """A job that fails ends the stage, and so the others; what became of it is in the message."""
    for job in jobs:
        result = run_apart(job)
        if result.startswith('{"error"'):
            raise RuntimeError(f"riskrank:{b64encode(result.encode()).decode()}:")
        yield result
