"""Validation queries as LightGBM's and XGBoost's estimators take them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.typing import EvalSetLike, Ids, LabelledLike, Numbers


def validation_queries(
    valid: LabelledLike | None,
    eval_set: EvalSetLike | None,
    eval_qid: Sequence[Ids] | None,
    eval_group: Sequence[Numbers] | None,
) -> LabelledLike | None:
    """What `valid` is, or what ``eval_set=[(X, y)]`` with ``eval_qid=[qid]`` or ``eval_group=[sizes]`` means by it."""
    if eval_set is None:
        if eval_qid is not None or eval_group is not None:
            raise ParameterError("eval_qid and eval_group belong to eval_set=, which is not given.")
        return valid
    if valid is not None:
        raise ParameterError("valid= and eval_set= are the same thing: leave one out.")
    features, labels = _only("eval_set", [eval_set] if isinstance(eval_set, tuple) else eval_set)
    if eval_qid is not None and eval_group is not None:
        raise ParameterError("pass either eval_qid= or eval_group=.")
    if eval_group is not None:
        sizes = np.asarray(_only("eval_group", eval_group), np.int64)
        return features, labels, np.repeat(np.arange(1, len(sizes) + 1), sizes)
    return (features, labels) if eval_qid is None else (features, labels, _only("eval_qid", eval_qid))


def _only(name: str, sets: Sequence[Any]) -> Any:
    if not isinstance(sets, list | tuple) or len(sets) != 1:
        number = len(sets) if isinstance(sets, list | tuple) else type(sets).__name__
        raise ParameterError(f"{name} must be a list with one set of validation queries, got {number}.")
    return sets[0]
