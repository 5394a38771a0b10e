from __future__ import annotations

import numpy as np
import pytest

from riskrank import risk
from riskrank.errors import ParameterError
from riskrank.risk.inference.bootstrap import _statistics

RNG = np.random.default_rng(3)
MATRIX = RNG.beta(2, 3, size=(4, 15)).round(3)
BASELINE = MATRIX[0]


def slow(resample, alpha):
    """Every number of a draw, by the functions that compute them on data."""
    matrix, baseline = MATRIX[:, resample], BASELINE[resample]
    rows = []
    for row in matrix:
        outcome = risk.outcomes(row, baseline)
        rows.append(
            {
                "effectiveness": row.mean(),
                "geometric_mean": np.exp(np.log(np.maximum(row, 1e-5)).mean()),
                "gain": risk.gain(row, baseline),
                "risk": risk.risk(row, baseline),
                "reward": risk.reward(row, baseline),
                "wins": outcome.wins,
                "losses": outcome.losses,
                "ties": outcome.ties,
                "large_losses": outcome.large_losses,
                "cvar": risk.cvar(row, baseline, share=0.3),
                "worst_loss": max(0, (baseline - row).max()),
                f"urisk_{alpha}": risk.urisk(row, baseline, alpha=alpha),
                f"trisk_{alpha}": risk.trisk(row, baseline, alpha=alpha).statistic,
            }
        )
    for name, function in (("zrisk", risk.zrisk), ("georisk", risk.georisk)):
        for row, value in zip(rows, function(matrix, alpha=alpha), strict=True):
            row[f"{name}_{alpha}"] = value
    return rows


def test_each_draw_equals_the_measure_on_the_drawn_topics():
    draws = RNG.integers(0, 15, size=(20, 15))
    counts = np.array([np.bincount(draw, minlength=15) for draw in draws], float)
    statistics = dict(_statistics(MATRIX, BASELINE, counts, [5], 0.3))
    for k, draw in enumerate(draws):
        for i, row in enumerate(slow(draw, 5)):
            assert set(statistics) == set(row)
            for name, value in row.items():
                np.testing.assert_allclose(statistics[name][k, i], value, rtol=1e-7, atol=1e-9, err_msg=name)


def test_a_seed_fixes_the_intervals_and_chunks_do_not_matter(monkeypatch):
    from riskrank.risk.inference import bootstrap

    def intervals(**more):
        options = {"alphas": [0, 5], "share": 0.1, "n_resamples": 300, **more}
        return bootstrap.bootstrap_intervals(MATRIX, BASELINE, **options)

    first, other_seed = intervals(), intervals(random_state=1)
    monkeypatch.setattr(bootstrap, "ELEMENTS_AT_ONCE", 500)
    again = intervals()
    for name in first:
        np.testing.assert_array_equal(first[name], again[name])
    assert not np.array_equal(first["gain"], other_seed["gain"])


def test_intervals_cover_the_truth_about_as_often_as_they_say():
    rng = np.random.default_rng(0)
    hits = 0
    for _ in range(200):
        deltas = rng.normal(0.02, 0.1, size=60)
        matrix = np.clip(np.vstack([np.full(60, 0.5), 0.5 + deltas]), 0, 1)
        low, high = risk.bootstrap_intervals(matrix, matrix[0], alphas=[0], share=0.1, n_resamples=400)["gain"][1]
        hits += low <= 0.02 <= high
    assert 178 <= hits <= 199  # binomial(200, 0.95) lies here with probability above 0.999


def test_the_baseline_against_itself_has_no_width():
    intervals = risk.bootstrap_intervals(MATRIX, BASELINE, alphas=[1], share=0.1, n_resamples=50)
    assert intervals["gain"][0].tolist() == [0, 0]
    assert np.isnan(intervals["trisk_1"][0]).all()


def test_bad_options_are_refused():
    with pytest.raises(ParameterError, match="confidence"):
        risk.bootstrap_intervals(MATRIX, BASELINE, alphas=[1], share=0.1, confidence=95)
