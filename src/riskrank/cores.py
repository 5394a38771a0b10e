"""How many cores there are to work with, and the threads that work on them."""

from __future__ import annotations

import os
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor


def usable_cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def divided_cores(n_processes: int) -> list[set[int]]:
    """The cores that each of so many processes may have for itself; all empty if there are not enough.

    Processes that work in step lose time whenever the system moves one of them to the core of another.
    """
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    each, left = divmod(len(cores), n_processes)
    if not each:
        return [set() for _ in range(n_processes)]
    ends = [number * each + min(number, left) for number in range(n_processes + 1)]
    return [set(cores[start:end]) for start, end in pairwise(ends)]


@cache
def thread_pool(n_threads: int) -> ThreadPoolExecutor:
    """Threads for compiled loops, which all that runs in this process shares."""
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(n_threads, thread_name_prefix="riskrank")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=thread_pool.cache_clear)  # a forked process has none of the threads
