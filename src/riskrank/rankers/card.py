"""The card of a saved model: what it is, in JSON that people and other tools can read."""

from __future__ import annotations

import hashlib
import json
import os
import platform
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank import __version__
from riskrank.data.files import write_atomically
from riskrank.data.fingerprints import fingerprint
from riskrank.errors import FileError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from riskrank.data.ranking_data import RankingData
    from riskrank.typing import PathLike

FORMAT = 1
NAME = "card.json"


def described(data: RankingData) -> dict[str, Any]:
    """What a card says of data."""
    return {
        "queries": data.n_queries,
        "documents": data.n_documents,
        "features": data.n_features,
        "fingerprint": fingerprint(data),
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
        try:
            content = path.read_bytes()
        except OSError as error:
            raise FileError(path, f"cannot be read ({error.strerror or error}).") from None
        if hashlib.sha256(content).hexdigest() != self.card.get("files", {}).get(name):
            raise FileError(path, "is damaged, or not the file that the card belongs to. Save the model again.")
        return content


def write_model(folder: PathLike, card: Mapping[str, Any], files: Mapping[str, bytes]) -> None:
    """Write a model's folder; a model that stood there is replaced, file by file and the card last.

    Other files in the folder are left alone. The card holds digests of the model's files, so that half a model is
    never taken for a whole one.
    """
    check_place(folder)
    write_parts(folder, card, files)


def check_place(folder: PathLike, inputs: Iterable[PathLike] = ()) -> None:
    """Refuse a place where no model can be written, where something else is, or one of the models to be read."""
    target = Path(os.path.abspath(folder))
    if target.exists() and not (target.is_dir() and ((target / NAME).is_file() or not any(target.iterdir()))):
        raise FileError(folder, "exists and is not a model of riskrank. Choose another place.")
    if target.exists() and any(os.path.isdir(given) and target.samefile(given) for given in inputs):
        raise FileError(folder, "is one of the inputs, it would be overwritten.")
    above = next(parent for parent in target.parents if parent.exists())
    if not above.is_dir():
        raise FileError(folder, f"cannot be written ({above} is a file).")


def write_parts(folder: PathLike, card: Mapping[str, Any], files: Mapping[str, bytes]) -> None:
    """Write a model's files into a place that is known to be right for them."""
    target = Path(os.path.abspath(folder))
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    text = json.dumps({"format": FORMAT, **card, "files": digests}, indent=2, ensure_ascii=False) + "\n"
    try:
        stale = [path for path in _files_of_model(target) if path.name not in files]
        target.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            write_atomically(target / name, content)
        write_atomically(target / NAME, text)
        for path in stale:
            path.unlink(missing_ok=True)
    except OSError as error:
        raise FileError(folder, f"cannot be written ({error.strerror or error}).") from None


def _files_of_model(folder: Path) -> list[Path]:
    """The files that a model in this folder consists of, beside its card, if they are still what it wrote."""
    try:
        digests = read_model(folder).card.get("files", {}).items()
        paths = {folder / name: digest for name, digest in digests if Path(name).name == name}
    except (FileError, AttributeError, TypeError):
        return []
    return [
        path for path, digest in paths.items()
        if path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == digest
    ]  # fmt: skip


def read_model(folder: PathLike) -> SavedModel:
    """A model's folder, with its card."""
    return SavedModel(Path(folder), read_card(folder))


def read_card(folder: PathLike) -> dict[str, Any]:
    """The card in a model's folder."""
    path = Path(folder) / NAME
    if not path.is_file():
        raise FileError(folder, "is not a model of riskrank (it has no card.json).")
    try:
        card = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise FileError(path, f"cannot be read ({error}).") from None
    if not isinstance(card, dict) or not isinstance(card.get("format"), int):
        raise FileError(path, "is not the card of a model.")
    if card["format"] > FORMAT:
        raise FileError(path, f"has format {card['format']}, this riskrank reads up to {FORMAT}. Update riskrank.")
    return card
