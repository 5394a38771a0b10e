"""The card of a saved model: what it is, in JSON that people and other tools can read."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shutil
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank import __version__
from riskrank.errors import FileError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from riskrank.data.ranking_data import RankingData

FORMAT = 1
NAME = "card.json"
SAMPLED_ROWS = 1000


def fingerprint(data: RankingData) -> str:
    """A digest that differs for different data: all labels and queries, and rows of features spread over the data."""
    digest = hashlib.sha256()
    digest.update(repr((data.features.shape, data.first_feature)).encode())
    digest.update(np.ascontiguousarray(data.labels).tobytes())
    digest.update(np.ascontiguousarray(data.query_offsets).tobytes())
    step = max(1, len(data) // SAMPLED_ROWS)
    digest.update(np.ascontiguousarray(data.features[::step]).tobytes())
    return digest.hexdigest()[:32]


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


def write_model(folder: str | os.PathLike[str], card: Mapping[str, Any], files: Mapping[str, bytes]) -> None:
    """Write a model's folder, whole or not at all; an older model in its place is replaced."""
    target = Path(folder)
    if target.exists() and not (target.is_dir() and ((target / NAME).is_file() or not any(target.iterdir()))):
        raise FileError(target, "exists and is not a model of riskrank. Choose another place.")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        beside = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
        try:
            text = json.dumps({"format": FORMAT, **card}, indent=2, ensure_ascii=False)
            (beside / NAME).write_text(text + "\n", encoding="utf-8")
            for name, content in files.items():
                (beside / name).write_bytes(content)
            beside.chmod(0o755)
            if target.exists():
                for kept in target.iterdir():  # an unfinished training's checkpoint, say
                    if kept.name not in (NAME, *files) and not (beside / kept.name).exists():
                        shutil.move(os.fspath(kept), os.fspath(beside / kept.name))
                shutil.rmtree(target)
            beside.rename(target)
        finally:
            shutil.rmtree(beside, ignore_errors=True)
    except OSError as error:
        raise FileError(target, f"cannot be written ({error.strerror or error}).") from None


def read_card(folder: str | os.PathLike[str]) -> dict[str, Any]:
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


def read_part(folder: str | os.PathLike[str], name: str) -> bytes:
    """Another file of the model."""
    path = Path(folder) / name
    try:
        return path.read_bytes()
    except OSError as error:
        raise FileError(path, f"cannot be read ({error.strerror or error}).") from None
