"""Commands timed as cold processes, in turns, so that what else the machine does hits all of them alike."""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Ratio(NamedTuple):
    """Of processor time, and of wall clock."""

    cpu: float
    wall: float

    def __str__(self) -> str:
        return f"cpu {self.cpu:5.2f}×   wall {self.wall:5.2f}×"


class Spent(NamedTuple):
    """What a process took: seconds of the processor and of wall clock, and the most bytes it had."""

    cpu: float
    wall: float
    peak: float


@dataclass(frozen=True)
class Timing:
    """Seconds of one command, a value per round: the processor's, and those of wall clock; and bytes at most.

    Where the machine is busy, wall clock says nothing.
    """

    cpu: tuple[float, ...]
    wall: tuple[float, ...]
    peak: tuple[float, ...]

    def __str__(self) -> str:
        return f"cpu {_shown(self.cpu)}   wall {_shown(self.wall)}"

    def ratio(self, other: Timing) -> Ratio:
        """How many times as long as another it took, in the middle of all rounds."""
        both = ((self.cpu, other.cpu), (self.wall, other.wall))
        return Ratio(*(statistics.median(own) / statistics.median(others) for own, others in both))


def _shown(seconds: Sequence[float]) -> str:
    return f"{statistics.median(seconds):8.3f} s ({min(seconds):.3f} to {max(seconds):.3f})"


def run_interleaved(
    commands: Mapping[str, Sequence[str]], *, rounds: int, environment: Mapping[str, str] | None = None
) -> dict[str, Timing]:
    """Time every command once per round; every second round goes backwards.

    A first round is not counted: after it, files, bytecode and compiled code are in their caches for all.
    """
    spent: dict[str, list[Spent]] = {name: [] for name in commands}
    for number in range(rounds + 1):
        for name in list(commands)[:: 1 if number % 2 else -1]:
            own = run_cold(commands[name], environment=environment)
            label = "warm-up" if number == 0 else f"round {number} of {rounds}"
            print(f"  {label}: {name} cpu {own.cpu:.3f} s, wall {own.wall:.3f} s", file=sys.stderr)
            if number:
                spent[name].append(own)
    return {name: Timing(*zip(*values, strict=True)) for name, values in spent.items()}


def run_cold(command: Sequence[str], *, environment: Mapping[str, str] | None = None) -> Spent:
    """What one fresh process takes from its start to its end; its output is dropped."""
    start = time.perf_counter()
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=said, env={**os.environ, **(environment or {})}
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall, process.returncode = time.perf_counter() - start, os.waitstatus_to_exitcode(status)
        if process.returncode:
            said.seek(0)
            message = said.read().decode(errors="replace")
            sys.exit(f"{' '.join(command)[:200]} ended with {process.returncode}:\n{message}")
    return Spent(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024))


def print_machine(when: str) -> None:
    """Say on what, and how busy, the machine is."""
    load = " ".join(f"{value:.2f}" for value in os.getloadavg())
    system = f"{os.cpu_count()} CPUs, {platform.system()} {platform.machine()}, Python {platform.python_version()}"
    print(f"{when}: load average {load} ({system})")


def against_target(value: float, *, at_least: float | None = None, at_most: float | None = None) -> str:
    """A target in words, and whether a value reaches it."""
    if at_least is not None:
        return f"target ≥ {at_least:g}: {'met' if value >= at_least else 'MISSED'}"
    if at_most is not None:
        return f"target ≤ {at_most:g}: {'met' if value <= at_most else 'MISSED'}"
    return ""
