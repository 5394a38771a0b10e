from __future__ import annotations

import os
import threading

import pytest

from riskrank.cores import divided_cores, helped_by, in_order, share_work, thread_pool, usable_cores


def test_only_the_cores_that_the_process_may_use_count(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {1, 5, 7}, raising=False)
    assert usable_cores() == 3


def test_where_no_system_tells_them_all_cores_count(monkeypatch):
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    for known, expected in ((8, 8), (None, 1)):
        monkeypatch.setattr(os, "cpu_count", lambda known=known: known)
        assert usable_cores() == expected


@pytest.mark.parametrize(
    ("n_processes", "expected"),
    [(1, [{1, 4, 5, 7, 9}]), (2, [{1, 4, 5}, {7, 9}]), (5, [{1}, {4}, {5}, {7}, {9}]), (6, [set()] * 6)],
)
def test_cores_are_divided_whole_or_not_at_all(n_processes, expected, monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {9, 1, 5, 7, 4}, raising=False)
    assert divided_cores(n_processes) == expected


def test_where_no_system_tells_them_no_cores_are_divided(monkeypatch):
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    assert divided_cores(2) == [set(), set()]


@pytest.mark.parametrize("n_threads", [1, 2, 5])
@pytest.mark.parametrize("n_items", [0, 1, 2, 40])
def test_shared_work_is_done_once_each(n_items, n_threads):
    done = []
    share_work(done.append, range(n_items), n_threads)
    assert sorted(done) == list(range(n_items))


def test_work_waits_for_no_thread_that_is_busy_elsewhere():
    """Else two trainings side by side could wait for each other."""
    go = threading.Event()
    busy = [thread_pool(2).submit(go.wait) for _ in range(2)]
    try:
        done = []
        share_work(done.append, range(10), 2)
        assert done == list(range(10))
    finally:
        go.set()
        for each in busy:
            each.result()


def test_an_error_in_any_thread_comes_through():
    met = threading.Barrier(2, timeout=60)

    def fail(item):
        met.wait()
        if item == 1:
            raise ValueError("the second one")

    with pytest.raises(ValueError, match="the second one"):
        share_work(fail, range(2), 2)


def test_whoever_fails_first_leaves_nobody_at_work():
    met, numbers, ended = threading.Barrier(3, timeout=60), iter(range(2)), []

    def work():
        number = next(numbers)
        met.wait()
        if number == 0:
            raise ArithmeticError
        threading.Event().wait(0.2)  # while the first one's error is on its way
        ended.append(number)

    with pytest.raises(ArithmeticError), helped_by(work, 2, 2):
        met.wait()
    assert ended == [1]


def test_results_come_in_order_and_few_wait_for_whoever_takes_them():
    begun = []

    def work(item):
        begun.append(item)
        return item * item

    results = in_order(work, range(50), 2)
    for number in range(50):
        assert next(results) == number * number
        assert len(begun) <= number + 4  # one taken, and one more than there are threads
    assert list(results) == []


def test_an_error_comes_in_its_turn_and_ends_the_work():
    begun = []

    def work(item):
        begun.append(item)
        return 1 / (3 - item)

    results = in_order(work, range(50), 2)
    assert [next(results) for _ in range(3)] == [1 / 3, 1 / 2, 1]
    with pytest.raises(ZeroDivisionError):
        next(results)
    assert len(begun) < 10
