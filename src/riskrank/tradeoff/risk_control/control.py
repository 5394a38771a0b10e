"""Operating points with a guarantee: with probability 1 − δ the true risk is within the budget.

Learn then test (Angelopoulos et al. 2021): each operating point is a hypothesis "its risk is above the budget", which
held-out queries may reject. Points stand in sequences from the safest to the boldest; in each, testing stops at the
first point that is not shown to be safe. The chance that any point is wrongly called safe is then at most δ,
whatever the distribution of queries and however the points were trained, so the best of the safe ones may be taken.
"""

from __future__ import annotations

import hashlib
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from riskrank.errors import AlignmentError, ParameterError, first_duplicate, quoted
from riskrank.parameters import inside, is_whole, one_of
from riskrank.tradeoff.risk_control.p_values import betting, exact_binomial, hoeffding_bentkus, mixture

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from riskrank.typing import Booleans, Floats, Integers

SEED_IS_UNUSED = "random_state has no effect: the order of bets is decided by the ids of the queries. Leave it out."
Method = Literal["betting", "mixture", "hoeffding-bentkus", "binomial"]


@dataclass(frozen=True, eq=False)
class Control:
    """What was tested, and what was shown to be safe.

    For each point: `mean_loss` on the held-out queries, its `p_value` (NaN where testing had stopped before), and
    whether it `is_safe`: with the `confidence`, all safe points have a true mean loss within the `budget`.
    """

    budget: float
    confidence: float
    n_queries: int
    method: str
    mean_loss: Floats
    p_value: Floats
    is_safe: Booleans
    level: float  # of each sequence's tests

    def best(self, gain: ArrayLike) -> int | None:
        """The safe point with the largest gain; None where no safe point gains anything."""
        values = np.asarray(gain, dtype=np.float64)
        if values.shape != self.is_safe.shape:
            raise AlignmentError(f"each of the {len(self.is_safe)} operating points needs a gain.")
        gains = np.where(self.is_safe & ~np.isnan(values), values, -np.inf)
        best = int(gains.argmax())
        return best if gains[best] > 0 else None


def control_risk(
    losses: ArrayLike,
    *,
    budget: float,
    confidence: float = 0.9,
    sequences: Sequence[Sequence[int]] | None = None,
    largest: ArrayLike = 1.0,
    method: Method = "betting",
    query_ids: Sequence[str] | None = None,
    random_state: int | None = None,
) -> Control:
    """Which operating points keep their mean loss within a budget, with a stated confidence.

    Parameters
    ----------
    losses
        Operating points × held-out queries, each from 0 to 1: what a query loses against its baseline, or 1 for a query
        that is hurt too much and 0 for others. The queries must be drawn as future ones will be, and must not have been
        used to train the points.
    budget, confidence
        The most that the mean loss may be, and how certain it is to be within it.
    sequences
        Positions of points from the safest to the boldest, fixed beforehand (default: one, in the order given); with
        several, each gets its share of 1 − confidence.
    largest
        The largest loss that a query can have at each point, if less than 1 (a model used half of the time loses half
        at most, on average over coins).
    method
        For any losses ``"betting"``, the tightest, or ``"mixture"`` and ``"hoeffding-bentkus"``, for which queries have
        no order; ``"binomial"`` (exact) for losses that can only be 0 or the largest. To be chosen beforehand.
    query_ids
        The names of the queries, one each. Bets are made in an order that the names alone decide, so that it does not
        matter how the queries are given, and there is no seed to try. Without names, their places are taken.
    random_state
        Deprecated, without effect: nothing is drawn.

    >>> rng = np.random.default_rng(0)
    >>> loss = rng.uniform(size=1000) * 0.2
    >>> control_risk([loss * p for p in (0.2, 0.4, 0.6, 0.8, 1)], budget=0.07).is_safe.tolist()
    [True, True, True, False, False]
    """
    if random_state is not None:
        warnings.warn(SEED_IS_UNUSED, DeprecationWarning, stacklevel=2)
    rows, bounds = _checked_losses(losses, largest)
    inside("budget", budget, 0, 1)
    inside("confidence", confidence, 0, 1)
    one_of("method", method, get_args(Method))
    chains = _checked_sequences(sequences, len(rows))
    scaled = _scaled(rows, bounds, method)
    order = _order_of_bets(query_ids, rows.shape[1])
    level = (1 - confidence) / len(chains)
    p, is_safe = np.full(len(rows), np.nan), np.zeros(len(rows), bool)
    for chain in chains:
        for i in chain:
            if np.isnan(p[i]):
                p[i] = _p_value(scaled[i], budget / bounds[i], method, level, order)
            if p[i] > level:
                break
            is_safe[i] = True
    return Control(budget, confidence, rows.shape[1], method, rows.mean(axis=1), p, is_safe, level)


def _scaled(rows: Floats, bounds: Floats, method: Method) -> Floats:
    """Losses in units of the largest possible ones."""
    scaled = np.minimum(rows / bounds[:, None], 1.0)
    if method == "binomial" and not ((scaled == 0) | (scaled == 1)).all():
        raise AlignmentError("the binomial test is for losses that are 0 or the largest; use another method.")
    return scaled


def _p_value(losses: Floats, budget: float, method: Method, level: float, order: Integers) -> float:
    if budget >= 1:
        return 0.0  # it cannot lose more than the budget
    if method == "binomial":
        return float(exact_binomial(losses, budget)[0])
    if method == "betting":
        return float(betting(losses[order], budget, level=level)[0])
    if method == "mixture":
        return float(mixture(losses, budget, level=level)[0])
    return float(hoeffding_bentkus(losses, budget)[0])


def _order_of_bets(query_ids: Sequence[str] | None, n_queries: int) -> Integers:
    """Positions of the queries by the digests of their names: a shuffle that is the same for the same queries."""
    names = list(range(n_queries)) if query_ids is None else list(query_ids)
    if len(names) != n_queries:
        raise AlignmentError(f"each of the {n_queries} queries needs an id, got {len(names)}.")
    twice = first_duplicate(list(map(str, names)))
    if twice is not None:
        raise AlignmentError(f"query_ids must differ, {quoted(twice)} stands twice.")
    digests = [hashlib.blake2b(str(name).encode(), digest_size=8).digest() for name in names]
    return np.array(sorted(range(n_queries), key=digests.__getitem__))


def _checked_losses(losses: ArrayLike, largest: ArrayLike) -> tuple[Floats, Floats]:
    """Operating points × queries, and the largest loss of each point."""
    try:
        rows = np.atleast_2d(np.asarray(losses, dtype=np.float64))
    except (TypeError, ValueError):
        rows = np.zeros((0, 0))
    if rows.ndim != 2 or not rows.size:
        raise AlignmentError("losses must be operating points × queries, at least one of each.")
    try:
        bounds = np.broadcast_to(np.asarray(largest, dtype=np.float64), len(rows))
    except (TypeError, ValueError):
        raise ParameterError(f"largest losses must be one number, or one for each of {len(rows)} points.") from None
    if not ((bounds > 0) & (bounds <= 1)).all():
        raise ParameterError("the largest losses must lie between 0 and 1.")
    if not ((rows >= 0) & (rows <= bounds[:, None] * (1 + 1e-12))).all():
        raise AlignmentError("losses must lie between 0 and 1 (or the largest given): the guarantee needs a bound.")
    return rows, bounds


def _checked_sequences(sequences: Sequence[Sequence[int]] | None, n_points: int) -> list[list[int]]:
    try:
        chains = [list(range(n_points))] if sequences is None else [list(chain) for chain in sequences]
    except TypeError:
        chains = []
    tested = [i for chain in chains for i in chain]
    if not tested or not all(is_whole(i) and 0 <= i < n_points for i in tested):
        raise ParameterError(f"sequences must be lists of positions of the {n_points} operating points.")
    return chains
