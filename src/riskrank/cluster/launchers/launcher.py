"""What a launcher does, whatever engine it is of."""

from __future__ import annotations

import re
import socket
import time
from contextlib import contextmanager
from threading import Lock
from types import ModuleType
from typing import TYPE_CHECKING, Protocol, TypeAlias, TypeVar, runtime_checkable

from riskrank import __version__
from riskrank.cluster import LAUNCHERS
from riskrank.cluster.job_outcome import LostWorkerError, check_done
from riskrank.errors import ParameterError, RiskrankError, one_line, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from riskrank.typing import ClusterLike

T = TypeVar("T")
Take: TypeAlias = "Callable[[int, str], None]"  # gets the number of a job, and its result

FIRST_ANSWER = 15  # seconds, for anybody to listen at an engine's address
FIRST_WAIT = 45  # seconds, for an engine and its first worker
LOOK = 0.5  # seconds between looks at who is there
MOST_WORKERS, MOST_DIGITS = 1024, 10
CAUSE = "Caused by: "
PLACE = re.compile(r"(?:(?:tcp|tls|ray|spark)://)?(?P<host>[\w.-]+):(?P<port>\d{1,5})")
ABSENT = re.compile(r"No module named 'riskrank[\w.]*'")  # in what engines say of a task


@contextmanager
def telling_of(engine: str, *kinds: type[Exception]) -> Iterator[None]:
    """Errors of an engine as `LostWorkerError`, in a line."""
    try:
        yield
    except RiskrankError:
        raise
    except kinds as error:
        raise lost_by(engine, error) from None


def lost_by(engine: str, error: Exception) -> RiskrankError:
    """What to tell of a task that an engine lost."""
    absent = ABSENT.search(str(error))
    if absent is not None:
        what = f"the Python of {engine}'s workers lacks riskrank ({absent[0]})"
        return ParameterError(f"{what}. Install riskrank {__version__} where they run.", "cluster")
    return LostWorkerError(f"{engine} lost a worker ({engine_line(error)})")


def engine_line(error: Exception) -> str:
    """The first line of what an engine says, or the cause that Java names."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    causes = [line.removeprefix(CAUSE) for line in lines if line.startswith(CAUSE)]
    return one_line((causes or lines[:1])[-1], limit=200)


@runtime_checkable
class Launcher(Protocol):
    """Starts workers on an engine's machines with jobs as texts, and gives back the texts that they make.

    A worker is `riskrank.cluster.worker_process.run_apart`, which takes and gives text. What a text says of a failure,
    `riskrank.cluster.job_outcome` knows. Not every engine can end a task that has begun: workers also end with their
    lines to the driver (`riskrank.cluster.lifeline`).
    """

    @property
    def address(self) -> str:
        """Of this machine, where its workers reach the driver."""

    def n_workers(self) -> int:
        """How many workers there are at present; waits for the first, raises `LostClusterError` if none comes."""

    def n_threads(self, n_workers: int) -> int | None:
        """How many threads each of so many workers should use; None where its machine knows best."""

    def run(self, jobs: Sequence[str], look: Callable[[], None]) -> list[str]:
        """The results of jobs that work together, all at the same time; `look` is called at least once a second or so.

        Raises what is wrong as soon as one of them fails or is lost, which `look` does, too, and ends the others.
        """

    def map(self, jobs: Sequence[str], look: Callable[[], None], take: Take, n_threads: int | None) -> None:
        """Have jobs done that do not know each other, each with so many threads; `look` is called as by `run`.

        `take` is given each result as soon as it is there. Where a worker is lost, that is the result, and the others
        go on. What `look` or `take` raises ends those that are left.
        """

    def close(self) -> None:
        """Let go of what was opened by name; an engine that somebody else has opened stays."""


def all_done(begin: Callable[[Take], None]) -> list[str]:
    """The results of jobs in their order; the first that fails or is lost ends the others."""
    results: dict[int, str] = {}

    def take(number: int, result: str) -> None:
        check_done(result)
        results[number] = result

    begin(take)
    return [results[number] for number in sorted(results)]


class LauncherKind(Protocol):
    """How a launcher is made: what `LAUNCHERS` holds, a class as a rule."""

    example: str  # what stands after the colon in ``--cluster``
    modules: tuple[str, ...]  # whose objects `around` takes: the first parts of their names
    existing: str  # what these objects are called

    def named(self, address: str, /) -> Launcher:
        """From what stands after the colon in ``dask:ADDRESS``; empty where nothing does."""

    def around(self, existing: ClusterLike, /) -> Launcher | None:
        """From a client or session of the engine's own; None if it is something else."""


class SharedEngine:
    """What a process has of an engine at most once, whatever trains there at the same time.

    Whoever comes first opens it, and whoever leaves last closes it; what was open before stays as it is.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._lock = Lock()
        self._users = 0
        self._opened: str | None = None  # the address, if it was opened here

    def join(self, address: str, there: Callable[[], tuple[T, str] | None], opened: Callable[[], T]) -> T:
        """The engine at an address: that which is `there`, with its own address, unless it is another, or a new one."""
        with self._lock:
            known = there()
            if known is None:
                engine, self._opened = opened(), address
            else:
                engine, place = known
                self._opened = self._opened if self._users else None
                if address not in (place, self._opened):
                    what = f"this process has {self.name} at {one_line(place)}"
                    way = f"and cannot have it at {one_line(address)} as well. Name the former, or end it first"
                    raise ParameterError(f"{what}, {way}.", "cluster")
            self._users += 1
        return engine

    def leave(self, close: Callable[[], None]) -> None:
        """Whoever has joined leaves once."""
        with self._lock:
            self._users -= 1
            if self._opened is not None and not self._users:
                close()


@contextmanager
def launched(cluster: ClusterLike) -> Iterator[Launcher]:
    """A launcher for a while."""
    launcher = launcher_for(cluster)
    try:
        yield launcher
    finally:
        if launcher is not cluster:
            launcher.close()


def launcher_for(cluster: ClusterLike) -> Launcher:
    """By ``engine:address``, or around an existing client or session."""
    if isinstance(cluster, Launcher):
        return cluster
    if isinstance(cluster, str):
        name, _, address = cluster.partition(":")
        if name in LAUNCHERS:
            return LAUNCHERS[name].named(address)
        known = ", ".join(f"{name}:{kind.example}" for name, kind in LAUNCHERS.items())
        raise ParameterError(f"cluster must be like one of {known}, got {quoted(cluster)}.", "cluster")
    home = (cluster.__name__ if isinstance(cluster, ModuleType) else type(cluster).__module__).partition(".")[0]
    for kind in LAUNCHERS.values():
        if home in kind.modules and (launcher := kind.around(cluster)) is not None:
            return launcher
    known = ", ".join(kind.existing for kind in LAUNCHERS.values() if kind.existing)
    raise ParameterError(f"cluster must be a text like local:4, or {known}, got {cluster!r}.", "cluster")


def address_and_count(text: str) -> tuple[str, int | None]:
    """The address of an engine, and how many workers are wanted there, if that is said.

    >>> address_and_count("spark://host:7077?workers=3"), address_and_count("auto")
    (('spark://host:7077', 3), ('auto', None))
    """
    address, said, count = text.partition("?workers=")
    if not said:
        if "?" in text:
            raise ParameterError(f"cluster may end with ?workers=4, got {quoted(text)}.", "cluster")
        return text, None
    return address, count_said(count)


def count_said(text: str) -> int:
    """How many workers are wanted."""
    if not (text.isascii() and text.isdigit() and len(text) < MOST_DIGITS and 1 <= int(text) <= MOST_WORKERS):
        raise ParameterError(f"cluster must have from 1 to {MOST_WORKERS} workers, got {quoted(text)}.", "cluster")
    return int(text)


def missing(engine: str) -> ParameterError:
    """An engine that is not installed."""
    return ParameterError(f"this cluster needs {engine}: pip install 'riskrank[{engine}]'.", "cluster")


def no_engine(what: str, address: str, error: Exception) -> ParameterError:
    """An address at which nothing answers."""
    return ParameterError(f"there is no {what} at {one_line(address)} ({engine_line(error)}).")


def check_answers(what: str, address: str) -> None:
    """Refuse an address at which nobody listens: engines try for minutes, and tell all that they try.

    One that was just started may take a while. What only the engine understands is left to it.
    """
    place = PLACE.fullmatch(address)
    until = time.monotonic() + FIRST_ANSWER
    while place is not None:
        try:
            socket.create_connection((place["host"], int(place["port"])), timeout=FIRST_ANSWER).close()
            return
        except (OSError, OverflowError) as error:
            if time.monotonic() > until:
                raise no_engine(what, address, error) from None
        time.sleep(LOOK)
