"""Sweeps over clicks whose models win and lose on some of their pages."""

from __future__ import annotations

import numpy as np

from riskrank.tradeoff.clicks.click_table import NEAR, PARITY, STANDARD, ClickRow

from ...tradeoff.synthetic_clicks import BOTH, LOWEST, PREFERENCE, RISK, points, synthetic_click_sweep
from ...tradeoff.synthetic_sweeps import judged

METHODS = [STANDARD, PREFERENCE, RISK, PARITY, NEAR, LOWEST, "Preference and Risk"]
COLUMNS = ["method", "parameter", "MAP", "ΔMAP", "ΔMAP/R", "% re-ranked", "% risk", "% gain", "K-τ", "K-τ|R", "p"]
MODELS = [
    (RISK, 0), (RISK, 1), (RISK, 5), (PREFERENCE, 0.1), (PREFERENCE, 0.5), (LOWEST, 1), (LOWEST, 2), (BOTH, 0.1),
    ("Preference and Risk, α = 5", 0.2),
]  # fmt: skip
ROW = ClickRow(
    method=STANDARD, parameter="α = 0", n=1234, effectiveness=0.61714, gain=0.00488, gain_per_reranked=0.010867,
    reranked=0.4491, risk_share=1.0, gain_share=1.0, kendall_tau=0.9445, kendall_tau_reranked=0.87638, p_value=0.0312,
)  # fmt: skip


def pages_of(seed, n=60, *, scale=1.0):
    """Models that win and lose on some of their pages, the careful ones on fewer."""
    rng = np.random.default_rng(seed)
    share = np.array([0.9, 0.6, 0.3, 0.35, 0.15, 1.0, 0.95, 0.2, 0.1])
    moved = rng.random((len(MODELS), n)) < share[:, None]
    delta = np.where(moved, np.round(rng.normal(0.06 * scale, 0.1, moved.shape), 3), 0.0)
    distance = np.where(moved, rng.integers(1, 20, moved.shape) / 45, 0.0)
    return judged(delta, baseline=np.round(rng.uniform(0.3, 0.6, n), 3), distance=distance, is_reranked=moved)


def few(models, *gains_and_shares, **options):
    return synthetic_click_sweep(models, points(*gains_and_shares, **options))


SPECIAL = {
    "no gain": few([(RISK, 0), (RISK, 1), (PREFERENCE, 1)], (-0.1, 0.5), (-0.05, 0.2), (0.01, 0.1)),
    "no risk": few([(RISK, 0), (PREFERENCE, 1)], (0.1, 0.5), (0.05, 0.2)),
    "nothing moves": few([(RISK, 0), (PREFERENCE, 1)], (0.0, 0.0), (0.0, 0.0)),
    "one page": few([(RISK, 0), (PREFERENCE, 1)], (0.1, 1.0), (0.1, 1.0), n=1),
    "two pages": few([(RISK, 0), (RISK, 2), (PREFERENCE, 1)], (0.1, 1.0), (0.1, 0.5), (0.0, 0.5), n=2),
    "preference alone": few([(RISK, 0), (PREFERENCE, 1)], (0.1, 0.5), (0.05, 0.1)),
}
