"""Sweeps of models whose numbers are known by hand."""

from __future__ import annotations

import numpy as np

from ....tradeoff.synthetic_sweeps import judged, synthetic_sweep

N = 400
SIGNS = np.where(np.arange(N) % 4 == 0, -1.0, 1.0)
BOLD = 0.2 * SIGNS  # gain 0.1, risk 0.05; 100 of 400 queries lose 40 % of 0.5
CAREFUL = np.where(SIGNS > 0, 0.05, -0.03)  # gain 0.03, risk 0.0075; nobody loses more than a fifth


def swept(*deltas, **options):
    test = judged(np.array(deltas))
    return synthetic_sweep(test, **{"valid": judged(np.array(deltas)), **options})
