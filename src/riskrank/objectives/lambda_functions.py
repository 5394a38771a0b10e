"""The λ-functions that Burges et al. 2006 describe in §4 and §6.2, to be studied with `diagnose`.

Each gives the documents of one query their lambdas under some scores: positive where a document is to move up. Rankers
learn from objectives, whose compiled loops have RankNet's and LambdaRank's; here all are plain NumPy.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from riskrank.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from riskrank.typing import Floats, Integers

    Weight = Callable[[Floats, Floats], Floats]  # from scores and labels to what each pair is worth


@dataclass(frozen=True)
class LambdaFunction:
    """A force between the two documents of each pair with different labels, equal and opposite.

    Parameters
    ----------
    shape
        Of the force as the better document's lead x = s_i − s_j grows: ``"step"`` (1 until the lead is the `margin`,
        then 0), ``"spring"`` (`margin` − x, and so a pull back where the lead is larger), ``"margin"`` (`margin` − x
        until the lead is the margin, then 0), or ``"logistic"``: 1 / (1 + e^x), RankNet's, which knows no margin.
    weight
        What a pair is worth: ``"one"``, or ``"swap"``: how much nDCG changes when the two change places.
    neighbours
        Only pairs of documents that stand next to each other in the ranking.
    diagonal
        Draws every score towards 0 by this much: λ_j − diagonal · s_j.

    >>> LambdaFunction("spring", margin=2.0)([0.5, 1.0], [1, 0]).tolist()
    [2.5, -2.5]
    """

    shape: str = "logistic"
    weight: str = "one"
    margin: float = 1.0
    neighbours: bool = False
    diagonal: float = 0.0

    def __post_init__(self) -> None:
        for name, value, known in (("shape", self.shape, SHAPES), ("weight", self.weight, WEIGHTS)):
            if value not in known:
                raise ParameterError(f"{name} must be one of {', '.join(known)}, got {value!r}.", name)

    def __call__(self, scores: ArrayLike, labels: ArrayLike) -> Floats:
        """The lambda of each document."""
        s, grades = np.asarray(scores, dtype=np.float64), np.asarray(labels, dtype=np.float64)
        is_pair = grades[:, None] > grades[None]
        if self.neighbours:
            ranks = _ranks(s)
            is_pair &= np.abs(ranks[:, None] - ranks[None]) == 1
        lead = s[:, None] - s[None]
        push = np.where(is_pair, WEIGHTS[self.weight](s, grades) * SHAPES[self.shape](lead, self.margin), 0.0)
        lambdas: Floats = push.sum(axis=1) - push.sum(axis=0) - self.diagonal * s
        return lambdas

    def of(self, labels: ArrayLike) -> Callable[[Floats], Floats]:
        """The function of the scores alone, as `diagnose` takes it."""
        return lambda scores: self(scores, labels)


def swap_weights(scores: Floats, labels: Floats) -> Floats:
    r"""How much nDCG changes when two documents change places, for each pair; Burges et al. 2006, Eq. 9.

    .. math:: N \, |2^{l_i} - 2^{l_j}| \, |1/\log(1 + r_i) - 1/\log(1 + r_j)|
    """
    discounts = 1 / np.log2(2.0 + np.arange(len(scores)))
    gains = 2.0**labels
    ideal = float((np.sort(gains - 1)[::-1] * discounts).sum())
    own = discounts[_ranks(scores)]
    weights: Floats = np.abs(gains[:, None] - gains[None]) * np.abs(own[:, None] - own[None]) / max(ideal, 1e-300)
    return weights


def _ranks(scores: Floats) -> Integers:
    """From 0, best first."""
    ranks = np.empty(len(scores), np.int64)
    ranks[np.argsort(-scores, kind="stable")] = np.arange(len(scores))
    return ranks


SHAPES: dict[str, Callable[[Floats, float], Floats]] = {
    "step": lambda lead, margin: np.where(lead < margin, 1.0, 0.0),
    "spring": lambda lead, margin: margin - lead,
    "margin": lambda lead, margin: np.maximum(margin - lead, 0.0),
    "logistic": lambda lead, _margin: 1 / (1 + np.exp(np.clip(lead, -500, 500))),
}
WEIGHTS: dict[str, Weight] = {"one": lambda scores, _labels: np.ones((len(scores), len(scores))), "swap": swap_weights}
# Those that the paper names, by what they are; the last is LambdaRank.
LAMBDA_FUNCTIONS = {
    "step": LambdaFunction("step", "swap"),
    "spring": LambdaFunction("spring", "swap"),
    "margin": LambdaFunction("margin", "swap"),
    "neighbours": LambdaFunction("logistic", "swap", neighbours=True),
    "spring between all pairs, each worth the same": LambdaFunction("spring"),
    "RankNet": LambdaFunction("logistic"),
    "RankNet with a diagonal term": LambdaFunction("logistic", diagonal=0.1),
    "LambdaRank": LambdaFunction("logistic", "swap"),
}


def loop_work(function: Callable[[Floats], Floats], corners: ArrayLike, *, n_steps: int = 4000) -> float:
    """The work that lambdas do along a closed way through some score vectors, relative to the work without sign.

    It is 0 where the lambdas are the gradient of a cost everywhere on the way, also across changes of the ranking,
    which the symmetry of the Jacobian at single points (Burges et al. 2006, Eq. 5) does not see.
    """
    points = np.asarray(corners, dtype=np.float64)
    total, size = 0.0, 0.0
    for begin, end in zip(points, np.roll(points, -1, axis=0), strict=True):
        step = (end - begin) / n_steps
        for k in range(n_steps):
            work = float(np.dot(function(begin + (k + 0.5) * step), step))
            total, size = total + work, size + abs(work)
    return total / max(size, 1e-300)
