"""Checkpoints: what an interrupted training needs to go on as if nothing had happened."""

from __future__ import annotations

import io
import json
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile, ZipFile

import numpy as np

from riskrank.data.files import read_file
from riskrank.errors import FileError, ParameterError
from riskrank.files.own_folder import OwnFolder, settle
from riskrank.rankers.fitting.history import History

if TYPE_CHECKING:
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


@dataclass(frozen=True)
class CheckpointFolder:
    """Where the checkpoint of a training lies, how often it is renewed, and what tells the training from others.

    `is_kept`: it stays when training is done, for whoever saves the model.
    """

    path: Path
    every: int
    identity: dict[str, Any]
    is_kept: bool = False

    def read(self) -> Checkpoint | None:
        """The checkpoint, if there is one; it must be of the same training."""
        if not has_checkpoint(self.path):
            return None
        file = self.path / NAME
        try:
            with np.load(io.BytesIO(read_file(file)), allow_pickle=False) as saved:
                arrays = {name: saved[name] for name in saved.files}
            state = json.loads(arrays.pop(STATE).tobytes())
            before = dict(state["identity"])
            n_steps = int(state["n_steps"])
        except (OSError, ValueError, KeyError, TypeError, AttributeError, EOFError, BadZipFile, zlib.error) as error:
            raise FileError(file, f"is not a whole checkpoint ({error}). Delete it to start anew.") from None
        if state.get("format") != FORMAT:
            raise FileError(
                file, f"has format {state.get('format')}, this riskrank reads {FORMAT}. Delete it to start anew."
            )
        now = {name: v for name, v in self.identity.items() if name in before or name not in (LAYERS, WHOLE_DATA)}
        different = [name for name, value in now.items() if before.get(name) != value]
        if different:
            name = different[0]
            raise ParameterError(
                f"{file} is of another training: {name} was {before.get(name)!r}, is {self.identity[name]!r}. "
                "Go on with the same data and parameters, or start anew (train: --restart; fit: delete it)."
            )
        return Checkpoint(
            n_steps=n_steps,
            best_steps=int(state["best_steps"]),
            best=None if state["best"] is None else float(state["best"]),
            history=History.from_json(state["history"]),
            memory=state["memory"],
            arrays=arrays,
        )

    def write(self, checkpoint: Checkpoint) -> None:
        """Write one file, whole or not at all."""
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


def checkpoint_folder(path: PathLike) -> OwnFolder:
    """A place for a checkpoint."""
    return OwnFolder(path, "checkpoint", former=_former_files)


def _former_files(folder: Path) -> list[str]:
    """The checkpoint of a former version, which wrote no list: an archive with a state."""
    try:
        with ZipFile(folder / NAME) as archive:
            return [NAME] if f"{STATE}.npy" in archive.namelist() else []
    except (OSError, BadZipFile):
        return []


def has_checkpoint(folder: PathLike) -> bool:
    """Is there one to resume from?"""
    settle(folder)
    return (Path(folder) / NAME).exists() and checkpoint_folder(folder).listed is not None


def remove_checkpoint(folder: PathLike) -> None:
    """The model is safe, or nobody wants it: the checkpoint goes, and the folder if nothing else is in it."""
    checkpoint_folder(folder).clear()
