"""How many cores there are to work with, and the threads that work on them."""

from __future__ import annotations

import os
from contextlib import contextmanager
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from concurrent.futures import ThreadPoolExecutor
    from typing import TypeVar

    Item = TypeVar("Item")
    Result = TypeVar("Result")


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


def share_work(task: Callable[[Item], None], items: Sequence[Item], n_threads: int) -> None:
    """Do a task for each item: this thread and others take the next one until none is left."""
    left = iter(items)

    def work() -> None:
        for item in left:
            task(item)

    with helped_by(work, min(n_threads, len(items)) - 1, n_threads):
        work()


def in_order(work: Callable[[Item], Result], items: Iterable[Item], n_threads: int) -> Iterator[Result]:
    """What threads make of items, in their order; no more of it waits to be taken than there are threads."""
    from collections import deque
    from concurrent.futures import Future, ThreadPoolExecutor

    pool = ThreadPoolExecutor(n_threads)
    ahead: deque[Future[Result]] = deque()
    try:
        for item in items:
            ahead.append(pool.submit(work, item))
            if len(ahead) > n_threads:
                yield ahead.popleft().result()
        while ahead:
            yield ahead.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def helped_by(work: Callable[[], None], n_helpers: int, n_threads: int) -> Iterator[None]:
    """So many threads of the pool work, too, if they find the time; all that have begun are done at the end."""
    from concurrent.futures import wait

    helpers = [thread_pool(n_threads).submit(work) for _ in range(n_helpers)]
    try:
        yield
    finally:
        begun = [helper for helper in helpers if not helper.cancel()]
        wait(begun)
        for helper in begun:
            helper.result()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=thread_pool.cache_clear)  # a forked process has none of the threads
