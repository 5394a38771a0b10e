"""What commands that work for long have in common."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from riskrank.cli.output import INTERRUPTED, fail


def enable_garbage_collection() -> None:
    """Enable what `main.run` disables for commands that end at once."""
    gc.enable()


@contextmanager
def resumable_work(output: Path) -> Iterator[None]:
    """Long work that keeps what is finished in `output`: interrupted, it says that the same command goes on."""
    enable_garbage_collection()
    try:
        yield
    except KeyboardInterrupt:
        fail(f"interrupted; run the same command again to go on ({output}).", INTERRUPTED)
