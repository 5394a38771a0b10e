"""Expected reciprocal rank."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from riskrank.errors import MeasureError
from riskrank.measures.dcg import LARGEST_EXPONENT
from riskrank.measures.measure import Measure, register

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from riskrank.measures.ranking import Judgments, Ranking

USUAL_HIGHEST = 4  # the top grade of gdeval, RankLib and the web tracks


@register()
@dataclass(frozen=True, repr=False, eq=False)
class ERR(Measure):
    r"""Expected reciprocal of the rank at which a user is satisfied.

    .. math:: \sum_{r \le k} \frac{1}{r} R_r \prod_{i<r} (1 - R_i) ,\quad R = (2^l - 1) / 2^{l_{max}}

    Chapelle et al. 2009. `max_rel` is the scale's highest grade; without it, 4 (as gdeval and RankLib have it)
    or, if there are higher grades in the judgments, the highest.
    """

    name = "ERR"
    summary = "expected reciprocal rank"
    cutoff: int | None = None
    max_rel: int | None = None

    def describe(self, judgments: Judgments) -> str:
        """Name the scale, which decides the satisfaction probabilities."""
        return f"{self.summary}, grades 0 to {self._highest(judgments):g}"

    def per_topic(self, ranking: Ranking) -> NDArray[np.float64]:
        """The measure's value for each topic."""
        highest = self._highest(ranking.judgments)
        found = ranking.up_to(self.cutoff).relevant(np.nextafter(0, 1))
        satisfied = np.exp2(found.grade - highest) - np.exp2(-highest)
        left = np.ones(ranking.judgments.n_topics)
        value = np.zeros(ranking.judgments.n_topics)
        counts, starts = found.count(), found.starts
        for step in range(int(counts.max(initial=0))):  # the step-th relevant document of every topic at once
            topics = np.flatnonzero(counts > step)
            at = starts[topics] + step
            value[topics] += left[topics] * satisfied[at] / found.rank[at]
            left[topics] *= 1 - satisfied[at]
        return value

    def _highest(self, judgments: Judgments) -> float:
        if self.max_rel is None:
            highest = max(float(USUAL_HIGHEST), judgments.highest)
        elif judgments.highest > self.max_rel:
            raise MeasureError(f"max_rel of ERR is {self.max_rel}, but there is a grade {judgments.highest:g}.")
        else:
            highest = float(self.max_rel)
        if highest > LARGEST_EXPONENT:
            raise MeasureError(f"grade {highest:g} is too large for ERR's 2^grade.")
        return highest
