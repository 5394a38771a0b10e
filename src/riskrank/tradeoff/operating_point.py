"""OperatingPoint: a model of a sweep, and how often it is used."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from riskrank.data.feature import feature_of
from riskrank.errors import ParameterError
from riskrank.tradeoff.selective_use import uses

if TYPE_CHECKING:
    from riskrank.rankers.ranker import Ranker
    from riskrank.rankers.selective.mixed import Mixed
    from riskrank.rankers.selective.selective import Selective
    from riskrank.tradeoff.judged_queries import JudgedQueries
    from riskrank.tradeoff.risk_control.control import Control
    from riskrank.tradeoff.sweep import Sweep
    from riskrank.typing import BaselineLike, Booleans, SideName


@dataclass(frozen=True, eq=False)
class OperatingPoint:
    """What was chosen, why, and what it does on the test queries.

    Attributes
    ----------
    sweep, index, why
        The model's place in the sweep, None to keep the baseline, and the reason.
    probability
        On what share of queries a coin uses it (1: on all of them).
    predictor, threshold, apply
        Or on which queries: those on one side of a predictor's threshold.
    gain, risk, hurt, hurt_beyond
        Of the test queries; `hurt` is the share of queries hurt, beyond `hurt_beyond` if there is one.
    control, tested, safe
        The tests behind a guarantee, the models that were tested as used on all queries, and those of them that it
        holds for.
    """

    sweep: Sweep
    index: int | None
    why: str
    probability: float = 1.0
    predictor: str | None = None
    threshold: float | None = None
    apply: SideName = "above"
    gain: float = 0.0
    risk: float = 0.0
    hurt: float = 0.0
    control: Control | None = None
    hurt_beyond: float | None = None
    tested: tuple[int, ...] = ()
    safe: tuple[int, ...] = ()

    def measured(self, hurt_beyond: float | None = None) -> OperatingPoint:
        """With what the model does on the test queries, where a coin counts by its probability."""
        test = self.sweep.test
        weight = self.share_used(test)
        delta, losses = test.weighted_changes[self.index], test.losses()[self.index]
        hurt = test.losses(0.0 if hurt_beyond is None else hurt_beyond)[self.index]
        gain, risk, share = (float((weight * each).mean()) for each in (delta, losses, hurt))
        return replace(self, gain=gain, risk=risk, hurt=share, hurt_beyond=hurt_beyond)

    def share_used(self, queries: JudgedQueries) -> float | Booleans:
        """On what share of queries a coin uses the model, or on which of them a predictor does."""
        if self.predictor is None or self.threshold is None:
            return self.probability
        is_used: Booleans = uses(queries.predictors[self.predictor], np.array([self.threshold]), self.apply)[0]
        return is_used

    @property
    def is_used_always(self) -> bool:
        """On all queries, without a coin or a predictor?"""
        return self.probability == 1 and self.predictor is None

    @property
    def label(self) -> str:
        """In words."""
        if self.index is None:
            return f"keep the baseline, {self.sweep.baseline}"
        label = self.sweep.settings[self.index].label
        if self.predictor is not None:
            return f"{label}, on queries with {self.predictor} {self.apply} {self.threshold:.4g}"
        return label if self.probability == 1 else f"{label}, on {self.probability:.0%} of queries"

    def ranker(self, fold: int = 1, *, baseline: BaselineLike | None = None) -> Ranker | Mixed | Selective:
        """The ranker to deploy: the model itself, or a `Mixed` or `Selective` one around it."""
        # Here, because `riskrank.tradeoff` is loaded without rankers and their engines.
        from riskrank.rankers.selective.mixed import Mixed
        from riskrank.rankers.selective.selective import Selective

        if self.index is None:
            raise ParameterError("the baseline is kept: there is no model to deploy.")
        model = self.sweep.model(self.index, fold)
        if self.is_used_always:
            return model
        name = self.sweep.baseline
        if baseline is None and self.sweep.n_baselines == 1 and feature_of(name) is not None:
            baseline = name
        if baseline is None:
            raise ParameterError(f"a mixed ranker needs its baseline ({name}): pass baseline=.")
        if self.predictor is None or self.threshold is None:
            return Mixed.of(model, baseline=baseline, probability=self.probability)
        return Selective.of(
            model,
            baseline=baseline,
            predictor=self.sweep.predictors[self.predictor],
            threshold=self.threshold,
            apply=self.apply,
        )

    def __repr__(self) -> str:
        return f"{self.label}. {self.why}"
