"""Arrays that were written by `numpy.savez`: sizes are checked before anything of them is made."""

from __future__ import annotations

import io
import math
import zlib
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile, ZipFile

import numpy as np

from riskrank.errors import FileError
from riskrank.files.reading import read_back

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from riskrank.typing import Arrays, PathLike

LARGEST_ARRAYS = 1 << 34  # bytes
SUFFIX = ".npy"
DAMAGES = (OSError, ValueError, EOFError, KeyError, BadZipFile, NotImplementedError, RuntimeError, zlib.error)


def read_arrays(path: PathLike) -> Arrays:
    """All arrays of a file, by name."""
    content = read_back(path, largest=LARGEST_ARRAYS)
    try:
        with ZipFile(io.BytesIO(content)) as archive:
            entries = archive.infolist()
            if sum(entry.file_size for entry in entries) > len(content):  # they are not compressed
                raise ValueError("its arrays are larger than the file")
            return {entry.filename.removesuffix(SUFFIX): _array(archive.read(entry)) for entry in entries}
    except DAMAGES as error:
        raise FileError(path, f"is not a whole file of arrays ({error}).") from None


def _array(content: bytes) -> NDArray[Any]:
    """An array of plain numbers whose header says how long it is."""
    file = io.BytesIO(content)
    version = np.lib.format.read_magic(file)
    if version != (1, 0):
        raise ValueError(f"an array has version {version}")
    shape, is_fortran, dtype = np.lib.format.read_array_header_1_0(file)
    numbers = content[file.tell() :]
    if dtype.hasobject or dtype.itemsize == 0 or math.prod(shape) * dtype.itemsize != len(numbers):
        raise ValueError("an array is not as large as it says")
    return np.frombuffer(numbers, dtype).reshape(shape, order="F" if is_fortran else "C").copy()
