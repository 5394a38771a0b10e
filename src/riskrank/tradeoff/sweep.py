"""Sweep: all models of a grid against the baseline, and what can be read from them."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.data.effectiveness import Effectiveness
from riskrank.errors import ParameterError, listing, nearest, quoted
from riskrank.parameters import is_whole
from riskrank.rankers import load_ranker
from riskrank.rendered import Charted, shown_as, written
from riskrank.risk.helped_hurt import HelpedHurt, helped_hurt
from riskrank.tradeoff.choice import choose
from riskrank.tradeoff.curves import alpha_of_interest, area, steps_to, steps_to_level
from riskrank.tradeoff.grid import Setting, reference_model
from riskrank.tradeoff.risk_control.control import SEED_IS_UNUSED
from riskrank.tradeoff.risk_control.guarantee import CONFIDENCE, VIA, guarantee
from riskrank.tradeoff.selective_use import better_side, selective_curve
from riskrank.tradeoff.sweep_files import read_fields, write_sweep
from riskrank.tradeoff.sweep_tables import distance_frame, summary_frame

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Self

    import polars as pl

    from riskrank.rankers.ranker import Ranker
    from riskrank.rankers.selective.query_predictors import QueryPredictor
    from riskrank.tradeoff.choice import Rule
    from riskrank.tradeoff.judged_queries import Cost, JudgedQueries
    from riskrank.tradeoff.operating_point import OperatingPoint
    from riskrank.tradeoff.risk_control.control import Method
    from riskrank.tradeoff.selective_use import SelectiveCurve
    from riskrank.typing import Floats, PathLike, SideName

CONVERGED = 0.95


@dataclass(frozen=True, eq=False, repr=False)
class Sweep(Charted):
    """The models of a sweep, one `Setting` each, judged on test queries and perhaps on others.

    `summary` is the table of Wang et al. 2012; `areas` and `selective` tell the trade-off; `choose` and `guarantee`
    pick an operating point; `save` and `Sweep.load` keep it all. `learning` has a curve of each model and fold,
    `learning_baseline` the baseline's level on its queries (sweeps of former versions lack it). `models` are the
    trained rankers of each fold, unless they lie in a `folder`; `rankers` those that training began with, unless the
    sweep was read from there.
    """

    measure: str
    parameter: str
    baseline: str
    settings: tuple[Setting, ...]
    test: JudgedQueries
    valid: JudgedQueries | None
    calibration: JudgedQueries | None
    is_valid_fresh: bool
    train_gain: Floats
    train_risk: Floats
    learning: tuple[tuple[Floats, ...], ...]
    unit: str
    n_folds: int
    learning_baseline: tuple[tuple[float, ...], ...] = ()
    thresholds: Mapping[str, Floats] = field(default_factory=dict)
    predictors: Mapping[str, QueryPredictor] = field(default_factory=dict)
    n_baselines: int = 1
    models: Mapping[Setting, tuple[Ranker, ...]] | None = None
    folder: Path | None = None
    rankers: Mapping[Setting, Ranker] | None = None

    view = "sweep"

    # The models.

    def __len__(self) -> int:
        return len(self.settings)

    @property
    def series(self) -> tuple[str, ...]:
        """The names of the series."""
        return tuple(dict.fromkeys(setting.series for setting in self.settings))

    @property
    def reference_model(self) -> int:
        """The model that all others are seen against: of the first series, the one with the value nearest to 0.

        In a sweep of alpha from 0, that is the model for gain alone.
        """
        return reference_model(self.settings)

    @property
    def full(self) -> int:
        """The old name of `reference_model`."""
        warnings.warn("Sweep.full is called reference_model now.", DeprecationWarning, stacklevel=2)
        return self.reference_model

    def members(self, series: str) -> list[int]:
        """The places of the models of a series, by their parameter."""
        if series not in self.series:
            raise ParameterError(f"no series {quoted(series)}. There are: {listing(self.series)}.")
        return [i for i, setting in enumerate(self.settings) if setting.series == series]

    def of(self, series: str) -> list[int]:
        """The old name of `members`."""
        warnings.warn("Sweep.of is called members now.", DeprecationWarning, stacklevel=2)
        return self.members(series)

    def find(self, value: float, series: str | None = None) -> int:
        """The model with this value of the parameter."""
        name = self.series[0] if series is None else series
        for i in self.members(name):
            if self.settings[i].value == value:
                return i
        known = ", ".join(f"{self.settings[i].value:g}" for i in self.members(name))
        raise ParameterError(f"{name} has no {self.parameter} {value:g}; it has {known}.")

    def model(self, index: int, fold: int = 1) -> Ranker:
        """A trained ranker of the sweep."""
        if not 1 <= fold <= self.n_folds:
            raise ParameterError(f"fold must be from 1 to {self.n_folds}, got {fold}.")
        setting = self.settings[index]
        if self.models is not None:
            return self.models[setting][fold - 1]
        if self.folder is None:
            raise ParameterError("this sweep has no models: it was read from its results alone.")
        place = setting.place(self.folder, fold)
        return load_ranker(place) if self.rankers is None else self.rankers[setting].load_trained(place)

    # Tables.

    @property
    def summary(self) -> pl.DataFrame:
        """One row per model over all test queries, as Tables 1 and 2 of Wang et al. 2012."""
        return summary_frame(self)

    def distances(self) -> pl.DataFrame:
        """Queries by their Kendall distance to the baseline's ranking in ten bins: share, and mean reward and gain."""
        return distance_frame(self)

    @property
    def convergence(self) -> list[float]:
        """Steps until 95 % of the way from the baseline's to the final effectiveness on validation queries.

        The mean over folds; NaN where no model ends above the baseline, or its level is not known.
        """
        levels = self.learning_baseline or [[math.nan] * len(curves) for curves in self.learning]
        return [
            _mean_of_known(
                [steps_to(CONVERGED, curve, baseline=level) for curve, level in zip(curves, known, strict=True)]
            )
            for curves, known in zip(self.learning, levels, strict=True)
        ]

    def steps_to_level(self, level: float) -> list[float]:
        """Steps of each model until its effectiveness on validation queries has reached a level.

        The mean over folds that reach it (NaN: none does).
        """
        return [_mean_of_known([steps_to_level(level, curve) for curve in curves]) for curves in self.learning]

    def learning_curve(self, index: int) -> Floats:
        """The effectiveness after each step, the mean over folds (as far as all of them go)."""
        curves = self.learning[index]
        shortest = min(map(len, curves))
        return np.mean([curve[:shortest] for curve in curves], axis=0) if shortest else np.zeros(0)

    def helped_hurt(self, index: int) -> HelpedHurt:
        """The histogram of a model's relative changes."""
        return helped_hurt(self.test.values[index], self.test.baseline)

    # Curves.

    @property
    def alpha_of_interest(self) -> float:
        """Gain / risk of the reference model on training queries: larger alphas are not worth while."""
        reference = self.reference_model
        return alpha_of_interest(float(self.train_gain[reference]), float(self.train_risk[reference]))

    def selective(self, predictor: str, *, apply: SideName | None = None) -> SelectiveCurve:
        """Risk, gain and share re-ranked when the reference model is used only on one side of each threshold.

        `apply`: ``"above"`` or ``"below"``; by default the side with the larger area on validation queries (or on the
        test queries where there are none).
        """
        if predictor not in self.thresholds:
            known = list(self.thresholds)
            raise ParameterError(
                f"no predictor {quoted(predictor)}. There are: {listing(known)}.{nearest(predictor, known)}"
            )
        limits = self.thresholds[predictor]
        if apply is None:
            judge = self.test if self.valid is None else self.valid
            apply = better_side(judge, self.reference_model, predictor, limits)
        return selective_curve(self.test, self.reference_model, predictor, limits, apply)

    def areas(self, cost: Cost = "risk") -> dict[str, float]:
        """The area under each series' curve of gain against ``"risk"`` or ``"reranked"``; a coin has 0.5."""
        costs, gains, reference = self.test.cost(cost), self.test.gain, self.reference_model
        whole = {"reference_cost": float(costs[reference]), "reference_gain": float(gains[reference])}
        areas = {name: area(costs[self.members(name)], gains[self.members(name)], **whole) for name in self.series}
        for name in self.thresholds:
            curve = self.selective(name)
            areas[f"selective: {name}"] = area(curve[cost], curve["gain"], **whole)
        return areas

    # Choosing.

    def choose(
        self,
        rule: Rule = "risk",
        *,
        max_risk: float | None = None,
        series: str | None = None,
        near: float | np.integer[Any] | None = None,
        like: int | np.integer[Any] | None = None,
        reference: float | np.integer[Any] | None = None,
        cost: Cost = "reranked",
    ) -> OperatingPoint:
        """A model by a rule, seen on validation queries (on test queries where there are none).

        Parameters
        ----------
        rule
            ``"risk"``: the largest gain with risk up to `max_risk`. ``"area"``: the largest area under gain against
            `cost` when mixed with the baseline and the reference model. ``"parity"``: nearest in gain to a number
            (`near`) or to another model (`like`), with the least risk. ``"reranking"``: nearest to one of them in the
            share of queries re-ranked, with the most gain.
        max_risk
            For the rule of risk.
        series
            Only models of this series.
        near, like
            For the rules of parity and re-ranking, one of them: a number, or the place of another model.
        reference
            Deprecated: a whole number as `like`, any other as `near`.
        cost
            For the rule of area: ``"reranked"`` or ``"risk"``.
        """
        if reference is not None:
            name = "like" if is_whole(reference) else "near"
            message = f"reference={reference!r} is written {name}={reference!r} now: near= a number, like= a model."
            warnings.warn(message, DeprecationWarning, stacklevel=2)
            near, like = (near, reference) if is_whole(reference) else (reference, like)
        return choose(self, rule, max_risk=max_risk, series=series, near=near, like=like, cost=cost)

    def words_of(self, predictor: str) -> str:
        """What a predictor is of a query, in a sentence; its name, where a sweep has only that."""
        known = self.predictors.get(predictor)
        return predictor if known is None else known.words

    def guarantee(
        self,
        budget: float,
        *,
        confidence: float = CONFIDENCE,
        hurt_beyond: float | None = None,
        via: str = VIA,
        series: str | None = None,
        method: Method = "betting",
        random_state: int | None = None,
    ) -> OperatingPoint:
        """The point with the largest gain whose true risk is at most `budget`, with a probability of `confidence`.

        The queries are `calibration`, or the validation queries if no model was chosen by them. When nothing
        qualifies, the baseline is kept. Of points that are used as often and have at least 95 % of the largest gain
        there, the one with the least risk is taken.

        Parameters
        ----------
        budget, confidence
            The most risk, and how certain it is not to be exceeded.
        hurt_beyond
            Risk is the expected loss of a query or, with this, the share of queries that lose more than that.
        via
            ``"mixed"``: of each series, the most cautious model on 5 % to 100 % of queries, then the next bolder one.
            ``"alpha"``: models used always. Or the name of a predictor: the reference model, selectively.
        series
            Only models of this series.
        method
            The test, as in `riskrank.tradeoff.control_risk`.
        random_state
            Deprecated, without effect: nothing is drawn.
        """
        if random_state is not None:
            warnings.warn(SEED_IS_UNUSED, DeprecationWarning, stacklevel=2)
        return guarantee(
            self, budget, confidence=confidence, hurt_beyond=hurt_beyond, via=via, series=series, method=method
        )

    def effectiveness(self) -> Effectiveness:
        """The baseline and all models on the test queries, for `riskrank.assess`."""
        queries = self.test.queries
        if len(set(queries)) < len(queries):
            queries = tuple(f"{fold}/{query}" for fold, query in zip(self.test.fold.tolist(), queries, strict=True))
        labels = [setting.label for setting in self.settings]
        return Effectiveness(
            measure=self.measure,
            systems=(self.baseline, *labels),
            topics=queries,
            matrix=np.vstack([self.test.baseline, self.test.values]),
            unit="query",
            weights=self.test.weights,
        )

    # Showing and keeping.

    def to_html(
        self, path: PathLike | None = None, *, point: OperatingPoint | None = None, title: str = ""
    ) -> str | None:
        """Write a self-contained page to `path`, or return it without one; `point`: the one that was chosen."""
        return written(shown_as(self, "page", point=point, title=title), path)

    def save(self, folder: PathLike) -> None:
        """Write the results: sweep.json, a table of all queries (Parquet) and the summary (CSV)."""
        write_sweep(self, Path(folder))

    @classmethod
    def load(cls, folder: PathLike) -> Self:
        """What `save` wrote."""
        return cls(**read_fields(folder))


def _mean_of_known(steps: Sequence[int | None]) -> float:
    known = [step for step in steps if step is not None]
    return float(np.mean(known)) if known else math.nan
