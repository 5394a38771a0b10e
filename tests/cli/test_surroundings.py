from __future__ import annotations

import os
import threading

import pytest

from riskrank.cli import surroundings
from riskrank.cli.surroundings import THREADS, check_surroundings, forget_settings
from riskrank.errors import ParameterError


@pytest.fixture
def environment(monkeypatch):
    """An environment of the test's own."""
    given: dict[str, str] = {}
    monkeypatch.setattr(os, "environ", given)
    return given


@pytest.mark.parametrize("value", ["0", "-1", "abc", "1025", "9" * 5000, "1e3", "4,2", "½", " ", "٣"])
@pytest.mark.parametrize("name", THREADS)
def test_a_number_of_threads_that_no_library_can_start_is_refused(environment, name, value):
    environment[name] = value
    forget_settings()
    if name not in environment:
        assert not value.strip()
    elif (name, value) == ("OMP_NUM_THREADS", "4,2"):
        check_surroundings()  # OpenMP has one for each level
    else:
        with pytest.raises(ParameterError, match=f"^{name} must be a whole number from 1 to 1024, got '.{{1,40}}'. Un"):
            check_surroundings()


def test_numbers_of_threads_that_can_be_started_are_passed_on(environment):
    given = dict.fromkeys(THREADS, "1") | {"POLARS_MAX_THREADS": "1024"}
    environment.update(given)
    forget_settings()
    check_surroundings()
    assert given.items() <= environment.items()
    assert environment["RUST_BACKTRACE"] == "0"


def test_settings_of_libraries_that_are_not_known_are_not_passed_on(environment):
    environment |= dict.fromkeys(
        ("POLARS_CSV_CHUNK_SIZE", "NUMBA_OPT", "NPY_X", "RUST_MIN_STACK", "TERMINAL_WIDTH"), "x"
    )
    environment |= {"NUMBA_CACHE_DIR": "/x", "MY_POLARS_X": "1", "TERMINAL_WIDTHS": "1", "OMP_WAIT_POLICY": "PASSIVE"}
    forget_settings()
    kept = {"RUST_BACKTRACE", "NUMBA_CACHE_DIR", "MY_POLARS_X", "TERMINAL_WIDTHS", "OMP_WAIT_POLICY"}
    assert set(environment) - {"PYTEST_CURRENT_TEST"} == kept


@pytest.mark.parametrize(
    ("limit", "value", "told"),
    [
        ("RLIMIT_AS", 800 << 20, "800 MiB of addresses (ulimit -v), its libraries need 2,176."),
        ("RLIMIT_DATA", 0, "0 MiB of memory (ulimit -d), its libraries need 512."),
        ("RLIMIT_STACK", 256 << 10, "0.25 MiB of stack (ulimit -s), its libraries need 1."),
        ("RLIMIT_NOFILE", 31, "31 open files (ulimit -n), its libraries need 32."),
    ],
)
def test_less_than_libraries_need_to_start_is_refused(monkeypatch, limit, value, told):
    limits = {limit: value}
    monkeypatch.setattr(surroundings, "_limit", limits.get)
    monkeypatch.setattr(surroundings, "usable_cores", lambda: 4)
    with pytest.raises(ParameterError) as error:
        check_surroundings()
    assert told in str(error.value)
    limits[limit] = surroundings.LEAST[limit][0] + 4 * surroundings.PER_CORE
    check_surroundings()


@pytest.mark.parametrize("limits", [{"RLIMIT_NPROC": 9}, {"RLIMIT_STACK": 100 << 30}], ids=str)
def test_threads_that_cannot_be_started_are_told(monkeypatch, limits):
    monkeypatch.setattr(surroundings, "_limit", limits.get)
    check_surroundings()  # here they can
    start, started = threading.Thread.start, []

    def start_three(self):
        if len(started) == 3:
            raise RuntimeError("can't start new thread")
        started.append(self)
        start(self)

    monkeypatch.setattr(threading.Thread, "start", start_three)
    with pytest.raises(ParameterError, match=r"may start 3 threads, its libraries need \d+\. Raise"):
        check_surroundings()
    for thread in started:
        thread.join()
