"""Objectives that do something in the midst of training: kill the process, send a signal, raise an error."""

from __future__ import annotations

import dataclasses


class Crash(BaseException):
    """Nothing catches it: like the end of the process."""


def crash():
    raise Crash


def interrupting(objective, action, *, at):
    """An objective like the given one that calls `action` before the tree numbered `at` (from 0) is grown.

    It has the same name and parameters, so a training that it interrupts can be resumed with the given one.
    """
    calls = []

    class Interrupting(type(objective)):
        def prepare(self, values, baselines, memory):
            if len(calls) == at:
                action()
            calls.append(None)
            return super().prepare(values, baselines, memory)

    Interrupting.__name__ = type(objective).__name__
    return Interrupting(**{field.name: getattr(objective, field.name) for field in dataclasses.fields(objective)})
