"""Reading back what riskrank wrote: regular files of a bounded size, and the JSON in them."""

from __future__ import annotations

import json
import os
import re
import stat
from functools import lru_cache
from typing import TYPE_CHECKING

from riskrank.errors import FileError, one_line

if TYPE_CHECKING:
    from riskrank.typing import JsonValue, PathLike

MEGABYTE = 1 << 20
LARGEST_JSON = 256 * MEGABYTE
LARGEST_CARD = 16 * MEGABYTE
CHARACTER = re.compile(r" \(char \d+\)$")  # where JSON breaks: its line and column say that, too
READ_ONLY = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def read_back(path: PathLike, *, largest: int = LARGEST_JSON) -> bytes:
    """The bytes of a file, or of one that a link leads to; pipes and devices are not even opened."""
    try:
        _check_size(path, check_regular(path, os.stat(path)), largest)
        handle = os.open(path, READ_ONLY)
        with open(handle, "rb") as file:
            size = _check_size(path, check_regular(path, os.fstat(handle)), largest)  # it may be another one by now
            content = file.read(size + 1)  # memory for these bytes is taken at once
    except FileNotFoundError:
        raise FileError(path, "no such file.") from None
    except (OSError, ValueError) as error:
        if isinstance(error, FileError):
            raise
        raise FileError(path, f"cannot be read ({getattr(error, 'strerror', None) or error}).") from None
    if len(content) != size:
        raise FileError(path, "changed while it was read. Try again.")
    return content


def check_regular(path: PathLike, status: os.stat_result) -> os.stat_result:
    """Refuse pipes, devices, sockets and folders, which may never end or never begin."""
    if stat.S_ISDIR(status.st_mode):
        raise FileError(path, "is a directory, a file is needed.")
    if not stat.S_ISREG(status.st_mode):
        raise FileError(path, "is a pipe or device, which cannot be read twice. Save it to a file first.")
    if status.st_dev == _system_device():
        raise FileError(path, "is made by the system as it is read, and may never end. Save it to a file first.")
    return status


@lru_cache(maxsize=1)
def _system_device() -> int | None:
    """Where the system shows its state as files (Linux), which look regular."""
    try:
        return os.stat("/proc/self/status").st_dev
    except OSError:
        return None


def check_own(path: PathLike) -> None:
    """Refuse what stands where a file of ours is to be, but is a link, a folder, a pipe or a device."""
    if os.path.lexists(path) and not stat.S_ISREG(os.lstat(path).st_mode):
        raise FileError(path, "is not a file that riskrank wrote. Remove it, or choose another place.")


def _check_size(path: PathLike, status: os.stat_result, largest: int) -> int:
    if status.st_size > largest:
        raise FileError(path, f"is larger than {largest // MEGABYTE} MiB, which no such file is.")
    return status.st_size


def read_json(path: PathLike, *, largest: int = LARGEST_JSON) -> JsonValue:
    """What a JSON file holds."""
    return parse_json(read_back(path, largest=largest), path)


def parse_json(content: bytes | str, path: PathLike, *, line: int | None = None) -> JsonValue:
    """What JSON says, as plain values that nobody has checked; `path` and `line` are for messages."""
    try:
        text = content.decode() if isinstance(content, bytes) else content
        value: JsonValue = json.loads(text)
        if "\\ud" in text.lower():
            json.dumps(value, ensure_ascii=False).encode()  # half of a letter, which nothing can write
        return value
    except UnicodeEncodeError:
        raise FileError(path, "cannot be read (it has half of a letter: a surrogate alone).", line=line) from None
    except UnicodeDecodeError as error:
        raise FileError(path, f"cannot be read (not UTF-8 at byte {error.start}).", line=line) from None
    except ValueError as error:
        reason = one_line(CHARACTER.sub("", str(error)))
        raise FileError(path, f"cannot be read (not JSON: {reason}).", line=line) from None
    except RecursionError:
        raise FileError(path, "cannot be read (brackets are nested too deep).", line=line) from None
