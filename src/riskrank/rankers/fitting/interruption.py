"""Interrupting a training: Ctrl-C and SIGTERM ask it to stop after the current step."""

from __future__ import annotations

import contextlib
import signal
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

stop_in_threads = threading.Event()  # asks the trainings in other threads to stop, which no signal reaches


@contextlib.contextmanager
def interruptible() -> Iterator[threading.Event]:
    """An event that is set when somebody asks to stop; a second signal stops at once."""
    if threading.current_thread() is not threading.main_thread():
        yield stop_in_threads
        return
    asked = threading.Event()

    def ask(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 (what a handler gets)
        if asked.is_set():
            signal.signal(number, before[number])
            if number == signal.SIGINT:
                raise KeyboardInterrupt
            signal.raise_signal(number)
        asked.set()

    before = {number: signal.signal(number, ask) for number in (int(signal.SIGINT), int(signal.SIGTERM))}
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
