"""Baselines in all the forms that users have them, as scores of documents."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.data.feature import Feature
from riskrank.data.names import system_name
from riskrank.data.scores.document_scores import checked_scores, run_scores, scores_of
from riskrank.errors import ParameterError

if TYPE_CHECKING:
    from riskrank.data.ranking_data import RankingData
    from riskrank.data.shards.whole_data import WholeData
    from riskrank.typing import BaselineLike, Booleans, Floats


@dataclass(frozen=True, eq=False)
class BaselineScores:
    """One baseline on some data: a score per document (−inf: not retrieved) and the queries it answers at all."""

    name: str
    scores: Floats
    answers: Booleans

    @property
    def finite_scores(self) -> Floats:
        """A number for every document: those that the baseline lacks come last."""
        return lacking_last(self.scores)

    def finite_among(self, data: WholeData) -> Floats:
        """The same where the documents may be those of a share: last among all."""
        return lacking_last(self.scores, data)


def baseline_scores(
    baseline: BaselineLike | None, data: RankingData, *, in_source_order: bool = False
) -> list[BaselineScores]:
    """The scores of one or several baselines on data; none for None.

    A baseline is a `Feature` (or ``"feature:110"``), an array with a score per document, a file of such scores, a TREC
    run (path, frame or dict), a ranker with `predict`, or several: a list, or a dict by name. Arrays follow the
    documents of `data`, or the lines of its source where `in_source_order`.
    """
    return [_one(each, data, name, in_source_order) for name, each in named_baselines(baseline)]


def lacking_last(scores: Floats, data: WholeData | None = None) -> Floats:
    """Scores in which documents that a baseline lacks stand one step below all others, rather than at −inf.

    All others are also those elsewhere, where the documents are those of a share of data; whether any is lacking
    says if what is elsewhere matters here.

    >>> lacking_last(np.array([3.0, -np.inf, 1.0]))
    array([3., 0., 1.])
    """
    known = np.isfinite(scores)
    is_lacking = not known.all()
    ends = np.array([-scores[known].min(initial=np.inf), scores[known].max(initial=-np.inf), is_lacking])
    lowest, highest = ((ends if data is None else data.largest(ends))[:2] * (-1.0, 1.0)).tolist()
    if not is_lacking:
        return scores
    return np.where(known, scores, lowest - max(1.0, 0.1 * (highest - lowest)))


def count_baselines(baseline: BaselineLike | None) -> int:
    """How many baselines are given."""
    return len(named_baselines(baseline))


def holds_document_scores(baseline: BaselineLike | None) -> bool:
    """Is there an array of scores among the baselines, which belongs to one set of documents only?"""
    return any(_is_array(each) for _, each in named_baselines(baseline))


def named_baselines(baseline: BaselineLike | None) -> list[tuple[str | None, Any]]:
    """The baselines, each with the name that it was given."""
    named: list[tuple[str | None, Any]] = [(None, baseline)]
    if baseline is None:
        return []
    if isinstance(baseline, Mapping):
        from riskrank.data.trec.runs import is_run_dict

        if not is_run_dict(baseline):
            named = [(str(name), each) for name, each in baseline.items()]
    elif isinstance(baseline, np.ndarray) and baseline.ndim == 2:
        named = [(f"baseline{i}", row) for i, row in enumerate(baseline, start=1)]
    elif isinstance(baseline, list | tuple) and not _is_array(baseline):
        named = [(None, each) for each in baseline]
    if not named:
        raise ParameterError("the list of baselines is empty.")
    return named


def _one(baseline: Any, data: RankingData, name: str | None, in_source_order: bool) -> BaselineScores:
    may_lack = False  # documents, and so whole queries
    if _is_array(baseline):
        label, values = "scores", baseline
    elif isinstance(baseline, Feature):
        label, values, may_lack = str(baseline), baseline.scores(data), True
    elif hasattr(baseline, "predict"):
        label, values = str(getattr(baseline, "label", type(baseline).__name__)), baseline.predict(data)
    elif isinstance(baseline, str | os.PathLike):
        label, values, may_lack = system_name(baseline), scores_of(baseline, data), True
    else:
        from riskrank.data.trec.runs import read_run

        run = read_run(baseline, name=name)
        label, values, may_lack = run.name, run_scores(run, data), True
    scores = checked_scores(values, data, name=name or label, may_lack=may_lack)
    if in_source_order and _is_array(baseline):
        scores = data.from_source_order(scores)
    answers = np.zeros(data.n_queries, bool)
    answers[data.query_numbers[np.isfinite(scores)]] = True
    return BaselineScores(name or label, scores, answers)


def _is_array(value: Any) -> bool:
    """Is it an array or list of numbers?"""
    if isinstance(value, str | os.PathLike | Mapping | Feature):
        return False
    if hasattr(value, "predict") or hasattr(value, "columns"):  # a ranker, a frame
        return False
    if isinstance(value, Sequence) and not (len(value) and isinstance(value[0], int | float | np.number)):
        return False
    return np.ndim(value) == 1
