"""What is counted of a model over any number of pages, batch by batch."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from riskrank.assessment.rank_changes import rank_changes
from riskrank.measures.evaluate import evaluate
from riskrank.risk.inference.moments import Moments
from riskrank.risk.paired import difference

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from riskrank.data.ranking_data import RankingData
    from riskrank.typing import Booleans, Floats, Predicts


NOTHING = Moments()


@dataclass(frozen=True)
class ClickTally:
    """Sums over pages: effectiveness and its change, losses, pages re-ranked, and Kendall's τ to the presented order.

    `others`: changes of further measures. Two tallies add up, so that pages larger than memory are judged in one pass.
    """

    effectiveness: Moments = NOTHING
    change: Moments = NOTHING
    lost: float = 0.0
    n_hurt: int = 0
    n_reranked: int = 0
    tau: Moments = NOTHING
    tau_reranked: Moments = NOTHING
    others: Mapping[str, Moments] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        values: Floats,
        baseline: Floats,
        tau: Floats,
        is_reranked: Booleans,
        others: Mapping[str, Floats] | None = None,
    ) -> ClickTally:
        """Of some pages; τ is NaN for pages with one document."""
        delta = difference(values, baseline)
        known = ~np.isnan(tau)
        return cls(
            effectiveness=Moments.of(values),
            change=Moments.of(delta),
            lost=float(np.maximum(0.0, -delta).sum()),
            n_hurt=int((delta < 0).sum()),
            n_reranked=int(is_reranked.sum()),
            tau=Moments.of(tau[known]),
            tau_reranked=Moments.of(tau[known & is_reranked]),
            others={name: Moments.of(change) for name, change in (others or {}).items()},
        )

    def __add__(self, other: ClickTally) -> ClickTally:
        names = dict.fromkeys([*self.others, *other.others])
        return ClickTally(
            effectiveness=self.effectiveness + other.effectiveness,
            change=self.change + other.change,
            lost=self.lost + other.lost,
            n_hurt=self.n_hurt + other.n_hurt,
            n_reranked=self.n_reranked + other.n_reranked,
            tau=self.tau + other.tau,
            tau_reranked=self.tau_reranked + other.tau_reranked,
            others={name: self.others.get(name, NOTHING) + other.others.get(name, NOTHING) for name in names},
        )

    @property
    def n(self) -> int:
        """How many pages."""
        return self.change.n

    @property
    def risk(self) -> float:
        """The mean loss."""
        return self.lost / self.n if self.n else math.nan

    @property
    def hurt(self) -> float:
        """The share of pages that lose."""
        return self.n_hurt / self.n if self.n else math.nan

    @property
    def reranked(self) -> float:
        """The share of pages that are ranked in another order than they were shown in."""
        return self.n_reranked / self.n if self.n else math.nan


def tallies(
    models: Mapping[str, Predicts],
    batches: Iterable[RankingData],
    *,
    measure: str,
    measures: Sequence[str] = (),
    baseline: int,
) -> dict[str, ClickTally]:
    """What each model does on pages, in one pass over them; `baseline`: the feature that holds the order shown.

    `measure` tells what is gained; of further `measures`, the changes are counted.
    """
    totals = dict.fromkeys(models, ClickTally())
    for data in batches:
        shown = data.feature(baseline).astype(np.float64)
        scores = {f"model {k}": np.asarray(model.predict(data)) for k, model in enumerate(models.values())}
        judged = evaluate(data, {"shown": shown, **scores}, [measure, *measures])
        values = judged[measure]
        changes = rank_changes({"shown": shown, **scores}, "shown", data=data)
        for name, key in zip(models, scores, strict=True):
            change = changes[key]
            others = {each: difference(judged[each][key], judged[each]["shown"]) for each in measures}
            totals[name] += ClickTally.of(
                values[key], values["shown"], change.tau_per_topic, change.is_reranked, others
            )
    return totals
