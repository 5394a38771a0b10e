"""The card of a saved model: what it is, in JSON that people and other tools can read."""

from __future__ import annotations

import hashlib
import json
import platform
import re
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank import __version__
from riskrank.data.fingerprints import sampled_fingerprint
from riskrank.errors import FileError, ParameterError, one_line
from riskrank.files.own_folder import OwnFolder, settle
from riskrank.files.reading import LARGEST_CARD, LARGEST_JSON, parse_json, read_back, read_json
from riskrank.files.records import check_version, decode
from riskrank.rankers.model_records import CardHead
from riskrank.weights import effective_number

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from riskrank.data.ranking_data import RankingData
    from riskrank.typing import JsonValue, PathLike

FORMAT = 1
NAME = "card.json"
MODEL = "model"  # the folder of the model within another one, and what its digest is called in the other's card
LARGEST_FILE = 1 << 31  # bytes
BEGINNING = '{\n  "format": '  # of every card
DIGEST = re.compile(r'"([^"/\\]+)": *"([0-9a-f]{64})"')  # of a file, in the text of a card


def data_summary(data: RankingData) -> dict[str, Any]:
    """What a card says of data; where they have weights, also as how many of equal weight they count."""
    known: dict[str, Any] = {
        "queries": data.n_queries_in_all,
        "documents": data.n_documents_in_all,
        "features": data.n_features,
        "fingerprint": sampled_fingerprint(data),
    }
    if data.query_weights is not None and data.relative_query_weights is not None:
        known["effective_queries"] = effective_number(data.everywhere(data.query_weights))
    if data.document_weights is not None and data.relative_document_weights is not None:
        shares = data.document_weights / data.largest(np.array([data.document_weights.max(initial=0.0)]))
        # By query first: how sums of all documents are grouped, and so their last digits, must not depend on workers.
        sums = [np.bincount(data.query_numbers, each, data.n_queries) for each in (shares, np.square(shares))]
        total, squares = data.everywhere(np.stack(sums)).sum(axis=-1).tolist()
        known["effective_documents"] = total**2 / squares
    return known


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

    @property
    def path(self) -> Path:
        """Of the card."""
        return self.folder / NAME

    def file(self, name: str, *, largest: int = LARGEST_JSON) -> bytes:
        """Another file of the model, which must be the one that the card was written with."""
        path = self.folder / name
        content = self.read(name, largest=largest)
        if _file_digest(content) != self.card.get("files", {}).get(name):
            raise FileError(path, "is damaged, or not the file that the card belongs to. Save the model again.")
        return content

    def read(self, name: str, *, largest: int) -> bytes:
        """The bytes of a file, whatever they are."""
        return read_back(self.folder / name, largest=largest)

    def within(self) -> SavedModel:
        """The model that this one is around."""
        return saved_model(self.folder / MODEL)

    def digest_within(self) -> str:
        """Of the model inside; its card holds the digests of its other files."""
        return _file_digest(self.read(f"{MODEL}/{NAME}", largest=LARGEST_CARD))


@dataclass(frozen=True)
class HeldModel(SavedModel):
    """A model whose files are in memory; its folder is for messages."""

    contents: Mapping[str, bytes] = field(default_factory=dict)

    def read(self, name: str, *, largest: int) -> bytes:
        return self.contents.get(name, b"")

    def within(self) -> SavedModel:
        inner = {name.removeprefix(f"{MODEL}/"): content for name, content in self.contents.items() if "/" in name}
        return held_model(inner, self.folder / MODEL)


def held_model(contents: Mapping[str, bytes], folder: PathLike) -> HeldModel:
    """A model of what `saved_files` gave."""
    place = Path(folder)
    return HeldModel(place, checked_card(parse_json(contents.get(NAME, b""), place / NAME), place / NAME), contents)


def with_card(
    card: Mapping[str, Any], files: Mapping[str, bytes], *, within: Mapping[str, bytes] | None = None
) -> dict[str, bytes]:
    """All files of a model: its own, those of the model that it is around, and the card, with digests of the others.

    Half a model is never taken for a whole one.
    """
    written = {"format": FORMAT, "files": {name: _file_digest(content) for name, content in files.items()}, **card}
    inner = {} if within is None else {f"{MODEL}/{name}": content for name, content in within.items()}
    if within is not None:
        written[MODEL] = _file_digest(within[NAME])
    try:
        text = json.dumps(written, indent=2, ensure_ascii=False) + "\n"
    except TypeError as error:  # a parameter of a user's own
        raise ParameterError(f"the model cannot be written: its card must be JSON ({error}).") from None
    return {**inner, **files, NAME: text.encode(errors="replace")}


def write_model(folder: PathLike, files: Mapping[str, bytes]) -> None:
    """Write a model's folder, all at once; a model that stood there is replaced, and other files are left alone."""
    with model_folder(folder).changed() as change:
        for name, content in files.items():
            change.write(name, content)


def model_folder(folder: PathLike) -> OwnFolder:
    """A place for a model."""
    return OwnFolder(folder, "model", former=former_files_of_model)


def check_place(folder: PathLike) -> None:
    """Refuse a place where no model can be written, or where something else is."""
    model_folder(folder).check()


def former_files_of_model(folder: Path) -> list[str]:
    """The files of a model that a former version wrote: those whose digests are in its card, which may be damaged."""
    try:
        text = read_back(folder / NAME, largest=LARGEST_CARD).decode(errors="replace")
    except FileError:
        return []
    files = []
    for name, digest in DIGEST.findall(text):
        path = folder / name
        if _has_digest(path, digest):
            files.append(name)
        elif name == MODEL and not path.is_symlink() and _has_digest(path / NAME, digest):
            files += [f"{MODEL}/{each}" for each in former_files_of_model(path)]
    return [NAME, *files] if files or _looks_like_card(text) else []


def _has_digest(path: Path, digest: str) -> bool:
    """Is there such a file?"""
    try:
        return _file_digest(read_back(path, largest=LARGEST_FILE)) == digest
    except FileError:
        return False


def _looks_like_card(text: str) -> bool:
    """Is it a card of ours, perhaps a damaged one?"""
    try:
        return _is_card(json.loads(text))
    except (ValueError, RecursionError):
        return text.startswith(BEGINNING) or BEGINNING.startswith(text)


def _is_card(content: object) -> bool:
    return isinstance(content, dict) and isinstance(content.get("format"), int)


def _file_digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def saved_model(folder: PathLike) -> SavedModel:
    """A model's folder, with its card."""
    return SavedModel(Path(folder), read_card(folder))


def read_card(folder: PathLike) -> dict[str, Any]:
    """The card in a model's folder."""
    settle(folder)
    path = Path(folder) / NAME
    if not path.exists():
        raise FileError(folder, "is not a model of riskrank (it has no card.json).")
    return checked_card(read_json(path, largest=LARGEST_CARD), path)


def checked_card(card: JsonValue, path: Path) -> dict[str, Any]:
    """What JSON says, if it is a card."""
    if not isinstance(card, dict) or not _is_card(card):
        raise FileError(path, "is not the card of a model.")
    check_version(card, path, FORMAT, field="format")
    decode(CardHead, card, path)
    return card


@contextmanager
def parameters_told(path: Path) -> Iterator[None]:
    """Parameters of a card that no ranker has."""
    try:
        yield
    except ParameterError as error:
        if not error.parameters:  # a library is missing, say
            raise
        raise FileError(path, f"parameters.{error}") from None
    except (TypeError, ValueError, AttributeError) as error:
        raise FileError(path, f"parameters: do not fit ({one_line(str(error), limit=200)}).") from None
