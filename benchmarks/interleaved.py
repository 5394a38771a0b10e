"""Commands timed as cold processes, in turns, so that what else the machine does hits all of them alike."""

from __future__ import annotations

import os
import platform
import resource
import statistics
import subprocess
import sys
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


@dataclass(frozen=True)
class Timing:
    """Seconds of one command, a value per round: the processor's, and those of wall clock.

    Where the machine is busy, wall clock says nothing.
    """

    cpu: tuple[float, ...]
    wall: tuple[float, ...]

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
    seconds: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
    for number in range(rounds + 1):
        for name in list(commands)[:: 1 if number % 2 else -1]:
            elapsed = run_cold(commands[name], environment=environment)
            label = "warm-up" if number == 0 else f"round {number} of {rounds}"
            print(f"  {label}: {name} cpu {elapsed[0]:.3f} s, wall {elapsed[1]:.3f} s", file=sys.stderr)
            if number:
                seconds[name].append(elapsed)
    return {name: Timing(*zip(*values, strict=True)) for name, values in seconds.items()}


def run_cold(command: Sequence[str], *, environment: Mapping[str, str] | None = None) -> tuple[float, float]:
    """Processor seconds of one fresh process, and wall clock from its start to its end; its output is dropped."""
    start, spent = time.perf_counter(), _spent_by_children()
    done = subprocess.run(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**os.environ, **(environment or {})},
        check=False,
    )
    elapsed = _spent_by_children() - spent, time.perf_counter() - start
    if done.returncode:
        sys.exit(f"{' '.join(command)[:200]} ended with {done.returncode}:\n{done.stderr.decode(errors='replace')}")
    return elapsed


def _spent_by_children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


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
