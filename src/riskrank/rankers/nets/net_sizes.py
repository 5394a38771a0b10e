"""How large nets are: known without PyTorch, which takes seconds to load."""

from __future__ import annotations

from itertools import pairwise

from riskrank.errors import ParameterError
from riskrank.parameters import shown

KINDS: dict[str, tuple[int, ...]] = {"linear": (), "two-layer": (10,), "mlp": (128, 64)}  # and their hidden units
MOST_WEIGHTS = 2**27  # half a gigabyte, and four times as much in training


def n_weights(n_features: int, hidden: tuple[int, ...]) -> int:
    """How many weights a net of a known kind has."""
    return sum((before + 1) * after for before, after in pairwise((n_features, *hidden, 1)))


def check_size(n_features: int, hidden: tuple[int, ...]) -> None:
    """Refuse a net that no memory holds."""
    if n_weights(n_features, hidden) > MOST_WEIGHTS:
        rule = f"hidden must make a net of at most {MOST_WEIGHTS} weights, got {shown(hidden)}."
        raise ParameterError(rule, "hidden")
