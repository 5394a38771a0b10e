"""The tables of a sweep: every number against the models themselves."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest

import riskrank as rr
from riskrank.risk.outcomes import gain, outcomes, reward, risk

from .synthetic_sweeps import judged, synthetic_sweep

pytestmark = pytest.mark.usefixtures("two_cores")


def converged(learned, baseline):
    """The first step that has gone 95 % of the way from the baseline; NaN where training ends below it."""
    if learned[-1] <= baseline:
        return math.nan
    return next(t for t, v in enumerate(learned, start=1) if v - baseline >= 0.95 * (learned[-1] - baseline))


def test_the_summary_has_the_numbers_of_each_model(swept, models, parts):
    valid, test = parts[1:]
    summary = swept.summary
    base = rr.evaluate(test, {"b": test.feature(1)}, "nDCG@10")["b"]
    measures = [model.objective.measure for model in models]  # of training, which may differ from the sweep's
    levels = [rr.evaluate(valid, {"b": valid.feature(1)}, str(each))["b"].mean() for each in measures]
    full = rr.evaluate(test, {"m": models[0].predict(test)}, "nDCG@10")["m"]
    for i, (row, model) in enumerate(zip(summary.iter_rows(named=True), models, strict=True)):
        runs = {"model": model.predict(test), "text": test.feature(1)}
        values = rr.evaluate(test, runs, ["nDCG@10", "AP", "RR"])
        own = values["nDCG@10"]["model"]
        change = rr.rank_changes(runs, "text", data=test)["model"]
        counts = outcomes(own, base)
        learned, valid_level = model.history_["valid_effectiveness"], levels[i]
        moved = change.tau_per_topic[change.is_reranked]
        expected = {
            "series": swept.settings[i].series,
            "alpha": swept.settings[i].value,
            "nDCG@10": own.mean(),
            "AP": values["AP"]["model"].mean(),
            "RR": values["RR"]["model"].mean(),
            "gain": gain(own, base),
            "risk": risk(own, base),
            "reward": reward(own, base),
            "reward_per_risk": reward(own, base) / risk(own, base),
            "wins": counts.wins,
            "losses": counts.losses,
            "ties": counts.ties,
            "wins_per_loss": counts.wins / counts.losses,
            "losses_over_20_percent": counts.large_losses,
            "gain_percent": 100 * gain(own, base) / gain(full, base) if gain(full, base) > 0 else math.nan,
            "risk_percent": 100 * risk(own, base) / risk(full, base),
            "reranked": change.reranked,
            "gain_per_reranked": gain(own, base) / change.reranked,
            "kendall_tau": change.kendall_tau,
            "kendall_tau_reranked": moved.mean(),
            "trees_to_95_percent": converged(learned, valid_level),
        }
        assert list(row) == list(expected)
        for name, value in expected.items():
            same = value if isinstance(value, str) else pytest.approx(value, rel=1e-9, abs=1e-12, nan_ok=True)
            assert row[name] == same, name


def test_a_summary_of_queries_of_one_document_has_no_tau():
    summary = synthetic_sweep(judged([[0.0, 0.0]], distance=[[math.nan, math.nan]])).summary
    assert math.isnan(summary["kendall_tau"][0])


def test_distances_are_counted_in_ten_bins(swept):
    table = swept.distances()
    assert table.columns == ["series", "alpha", "bin", "queries", "share", "reward", "gain"]
    assert len(table) == 60
    for i, setting in enumerate(swept.settings):
        rows = table.filter((pl.col("series") == setting.series) & (pl.col("alpha") == setting.value))
        bins = [min(9, int(distance * 10 + 1e-9)) for distance in swept.test.distance[i]]
        for row in rows.iter_rows(named=True):
            delta = [d for d, at in zip(swept.test.changes[i], bins, strict=True) if at == row["bin"]]
            assert row["queries"] == len(delta)
            assert row["share"] == pytest.approx(len(delta) / len(bins))
            if delta:
                assert row["gain"] == pytest.approx(np.mean(delta))
                assert row["reward"] == pytest.approx(np.mean([max(d, 0) for d in delta]))
            else:
                assert math.isnan(row["gain"])


def test_queries_of_one_document_have_no_distance():
    sweep = synthetic_sweep(judged([[0.1, 0.0, -0.1]], distance=[[0.05, math.nan, 1.0]]))
    table = sweep.distances()
    assert table["queries"].to_list() == [1, 0, 0, 0, 0, 0, 0, 0, 0, 1]
    assert sweep.summary["kendall_tau"][0] == pytest.approx((0.9 - 1) / 2)
