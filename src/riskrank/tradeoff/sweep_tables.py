"""The tables of a sweep: one row per model, and one per model and distance moved."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.tradeoff.curves import N_BINS, distance_bins
from riskrank.weights import weighted_mean

if TYPE_CHECKING:
    import polars as pl

    from riskrank.tradeoff.judged_queries import JudgedQueries
    from riskrank.tradeoff.sweep import Sweep
    from riskrank.typing import Booleans, Floats, Integers


def summary_frame(sweep: Sweep) -> pl.DataFrame:
    """One row per model over all test queries, as Tables 1 and 2 of Wang et al. 2012."""
    import polars as pl

    test = sweep.test
    wins, losses, ties, large = test.outcomes
    columns: dict[str, Any] = {
        "series": [setting.series for setting in sweep.settings],
        sweep.parameter: [setting.value for setting in sweep.settings],
        sweep.measure: test.effectiveness,
        **{name: values[1:] for name, values in test.others.items()},
        "gain": test.gain,
        "risk": test.risk,
        "reward": test.reward,
        "reward_per_risk": _ratio(test.reward, test.risk),
        "wins": wins,
        "losses": losses,
        "ties": ties,
        "wins_per_loss": _ratio(wins, losses),
        "losses_over_20_percent": large,
        "gain_percent": _percent(test.gain, test.gain[sweep.reference_model]),
        "risk_percent": _percent(test.risk, test.risk[sweep.reference_model]),
        "reranked": test.reranked,
        "gain_per_reranked": _ratio(test.weighted_changes.sum(axis=1), test.weigh(test.is_reranked).sum(axis=1)),
        "kendall_tau": _taus(test, np.ones_like(test.is_reranked)),
        "kendall_tau_reranked": _taus(test, test.is_reranked),
        f"{sweep.unit}_to_95_percent": sweep.convergence,
    }
    return pl.DataFrame(columns, strict=False)


def distance_frame(sweep: Sweep) -> pl.DataFrame:
    """Queries by their Kendall distance to the baseline's ranking in ten bins: share, and mean reward and gain."""
    import polars as pl

    rows = []
    changes, weights = sweep.test.changes, sweep.test.relative_weights
    for i, setting in enumerate(sweep.settings):
        bins = distance_bins(sweep.test.distance[i])
        for number in range(N_BINS):
            inside = bins == number
            own = None if weights is None else weights[inside]
            is_known = bool(inside.any()) if own is None else bool(own.any())
            rows.append(
                {
                    "series": setting.series,
                    sweep.parameter: setting.value,
                    "bin": number,
                    "queries": int(inside.sum()),
                    "share": float(sweep.test.weigh(inside).mean()),
                    "reward": _mean(np.maximum(changes[i][inside], 0), own) if is_known else math.nan,
                    "gain": _mean(changes[i][inside], own) if is_known else math.nan,
                }
            )
    return pl.DataFrame(rows)


def _mean(values: Floats, weights: Floats | None) -> float:
    return float(weighted_mean(values, weights))


def _taus(judged: JudgedQueries, counted: Booleans) -> list[float]:
    """The mean τ of each model over some queries."""
    taus = []
    for distance, chosen in zip(judged.distance, counted, strict=True):
        known = distance[chosen & ~np.isnan(distance)]
        taus.append(float(1 - 2 * known.mean()) if len(known) else math.nan)
    return taus


def _ratio(values: Floats | Integers, by: Floats | Integers) -> Floats:
    return np.asarray(np.divide(values, by, out=np.full(len(values), np.nan), where=by > 0))


def _percent(values: Floats, whole: float) -> Floats:
    return np.asarray(100 * values / whole) if whole > 0 else np.full(len(values), np.nan)
