"""Arrays that were written by `numpy.savez`: sizes are checked before anything of them is made."""

from __future__ import annotations

import io
import math
import re
import zlib
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile, ZipFile

import numpy as np

from riskrank.errors import FileError, one_line
from riskrank.files.reading import read_back

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from riskrank.typing import Arrays, PathLike

LARGEST_ARRAYS = 1 << 34  # bytes
SUFFIX = ".npy"
# What NumPy writes before the numbers of an array (numpy.lib.format, version 1.0), as far as ours have it.
HEADER = re.compile(
    rb"\x93NUMPY\x01\x00(?P<length>..)\{'descr': '(?P<type>[<>|][fiubU]\d{1,6})', "
    rb"'fortran_order': (?P<order>True|False), 'shape': \((?P<shape>(?:\d{1,15}, ?)*(?:\d{1,15})?)\), \} *\n",
    re.DOTALL,
)
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
        raise FileError(path, f"is not a whole file of arrays ({one_line(str(error))}).") from None


def _array(content: bytes) -> NDArray[Any]:
    """An array of plain numbers whose header says how long it is."""
    header = HEADER.match(content)
    if header is None:
        raise ValueError("an array does not begin like one of numbers")
    dtype, shape = np.dtype(header["type"].decode()), tuple(map(int, header["shape"].replace(b",", b" ").split()))
    numbers = content[10 + int.from_bytes(header["length"], "little") :]
    if dtype.itemsize == 0 or math.prod(shape) * dtype.itemsize != len(numbers):
        raise ValueError("an array is not as large as it says")
    return np.frombuffer(numbers, dtype).reshape(shape, order="F" if header["order"] == b"True" else "C").copy()
