"""Sweep: all models of a grid against the baseline, and what can be read from them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from riskrank.errors import ParameterError, listing, nearest, quoted
from riskrank.rendered import Rendered, view_of, written
from riskrank.risk.helped_hurt import HelpedHurt, helped_hurt
from riskrank.tradeoff.curves import (
    N_BINS,
    alpha_of_interest,
    area,
    distance_bins,
    iterations_to,
)
from riskrank.tradeoff.grid import Setting, gain_only

if TYPE_CHECKING:
    from collections.abc import Mapping

    import polars as pl
    from numpy.typing import NDArray

    from riskrank.data.effectiveness import Effectiveness
    from riskrank.rankers.selective.query_predictors import QueryPredictor
    from riskrank.tradeoff.judged import Judged
    from riskrank.tradeoff.operating_point import OperatingPoint
    from riskrank.typing import Floats, PathLike


CONVERGED = 0.95


S = TypeVar("S", bound="Sweep")


@dataclass(frozen=True, eq=False, repr=False)
class Sweep(Rendered):
    """The models of a sweep, one `Setting` each, judged on test queries and perhaps on others.

    `summary` is the table of Wang et al. 2012; `curve` and its siblings give the trade-off; `choose` and `guarantee`
    pick an operating point; `save` and `Sweep.load` keep it all.
    """

    measure: str
    parameter: str
    baseline: str
    settings: tuple[Setting, ...]
    test: Judged
    valid: Judged | None
    calibration: Judged | None
    is_valid_fresh: bool
    train_gain: Floats
    train_risk: Floats
    learning: tuple[tuple[Floats, ...], ...]
    unit: str
    n_folds: int
    thresholds: Mapping[str, Floats] = field(default_factory=dict)
    predictors: Mapping[str, QueryPredictor] = field(default_factory=dict)
    n_baselines: int = 1
    models: Mapping[Setting, tuple[Any, ...]] | None = None
    folder: Path | None = None

    view = "sweep"

    # The models.

    def __len__(self) -> int:
        return len(self.settings)

    @property
    def series(self) -> tuple[str, ...]:
        """The names of the series."""
        return tuple(dict.fromkeys(setting.series for setting in self.settings))

    @property
    def full(self) -> int:
        """The model that takes most risk: the first series, the value nearest to 0 ("gain only")."""
        return gain_only(self.settings)

    def of(self, series: str) -> list[int]:
        """The models of a series, by their parameter."""
        if series not in self.series:
            raise ParameterError(f"no series {quoted(series)}. There are: {listing(self.series)}.")
        return [i for i, setting in enumerate(self.settings) if setting.series == series]

    def find(self, value: float, series: str | None = None) -> int:
        """The model with this value of the parameter."""
        name = self.series[0] if series is None else series
        for i in self.of(name):
            if self.settings[i].value == value:
                return i
        known = ", ".join(f"{self.settings[i].value:g}" for i in self.of(name))
        raise ParameterError(f"{name} has no {self.parameter} {value:g}; it has {known}.")

    def model(self, index: int, fold: int = 1) -> Any:
        """A trained ranker of the sweep."""
        if not 1 <= fold <= self.n_folds:
            raise ParameterError(f"fold must be from 1 to {self.n_folds}, got {fold}.")
        setting = self.settings[index]
        if self.models is not None:
            return self.models[setting][fold - 1]
        if self.folder is None:
            raise ParameterError("this sweep has no models: it was read from its results alone.")
        from riskrank.rankers import load

        return load(setting.place(self.folder, fold))

    # Tables.

    @property
    def summary(self) -> pl.DataFrame:
        """One row per model over all test queries, as Tables 1 and 2 of Wang et al. 2012."""
        import polars as pl

        test = self.test
        wins, losses, ties, large = test.outcomes
        rows: dict[str, Any] = {
            "series": [s.series for s in self.settings],
            self.parameter: [s.value for s in self.settings],
            self.measure: test.values.mean(axis=1),
            **{name: values[1:] for name, values in test.others.items()},
            "gain": test.gain,
            "risk": test.risk,
            "reward": test.reward,
            "wins": wins,
            "losses": losses,
            "ties": ties,
            "losses_over_20_percent": large,
            "gain_percent": _percent(test.gain, test.gain[self.full]),
            "risk_percent": _percent(test.risk, test.risk[self.full]),
            "reranked": test.reranked,
            "gain_per_reranked": _ratio(test.delta.sum(axis=1), test.is_reranked.sum(axis=1)),
            "kendall_tau": self._taus(np.ones_like(test.is_reranked)),
            "kendall_tau_reranked": self._taus(test.is_reranked),
            f"{self.unit}_to_95_percent": self.convergence,
        }
        return pl.DataFrame(rows, strict=False)

    def _taus(self, counted: NDArray[np.bool_]) -> list[float]:
        """The mean τ of each model over some queries."""
        taus = []
        for distance, chosen in zip(self.test.distance, counted, strict=True):
            known = distance[chosen & ~np.isnan(distance)]
            taus.append(float(1 - 2 * known.mean()) if len(known) else math.nan)
        return taus

    @property
    def convergence(self) -> list[float]:
        """Steps until 95 % of the final effectiveness on validation queries, the mean over folds (NaN: never)."""
        found = []
        for curves in self.learning:
            steps = [iterations_to(CONVERGED, curve) for curve in curves]
            known = [step for step in steps if step is not None]
            found.append(float(np.mean(known)) if known else math.nan)
        return found

    def learning_curve(self, index: int) -> Floats:
        """The effectiveness after each step, the mean over folds (as far as all of them go)."""
        curves = self.learning[index]
        shortest = min(map(len, curves))
        return np.mean([curve[:shortest] for curve in curves], axis=0) if shortest else np.zeros(0)

    def distances(self) -> pl.DataFrame:
        """Queries by their Kendall distance to the baseline's ranking in ten bins: share, and mean reward and gain."""
        import polars as pl

        rows = []
        delta = self.test.delta
        for i, setting in enumerate(self.settings):
            bins = distance_bins(self.test.distance[i])
            for number in range(N_BINS):
                inside = bins == number
                rows.append(
                    {
                        "series": setting.series,
                        self.parameter: setting.value,
                        "bin": number,
                        "queries": int(inside.sum()),
                        "share": float(inside.mean()),
                        "reward": float(np.maximum(delta[i][inside], 0).mean()) if inside.any() else math.nan,
                        "gain": float(delta[i][inside].mean()) if inside.any() else math.nan,
                    }
                )
        return pl.DataFrame(rows)

    def helped_hurt(self, index: int) -> HelpedHurt:
        """The histogram of a model's relative changes."""
        return helped_hurt(self.test.values[index], self.test.baseline)

    # Curves.

    @property
    def alpha_of_interest(self) -> float:
        """Gain / risk of the gain-only model on training queries: larger alphas are not worth while."""
        return alpha_of_interest(float(self.train_gain[self.full]), float(self.train_risk[self.full]))

    def selective(self, predictor: str, *, apply: str | None = None) -> dict[str, Any]:
        """Risk, gain and share re-ranked when the full model is used only on one side of each threshold.

        `apply`: ``"above"`` or ``"below"``; by default the side with the larger area on validation queries (or on the
        test queries where there are none).
        """
        if predictor not in self.thresholds:
            known = list(self.thresholds)
            raise ParameterError(
                f"no predictor {quoted(predictor)}. There are: {listing(known)}.{nearest(predictor, known)}"
            )
        sides = ("above", "below") if apply is None else (apply,)
        judge = self.test if self.valid is None else self.valid
        best = max(sides, key=lambda side: self._selective_area(judge, predictor, side))
        found = self._selective(self.test, predictor, best)
        return {"predictor": predictor, "apply": best, "threshold": self.thresholds[predictor], **found}

    def _selective(self, judged: Judged, predictor: str, side: str) -> dict[str, Floats]:
        delta, reranked = judged.delta[self.full], judged.is_reranked[self.full]
        use = uses(judged.predictors[predictor], self.thresholds[predictor], side)
        return {
            "share": use.mean(axis=1),
            "risk": (use * np.maximum(0.0, -delta)).mean(axis=1),
            "gain": (use * delta).mean(axis=1),
            "reranked": (use * reranked).mean(axis=1),
        }

    def _selective_area(self, judged: Judged, predictor: str, side: str) -> tuple[float, float]:
        """How good a side is: by its area, or by its best point where the model used everywhere gains nothing."""
        found = self._selective(judged, predictor, side)
        full_risk, full_gain = float(judged.risk[self.full]), float(judged.gain[self.full])
        value = area(found["risk"], found["gain"], full_cost=full_risk, full_gain=full_gain)
        return (-1.0 if math.isnan(value) else value, float(found["gain"].max()))

    def areas(self, cost: str = "risk") -> dict[str, float]:
        """The area under each series' curve of gain against ``"risk"`` or ``"reranked"``; a coin has 0.5."""
        if cost not in ("risk", "reranked"):
            raise ParameterError(f"cost must be one of risk, reranked, got {cost!r}.")
        costs, gains = getattr(self.test, cost), self.test.gain
        full = {"full_cost": float(costs[self.full]), "full_gain": float(gains[self.full])}
        found = {name: area(costs[self.of(name)], gains[self.of(name)], **full) for name in self.series}
        for name in self.thresholds:
            points = self.selective(name)
            found[f"selective: {name}"] = area(points[cost], points["gain"], **full)
        return found

    # Choosing.

    def choose(self, rule: str = "risk", **options: Any) -> OperatingPoint:
        """An operating point by a rule (see `riskrank.tradeoff.operating_point.choose`)."""
        from riskrank.tradeoff.operating_point import choose

        return choose(self, rule, **options)

    def guarantee(self, budget: float, **options: Any) -> OperatingPoint:
        """An operating point whose true risk is within a budget, for certain enough."""
        from riskrank.tradeoff.operating_point import guarantee

        return guarantee(self, budget, **options)

    def effectiveness(self) -> Effectiveness:
        """The baseline and all models on the test queries, for `riskrank.assess`."""
        from riskrank.data.effectiveness import Effectiveness

        queries = self.test.queries
        if len(set(queries)) < len(queries):
            queries = tuple(f"{fold}/{query}" for fold, query in zip(self.test.fold.tolist(), queries, strict=True))
        labels = [setting.label for setting in self.settings]
        return Effectiveness(
            measure=self.measure,
            systems=(self.baseline, *labels),
            topics=queries,
            matrix=np.vstack([self.test.baseline, self.test.values]),
        )

    # Showing and keeping.

    def to_html(
        self, path: PathLike | None = None, *, point: OperatingPoint | None = None, title: str = ""
    ) -> str | None:
        """Write a self-contained page to `path`, or return it without one; `point`: the one that was chosen."""
        return written(view_of(self).page(self, point=point, title=title), path)

    def save(self, folder: PathLike) -> None:
        """Write the results: sweep.json, a table of all queries (Parquet) and the summary (CSV)."""
        from riskrank.tradeoff.sweep_files import write_sweep

        write_sweep(self, Path(folder))

    @classmethod
    def load(cls: type[S], folder: PathLike) -> S:
        """What `save` wrote."""
        from riskrank.tradeoff.sweep_files import read_sweep

        return cls(**read_sweep(folder))


def uses(predicted: Floats, thresholds: Floats, side: str) -> NDArray[np.bool_]:
    """Thresholds × queries: is the model used?"""
    if side not in ("above", "below"):
        raise ParameterError(f"apply must be one of above, below, got {side!r}.")
    return predicted > thresholds[:, None] if side == "above" else predicted < thresholds[:, None]


def _ratio(values: Floats, by: Any) -> Floats:
    found: Floats = np.divide(values, by, out=np.full(len(values), np.nan), where=np.asarray(by) > 0)
    return found


def _percent(values: Floats, full: float) -> Floats:
    return np.asarray(100 * values / full) if full > 0 else np.full(len(values), np.nan)
