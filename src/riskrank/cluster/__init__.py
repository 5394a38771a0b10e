"""Beyond one machine: one worker that knows no engine, and a launcher for each engine that starts it.

A launcher is a file in `launchers/` and a line in `LAUNCHERS`. It starts workers with texts of JSON and hands back
theirs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riskrank.registry import Registry

if TYPE_CHECKING:
    from riskrank.cluster.launchers.launcher import LauncherKind

LAUNCHERS: Registry[LauncherKind] = Registry(
    "cluster",
    homes={
        "local": "riskrank.cluster.launchers.local_launcher:LocalLauncher",
        "dask": "riskrank.cluster.launchers.dask_launcher:DaskLauncher",
        "ray": "riskrank.cluster.launchers.ray_launcher:RayLauncher",
        "spark": "riskrank.cluster.launchers.spark_launcher:SparkLauncher",
    },
)
