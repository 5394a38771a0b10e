"""Three methods on 100 pages that score 0.5 as shown.

Standard Gain re-ranks 50: 40 gain 0.2, 10 lose 0.2. Gain 0.06, mean loss 0.02, 20 % of the pairs swap.
Weight-Initial-Pref re-ranks 20: 18 gain 0.2, 2 lose 0.1. Gain 0.034 (57 %), mean loss 0.002 (10 %), 10 % swap. A coin
that re-ranks 20 of 50 pages keeps 40 %: it is 17 points above.
Lowest-Click-Plus-One re-ranks all: 50 gain 0.1, 50 lose 0.2. Gain −0.05 (−83 %), mean loss 0.1 (500 %), 30 % swap.
"""

from __future__ import annotations

import numpy as np

from riskrank.report.page.clicks.methods import shown_methods
from riskrank.tradeoff.clicks.click_table import click_table

from ....tradeoff.synthetic_clicks import LOWEST, PREFERENCE, RISK, synthetic_click_sweep
from ....tradeoff.synthetic_sweeps import judged

MODELS = [(RISK, 0), (PREFERENCE, 0.5), (LOWEST, 1)]
CHANGES = [
    [0.2] * 40 + [-0.2] * 10 + [0.0] * 50,
    [0.2] * 18 + [-0.1] * 2 + [0.0] * 80,
    [0.1] * 50 + [-0.2] * 50,
]  # fmt: skip
IS_RERANKED = np.array(CHANGES) != 0
PAGES = judged(CHANGES, is_reranked=IS_RERANKED, distance=IS_RERANKED * np.array([[0.2], [0.1], [0.3]]))


def hand_worked(**options):
    return synthetic_click_sweep(MODELS, PAGES, **options)


def methods_of(sweep):
    return shown_methods(sweep, click_table(sweep))
