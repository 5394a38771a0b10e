"""Checkpoints: what an interrupted training needs to go on as if nothing had happened."""

from __future__ import annotations

import io
import json
import os
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

import numpy as np

from riskrank.data.files import write_atomically
from riskrank.errors import FileError, ParameterError

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from riskrank.rankers.fitting.history import History

FORMAT = 2
NAME = "checkpoint.npz"
STATE = "state"


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """A number of steps, what the learner needs to go on, and the state of the loop around it."""

    n_steps: int
    arrays: dict[str, NDArray[Any]]
    state: dict[str, Any]


def write_checkpoint(folder: Path, arrays: dict[str, NDArray[Any]], history: History, state: dict[str, Any]) -> None:
    """Write one file, whole or not at all."""
    check_folder(folder)
    content = {**state, "format": FORMAT, "history": history.to_json()}
    buffer = io.BytesIO()
    np.savez(buffer, **{STATE: np.frombuffer(json.dumps(content).encode(), np.uint8)}, **arrays)  # type: ignore[arg-type]
    write_atomically(folder / NAME, buffer.getvalue())


def check_folder(folder: Path) -> None:
    """Make the folder, or say why it cannot be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(folder, f"cannot be a folder for checkpoints ({error.strerror}).") from None


def read_checkpoint(folder: Path, identity: dict[str, Any]) -> Checkpoint | None:
    """The checkpoint in a folder, if there is one; it must be of the same training."""
    path = folder / NAME
    if not path.exists():
        return None
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as saved:
            arrays = {name: saved[name] for name in saved.files}
        state = json.loads(arrays.pop(STATE).tobytes())
        before = dict(state["identity"])
        n_steps = int(state["n_steps"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError, EOFError, BadZipFile, zlib.error) as error:
        raise FileError(path, f"is not a whole checkpoint ({error}). Delete it to start anew.") from None
    if state.get("format") != FORMAT:
        raise FileError(
            path, f"has format {state.get('format')}, this riskrank reads {FORMAT}. Delete it to start anew."
        )
    different = [name for name in identity if before.get(name) != identity[name]]
    if different:
        name = different[0]
        raise ParameterError(
            f"{path} is of another training: {name} was {before.get(name)!r}, is {identity[name]!r}. "
            "Resume with the same data and parameters, or delete it."
        )
    return Checkpoint(n_steps, arrays, state)


def remove_checkpoint(folder: Path) -> None:
    """Training is done."""
    (folder / NAME).unlink(missing_ok=True)
    if folder.is_dir() and not os.listdir(folder):
        folder.rmdir()
