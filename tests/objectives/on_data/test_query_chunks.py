"""Queries in chunks: each once, evenly shared, on threads where it is worth it."""

from __future__ import annotations

import subprocess
import sys
import threading

import numpy as np
import pytest

from riskrank.objectives.on_data.query_chunks import CHUNKS_PER_THREAD, LEAST_COST, QueryChunks

COSTS = np.random.default_rng(0).integers(1, LEAST_COST, 500)


class Noted:
    """A task that notes the chunks it gets, and the threads that it runs in."""

    def __init__(self):
        self.chunks, self.threads = [], set()

    def __call__(self, queries):
        if len(queries):
            self.chunks.append(queries.tolist())
            self.threads.add(threading.current_thread())

    def queries(self):
        return sorted(query for chunk in self.chunks for query in chunk)


@pytest.mark.parametrize("n_threads", [1, 2, 3])
@pytest.mark.parametrize(
    "costs", [COSTS, COSTS[:1], COSTS // 1000 + 1, COSTS * 1000], ids=["many", "one", "cheap", "dear"]
)
def test_every_query_is_done_once(costs, n_threads):
    task = Noted()
    QueryChunks(costs, n_threads).run(task)
    assert task.queries() == list(range(len(costs)))


@pytest.mark.parametrize("n_threads", [1, 2])
def test_only_the_queries_that_are_asked_for_are_done(n_threads):
    task, some = Noted(), np.array([400, 3, 17, *range(100, 300)])
    QueryChunks(COSTS, n_threads).run(task, some)
    assert task.queries() == sorted(some)


def test_chunks_cost_about_the_same():
    task = Noted()
    QueryChunks(COSTS, 2).run(task)
    assert len(task.chunks) == CHUNKS_PER_THREAD * 2
    costs = [COSTS[chunk].sum() for chunk in task.chunks]
    assert max(costs) - min(costs) <= 2 * COSTS.max()


def test_little_work_stays_where_it_is_asked_for():
    task = Noted()
    QueryChunks(COSTS // 1000 + 1, 2).run(task)
    assert task.threads == {threading.current_thread()}
    assert len(task.chunks) == 1


def test_much_work_is_shared_with_other_threads():
    """Two chunks are under way at the same time, or the first would wait for ever."""
    task, met = Noted(), threading.Barrier(2, timeout=60)

    def meet_once(queries):
        if len(queries) and threading.current_thread() not in task.threads:
            task(queries)
            met.wait()
        else:
            task(queries)

    QueryChunks(COSTS, 2).run(meet_once)
    assert len(task.threads) == 2
    assert task.queries() == list(range(len(COSTS)))


def test_a_loop_is_compiled_before_threads_meet_it():
    """By a call without queries, in the thread that asks."""
    calls = []
    QueryChunks(COSTS, 2).run(lambda queries: calls.append((len(queries), threading.current_thread())))
    assert calls[0] == (0, threading.current_thread())


def test_the_error_of_a_task_comes_through():
    def fail(queries):
        if 499 in queries:
            raise ValueError("the last query")

    with pytest.raises(ValueError, match="the last query"):
        QueryChunks(COSTS, 2).run(fail)


FORKED = """
import os
import numpy as np
from riskrank.objectives.on_data.query_chunks import LEAST_COST, QueryChunks

chunks = QueryChunks(np.full(50, LEAST_COST), 2)
done = []
chunks.run(done.extend)
child = os.fork()
chunks.run(done.extend)
if child:
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
assert sorted(done) == sorted([*range(50), *range(50)])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs fork")
def test_a_forked_process_has_threads_of_its_own():
    done = subprocess.run([sys.executable, "-c", FORKED], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
