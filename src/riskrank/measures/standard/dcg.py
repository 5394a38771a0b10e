"""Discounted cumulative gain, not normalised."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from riskrank.errors import MeasureError
from riskrank.measures.measure import Measure, register
from riskrank.measures.ranking import add_up
from riskrank.measures.swap_deltas import SwapDeltas, per_rank, usable_labels

if TYPE_CHECKING:
    from collections.abc import Mapping

    from riskrank.data.ranking_data import RankingData
    from riskrank.measures.ranking import Judgments, Ranking
    from riskrank.typing import Floats

LARGEST_EXPONENT = 1000  # 2^1000 summed over any ranking is still a double


@register()
@dataclass(frozen=True, repr=False, eq=False)
class DCG(Measure):
    r"""Gain of each document, discounted by rank: :math:`\sum_{r \le k} g(l_r) / \log_2(1 + r)`.

    `dcg` and `gains` as in nDCG.
    """

    name = "DCG"
    summary = "discounted cumulative gain"
    is_smoother_deeper = True
    cutoff: int | None = None
    dcg: str | None = None
    gains: dict[int, float] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        gain_rule(self.name, self.dcg, self.gains)

    def describe(self, judgments: Judgments) -> str:
        """Name the gains, which differ between communities."""
        return f"{self.summary}, {describe_gains(self.dcg, self.gains, judgments)}"

    def per_topic(self, ranking: Ranking) -> Floats:
        return discounted_gains(ranking, self.cutoff, self.dcg, self.gains)

    def swap_deltas(self, data: RankingData) -> SwapDeltas:
        """Gain × 1 / log2(1 + rank)."""
        gains = training_gains(data, self.dcg, self.gains)
        return SwapDeltas(gains, log_discounts(data, self.cutoff), np.ones(data.n_queries))


def discounted_gains(
    ranking: Ranking, cutoff: int | None, dcg: str | None, gains: Mapping[int, float] | None
) -> Floats:
    """DCG@cutoff per topic."""
    top = ranking.up_to(cutoff)
    return top.sum(_gain(top.grade, dcg, gains, ranking.judgments) / np.log2(1.0 + top.rank))


def ideal_gains(judgments: Judgments, cutoff: int | None, dcg: str | None, gains: Mapping[int, float] | None) -> Floats:
    """DCG@cutoff per topic of the ranking by gain."""
    gain = _gain(judgments.grade, dcg, gains, judgments)
    if gains is not None:  # the best grade need not have the best gain
        gain = gain[np.lexsort((-gain, judgments.topic))]
    rank = judgments.rank
    keep = rank <= (cutoff or len(rank))
    weights = gain[keep] / np.log2(1.0 + rank[keep])
    return add_up(judgments.topic[keep], weights, judgments.n_topics)


def training_gains(data: RankingData, dcg: str | None, gains: Mapping[int, float] | None) -> Floats:
    """The gain of each document of feature data."""
    return _gains_of(usable_labels(data), gains, exponential=dcg != "log2")


def log_discounts(data: RankingData, cutoff: int | None) -> Floats:
    """1 / log2(1 + rank) for each rank."""
    return per_rank(data, cutoff, lambda rank: 1.0 / np.log2(1.0 + rank))


def _gain(grade: Floats, dcg: str | None, gains: Mapping[int, float] | None, judgments: Judgments) -> Floats:
    return _gains_of(grade, gains, exponential=_is_exponential(dcg, judgments))


def _gains_of(grade: Floats, gains: Mapping[int, float] | None, *, exponential: bool) -> Floats:
    if gains is not None:
        return np.array([float(gains.get(g, g)) for g in grade.tolist()])
    if not exponential:
        return grade
    highest = grade.max(initial=0.0)
    if highest > LARGEST_EXPONENT:
        raise MeasureError(f"grade {highest:g} is too large for gains 2^grade − 1. Use dcg='log2' or gains=.")
    result: Floats = np.exp2(grade) - 1
    return result


def describe_gains(dcg: str | None, gains: Mapping[int, float] | None, judgments: Judgments) -> str:
    """Which gains are used, in words."""
    if gains is not None:
        return "gains " + ", ".join(f"{grade}→{gain:g}" for grade, gain in sorted(gains.items()))
    return "gains 2^grade − 1" if _is_exponential(dcg, judgments) else "gains = grade"


def gain_rule(name: str, dcg: str | None, gains: Mapping[int, float] | None) -> None:
    """Check the parameters that choose the gains."""
    if dcg not in (None, "log2", "exp-log2"):
        raise MeasureError(f"dcg of {name} must be 'log2' (gain = grade) or 'exp-log2' (2^grade − 1), got {dcg!r}.")
    if gains is not None:
        if dcg == "exp-log2":
            raise MeasureError(f"{name} takes either gains= or dcg='exp-log2', not both.")
        if not isinstance(gains, dict) or any(
            not isinstance(k, int) or not isinstance(v, int | float) or v < 0 for k, v in gains.items()
        ):
            raise MeasureError(f"gains of {name} must map grades to gains from 0, like {{1:1,2:3}}, got {gains!r}.")


def _is_exponential(dcg: str | None, judgments: Judgments) -> bool:
    return dcg == "exp-log2" or (dcg is None and judgments.source == "labels")
