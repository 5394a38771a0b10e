"""GeoRisk as an objective: effectiveness and risk against a population of baselines."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskrank.objectives.objective import Objective, register

if TYPE_CHECKING:
    from collections.abc import Callable

    from riskrank.kernels.state import Query
    from riskrank.typing import Floats

TINY = 1e-12  # an expected effectiveness below this is none
ROOT_HALF = math.sqrt(0.5)


class Population(NamedTuple):
    """The model as one row among the baselines' rows."""

    alpha: float
    n_queries: float
    n_baselines: float
    row: float  # sum of the model's effectiveness, S
    total: float  # sum of everybody's, N
    z: float  # ZRisk
    georisk: float
    cdf: float  # Φ(ZRisk / c)
    density: float  # φ(ZRisk / c)
    scale: float


@register
@dataclass(frozen=True, repr=False)
class GeoRisk(Objective):
    r"""GeoRisk of the model as one more row beside the baselines, exactly, one query at a time.

    .. math:: \Delta T = GeoRisk(S + \delta, Z \text{ with } z_q \text{ anew}) - GeoRisk(S, Z)

    Dinçer et al. 2016, §6. Departures: with `normalise`, all changes are multiplied by one constant, so that a change
    is worth about as much as in `Gain` (as printed, they shrink with the number of queries).
    """

    alpha: float = 1.0

    name = "georisk"
    summary = "effectiveness and risk against a population of baselines (Dinçer et al. 2016)"

    def prepare(
        self, values: Floats, baselines: Floats, memory: dict[str, Any], weights: Floats | None = None
    ) -> tuple[Floats, Floats | None, Any]:
        count, c = float(len(baselines)), float(len(values))
        columns = baselines.sum(axis=0) + values
        row, total = _total(values, weights), _total(columns, weights)
        expected = row * columns / max(total, TINY)
        z = np.where(expected > 0, (values - expected) / np.sqrt(np.maximum(expected, TINY)), 0.0)
        zrisk = _total(z, weights) + self.alpha * _total(np.minimum(z, 0.0), weights)
        y = zrisk / c
        cdf = 0.5 * math.erfc(-y * ROOT_HALF)
        density = math.exp(-0.5 * y * y) / math.sqrt(2 * math.pi)
        georisk = math.sqrt(row / c * cdf)
        scale = 1.0
        if self.normalise != "none":
            scale = 2.0 * c * georisk / cdf if georisk > 0 else c
        state = Population(float(self.alpha), c, count, row, total, zrisk, georisk, cdf, density, scale)
        return self.single_baseline(baselines, values), None, state

    def value(self, values: Floats, baselines: Floats, weights: Floats | None = None) -> float:
        population: Population = self.prepare(values, baselines, {}, weights)[2]
        return population.georisk

    def target_for(self, n_queries: int) -> Callable[..., float]:
        """With many queries one of them moves Φ so little that a polynomial gives the difference."""
        weight = 1.0 + abs(self.alpha)
        return _many_queries if n_queries >= max(40 * weight, 5 * weight**2) else _few_queries

    @staticmethod
    def target(delta: float, query: Query, training: Population) -> float:
        return _few_queries(delta, query, training)


def _total(values: Floats, weights: Floats | None) -> float:
    """Over queries, each as often as its weight says."""
    return float(values.sum() if weights is None else (weights * values).sum())


def _few_queries(delta: float, query: Query, training: Population) -> float:
    y, h = training.z / training.n_queries, _z_growth(delta, query, training)
    return _growth(delta, 0.5 * (math.erfc(-(y + h) * ROOT_HALF) - math.erfc(-y * ROOT_HALF)), training)


def _many_queries(delta: float, query: Query, training: Population) -> float:
    y, h = training.z / training.n_queries, _z_growth(delta, query, training)
    return _growth(delta, _cdf_growth(y, h, training.density), training)


def _growth(delta: float, cdf_growth: float, training: Population) -> float:
    """The change of √(S/c · Φ), without cancellation."""
    square = (delta * training.cdf + (training.row + delta) * cdf_growth) / training.n_queries
    after = math.sqrt(max(training.georisk * training.georisk + square, 0.0))
    return training.scale * square / max(after + training.georisk, 1e-300)


def _z_growth(delta: float, query: Query, training: Population) -> float:
    """The change of ZRisk / c when only the query's own z is computed anew.

    Tied documents have an expected effectiveness, of which a swap may take more than there is: 0 is left.
    """
    x, others = query.effectiveness, training.n_baselines * query.baseline
    after = max(x + delta, 0.0)
    grown = after - x
    old = _z_score(x, training.row * (x + others) / max(training.total, TINY))
    new = _z_score(after, (training.row + grown) * (after + others) / max(training.total + grown, TINY))
    return (new + training.alpha * min(new, 0.0) - old - training.alpha * min(old, 0.0)) / training.n_queries


def _z_score(x: float, expected: float) -> float:
    return (x - expected) / math.sqrt(max(expected, TINY))


def _cdf_growth(y: float, h: float, density: float) -> float:
    """Φ(y + h) − Φ(y) for small h: Taylor's series, with Hermite polynomials of y."""
    y2 = y * y
    he2, he3 = y2 - 1.0, (y2 - 3.0) * y
    he4, he5 = (y2 - 6.0) * y2 + 3.0, ((y2 - 10.0) * y2 + 15.0) * y
    he6 = ((y2 - 15.0) * y2 + 45.0) * y2 - 15.0
    series = 1.0 - h / 2 * (y - h / 3 * (he2 - h / 4 * (he3 - h / 5 * (he4 - h / 6 * (he5 - h / 7 * he6)))))
    return density * h * series
