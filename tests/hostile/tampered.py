"""Models that somebody has changed so well that all digests fit."""

from __future__ import annotations

import json
from hashlib import sha256


def write_file(folder, name: str, content: bytes) -> None:
    """Another content of a file, with the digest of it in the card."""
    (folder / name).write_bytes(content)
    card = json.loads((folder / "card.json").read_text())
    card["files"][name] = sha256(content).hexdigest()
    (folder / "card.json").write_text(json.dumps(card))


def change_card(folder, **changes) -> None:
    """Other entries of a card."""
    card = json.loads((folder / "card.json").read_text())
    (folder / "card.json").write_text(json.dumps({**card, **changes}))


def change_entry(folder, name: str, *path, to) -> None:
    """Another value somewhere in a JSON file, beside which the digest fits."""
    content = json.loads((folder / name).read_text())
    place = content
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = to
    write_file(folder, name, json.dumps(content).encode())
