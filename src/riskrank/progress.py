"""Progress of long work: a bar with the current numbers on a terminal, nothing otherwise."""

from __future__ import annotations

import sys
import time
from contextvars import ContextVar
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sized

T = TypeVar("T", bound="Sized")

overall: ContextVar[Callable[[int], None] | None] = ContextVar("overall", default=None)  # who else wants to know

tell: Callable[[str], None] | None = None  # where a command says in a line what no bar shows
_bars: list[Progress] = []  # those that are open

WIDTH = 24
EVERY = 0.1  # seconds


class Progress:
    """A bar on stderr: what is done, how much of it, how long it will take, and some numbers.

    `show`: True, False, or None to show it on a terminal only.
    """

    def __init__(self, what: str, total: int, *, show: bool | None = None, done: int = 0) -> None:
        self.what = what
        self.total = total
        self._overall = overall.get()
        self.is_shown = sys.stderr is not None and (sys.stderr.isatty() if show is None else show)
        self._first = done
        self._started = time.monotonic()
        self._drawn = 0.0
        self._width = 0

    def __enter__(self) -> Progress:
        _bars.append(self)
        return self

    def __exit__(self, *_: object) -> None:
        _bars.remove(self)
        self.pause()

    def say(self, text: str) -> None:
        """What is going on before the first step."""
        if self.is_shown:
            self._draw(f"{self.what}: {text}")

    def pause(self) -> None:
        """Leave what is shown as it is, for others to write below it."""
        if self.is_shown and self._width:
            sys.stderr.write("\n")
            sys.stderr.flush()
            self._width = 0

    def update(self, done: int, numbers: str = "") -> None:
        """Show that `done` of `total` steps are done."""
        if self._overall is not None:
            self._overall(done)
        if not self.is_shown:
            return
        now = time.monotonic()
        if now - self._drawn < EVERY and done < self.total:
            return
        self._drawn = now
        filled = WIDTH * done // max(self.total, 1)
        bar = "█" * filled + "░" * (WIDTH - filled)
        took = now - self._started
        steps = done - self._first
        left = took / steps * (self.total - done) if steps > 0 else 0.0
        clock = f"{_clock(took)} < {_clock(left)}" if done < self.total else _clock(took)
        self._draw(f"{self.what} {bar} {done}/{self.total} {clock}  {numbers}")

    def counted(self, parts: Iterable[T]) -> Iterator[T]:
        """Parts as they are; each counts as many steps as it is long."""
        done = 0
        for part in parts:
            yield part
            done += len(part)
            self.update(min(done, self.total))

    def _draw(self, text: str) -> None:
        padded = text.ljust(self._width)
        self._width = len(text)
        sys.stderr.write(f"\r{padded}")
        sys.stderr.flush()


def held_up(why: str, by: str) -> None:
    """Say why nothing moves: in place of a bar that is shown, else in a line of a command's, once."""
    global tell
    shown = [bar for bar in _bars if bar.is_shown]
    if shown:
        shown[-1].say(f"{why} ({by})")
    elif tell is not None:
        said, tell = tell, None
        said(f"{why}.")


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"
