"""Which process wrote something, and does it still run?"""

from __future__ import annotations

import os
import re
import socket
import zlib
from typing import NamedTuple, Self


class Process(NamedTuple):
    """A process of a machine. Numbers of processes are used again, but not with the same time of starting."""

    machine: str
    number: int
    started: int

    @classmethod
    def this(cls) -> Self:
        """The one that runs this."""
        return cls(f"{zlib.crc32(socket.gethostname().encode()):08x}", os.getpid(), _started(os.getpid()))

    @classmethod
    def from_text(cls, text: str) -> Self | None:
        """What `str` gave, if it is that."""
        match = re.fullmatch(r"([0-9a-f]{8})-(\d{1,10})-(\d{1,20})", text)
        return None if match is None else cls(match[1], int(match[2]), int(match[3]))

    def __str__(self) -> str:
        return f"{self.machine}-{self.number}-{self.started}"

    @property
    def is_dead(self) -> bool:
        """It ran on this machine and ended. Nobody knows that of other machines' processes."""
        if self.machine != Process.this().machine:
            return False
        try:
            os.kill(self.number, 0)
        except ProcessLookupError:
            return True
        except (OSError, OverflowError):
            pass  # it runs, and is another user's
        return self.started != _started(self.number)


def _started(number: int) -> int:
    """When a process began, in ticks since the machine did; 0 where the system does not tell."""
    try:
        with open(f"/proc/{number}/stat", "rb") as file:
            return int(file.read().rpartition(b")")[2].split()[19])
    except (OSError, ValueError, IndexError):
        return 0
