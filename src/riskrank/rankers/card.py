"""The card of a saved model: what it is, in JSON that people and other tools can read."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from riskrank import __version__
from riskrank.data.files import read_file, write_atomically
from riskrank.data.fingerprints import sampled_fingerprint
from riskrank.errors import FileError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from riskrank.data.ranking_data import RankingData
    from riskrank.typing import PathLike

FORMAT = 1
NAME = "card.json"
MODEL = "model"  # the folder of the model within another one, and what its digest is called in the other's card
BEGINNING = '{\n  "format": '  # of every card
DIGEST = re.compile(r'"([^"/\\]+)": *"([0-9a-f]{64})"')  # of a file, in the text of a card


def data_summary(data: RankingData) -> dict[str, Any]:
    """What a card says of data."""
    return {
        "queries": data.n_queries,
        "documents": data.n_documents,
        "features": data.n_features,
        "fingerprint": sampled_fingerprint(data),
    }


def versions(**engines: str) -> dict[str, str]:
    """What the model was made with."""
    return {"riskrank": __version__, "python": platform.python_version(), "numpy": np.__version__, **engines}


def now() -> str:
    """The time, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


@dataclass(frozen=True)
class SavedModel:
    """A model's folder and its card."""

    folder: Path
    card: dict[str, Any]

    def file(self, name: str) -> bytes:
        """Another file of the model, which must be the one that the card was written with."""
        path = self.folder / name
        content = read_file(path)
        if _file_digest(content) != self.card.get("files", {}).get(name):
            raise FileError(path, "is damaged, or not the file that the card belongs to. Save the model again.")
        return content


class Savable(Protocol):
    """A model that writes itself to a folder."""

    def save(self, folder: PathLike) -> None:
        """Write all of it."""


def write_model(
    folder: PathLike,
    card: Mapping[str, Any],
    files: Mapping[str, bytes],
    *,
    within: Savable | None = None,
) -> None:
    """Write a model's folder; a model that stood there is replaced, file by file and the card last.

    Other files in the folder are left alone. The card holds digests of the model's files, so that half a model is
    never taken for a whole one. `within` is the model that this one is around, which gets a folder of its own.
    """
    check_place(folder)
    place = Path(os.path.abspath(folder))
    try:
        former = _files_of_model(place)
        kept = set(files) if within is None else {*files, MODEL}
        written = {"format": FORMAT, "files": {name: _file_digest(content) for name, content in files.items()}, **card}
        if within is not None:
            within.save(place / MODEL)
            written[MODEL] = digest_within(place)
        text = json.dumps(written, indent=2, ensure_ascii=False) + "\n"
        place.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            write_atomically(place / name, content)
        write_atomically(place / NAME, text)
        for path in former:
            if path.relative_to(place).parts[0] not in kept:
                path.unlink(missing_ok=True)
        if within is None and place / MODEL / NAME in former and not any((place / MODEL).iterdir()):
            (place / MODEL).rmdir()
    except OSError as error:
        raise FileError(folder, f"cannot be written ({error.strerror or error}).") from None
    except TypeError as error:  # a parameter of a user's own
        raise FileError(folder, f"cannot be written: its card must be JSON ({error}).") from None


def check_place(folder: PathLike, inputs: Iterable[PathLike] = ()) -> None:
    """Refuse a place where no model can be written, where something else is, or one of the models to be read."""
    place = Path(os.path.abspath(folder))
    if place.exists() and not (place.is_dir() and (_has_card(place) or not any(place.iterdir()))):
        raise FileError(folder, "exists and is not a model of riskrank. Choose another place.")
    if place.exists() and any(os.path.isdir(given) and place.samefile(given) for given in inputs):
        raise FileError(folder, "is one of the inputs, it would be overwritten.")
    above = next(parent for parent in place.parents if parent.exists())
    if not above.is_dir():
        raise FileError(folder, f"cannot be written ({above} is a file).")


def _has_card(folder: Path) -> bool:
    """Is there a card of ours, perhaps a damaged one?"""
    if not (folder / NAME).is_file():
        return False
    text = (folder / NAME).read_text(encoding="utf-8", errors="replace")
    try:
        return _is_card(json.loads(text))
    except ValueError:
        return text.startswith(BEGINNING) or BEGINNING.startswith(text) or bool(_files_of_model(folder))


def _is_card(content: object) -> bool:
    return isinstance(content, dict) and isinstance(content.get("format"), int)


def digest_within(folder: PathLike) -> str:
    """Of the model inside another one; its card holds the digests of its other files."""
    return _file_digest(read_file(Path(folder) / MODEL / NAME))


def _file_digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _files_of_model(folder: Path) -> list[Path]:
    """The files that a model in this folder wrote beside its card, as their digests prove; it may be damaged."""
    if not (folder / NAME).is_file():
        return []
    files = []
    for name, digest in DIGEST.findall((folder / NAME).read_text(encoding="utf-8", errors="replace")):
        path = folder / name
        inner = path / NAME
        if path.is_file() and _file_digest(path.read_bytes()) == digest:
            files.append(path)
        elif name == MODEL and inner.is_file() and not path.is_symlink() and _file_digest(inner.read_bytes()) == digest:
            files += [*_files_of_model(path), inner]
    return files


def saved_model(folder: PathLike) -> SavedModel:
    """A model's folder, with its card."""
    return SavedModel(Path(folder), read_card(folder))


def read_card(folder: PathLike) -> dict[str, Any]:
    """The card in a model's folder."""
    path = Path(folder) / NAME
    if not path.is_file():
        raise FileError(folder, "is not a model of riskrank (it has no card.json).")
    try:
        card = json.loads(read_file(path))
    except FileError:
        raise
    except (ValueError, RecursionError) as error:
        raise FileError(path, f"cannot be read ({error}).") from None
    if not _is_card(card):
        raise FileError(path, "is not the card of a model.")
    if card["format"] > FORMAT:
        raise FileError(path, f"has format {card['format']}, this riskrank reads up to {FORMAT}. Update riskrank.")
    known: dict[str, Any] = card
    return known
