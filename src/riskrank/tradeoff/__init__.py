"""What risk buys: sweeps, curves, and the choice of an operating point."""

from __future__ import annotations

from riskrank.tradeoff.choice import gain_parity, largest_area, largest_gain, nearest_reranking
from riskrank.tradeoff.curves import alpha_of_interest, area, hull, near_optimal_hull
from riskrank.tradeoff.risk_control.control import Control, control_risk

__all__ = [
    "Control",
    "alpha_of_interest",
    "area",
    "control_risk",
    "gain_parity",
    "hull",
    "largest_area",
    "largest_gain",
    "near_optimal_hull",
    "nearest_reranking",
]
