"""Memory for large matrices."""

from __future__ import annotations

import errno
import mmap
from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from riskrank.typing import Singles

# Of one's own, and given at once rather than page by page; not all systems know these.
FLAGS = sum(getattr(mmap, name, 0) for name in ("MAP_PRIVATE", "MAP_ANONYMOUS", "MAP_POPULATE"))


class MemoryPlace(Protocol):
    """Where memory is on disk: a scratch folder, say."""

    def mapped(self, size: int) -> mmap.mmap:
        """So many bytes of it."""


def float_memory(rows: int, width: int, place: MemoryPlace | None = None) -> Singles:
    """Memory that goes back to the system as soon as its last user is gone, unlike the heap's.

    It has pages of the usual size: for NumPy's own, the system may have to move others together first, which can take
    as long as all else. At a place on disk, the system keeps in memory what there is room for.
    """
    size = max(rows * width * 4, 1)
    own = {"flags": FLAGS} if FLAGS else {}
    try:
        memory = mmap.mmap(-1, size, **own) if place is None else place.mapped(size)
    except OSError as error:
        if error.errno == errno.ENOMEM:
            raise MemoryError from None
        raise
    return np.frombuffer(memory, np.float32, count=rows * width).reshape(rows, width)
