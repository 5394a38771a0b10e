"""How loops are compiled: to machine code for this host, kept on disk where that is possible."""

from __future__ import annotations

from typing import Any

from numba import njit


def compiled(function: Any = None, **options: Any) -> Any:
    """Compile a loop that runs without the interpreter's lock; the result is cached for the next process.

    Where no folder can be written (a read-only container), it is compiled anew in each process.
    """
    if function is None:
        return lambda given: compiled(given, **options)
    try:
        return njit(cache=True, nogil=True, **options)(function)
    except RuntimeError:  # Numba found no place for its cache
        return njit(nogil=True, **options)(function)
