"""The line between a worker's process and its driver: either end notices when the other is gone.

Engines tell late that a machine is lost, let tasks run on whose driver is gone, and say nothing of how far they are. So
each worker that trains keeps a connection to the driver, whatever the engine: it says every few seconds how many steps
are done, and ends when the connection does.
"""

from __future__ import annotations

import hmac
import os
import signal
import socket
import threading
import time
from contextlib import suppress
from secrets import token_hex
from socketserver import StreamRequestHandler, ThreadingTCPServer
from typing import TYPE_CHECKING, NamedTuple

from riskrank.cluster.job_outcome import LostWorkerError
from riskrank.cluster.worker_process import SILENCE
from riskrank.errors import TrainingError, one_line
from riskrank.rankers.fitting.interruption import stop_in_threads

if TYPE_CHECKING:
    from collections.abc import Mapping

HEARTBEAT = 2.0  # seconds
REACH = 45.0  # seconds, to reach the driver
TOKEN_WAIT = 10.0  # seconds, for whoever connects to say who it is
# Seconds from the first worker to the last. Engines tell of workers that they lost, so this is for a task that they
# never start, and it may only queue behind somebody else's. Peers wait longer, so that this says who is missing.
LATEST = 1800.0
# Seconds from the end of a line until the engine must have said why; for a job of its own it may take `SILENCE`.
GONE = 10.0
LONGEST_MEETING = 30.0  # seconds, for peers that have all come to find each other; a stranger may be in their way
MEETING, MET, DONE = "meeting", "met", "done"  # what a worker tells, besides its steps
LONGEST_LINE = 64


class _Heard(NamedTuple):
    when: float
    is_open: bool = True
    is_done: bool = False


class Lifelines:
    """The driver's ends of its workers' lines, at an address of this machine.

    Workers that do not `begin_together` have jobs of their own, which may wait for a place.
    """

    def __init__(self, n_workers: int, address: str, *, begin_together: bool = True) -> None:
        self._n_workers = n_workers
        self._begin_together = begin_together
        self._token = token_hex()
        self.heard: dict[int, _Heard] = {}  # by rank, also of workers that are done
        self._ended: set[int] = set()
        self._came: dict[int, float] = {}  # when they began to look for each other
        self._met: set[int] = set()
        self._first = 0.0
        self._steps = 0
        self._lock = threading.Lock()
        self._connections: set[socket.socket] = set()
        self._is_closed = False
        self._server = _Server(address, self)
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    @property
    def arguments(self) -> dict[str, str | int]:
        """For the workers."""
        host, port = self._server.server_address[:2]
        return {"host": str(host), "port": port, "token": self._token}

    @property
    def n_steps(self) -> int:
        """How many steps workers that begin together have done."""
        return self._steps

    def end(self, rank: int) -> None:
        """The engine has said what came of a job: nothing more is expected of its worker."""
        self._ended.add(rank)

    def look(self) -> None:
        """Raises `LostWorkerError` if a worker is lost, or what somebody has interrupted.

        Of workers with jobs of their own the others go on: it waits until no other is at work.
        """
        if stop_in_threads.is_set():
            raise KeyboardInterrupt
        now = time.monotonic()
        gone = GONE if self._begin_together else SILENCE
        heard = sorted(self.heard.copy().items())
        at_work = {rank: line for rank, line in heard if not line.is_done and rank not in self._ended}
        lost = [rank for rank, line in at_work.items() if now - line.when > (SILENCE if line.is_open else gone)]
        if lost and (self._begin_together or len(lost) == len(at_work)):
            is_silent = at_work[lost[0]].is_open
            what = f"has given no sign of life for {SILENCE:.0f} seconds" if is_silent else "was cut off"
            raise LostWorkerError(f"worker {lost[0] + 1} of {self._n_workers} {what}")
        absent = sorted(set(range(self._n_workers)) - set(self.heard))
        if self._begin_together and absent and self.heard and now - self._first > LATEST:
            what = f"has not begun {LATEST / 60:.0f} minutes after the first"
            raise LostWorkerError(f"worker {absent[0] + 1} of {self._n_workers} {what}")
        have_come = len(self._came) == self._n_workers > len(self._met)
        if have_come and now - max(self._came.values()) > LONGEST_MEETING:
            raise LostWorkerError(f"the workers have not found each other in {LONGEST_MEETING:.0f} seconds")

    def close(self) -> None:
        """Let go of the workers that are left, and of those that are just coming: they end."""
        self._server.shutdown()
        self._server.server_close()
        with self._lock:
            self._is_closed = True
            for connection in self._connections:
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)

    def follow(self, answer: _Answer) -> None:
        """Hear a worker out; whoever does not know the token is no worker."""
        with self._lock:
            if self._is_closed:
                return
            self._connections.add(answer.connection)
        try:
            self._hear(answer)
        finally:
            with self._lock:
                self._connections.discard(answer.connection)

    def _hear(self, answer: _Answer) -> None:
        answer.connection.settimeout(TOKEN_WAIT)
        token, _, number = answer.line().partition(" ")
        if not hmac.compare_digest(token.encode(), self._token.encode()) or not _is_below(number, self._n_workers):
            return
        answer.connection.settimeout(None)  # `look` says how long it may be silent
        rank = int(number)
        self._first = self._first or time.monotonic()
        said = self.heard[rank] = _Heard(time.monotonic())  # an engine may do a job again
        while line := answer.line():
            said = self.heard[rank] = _Heard(time.monotonic(), is_done=said.is_done or line == DONE)
            if line == MEETING:
                self._came[rank] = time.monotonic()
            elif line == MET:
                self._met.add(rank)
            elif rank == 0 and line.isascii() and line.isdigit():
                self._steps = int(line)
        self.heard[rank] = _Heard(time.monotonic(), is_open=False, is_done=said.is_done)


class _Server(ThreadingTCPServer):
    daemon_threads = True

    def __init__(self, address: str, lines: Lifelines) -> None:
        self.lines = lines
        try:
            self.address_family, _, _, _, place = socket.getaddrinfo(address, 0, type=socket.SOCK_STREAM)[0]
            super().__init__(place[:2], _Answer)  # type: ignore[arg-type]  # a host and a port
        except OSError as error:
            why = f"nothing can listen at {one_line(address)} ({error.strerror})"
            raise TrainingError(f"workers cannot reach the driver: {why}.") from None


class _Answer(StreamRequestHandler):
    server: _Server

    def line(self) -> str:
        """The next line; empty if there is none."""
        with suppress(OSError):
            return self.rfile.readline(LONGEST_LINE * 2).decode("ascii", "replace").strip()
        return ""

    def handle(self) -> None:
        self.server.lines.follow(self)


def _is_below(text: str, end: int) -> bool:
    return text.isascii() and text.isdigit() and int(text[:9]) < end


class Lifeline:
    """A worker's end: its process ends with the connection."""

    def __init__(self, arguments: Mapping[str, str | int], rank: int) -> None:
        host, port = str(arguments["host"]), int(arguments["port"])
        try:
            self._connection = socket.create_connection((host, port), timeout=REACH)
        except OSError as error:
            raise LostWorkerError(f"a worker cannot reach the driver at {host}:{port} ({error.strerror})") from None
        self._connection.settimeout(None)
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux: a driver that takes nothing in is gone
            self._connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(SILENCE * 1000))
        self.say(f"{arguments['token']} {rank}")
        self._n_steps = 0
        for target in (self._keep_saying, self._end_with_driver):
            threading.Thread(target=target, daemon=True).start()

    def count(self, n_steps: int) -> None:
        """So many steps are done."""
        self._n_steps = n_steps

    def done(self) -> None:
        """The work is done: from now on the engine has to bring the result."""
        with suppress(LostWorkerError):
            self.say(f"{self._n_steps}\n{DONE}")

    def say(self, text: str) -> None:
        """Tell the driver, who may be gone."""
        try:
            self._connection.sendall(f"{text}\n".encode())
        except OSError as error:
            raise LostWorkerError(f"a worker lost the driver ({error.strerror})") from None

    def _keep_saying(self) -> None:
        try:
            while True:
                self.say(str(self._n_steps))
                time.sleep(HEARTBEAT)
        except LostWorkerError:
            end_at_once()

    def _end_with_driver(self) -> None:
        with suppress(OSError):
            self._connection.recv(1)  # nothing ever comes, but an end
        end_at_once()


def end_at_once() -> None:
    """End this process, whatever its other threads do."""
    os.kill(os.getpid(), signal.SIGKILL)
