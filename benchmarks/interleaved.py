"""Commands timed as cold processes, in turns, so that what else the machine does hits all of them alike."""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True)
class Timing:
    """Wall-clock seconds of one command, a value per round."""

    seconds: tuple[float, ...]

    @property
    def median(self) -> float:
        """The middle of all rounds."""
        return statistics.median(self.seconds)

    def __str__(self) -> str:
        return f"{self.median:8.3f} s  ({min(self.seconds):.3f} to {max(self.seconds):.3f})"


def run_interleaved(
    commands: Mapping[str, Sequence[str]], *, rounds: int, environment: Mapping[str, str] | None = None
) -> dict[str, Timing]:
    """Time every command once per round; every second round goes backwards.

    A first round is not counted: after it, files, bytecode and compiled code are in their caches for all.
    """
    seconds: dict[str, list[float]] = {name: [] for name in commands}
    for number in range(rounds + 1):
        for name in list(commands)[:: 1 if number % 2 else -1]:
            elapsed = run_cold(commands[name], environment=environment)
            label = "warm-up" if number == 0 else f"round {number} of {rounds}"
            print(f"  {label}: {name} {elapsed:.3f} s", file=sys.stderr)
            if number:
                seconds[name].append(elapsed)
    return {name: Timing(tuple(values)) for name, values in seconds.items()}


def run_cold(command: Sequence[str], *, environment: Mapping[str, str] | None = None) -> float:
    """Seconds of one fresh process, from its start to its end; its output is dropped."""
    start = time.perf_counter()
    done = subprocess.run(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**os.environ, **(environment or {})},
        check=False,
    )
    elapsed = time.perf_counter() - start
    if done.returncode:
        sys.exit(f"{' '.join(command)[:200]} ended with {done.returncode}:\n{done.stderr.decode(errors='replace')}")
    return elapsed


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
