"""What a command finds around it, looked at before libraries are loaded that would end the process over it."""

from __future__ import annotations

import os
import re
import threading

from riskrank.cores import usable_cores
from riskrank.errors import ParameterError, one_line

try:
    import resource
except ImportError:  # Windows has no such limits
    resource = None  # type: ignore[assignment]

# How many threads a library may start: with 0, or with more than a system gives, it panics, aborts or waits for ever.
THREADS = (
    "POLARS_MAX_THREADS", "RAYON_NUM_THREADS", "NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OMP_THREAD_LIMIT",
    "OPENBLAS_NUM_THREADS", "OPENBLAS_DEFAULT_NUM_THREADS", "GOTO_NUM_THREADS", "MKL_NUM_THREADS",
)  # fmt: skip
MOST_THREADS = 2**10  # as of --threads
MANY, LARGE_STACK = 2**12, 2**26  # with fewer processes, or more bytes of stack, starting threads may fail
KEPT = ("NUMBA_CACHE_DIR",)
# Settings that are not passed on: their libraries stop with traces or aborts at values that they do not know.
OTHERS = re.compile(
    r"(POLARS|RAYON|RUST|_RJEM|NUMPY|NPY|NUMBA|SCIPY|SKLEARN|JOBLIB|GOMP|TORCH[A-Z]*|PYTORCH)_"
    r"|(TERMINAL_WIDTH|SOURCE_DATE_EPOCH)$"
)
MIB = 2**20
PER_CORE = 32 * MIB  # of addresses, for the threads that libraries start on each
# What libraries take before they read anything, and how users limit it; most of the addresses are never used.
LEAST = {
    "RLIMIT_AS": (2048 * MIB, "MiB of addresses (ulimit -v)"),
    "RLIMIT_DATA": (512 * MIB, "MiB of memory (ulimit -d)"),
    "RLIMIT_STACK": (1 * MIB, "MiB of stack (ulimit -s)"),
    "RLIMIT_NOFILE": (32, "open files (ulimit -n)"),
}


def forget_settings() -> None:
    """Have the libraries of this process see none of their settings but those that are known here."""
    for name in list(os.environ):
        is_empty = name in THREADS and not os.environ[name].strip()
        if is_empty or (OTHERS.match(name) and name not in THREADS + KEPT):
            del os.environ[name]
    os.environ["RUST_BACKTRACE"] = "0"


def check_surroundings() -> None:
    """Refuse numbers of threads that no library can start, and less memory than they need to begin."""
    for name in THREADS:
        given = os.environ.get(name)
        levels = [] if given is None else given.split(",") if name == "OMP_NUM_THREADS" else [given]
        if given is not None and not all(map(_is_number, levels)):
            shown = one_line(given, limit=40)
            raise ParameterError(
                f"{name} must be a whole number from 1 to {MOST_THREADS}, got '{shown}'. Unset it, or correct it."
            )
    for name, (needed, what) in LEAST.items():
        limit, unit = _limit(name), MIB if needed >= MIB else 1
        least = needed + PER_CORE * usable_cores() if name == "RLIMIT_AS" else needed
        if limit is not None and limit < least:
            raise ParameterError(
                f"this process may have {limit / unit:,.4g} {what}, its libraries need {least / unit:,.0f}. "
                "Raise the limit."
            )
    if (_limit("RLIMIT_NPROC") or MANY) < MANY or (_limit("RLIMIT_STACK") or 0) > LARGE_STACK:
        _start_threads(2 * usable_cores() + 8)


def _start_threads(number: int) -> None:
    """As many threads as libraries start, for a moment: where they get none, they end the process."""
    done, started = threading.Event(), []
    try:
        for _ in range(number):
            started.append(threading.Thread(target=done.wait, daemon=True))
            started[-1].start()
    except RuntimeError:
        raise ParameterError(
            f"this process may start {len(started) - 1} threads, its libraries need {number}. "
            "Raise the limit of processes (ulimit -u), or lower that of stacks (ulimit -s)."
        ) from None
    finally:
        done.set()


def _is_number(text: str) -> bool:
    return re.fullmatch(r"\s*[0-9]{1,9}\s*", text) is not None and 1 <= int(text) <= MOST_THREADS


def _limit(name: str) -> int | None:
    """Bytes that the process is limited to, or None."""
    if not hasattr(resource, name):
        return None
    soft: int = resource.getrlimit(getattr(resource, name))[0]
    return None if soft == resource.RLIM_INFINITY else soft
