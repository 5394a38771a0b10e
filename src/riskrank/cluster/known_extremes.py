"""KnownExtremes: what a worker that knows no others has to know of all queries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.data.shards.data_share import Alone

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.typing import Floats


class KnownExtremes(Alone):
    """Remembers what everybody's largest values were asked of, and answers as if all others had been heard.

    The last value of each question says whether the others' matter here: where documents lack a score, say. While the
    answers are not known, its own values stand for them, and what is made with these is made again if it matters.
    """

    def __init__(self, answers: Sequence[Sequence[float]] = ()) -> None:
        self.asked: list[list[float]] = []
        self._answers = answers

    def largest(self, values: Floats) -> Floats:
        """Everybody's, if they are known."""
        number = len(self.asked)
        self.asked.append(np.nan_to_num(values).tolist())
        return np.array(self._answers[number]) if self._answers else np.where(np.isfinite(values), values, 0.0)


def extremes_of(parts: Sequence[dict[str, Any]]) -> tuple[list[list[float]], list[int]]:
    """The answers to what workers asked, each in the same order, and for whom they change something."""
    asked = [np.array(each) for each in zip(*(part["asked"] for part in parts), strict=True)]
    answers = [values.max(axis=0) for values in asked]
    matters = np.zeros(len(parts), bool)
    for values, answer in zip(asked, answers, strict=True):
        matters |= (values[:, -1] > 0) & (values[:, :-1] != answer[:-1]).any(axis=1)
    return [answer.tolist() for answer in answers], np.flatnonzero(matters).tolist()
