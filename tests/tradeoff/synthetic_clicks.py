"""Synthetic clicks: prepared from a simulated log, and sweeps over clicks from plain arrays."""

from __future__ import annotations

import numpy as np

import riskrank as rr
from riskrank.clicks.logs.log_files import write_log
from riskrank.clicks.preparation import prepare
from riskrank.clicks.simulator import World
from riskrank.tradeoff.grid import Setting

from .synthetic_sweeps import judged, synthetic_sweep

RISK, PREFERENCE, LOWEST = "Risk Sensitive", "Weight-Initial-Pref", "Lowest-Click-Plus-One"
BOTH = "Preference and Risk, α = 1"
SMALL = {
    "n_trees": 12, "n_leaves": 6, "min_docs_in_leaf": 30, "learning_rate": 0.1, "early_stopping": None, "n_threads": 1,
    "verbose": False, "n_jobs": 2,
}  # fmt: skip
GRIDS = {
    "alphas": (0, 1, 5),
    "betas": (0.05, 0.3),
    "lowest_betas": (0.5, 1),
    "both_alphas": (1,),
    "both_betas": (0.1,),
}


def prepared_clicks(folder, *, pages=2000, name="prepared", **options):
    """A folder of prepared clicks, from a log that lies beside it."""
    log = folder / f"log-{pages}.parquet"
    if not log.exists():
        write_log(World().log(pages), log, layout="table")
    return prepare(log, folder / name, verbose=False, **options)


def points(*gains_and_shares, n=20):
    """Judged queries of models with a mean gain and a share re-ranked each: (0.1, 0.5) gains on half of the queries."""
    delta = np.zeros((len(gains_and_shares), n))
    for row, (gain, share) in zip(delta, gains_and_shares, strict=True):
        moved = round(share * n)
        row[:moved] = gain * n / moved if moved else 0.0
    is_reranked = [[k < round(share * n) for k in range(n)] for _, share in gains_and_shares]
    return judged(delta, baseline=0.4, is_reranked=is_reranked)


def synthetic_click_sweep(models, test, *, valid=None, measure="AP", **options):
    """A sweep over clicks whose models, pairs of series and value, are the rows of `test`."""
    varied = [Setting(series, "alpha" if series == RISK else "beta", float(value)) for series, value in models]
    plain = synthetic_sweep(test, valid=valid, parameter="value", settings=tuple(varied), measure=measure, **options)
    return rr.ClickSweep(**vars(plain))
