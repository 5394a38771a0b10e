from __future__ import annotations

import numpy as np
import pytest

from riskrank.risk import cvar
from riskrank.risk.inference.cvar_interval import _Draws, cvar_interval
from riskrank.risk.inference.mirror_shift import MirrorShift
from riskrank.risk.inference.null_values import Resampled

rng = np.random.default_rng(3)


@pytest.mark.parametrize("n_topics", [100, 130, 2000])
def test_it_holds_the_observed_cvar(n_topics):
    changes = rng.laplace(0.02, 0.1, n_topics)
    low, high = cvar_interval(MirrorShift(changes), 0.1, 0.95)
    assert 0 < low < cvar(changes, np.zeros(n_topics), share=0.1) < high


def test_fewer_than_10_worst_topics_have_none():
    assert np.isnan(cvar_interval(MirrorShift(rng.laplace(0, 0.1, 99)), 0.1, 0.95)).all()


def test_the_worst_of_each_draw_are_those_of_a_plain_loop():
    residuals = rng.laplace(0, 0.1, 60)
    residuals -= residuals.mean()
    null = Resampled(residuals, 105)
    counts = np.diff(null.tables[0], axis=0)
    for shift in (-0.2, 0.0, 0.05):
        drawn = _Draws(null, 0.1).at(shift)
        for b in range(0, counts.shape[1], 501):
            sample = np.repeat(null.values + shift, counts[:, b].astype(int))
            sample = np.concatenate([sample, np.zeros(105 - len(sample))])
            assert drawn.cvar[b] == pytest.approx(cvar(sample, np.zeros(105), share=0.1), abs=1e-12)
