"""Gains from clicks that remember the presented order (Bennett et al. 2015, §2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riskrank.errors import AlignmentError, ParameterError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from riskrank.typing import Floats, Integers


def preference_gains(
    relevant: ArrayLike, *, alpha: float = 1.0, beta: ArrayLike = 0.5, offsets: ArrayLike | None = None
) -> Floats:
    r"""The gain of each document: how strongly it is preferred to the others of its impression.

    .. math:: G(i) = \sum_j pref(i \succ j)

    where pref is alpha if i was satisfying and j was not, beta if they are alike and i stood above j, and 0 otherwise.

    Bennett et al. 2015, Eq. 1 ("Weight-Initial-Pref"), in time linear in the documents. Departures: none for two
    classes; several grades are the extension that the paper asks for.

    Parameters
    ----------
    relevant
        Satisfied clicks in presented order; or grades, of which any higher one is preferred by alpha and equal ones by
        beta.
    alpha, beta
        The strengths of the two preferences; `beta` may be one for each impression.
    offsets
        Where impressions begin and end in `relevant`, for many at once.

    Returns
    -------
    The gains, in presented order.

    >>> preference_gains([0, 0, 0, 0, 0, 1, 0, 0, 0, 0], alpha=1.0, beta=0.5).tolist()
    [4.0, 3.5, 3.0, 2.5, 2.0, 9.0, 1.5, 1.0, 0.5, 0.0]
    """
    grade, n, impression, place = _by_impression(relevant, offsets)
    weight = np.asarray(beta, dtype=np.float64)
    if not (np.isfinite(alpha) and alpha >= 0 and np.isfinite(weight).all() and (weight >= 0).all()):
        raise ParameterError("alpha and beta must be numbers from 0.")
    if weight.ndim == 1 and len(weight) != n:
        raise AlignmentError(f"beta must be one number, or one for each of the {n} impressions.")
    order = np.lexsort((grade, impression))  # stable: equal grades stay in presented order
    is_first = np.ones(len(grade), bool)  # of its impression and grade
    is_first[1:] = (impression[1:] != impression[:-1]) | (np.diff(grade[order]) != 0)
    group, starts = np.cumsum(is_first) - 1, np.flatnonzero(is_first)
    lower = place[starts][group]  # how many of the impression have a lower grade
    below = np.append(starts, len(grade))[group + 1] - 1 - np.arange(len(grade))  # alike, and presented further down
    gains = np.empty(len(grade))
    gains[order] = alpha * lower + (weight if weight.ndim == 0 else weight[impression]) * below
    return gains


def lowest_click_plus_one(relevant: ArrayLike, *, offsets: ArrayLike | None = None) -> NDArray[np.bool_]:
    """The documents down to one below the lowest of some clicks; all of an impression without any.

    Training only on these leaves out what was hardly examined (Bennett et al. 2015, §2.2, with clicks of any kind).

    >>> lowest_click_plus_one([0, 1, 0, 0]).tolist()
    [True, True, True, False]
    """
    grade, n, impression, place = _by_impression(relevant, offsets)
    lowest = np.full(n, -1, dtype=np.int64)
    np.maximum.at(lowest, impression, np.where(grade > 0, place, -1))
    kept: NDArray[np.bool_] = (lowest[impression] < 0) | (place <= lowest[impression] + 1)
    return kept


def standard_gains(relevant: ArrayLike) -> Floats:
    """Satisfied clicks (or their grades) as they are: the usual way, which forgets the presented order.

    >>> standard_gains([False, True]).tolist()
    [0.0, 1.0]
    """
    return _checked_grades(relevant).astype(np.float64)


def _checked_grades(relevant: ArrayLike) -> Integers:
    values = np.asarray(relevant)
    if values.ndim != 1:
        raise AlignmentError(f"satisfied clicks must be one list in presented order, got shape {values.shape}.")
    whole = values.astype(np.int64) if values.size else np.zeros(0, np.int64)
    if values.size and not (values == whole).all():
        raise AlignmentError("satisfied clicks must be true or false, or whole grades.")
    return whole


def _by_impression(relevant: ArrayLike, offsets: ArrayLike | None) -> tuple[Integers, int, Integers, Integers]:
    """Grades, how many impressions there are, and each row's impression and place within it, from 0."""
    grade = _checked_grades(relevant)
    bounds = np.array([0, len(grade)]) if offsets is None else np.asarray(offsets, dtype=np.int64)
    if bounds.ndim != 1 or not len(bounds) or bounds[0] != 0 or bounds[-1] != len(grade) or (np.diff(bounds) < 0).any():
        raise AlignmentError(f"offsets must rise from 0 to {len(grade)}.")
    impression = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))
    return grade, len(bounds) - 1, impression, np.arange(len(grade)) - bounds[impression]
