"""How loops are compiled: to machine code for this host, kept on disk where that is possible."""

from __future__ import annotations

import contextlib
import gc
import hashlib
import inspect
import math
import os
import stat
import tempfile
import types
from typing import Any

import numpy
from numba import njit
from numba.core import event
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, UserWideCacheLocator
from numba.core.dispatcher import Dispatcher
from numba.core.extending import _Intrinsic

from riskrank.files import disk
from riskrank.progress import held_up

_LEAST: dict[str, Any] = {"nogil": True, "no_cfunc_wrapper": True}  # nobody calls loops from C
_INNER = {**_LEAST, "no_cpython_wrapper": True}  # nor these from Python


def compiled(function: Any = None, **options: Any) -> Any:
    """Compile a loop that runs without the interpreter's lock; it is kept for the next process.

    It is found again by what it says, and by what the functions and constants in it say. Numba's own cache looks at the
    file of the loop alone: it neither notices what changes elsewhere, nor finds a loop that is closed over functions.
    Where no folder of the package or the user can be written (a read-only container), it is kept in a private one among
    the system's temporary files. Where there is none either, or the meaning of a part cannot be told from its code, it
    is compiled anew in each process. What others could have written is never loaded.
    """
    if function is None:
        return lambda given: compiled(given, **options)
    loop = njit(**_LEAST, **options)(function)
    with contextlib.suppress(RuntimeError):  # Numba found no place for its cache
        loop._cache = _ContentCache(loop)
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
    return njit(**_INNER, **options)(copy)


def private_folder() -> str | None:
    """A folder for temporary files that nobody else can read or write, or None if there can be none."""
    try:
        place = os.path.join(tempfile.gettempdir(), f"riskrank-{os.geteuid()}")
        with contextlib.suppress(FileExistsError):
            disk.make_folder(place, 0o700)
        status = os.lstat(place)
    except (OSError, AttributeError):  # a system without users
        return None
    is_private = stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid() and not status.st_mode & 0o077
    return place if is_private else None


def _is_ours(folder: str) -> bool:
    """May nobody but the user and the system's owner write there?"""
    if not hasattr(os, "geteuid"):
        return True
    status = os.stat(folder)
    return status.st_uid in (0, os.geteuid()) and not status.st_mode & stat.S_IWOTH


class _PrivateLocator(UserWideCacheLocator):
    """The last resort: a private folder among temporary files."""

    def __init__(self, function: Any, file: str) -> None:
        super().__init__(function, file)
        self._cache_path = os.path.join(private_folder() or os.devnull, self.get_suitable_cache_subpath(file))


def _if_ours(locator: Any) -> Any:
    """The same locator, but for folders in which others may write: cached code is run."""

    class Ours(locator):  # type: ignore[misc]
        @classmethod
        def from_function(cls, py_func: Any, py_file: str) -> Any:
            place = super().from_function(py_func, py_file)
            return place if place is not None and _is_ours(place.get_cache_path()) else None

    return Ours


_PLACES = [_if_ours(each) for each in (*CompileResultCacheImpl._locator_classes, _PrivateLocator)]


class _Placed(CompileResultCacheImpl):
    _locator_classes = _PLACES


class _ContentCache(FunctionCache):
    _impl_class = _Placed

    def __init__(self, loop: Dispatcher) -> None:
        super().__init__(loop.py_func)
        self._loop = loop
        self._content: str | None = None

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        if self._content is None:  # told now, since a loop may use what stands below it
            try:
                self._content = code_digest(self._loop)
            except _UnclearError:
                self.disable()
                return None
            # Files of its own: Numba numbers the data files of an index, and two processes may take the same number.
            self._cache_file = _CacheFile(
                cache_path=self._cache_path,
                filename_base=f"{self._impl.filename_base}-{self._content[:20]}",
                source_stamp=self._impl.locator.get_source_stamp(),
            )
        return super().load_overload(sig, target_context)

    def save_overload(self, sig: Any, data: Any) -> None:
        with contextlib.suppress(OSError):  # a full disk keeps nobody from working
            super().save_overload(sig, data)

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        return sig, codegen.magic_tuple(), self._content


class _CacheFile(IndexDataCacheFile):
    """Code for the types of arguments that there were; it is as good as none where one of them is gone."""

    def _load_index(self) -> Any:
        try:
            return super()._load_index()
        except Exception:  # types are unpickled by their names, which may fail in any way
            return {}


class _Compiling(event.Listener):
    """While a loop is compiled: no garbage is collected, which would take a tenth of the time; users are told why."""

    def __init__(self) -> None:
        self._depth = 0  # loops are compiled for the sake of others
        self._collects = False

    def on_start(self, start: Any) -> None:
        if self._depth == 0:
            self._collects = gc.isenabled()
            gc.disable()
            held_up("compiling loops for this machine, once per installation", start.data["dispatcher"].__name__)
        self._depth += 1

    def on_end(self, end: Any) -> None:
        self._depth -= 1
        if self._depth == 0 and self._collects:
            gc.enable()


event.register("numba:compile", _Compiling())


class _UnclearError(Exception):
    """A function depends on something whose content cannot be told."""


def code_digest(*parts: Any) -> str:
    """A digest of functions and constants that is the same in every process."""
    digest = hashlib.sha256()
    for part in parts:
        _add_content(part, digest, seen=set())
    return digest.hexdigest()


def _add_content(value: Any, digest: Any, seen: set[int]) -> None:
    if isinstance(value, Dispatcher):
        _add_content(tuple(sorted(value.targetoptions.items())), digest, seen)
        value = value.py_func
    if value is None or isinstance(value, bool | int | float | str | bytes):
        digest.update(f"{type(value).__name__}:{value!r};".encode())
    elif isinstance(value, tuple):
        digest.update(f"({getattr(value, '_fields', '')}".encode())
        for item in value:
            _add_content(item, digest, seen)
        digest.update(b")")
    elif isinstance(value, set | frozenset):
        _add_content(tuple(sorted(value)), digest, seen)
    elif isinstance(value, numpy.generic):
        _add_content((value.dtype.str, value.tobytes()), digest, seen)
    elif isinstance(value, numpy.ndarray):
        _add_content((value.dtype.str, value.shape, value.tobytes()), digest, seen)
    elif isinstance(value, types.CodeType):
        digest.update(value.co_code)
        _add_content(value.co_names + value.co_varnames, digest, seen)
        _add_content(value.co_consts, digest, seen)
    elif isinstance(value, types.FunctionType):
        if id(value) in seen:
            return
        seen.add(id(value))
        digest.update(f"{value.__module__}.{value.__qualname__};".encode())  # cached code names its module
        _add_content(value.__code__, digest, seen)
        _add_content(value.__defaults__, digest, seen)
        for cell in value.__closure__ or ():
            _add_content(cell.cell_contents, digest, seen)
        for name in value.__code__.co_names:
            if name in value.__globals__:
                _add_content(value.__globals__[name], digest, seen)
    elif isinstance(value, _Intrinsic):
        _add_content(inspect.unwrap(value), digest, seen)
    elif isinstance(value, types.BuiltinFunctionType) or value is math or value is numpy:
        digest.update(f"{value.__name__};".encode())
    elif isinstance(value, type) and issubclass(value, tuple) and hasattr(value, "_fields"):
        _add_content((value.__name__, vars(value)["__match_args__"]), digest, seen)
    else:
        raise _UnclearError
