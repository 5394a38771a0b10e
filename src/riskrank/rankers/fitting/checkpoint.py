"""Checkpoints: what an interrupted training needs to go on as if nothing had happened."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile, ZipFile

import numpy as np

from riskrank.errors import FileError, ParameterError
from riskrank.files.arrays import LARGEST_ARRAYS, read_arrays
from riskrank.files.own_folder import OwnFolder, settle
from riskrank.files.reading import parse_json, read_back
from riskrank.files.records import decode
from riskrank.rankers.fitting.history import History
from riskrank.rankers.model_records import CheckpointState

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from riskrank.typing import Arrays, PathLike

FORMAT = 2
NAME = "checkpoint.npz"
STATE = "state"

# In what tells trainings apart, these are what files of former versions lack.
LAYERS = "module"  # those of a user's own net
WHOLE_DATA = "all of the data"


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """A training after some steps: how it went, what the objective remembers, what the learner needs to go on."""

    n_steps: int
    best_steps: int
    best: float | None
    history: History
    memory: dict[str, Any]
    arrays: Arrays
    path: Path = Path(NAME)  # for messages

    def numbers(self, name: str, length: int | None = 0, dtype: type[np.generic] | None = None) -> NDArray[Any]:
        """An array of this length (0 for a single number, None for any), whose numbers are finite."""
        array = self.arrays.get(name)
        if array is None or array.dtype.kind not in "fiub" or (dtype is not None and array.dtype != dtype):
            raise self.misfit(name)
        is_right = array.ndim == 1 if length is None else array.shape == ((length,) if length else ())
        if not is_right or (array.dtype.kind == "f" and not np.isfinite(array).all()):
            raise self.misfit(name)
        return array.copy()

    def misfit(self, name: str) -> FileError:
        """Of an array that this training cannot have."""
        return FileError(self.path, f"{name}: does not fit this training. Delete the checkpoint to start anew.")


@dataclass(frozen=True)
class CheckpointFolder:
    """Where the checkpoint of a training lies, how often it is renewed, and what tells the training from others.

    `is_kept`: it stays when training is done, for whoever saves the model. `is_written`: by this worker; others of the
    same training read it only.
    """

    path: Path
    every: int
    identity: dict[str, Any]
    is_kept: bool = False
    is_written: bool = True

    def read(self) -> Checkpoint | None:
        """The checkpoint, if there is one; it must be of the same training."""
        if not has_checkpoint(self.path):
            return None
        file = self.path / NAME
        try:
            arrays = read_arrays(file)
            content = parse_json(arrays.pop(STATE, np.empty(0)).tobytes(), file)
            form = content.get("format") if isinstance(content, dict) else None
            if form == FORMAT:
                state = decode(CheckpointState, content, file)
                history = History.of_columns(state.history, file)
                if not state.best_steps <= state.n_steps == len(history):
                    raise FileError(file, "n_steps: does not fit the history.")
        except FileError as error:
            raise FileError(
                file, f"is not a whole checkpoint ({error.reason.rstrip('.')}). Delete it to start anew."
            ) from None
        if form != FORMAT:
            raise FileError(file, f"has format {form}, this riskrank reads {FORMAT}. Delete it to start anew.")
        before = state.identity
        now = {name: v for name, v in self.identity.items() if name in before or name not in (LAYERS, WHOLE_DATA)}
        different = [name for name, value in now.items() if before.get(name) != value]
        if different:
            name = different[0]
            raise ParameterError(
                f"{file} is of another training: {name} was {before.get(name)!r}, is {self.identity[name]!r}. "
                "Go on with the same data and parameters, or start anew (train: --restart; fit: delete it)."
            )
        return Checkpoint(state.n_steps, state.best_steps, state.best, history, state.memory, arrays, file)

    def write(self, checkpoint: Checkpoint) -> None:
        """Write one file, whole or not at all."""
        if not self.is_written:
            return
        state = {
            "identity": self.identity,
            "n_steps": checkpoint.n_steps,
            "memory": checkpoint.memory,
            "best": checkpoint.best,
            "best_steps": checkpoint.best_steps,
            "format": FORMAT,
            "history": checkpoint.history.to_json(),
        }
        arrays = {STATE: np.frombuffer(json.dumps(state).encode(), np.uint8), **checkpoint.arrays}
        buffer = io.BytesIO()
        np.savez(buffer, **arrays)  # type: ignore[arg-type]  # no array is called allow_pickle
        with checkpoint_folder(self.path).changed() as change:
            change.write(NAME, buffer.getvalue())

    def remove(self) -> None:
        """The training is done."""
        if self.is_written:
            remove_checkpoint(self.path)


def checkpoint_folder(path: PathLike) -> OwnFolder:
    """A place for a checkpoint."""
    return OwnFolder(path, "checkpoint", former=_former_files)


def _former_files(folder: Path) -> list[str]:
    """The checkpoint of a former version, which wrote no list: an archive with a state."""
    try:
        with ZipFile(io.BytesIO(read_back(folder / NAME, largest=LARGEST_ARRAYS))) as archive:
            return [NAME] if f"{STATE}.npy" in archive.namelist() else []
    except (FileError, BadZipFile, NotImplementedError):
        return []


def has_checkpoint(folder: PathLike) -> bool:
    """Is there one to resume from?"""
    settle(folder)
    return (Path(folder) / NAME).exists() and checkpoint_folder(folder).listed is not None


def remove_checkpoint(folder: PathLike) -> None:
    """The model is safe, or nobody wants it: the checkpoint goes, and the folder if nothing else is in it."""
    checkpoint_folder(folder).clear()
