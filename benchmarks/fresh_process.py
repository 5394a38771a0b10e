"""A job in a process of its own, which reports its figures as JSON, and the memory of such a process."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Figures = dict[str, float]


def figures_of(script: str, arguments: Sequence[str], *, environment: Mapping[str, str] | None = None) -> Figures:
    """What a script prints as JSON when it is run with these arguments."""
    done = subprocess.run(
        [sys.executable, script, *arguments],
        stdout=subprocess.PIPE,
        env={**os.environ, **(environment or {})},
        check=True,
    )
    figures: Figures = json.loads(done.stdout)
    return figures


def spent() -> Figures:
    """Processor seconds and page faults of this process so far."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return {"user": usage.ru_utime, "system": usage.ru_stime, "faults": usage.ru_minflt}


def peak_bytes() -> int:
    """The most memory this process has had so far."""
    status = Path("/proc/self/status")
    if status.exists():  # what getrusage tells counts the parent's memory too
        peak = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
        return int(peak.split()[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def forget_peak() -> None:
    """From here on, `peak_bytes` is the most memory since now, where the system can do that."""
    clear = Path("/proc/self/clear_refs")
    if clear.exists():
        clear.write_text("5")


def resident_bytes() -> int:
    """The memory this process has now (its peak so far where the system does not tell)."""
    statm = Path("/proc/self/statm")
    return int(statm.read_text().split()[1]) * resource.getpagesize() if statm.exists() else peak_bytes()
