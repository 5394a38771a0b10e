"""Careful use of Standard Gain without another training: on some pages by coin, or fused with the presented order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from riskrank.clicks.prepared import BASELINE
from riskrank.parameters import within
from riskrank.rankers.selective.mixed import coins
from riskrank.tradeoff.choice import best_by_area
from riskrank.tradeoff.clicks.click_table import PREFERENCE, STANDARD, chosen_models, rows_of
from riskrank.tradeoff.clicks.click_tally import ClickTally, tallies
from riskrank.tradeoff.grid import Setting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from riskrank.data.ranking_data import RankingData
    from riskrank.tradeoff.clicks.click_table import ClickRow
    from riskrank.tradeoff.sweep import Sweep
    from riskrank.typing import DataLike, Floats

NAIVE, FUSION = "Naive", "Score fusion"
WEIGHTS = (0.1, 0.2, 0.3, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0)


def fused_scores(scores: ArrayLike, presented: ArrayLike, offsets: ArrayLike, *, weight: float) -> Floats:
    r"""The scores of a model and of the presented order as one, for pages with documents ``offsets[i]:offsets[i + 1]``.

    .. math:: s_i = z(F_i) + w \, z(b_i)

    where z is standardised within the page (0 where all are equal). 0 leaves the model's order, a large weight the
    presented one. The fusion of Ustinovskiy and Serdyukov 2013, which Bennett et al. 2015 (§6) cite; departures: they
    fuse scores that are known, here both are standardised, and of the presented order only positions are known.

    >>> fused_scores([0.0, 4.0], [-1.0, -2.0], [0, 2], weight=0.5).tolist()
    [-0.5, 0.5]
    """
    within("weight", weight, 0, np.inf)
    bounds = np.asarray(offsets, dtype=np.int64)
    return _standardised(scores, bounds) + weight * _standardised(presented, bounds)


def _standardised(values: ArrayLike, bounds: np.ndarray) -> Floats:
    """By the mean and the deviation of each page."""
    each, sizes = np.asarray(values, dtype=np.float64), np.diff(bounds)
    centred = each - np.repeat(np.add.reduceat(each, bounds[:-1]) / sizes, sizes)
    spread = np.repeat(np.sqrt(np.add.reduceat(centred**2, bounds[:-1]) / sizes), sizes)
    out = np.zeros_like(each)
    np.divide(centred, spread, out=out, where=spread > 1e-12 * np.abs(each))
    return out


def careful_rows(
    sweep: Sweep, valid: RankingData, test: RankingData, *, weights: Sequence[float] = WEIGHTS, random_state: int = 0
) -> list[ClickRow]:
    """Rows for the table of clicks: the coin and the fusion, chosen on validation pages and judged on test pages.

    The coin (Bennett et al. 2015, §3.2) re-ranks as many validation pages as Weight-Initial-Pref. Of the weights of the
    fusion, the one with the largest area is taken, as for all series.
    """
    chosen = chosen_models(sweep)
    full = chosen[STANDARD]
    judge, after = sweep.test if sweep.valid is None else sweep.valid, sweep.test
    model = sweep.model(full)
    standard = ClickTally.of(after.values[full], after.baseline, 1 - 2 * after.distance[full], after.is_reranked[full])
    counted, settings = {STANDARD: standard}, {STANDARD: sweep.settings[full]}
    if PREFERENCE in chosen and judge.reranked[full] > 0:
        probability = min(1.0, float(judge.reranked[chosen[PREFERENCE]] / judge.reranked[full]))
        counted[NAIVE] = _by_coin(sweep, full, probability, random_state)
        settings[NAIVE] = Setting(NAIVE, "p", round(probability, 4))
    on_valid = [_fused(model.predict(valid), valid, weight, sweep.measure) for weight in weights]
    gains = np.array([judge.gain[full], *(tally.change.mean for tally in on_valid)])
    moved = np.array([judge.reranked[full], *(tally.reranked for tally in on_valid)])
    best = best_by_area(gains, moved, range(1, len(gains)), 0)
    weight = weights[(int(gains[1:].argmax()) if best is None else best - 1)]
    counted[FUSION] = _fused(model.predict(test), test, weight, sweep.measure)
    settings[FUSION] = Setting(FUSION, "weight", float(weight))
    return rows_of(counted, settings, {method: {} for method in counted})[1:]


def _by_coin(sweep: Sweep, model: int, probability: float, random_state: int) -> ClickTally:
    """A model on the pages whose coin says so, the presented order on the others."""
    test = sweep.test
    is_used = coins(test.queries, random_state) < probability
    tau = 1 - 2 * test.distance[model]
    return ClickTally.of(
        np.where(is_used, test.values[model], test.baseline),
        test.baseline,
        np.where(is_used | np.isnan(tau), tau, 1.0),
        test.is_reranked[model] & is_used,
    )


def _fused(scores: Floats, data: RankingData, weight: float, measure: str) -> ClickTally:
    fused = fused_scores(scores, data.feature(BASELINE), data.query_offsets, weight=weight)
    return tallies({FUSION: _Given(fused)}, [data], measure=measure, baseline=BASELINE)[FUSION]


@dataclass(frozen=True)
class _Given:
    """Scores of these documents, as if a model predicted them."""

    scores: Floats

    def predict(self, _data: DataLike) -> Floats:
        return self.scores
