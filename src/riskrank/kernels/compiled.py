"""How loops are compiled: to machine code for this host, kept on disk where that is possible."""

from __future__ import annotations

import contextlib
import hashlib
import math
import types
from typing import Any

import numpy
from numba import njit
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.dispatcher import Dispatcher


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


def specialised(function: Any, *parts: Any, **options: Any) -> Any:
    """Compile a loop that is closed over other functions, its `parts`; cached under what these functions say.

    Numba's own cache never finds such a loop again in another process, because it looks at the identity of
    the functions inside. Parts whose meaning cannot be told from their code are compiled anew in each process.
    """
    loop = njit(nogil=True, **options)(function)
    with contextlib.suppress(RuntimeError, _UnclearError):  # no place for a cache, or no key
        loop._cache = _ContentCache(function, fingerprint(*parts))
    return loop


def inlined(function: Any, **options: Any) -> Any:
    """A small function for use inside a compiled loop; the plain functions that it calls are compiled too."""
    if isinstance(function, Dispatcher):
        return function
    space = dict(function.__globals__)
    for name in function.__code__.co_names:
        if isinstance(space.get(name), types.FunctionType):
            space[name] = inlined(space[name], **options)
    closure = tuple(
        types.CellType(inlined(cell.cell_contents, **options))
        if isinstance(cell.cell_contents, types.FunctionType)
        else cell
        for cell in function.__closure__ or ()
    )
    copy = types.FunctionType(function.__code__, space, function.__name__, function.__defaults__, closure)
    return njit(nogil=True, **options)(copy)


class _ContentCache(FunctionCache):
    def __init__(self, function: Any, key: str) -> None:
        super().__init__(function)
        self._content = key
        # Files of its own: Numba numbers the data files of an index, and two processes may take the same number.
        self._cache_file = IndexDataCacheFile(
            cache_path=self._cache_path,
            filename_base=f"{self._impl.filename_base}-{key[:20]}",
            source_stamp=self._impl.locator.get_source_stamp(),
        )

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        return sig, codegen.magic_tuple(), self._content


class _UnclearError(Exception):
    """A function depends on something whose content cannot be told."""


def fingerprint(*parts: Any) -> str:
    """A digest of functions and constants that is the same in every process."""
    digest = hashlib.sha256()
    for part in parts:
        _digest(part, digest, seen=set())
    return digest.hexdigest()


def _digest(value: Any, digest: Any, seen: set[int]) -> None:
    if isinstance(value, Dispatcher):
        value = value.py_func
    if value is None or isinstance(value, bool | int | float | str | bytes):
        digest.update(f"{type(value).__name__}:{value!r};".encode())
    elif isinstance(value, tuple):
        digest.update(b"(")
        for item in value:
            _digest(item, digest, seen)
        digest.update(b")")
    elif isinstance(value, types.CodeType):
        digest.update(value.co_code)
        _digest(value.co_names + value.co_varnames, digest, seen)
        _digest(value.co_consts, digest, seen)
    elif isinstance(value, types.FunctionType):
        if id(value) in seen:
            return
        seen.add(id(value))
        digest.update(f"{value.__module__}.{value.__qualname__};".encode())  # cached code names its module
        _digest(value.__code__, digest, seen)
        _digest(value.__defaults__, digest, seen)
        for cell in value.__closure__ or ():
            _digest(cell.cell_contents, digest, seen)
        for name in value.__code__.co_names:
            if name in value.__globals__:
                _digest(value.__globals__[name], digest, seen)
    elif isinstance(value, types.BuiltinFunctionType) or value is math or value is numpy:
        digest.update(f"{value.__name__};".encode())
    elif isinstance(value, type) and issubclass(value, tuple) and hasattr(value, "_fields"):
        _digest((value.__name__, value._fields), digest, seen)
    else:
        raise _UnclearError
