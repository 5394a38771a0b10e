"""Geometric means over topics, which look at the poorly served ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from riskrank.errors import MeasureError
from riskrank.measures.measure import Measure, register
from riskrank.measures.parse import parse_measure

if TYPE_CHECKING:
    from riskrank.measures.ranking import Judgments, Ranking
    from riskrank.measures.tied_ranking import TiedRanking
    from riskrank.typing import Floats


@register(gm_map={"measure": "AP"}, gmap={"measure": "AP"}, gm_bpref={"measure": "Bpref"})
@dataclass(frozen=True, repr=False, eq=False)
class GM(Measure):
    """Another measure, averaged as exp(mean(log(max(x, 1e-5)))): ``GM(AP)`` is trec_eval's gm_map.

    The value of a topic is the other measure's; only the summary over topics differs.
    """

    name = "GM"
    summary = "geometric mean"
    aggregate = "geometric"
    measure: str = ""

    def __post_init__(self) -> None:
        if not self.measure:
            raise MeasureError("GM needs a measure, for example GM(AP).")
        object.__setattr__(self, "measure", str(parse_measure(self.measure)))

    @property
    def inner(self) -> Measure:
        return parse_measure(self.measure)

    def describe(self, judgments: Judgments) -> str:
        return f"geometric mean of {self.inner.describe(judgments)}"

    def per_topic(self, ranking: Ranking) -> Floats:
        return self.inner.per_topic(ranking)

    def over_ties(self, tied: TiedRanking) -> Floats:
        return self.inner.over_ties(tied)

    def __str__(self) -> str:
        return f"GM({self.measure})"

    __repr__ = __str__
