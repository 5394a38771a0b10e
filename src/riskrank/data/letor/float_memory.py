"""Memory for large matrices."""

from __future__ import annotations

import mmap
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from riskrank.typing import Singles

# Of one's own, and given at once rather than page by page; not all systems know these.
FLAGS = sum(getattr(mmap, name, 0) for name in ("MAP_PRIVATE", "MAP_ANONYMOUS", "MAP_POPULATE"))


def float_memory(rows: int, width: int) -> Singles:
    """Memory that goes back to the system as soon as its last user is gone, unlike the heap's.

    It has pages of the usual size: for NumPy's own, the system may have to move others together first, which can take
    as long as all else.
    """
    memory = mmap.mmap(-1, max(rows * width * 4, 1), **({"flags": FLAGS} if FLAGS else {}))
    return np.frombuffer(memory, np.float32, count=rows * width).reshape(rows, width)
