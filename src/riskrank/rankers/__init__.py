"""Rankers, one per file, all with one contract: fit, predict, save, load."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from riskrank.errors import ParameterError, nearest, quoted
from riskrank.rankers.card import read_card

if TYPE_CHECKING:
    import os

KINDS = {
    "AFS": "riskrank.rankers.linear.afs",
    "AdaRank": "riskrank.rankers.linear.adarank",
    "LambdaMART": "riskrank.rankers.trees.lambdamart",
    "LambdaNet": "riskrank.rankers.nets.lambdanet",
    "LinearRanker": "riskrank.rankers.linear.coordinate_ascent",
    "PreferenceLambdaMART": "riskrank.rankers.trees.preference_lambdamart",
    "RegressionTrees": "riskrank.rankers.trees.regression_trees",
}
WRAPPERS = {
    "Mixed": "riskrank.rankers.selective.mixed",
    "Selective": "riskrank.rankers.selective.selective",
}  # rankers around a ranker


def load(folder: str | os.PathLike[str]) -> Any:
    """A saved ranker of any kind."""
    kind = read_card(folder).get("kind")
    home = {**KINDS, **WRAPPERS}.get(str(kind))
    if home is None:
        raise ParameterError(f"{folder} holds a {kind}, which this riskrank does not know. Update riskrank.")
    return getattr(import_module(home), str(kind)).load(folder)


def kind_named(name: str) -> Any:
    """A ranker's class by its name, in any case."""
    known = {kind.lower(): kind for kind in KINDS}
    kind = known.get(name.lower().replace("-", "").replace("_", ""))
    if kind is None:
        raise ParameterError(f"unknown ranker {quoted(name)}.{nearest(name, list(KINDS))} Known: {', '.join(KINDS)}.")
    return getattr(import_module(KINDS[kind]), kind)
