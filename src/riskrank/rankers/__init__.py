"""Rankers, one per file, all with one contract: fit, predict, save, load."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from riskrank.errors import ParameterError
from riskrank.rankers.card import read_card

if TYPE_CHECKING:
    import os

KINDS = {"LambdaMART": "riskrank.rankers.lambdamart"}


def load(folder: str | os.PathLike[str]) -> Any:
    """A saved ranker of any kind."""
    from importlib import import_module

    kind = read_card(folder).get("kind")
    if kind not in KINDS:
        raise ParameterError(f"{folder} holds a {kind}, which this riskrank does not know. Update riskrank.")
    return getattr(import_module(KINDS[kind]), kind).load(folder)
