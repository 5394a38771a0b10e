"""Objectives of somebody's own, in a module that workers can import."""

import os
import signal
import time
from dataclasses import dataclass

import riskrank as rr
from riskrank.errors import ParameterError
from riskrank.objectives.objective import own_target

FATAL_STEP = 5


@own_target
def careful(delta, query, training):
    """Losses beyond the mean count more, by how much queries differ."""
    d = query.effectiveness - query.baseline
    weight = 1.0 + training.alpha * training.deviation
    return delta * (weight if d < training.mean_difference else 1.0)


@dataclass(frozen=True, repr=False)
class Fatal(rr.URisk):
    """URisk that kills the worker which finds a file at some step, and takes away: once."""

    marker: str = ""

    name = "fatal"
    summary = "URisk that kills a worker"

    def prepare(self, values, baselines, memory, weights=None):
        memory["steps"] = memory.get("steps", 0) + 1
        if memory["steps"] == FATAL_STEP:
            try:
                os.unlink(self.marker)
                os.kill(os.getpid(), signal.SIGKILL)
            except FileNotFoundError:
                pass
        return super().prepare(values, baselines, memory, weights)


@dataclass(frozen=True, repr=False)
class Watched(rr.URisk):
    """URisk whose workers leave their numbers in a folder."""

    folder: str = ""

    name = "watched"
    summary = "URisk whose workers can be found"

    def prepare(self, values, baselines, memory, weights=None):
        with open(os.path.join(self.folder, str(os.getpid())), "w", encoding="ascii"):
            pass
        return super().prepare(values, baselines, memory, weights)


@dataclass(frozen=True, repr=False)
class Slow(rr.URisk):
    """URisk that leaves the number of its worker in a folder, takes a minute, and says there that it has ended.

    Others refuse, or die, as soon as somebody is in the folder.
    """

    folder: str = ""
    does: str = "wait"

    name = "slow"
    summary = "URisk that takes a minute"

    def prepare(self, values, baselines, memory, weights=None):
        while self.does != "wait":
            if os.listdir(self.folder):
                if self.does == "die":
                    os.kill(os.getpid(), signal.SIGKILL)
                raise ParameterError("somebody is here.")
            time.sleep(0.05)
        for name in (str(os.getpid()), "ended"):
            with open(os.path.join(self.folder, name), "w", encoding="ascii"):
                time.sleep(60)
        return super().prepare(values, baselines, memory, weights)
