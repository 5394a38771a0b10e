"""Do lambdas come from a cost? The questions of Burges et al. 2006, §4, about lambdas at given scores."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from riskrank.data.ranking_data import RankingData
from riskrank.errors import ParameterError
from riskrank.objectives.objective import KEEP, Objective

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from riskrank.typing import BaselineLike, Floats

TOLERANCE = 1e-5  # relative; differences of lambdas are no more exact


@dataclass(frozen=True, eq=False)
class Diagnosis:
    """What the lambdas of one query's documents are like around some scores.

    A lambda is minus the gradient: where it is positive, the document is drawn up. `jacobian` holds the change of
    document j's lambda with document k's score. It is symmetric if and only if the lambdas are (minus) the gradient of
    a cost, as long as the ranking stays as it is. The cost is convex if minus the jacobian has no eigenvalue below 0.
    `total` is the sum of the lambdas: if it is not 0, all scores drift.
    """

    lambdas: Floats
    jacobian: Floats
    asymmetry: float  # largest difference to the transposed jacobian, relative to its largest entry
    least_eigenvalue: float  # of the symmetric part of minus the jacobian, relative to its largest entry
    total: float  # relative to the sum of the lambdas without sign

    @property
    def has_cost(self) -> bool:
        """Is there a cost that these lambdas lower?"""
        return self.asymmetry <= TOLERANCE

    @property
    def is_convex(self) -> bool:
        """Is that cost convex here?"""
        return self.has_cost and self.least_eigenvalue >= -TOLERANCE

    @property
    def is_balanced(self) -> bool:
        """Do the lambdas sum to zero?"""
        return abs(self.total) <= TOLERANCE

    @property
    def forces(self) -> Floats:
        """The old name of `lambdas`."""
        warnings.warn("Diagnosis.forces is called lambdas now.", DeprecationWarning, stacklevel=2)
        return self.lambdas

    def __str__(self) -> str:
        cost = "derive from a cost" if self.has_cost else f"derive from no cost (asymmetry {self.asymmetry:.2g})"
        shape = ""
        if self.has_cost:
            shape = ", which is convex here" if self.is_convex else ", which is not convex here"
        total = "sum to zero" if self.is_balanced else f"sum to {self.total:.2g} of their size"
        return f"The lambdas {cost}{shape}; they {total}."


def diagnose(
    lambdas: Objective | Callable[[Floats], ArrayLike],
    scores: ArrayLike,
    labels: ArrayLike | None = None,
    *,
    baseline: BaselineLike | None = None,
    truncation: int | None = KEEP,
    normalise: bool | str = KEEP,
) -> Diagnosis:
    """Examine the lambdas that an objective gives the documents of one query, or any function from scores to lambdas.

    An objective needs the documents' `labels`; `baseline`, `truncation` and `normalise` are those of its `gradients`.

    >>> from riskrank import Gain, RankNet
    >>> scores, labels = [0.3, 1.0, -0.5, 0.1], [2, 0, 1, 0]
    >>> print(diagnose(RankNet(truncation=None, normalise=False), scores, labels))
    The lambdas derive from a cost, which is convex here; they sum to zero.
    >>> diagnose(Gain("nDCG", truncation=None), scores, labels).has_cost  # scaled by the sum of lambdas
    False
    """
    at = np.asarray(scores, dtype=np.float64)
    if at.ndim != 1 or len(at) < 2 or not np.isfinite(at).all():
        raise ParameterError("scores must be finite numbers for the documents of one query, at least two.")
    gaps = np.diff(np.sort(at))
    if gaps.min() == 0:
        raise ParameterError("the scores must be different: at ties the ranking, and so the lambdas, may jump.")
    if isinstance(lambdas, Objective):
        given, data = lambdas.changed(truncation=truncation, normalise=normalise), _one_query(labels)
        return _examine(lambda scores: -given.gradients(scores, data, baseline)[0], at, float(gaps.min()))
    return _examine(lambdas, at, float(gaps.min()))


def _examine(function: Callable[[Floats], ArrayLike], at: Floats, least_gap: float) -> Diagnosis:
    now = np.asarray(function(at), dtype=np.float64)
    if now.shape != at.shape:
        raise ParameterError(f"the function must give a lambda per document: {len(at)} scores gave shape {now.shape}.")
    step = min(1e-4, 0.25 * least_gap)  # the ranking stays as it is
    jacobian = np.empty((len(at), len(at)))
    for k in range(len(at)):
        aside = np.eye(len(at))[k] * step
        jacobian[:, k] = (np.asarray(function(at + aside)) - np.asarray(function(at - aside))) / (2 * step)
    largest = max(float(np.abs(jacobian).max()), 1e-300)
    return Diagnosis(
        now,
        jacobian,
        asymmetry=float(np.abs(jacobian - jacobian.T).max()) / largest,
        least_eigenvalue=float(np.linalg.eigvalsh(-(jacobian + jacobian.T) / 2).min()) / largest,
        total=float(now.sum()) / max(float(np.abs(now).sum()), 1e-300),
    )


def _one_query(labels: ArrayLike | None) -> RankingData:
    if labels is None:
        raise ParameterError("an objective needs the documents' labels: pass labels=.")
    known = np.asarray(labels, dtype=np.float64)
    return RankingData.from_arrays(np.zeros((len(known), 1)), known, group=[len(known)])
