"""Processes of workers, looked at and waited for."""

from __future__ import annotations

import os
import time

PATIENCE = 60.0  # seconds


def wait_for(is_true):
    end = time.monotonic() + PATIENCE
    while not is_true():
        assert time.monotonic() < end
        time.sleep(0.005)


def children_of(pid):
    """The processes that a process started, by number."""
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        return [int(number) for number in file.read().split()]


def runs(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            is_over = file.read().rpartition(")")[2].split()[0] == "Z"
        return not is_over or len(os.listdir(f"/proc/{pid}/task")) > 1  # other threads end after the first
    except OSError:
        return False
